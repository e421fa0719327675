"""Looking at frames: line numbers, callers, tracebacks, locals of others."""

import functools
import inspect
import linecache
import sys
import traceback
import types

import numpy as np
from python_ladder import CYCLE, program, setup

X = np.linspace(0.5, 2, 6)


def line_of_caller():
    return sys._getframe(1).f_lineno


@program(X)
def line_numbers(x):
    y = x * 2
    first = sys._getframe().f_lineno
    z = y + 1
    second = line_of_caller()
    return z, second - first, first - sys._getframe().f_code.co_firstlineno


@program(X, ignore=CYCLE)
def current_frame(x):
    y = x * 2
    frame = inspect.currentframe()
    name, names = frame.f_code.co_name, sorted(frame.f_locals)
    z = y + 1
    seen = frame.f_locals["y"] is y
    del frame
    return z, name, names, seen


@program(X)
def callers_locals(x):
    def peek():
        caller = sys._getframe(1)
        return sorted(caller.f_locals), caller.f_code.co_name

    y = x * 2
    before = peek()
    z = y + 1
    return z, before, peek()


@program(X)
def chain_of_callers(x):
    def names():
        frame, found = sys._getframe(), []
        while frame is not None and len(found) < 3:
            found.append(frame.f_code.co_name)
            frame = frame.f_back
        return found

    def inner(v):
        w = v + 1
        return w, names()

    y = x * 2
    return inner(y)


@program(X)
def extracted_stack(x):
    def where():
        return [(f.name, f.line) for f in traceback.extract_stack()[-3:-1]]

    y = x * 2
    places = where()[-1:]
    z = y + 1
    return z, places + where()[-1:]


@program(X)
def traceback_lines(x):
    def fail(v):
        w = v * 2
        return w[99]

    y = x + 1
    try:
        fail(y)
    except IndexError as error:
        frames = traceback.extract_tb(error.__traceback__)
        y = y * 2
        return y, [(f.name, f.line) for f in frames]


@program(X)
def formatted_exception(x):
    y = x * 2
    try:
        y = y + {}["k"]
    except KeyError:
        text = traceback.format_exc()
    return y + 1, text.splitlines()[-1], text.count("\n"), "framejit" in text.lower().split("/")[0]


@program(X, ignore=CYCLE)
def locals_in_a_traceback(x):
    def fail(v):
        w = v * 2
        k = 3
        raise ValueError(k)

    y = x + 1
    try:
        fail(y)
    except ValueError as error:
        link = error.__traceback__
        mine, its = sorted(link.tb_frame.f_locals), sorted(link.tb_next.tb_frame.f_locals)
        link = None
    return y * 2, mine, its


@program(X)
def globals_of_frames(x):
    y = x * 2
    same = sys._getframe().f_globals is globals()
    code = sys._getframe().f_code
    return (
        y + 1,
        same,
        code.co_name,
        code.co_varnames[:2],
        code.co_argcount,
        code.co_firstlineno > 0,
    )


@program(X)
def function_looks_at_itself(x):
    def scale(v, k=2, *more, flag=True):
        """Scales."""
        return v * k

    y = scale(x) + 1
    signature = str(inspect.signature(scale))
    return y, signature, scale.__name__, scale.__doc__, scale.__qualname__, scale.__defaults__


@program(X, ignore=CYCLE)
def is_function_and_members(x):
    class Thing:
        def method(self):
            return x * 2

    y = Thing().method() + 1
    return (
        y,
        inspect.isfunction(Thing.method),
        inspect.ismethod(Thing().method),
        isinstance(Thing.method, types.FunctionType),
        [name for name, _ in inspect.getmembers(Thing, inspect.isfunction)],
    )


@program(X)
def bind_arguments(x):
    def f(v, k, *, flag=False):
        return v * k + flag

    bound = inspect.signature(f).bind(x, k=3)
    bound.apply_defaults()
    y = f(*bound.args, **bound.kwargs)
    return y + 1, list(bound.arguments)


@setup()
def code_is_replaced():
    def helper(x):
        return x * 2

    def other(x):
        return x * 100

    codes = [other.__code__, helper.__code__]

    def f(x):
        y = helper(x)
        helper.__code__ = codes[0]
        z = helper(x)
        helper.__code__ = codes[1]
        return y, z + 1

    return f, X.copy()


@program(X)
def source_lines(x):
    y = x * 2
    line = sys._getframe().f_lineno + 1
    z = y + 1
    return z, linecache.getline(__file__, line).strip()


@setup()
def trace_function():
    events = []

    def tracer(frame, event, arg):
        if frame.f_code.co_name == "traced":
            events.append((event, frame.f_lineno - frame.f_code.co_firstlineno))
        return tracer

    def traced(v):
        w = v * 2
        return w + 1

    def f(x):
        events.clear()
        y = x * 2
        before = sys.gettrace()
        sys.settrace(tracer)
        try:
            z = traced(y)
        finally:
            sys.settrace(before)
        return z * 2, list(events)

    return f, X.copy()


@setup()
def profile_function():
    events = []

    def profiler(frame, event, arg):
        if frame.f_code.co_name == "profiled":
            events.append(event)

    def profiled(v):
        return v * 2 + 1

    def f(x):
        events.clear()
        y = x * 2
        sys.setprofile(profiler)
        z = profiled(y)
        sys.setprofile(None)
        return z - y, list(events)

    return f, X.copy()


@program(X, ignore=CYCLE)
def frame_is_kept(x):
    def inner(v):
        w = v * 2
        return sys._getframe(), w + 1

    frame, y = inner(x)
    names = sorted(frame.f_locals)
    kept = frame.f_locals["w"] + y
    frame.clear()
    return kept, names, sorted(frame.f_locals)


@program(X)
def wraps_keeps_the_names(x):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args):
            return function(*args) + 1

        return inner

    @decorate
    def scale(v: float) -> float:
        """Doc."""
        return v * 2

    return scale(x), scale.__name__, scale.__doc__, scale.__wrapped__(x), scale.__annotations__


@program(X)
def stack_depth(x):
    def depth():
        frame, n = sys._getframe(), 0
        while frame.f_back is not None and frame.f_code.co_name != "stack_depth":
            frame, n = frame.f_back, n + 1
        return n

    def one():
        return two()

    def two():
        return depth()

    y = x * 2
    return y + depth(), depth(), one(), (lambda: two())()
