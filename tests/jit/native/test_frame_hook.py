"""The frame hook: what it hands over, what it leaves alone, and that nothing shows of it."""

from __future__ import annotations

import contextlib
import cProfile
import ctypes
import gc
import mmap
import operator
import struct
import subprocess
import sys
import threading
import time
import traceback
import tracemalloc
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest

from framejit.jit.native import _core

SKIP, HANDLE = _core.MARK_SKIP, _core.MARK_HANDLE
monitoring = getattr(sys, "monitoring", None)

if _core.hook_state()["unsupported"] is not None:
    pytest.skip("frames cannot be hooked here", allow_module_level=True)


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """A test leaves no callbacks and no enabled thread behind."""
    yield
    while _core.hook_state()["thread_depth"]:
        _core.hook_disable()
    _core.hook_set_callbacks(None, None)
    assert not _core.hook_state()["installed"]


def hooked(
    call: Callable[[], Any],
    handle: Callable[..., Any] | None,
    *functions: Any,
    mark: int = HANDLE,
) -> Any:
    """Runs call() with these functions marked and everything else skipped."""
    for function in functions:
        _core.hook_mark(function.__code__, mark)
    _core.hook_set_callbacks(lambda _: SKIP, handle)
    _core.hook_enable()
    try:
        return call()
    finally:
        _core.hook_disable()


def defaulted(call: Callable[[], Any], reason: str) -> int:
    """How many frames were left to the interpreter for this reason while call() ran hooked."""
    before = _core.hook_state()["defaulted"][reason]
    hooked(call, lambda *_: None)
    return int(_core.hook_state()["defaulted"][reason] - before)


def python(code: str, *options: str, timeout: float = 120) -> str:
    """Runs a program in a process of its own, in development mode, and returns what it printed."""
    command = [sys.executable, "-X", "dev", *options, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


handled_in_c = "handled".format
"""A handler without a Python frame of its own."""


# ---- the words of code objects ----------------------------------------------------------------


def test_a_mark_is_kept_with_a_count_of_frames() -> None:
    """hook_get_mark tells the mark and how many frames were seen since there is one."""

    def f() -> int:
        return 1

    assert _core.hook_get_mark(f.__code__) == (_core.MARK_UNKNOWN, 0)
    hooked(lambda: [f() for _ in range(5)], lambda *_: None, f, mark=SKIP)
    assert _core.hook_get_mark(f.__code__) == (SKIP, 5)
    _core.hook_mark(f.__code__, HANDLE)
    assert _core.hook_get_mark(f.__code__) == (HANDLE, 5)


def test_wrong_arguments_are_refused() -> None:
    """Only code objects have marks, only three marks exist, callbacks are callable or None."""
    code = test_wrong_arguments_are_refused.__code__
    with pytest.raises(TypeError):
        _core.hook_mark(1, 1)
    with pytest.raises(TypeError):
        _core.hook_get_mark(len)
    for mark in (-1, 3):
        with pytest.raises(ValueError, match="no mark"):
            _core.hook_mark(code, mark)
    for callbacks in ((1, None), (None, 1), (None,)):
        with pytest.raises(TypeError):
            _core.hook_set_callbacks(*callbacks)


def test_a_mark_does_not_keep_its_code_alive() -> None:
    """co_extra holds a word, no reference: marked code goes when its function goes."""
    namespace: dict[str, Any] = {}
    exec("def f(): return 1", namespace)
    code = weakref.ref(namespace["f"].__code__)
    hooked(namespace["f"], lambda *_: 2, namespace["f"])
    namespace.clear()

    assert code() is None


# ---- asking ------------------------------------------------------------------------------------


def test_decide_is_asked_once_with_the_function() -> None:
    """The first frame of unmarked code asks; its answer holds for that frame and all later ones."""
    asked = []

    def f() -> str:
        return "eager"

    def decide(function: Any) -> Any:
        asked.append(function)
        return HANDLE if function is f else SKIP

    _core.hook_set_callbacks(decide, lambda *_: "handled")
    _core.hook_enable()
    results = [f(), f()]
    _core.hook_disable()

    assert (results, asked[0], asked.count(f)) == (["handled", "handled"], f, 1)


def test_an_answer_of_unknown_asks_again() -> None:
    """UNKNOWN leaves the code unmarked and the frame to the interpreter."""
    asked = []

    def f() -> str:
        return "eager"

    def decide(function: Any) -> Any:
        asked.append(function)
        return _core.MARK_UNKNOWN

    _core.hook_set_callbacks(decide, handled_in_c)
    _core.hook_enable()
    results = [f(), f()]
    _core.hook_disable()

    assert (results, asked[:2]) == (["eager", "eager"], [f, f])


def test_what_decide_calls_is_not_asked_about() -> None:
    """Capture is not re-entered: frames under `decide` run as they are."""

    def helper() -> str:
        return "eager"

    answers = []

    def decide(_: types.FunctionType) -> Any:
        answers.append(helper())
        return SKIP

    def f() -> None:
        return None

    _core.hook_mark(helper.__code__, HANDLE)
    _core.hook_set_callbacks(decide, lambda *_: "handled")
    _core.hook_enable()
    f()
    _core.hook_disable()

    assert answers == ["eager"]


@pytest.mark.parametrize("answer", [7, -1, "x", 2**80, None])
def test_a_failing_decide_does_not_reach_the_user(answer: Any, monkeypatch: Any) -> None:
    """An error of the engine is reported, and its code is skipped from then on."""
    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: reported.append(report.exc_type))

    def f() -> str:
        return "eager"

    def decide(function: types.FunctionType) -> Any:
        if function is not f:
            return SKIP
        if answer is None:
            raise LookupError
        return answer

    _core.hook_mark(f.__code__, _core.MARK_UNKNOWN)
    _core.hook_set_callbacks(decide, lambda *_: "handled")
    _core.hook_enable()
    results = [f(), f()]
    _core.hook_disable()

    assert results == ["eager", "eager"]
    assert len(reported) == 1
    assert issubclass(reported[0], (LookupError, ValueError, TypeError, OverflowError))
    assert _core.hook_get_mark(f.__code__)[0] == SKIP


def test_an_interrupt_in_decide_is_the_users() -> None:
    """Ctrl-C while the engine decides comes out at the call, without the engine's frames."""

    def f() -> str:
        return "eager"

    def decide(_: types.FunctionType) -> int:
        raise KeyboardInterrupt

    _core.hook_set_callbacks(decide, None)
    _core.hook_enable()
    try:
        f()
    except KeyboardInterrupt as error:
        _core.hook_set_callbacks(None, None)
        names = [entry.name for entry in traceback.extract_tb(error.__traceback__)]
    assert names == ["test_an_interrupt_in_decide_is_the_users"]
    assert _core.hook_get_mark(f.__code__)[0] == _core.MARK_UNKNOWN


# ---- answering ---------------------------------------------------------------------------------


def signatures() -> list[tuple[Any, tuple[Any, ...]]]:
    """Calls of functions, with the arguments as they are bound in the order of co_varnames."""

    def none() -> str:
        return "eager"

    def plain(a: int, b: int = 2) -> str:
        return "eager"

    def every(a: int, /, b: int, *rest: int, c: int, d: int = 4, **more: int) -> str:
        return "eager"

    def cell(a: int) -> Any:
        return lambda: a

    def local(a: int) -> int:
        b = c = d = a
        return b + c + d

    def passes(a: int) -> Any:
        pass

    many: dict[str, Any] = {}
    exec(f"def many({', '.join(f'a{k}' for k in range(40))}): return 'eager'", many)
    return [
        (lambda: (none, none()), ()),
        (lambda: (plain, plain(1)), (1, 2)),
        (lambda: (plain, plain(b=1, a=3)), (3, 1)),
        (lambda: (every, every(1, 2, 7, 8, c=3, e=5)), (1, 2, 3, 4, (7, 8), {"e": 5})),
        (lambda: (cell, cell(1)), (1,)),
        (lambda: (local, local(1)), (1,)),
        (lambda: (passes, passes(1)), (1,)),
        (lambda: (many["many"], many["many"](*range(40))), tuple(range(40))),
    ]


@pytest.mark.parametrize("case", range(8))
def test_handle_gets_the_bound_arguments(case: int) -> None:
    """handle(function, *localsplus up to the last parameter); its result is the call's."""
    call, expected = signatures()[case]

    def handle(function: types.FunctionType, *arguments: Any) -> Any:
        return function, arguments

    function = call()[0]
    _, (got_function, got) = hooked(call, handle, function)

    assert (got_function, got) == (function, expected)


def test_run_original_evaluates_the_frame() -> None:
    """RUN_ORIGINAL gives the frame back as it came."""

    def f(a: int, *rest: int) -> Any:
        return a, rest

    assert hooked(lambda: f(1, 2, 3), lambda *_: _core.RUN_ORIGINAL, f) == (1, (2, 3))


def test_without_handle_the_frame_runs() -> None:
    """A frame marked HANDLE runs as it is when nobody is there to handle it."""

    def f() -> str:
        return "eager"

    assert hooked(f, None, f) == "eager"


@pytest.mark.parametrize("python_handle", [True, False])
def test_a_traceback_has_no_entry_for_the_replaced_frame(python_handle: bool) -> None:
    """An exception comes out of the call: no entry at the def line, none of ours."""

    def f(a: int) -> None:
        return None

    def handle(_: Any, a: int) -> None:
        raise TypeError

    try:
        hooked(lambda: f(1), handle if python_handle else operator.truediv, f)
    except TypeError as error:
        names = [entry.name for entry in traceback.extract_tb(error.__traceback__)][1:]

    assert names == ["hooked", "<lambda>"] + ["handle"] * python_handle


def test_an_exception_meets_the_state_that_eager_would_meet() -> None:
    """__context__, the handler of the caller and sys.exception after it are as ever."""
    handled = []

    def f() -> None:
        return None

    def handle(_: Any) -> None:
        raise ValueError("inner")

    def call() -> BaseException | None:
        try:
            raise KeyError("outer")
        except KeyError:
            try:
                f()
            except ValueError as error:
                handled.append(sys.exc_info()[1] is error)
                return error.__context__
        return None

    assert isinstance(hooked(call, handle, f), KeyError)
    assert handled == [True]
    assert sys.exc_info() == (None, None, None)


def test_handle_stands_where_the_frame_stood() -> None:
    """The replaced frame is not on the stack: the caller of `handle` is the caller of f."""

    def f() -> Any:
        return None

    def handle(_: Any) -> str:
        return sys._getframe(1).f_code.co_name

    def caller() -> Any:
        return f()

    assert hooked(caller, handle, f) == "caller"


def test_everything_may_change_while_handle_runs() -> None:
    """Callbacks, marks, enabling and even the function's code may be replaced under the frame."""
    namespace: dict[str, Any] = {}
    exec("def f(a): return 'eager'", namespace)
    f = namespace["f"]
    code = weakref.ref(f.__code__)

    def handle(function: types.FunctionType, a: int) -> Any:
        function.__code__ = (lambda a: "new").__code__
        _core.hook_set_callbacks(None, None)
        _core.hook_disable()
        _core.hook_enable()
        gc.collect()
        return code() is not None

    assert hooked(lambda: f(1), handle, f) is True
    assert (code(), f(1)) == (None, "new")


def test_finalizers_of_arguments_run_python() -> None:
    """Arguments die with the frame, and what they run then is hooked as well."""
    died = []

    class Mortal:
        def __del__(self) -> None:
            died.append(f(None))

    def f(a: object) -> str:
        return "eager"

    assert hooked(lambda: f(Mortal()), lambda *_: "handled", f) == "handled"
    assert died == ["handled"]


@pytest.mark.parametrize("warm", [0, 200])
def test_specialised_call_sites_are_seen(warm: int) -> None:
    """A call reaches the hook, or runs as it is where the interpreter took a short cut."""

    class C:
        def __init__(self) -> None:
            self.made = "eager"

        @property
        def p(self) -> str:
            return "eager"

        def __getitem__(self, _: int) -> str:
            return "eager"

        def method(self) -> str:
            return "eager"

    def call() -> list[Any]:
        c = C()
        return [getattr(c, "made", "handled"), c.p, c[0], c.method()]

    for _ in range(warm):
        call()
    codes = (C.__init__, vars(C)["p"].fget, C.__getitem__, C.method)
    handle = {"__init__": None}
    got = hooked(call, lambda f, *_: handle.get(f.__name__, "handled"), *codes)

    # Some specialised instructions enter a frame without asking for the evaluation function:
    # __getitem__ on 3.11.2, __init__ on 3.13.0. Such a frame runs as it is.
    assert got[3] == "handled"
    assert warm or got == ["handled"] * 4
    assert set(got) <= {"handled", "eager"}


# ---- left alone --------------------------------------------------------------------------------


def test_generators_are_hooked_where_they_are_made_only() -> None:
    """The call that makes a generator is a frame like any other; its resumption is left alone."""

    def g(n: int) -> Iterator[int]:
        yield from range(n)

    assert hooked(lambda: g(3), lambda *_: "handled", g) == "handled"
    assert hooked(lambda: list(g(3)), lambda *_: _core.RUN_ORIGINAL, g) == [0, 1, 2]
    _core.hook_mark(g.__code__, SKIP)
    assert defaulted(lambda: list(g(3)), "generator") == 4


def test_throwing_into_a_generator_is_left_alone() -> None:
    """A frame evaluated for an exception is no call."""

    def g() -> Any:
        try:
            yield 1
        except ValueError:
            yield 2

    def call() -> Any:
        made = g()
        next(made)
        return made.throw(ValueError)

    _core.hook_mark(g.__code__, SKIP)
    assert defaulted(lambda: call() == 2, "throwflag") >= 1


def test_coroutines_are_left_alone() -> None:
    """A coroutine runs as it is."""

    async def f(n: int) -> int:
        return 0 if n == 0 else 1 + await f(n - 1)

    def call() -> Any:
        try:
            f(3).send(None)
        except StopIteration as stop:
            return stop.value
        return -1

    assert hooked(call, lambda *_: _core.RUN_ORIGINAL, f) == 3
    _core.hook_mark(f.__code__, SKIP)
    assert defaulted(call, "generator") >= 1


def test_bodies_of_modules_and_classes_are_left_alone() -> None:
    """What writes into a namespace is no function."""

    def call() -> None:
        class C:
            x = 1

        exec("y = 1", {})
        assert C.x == eval("0 + 1")

    assert defaulted(call, "module_or_class") == 3


def watchers() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """How each kind of tool comes and goes."""
    profile = cProfile.Profile()
    pairs: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "settrace": (lambda: sys.settrace(lambda *_: None), lambda: sys.settrace(None)),
        "setprofile": (lambda: sys.setprofile(lambda *_: None), lambda: sys.setprofile(None)),
        "cProfile": (profile.enable, profile.disable),
    }
    if monitoring is not None:
        pairs["monitoring"] = (
            lambda: monitoring.use_tool_id(4, "test"),
            lambda: monitoring.free_tool_id(4),
        )
    return pairs


@pytest.mark.parametrize("name", watchers())
def test_under_a_tool_everything_is_left_alone(name: str) -> None:
    """A debugger, profiler or tracer sees the user's own frames."""
    start, stop = watchers()[name]
    if _core.tools_active():
        pytest.skip("something else is watching this test")

    def f() -> str:
        return "eager"

    def call() -> tuple[str, bool]:
        start()
        try:
            return f(), _core.tools_active()
        finally:
            stop()

    assert hooked(call, lambda *_: "handled", f) == ("eager", True)
    assert not _core.tools_active()
    assert hooked(f, lambda *_: "handled", f) == "handled"


def test_a_tool_sees_what_it_always_sees() -> None:
    """Under a tool the hook is taken out: an evaluation function alone changes its events."""
    if monitoring is None:
        pytest.skip("3.11 has no sys.monitoring")
    names = ("CALL", "C_RETURN", "PY_RETURN", "PY_YIELD", "PY_RESUME", "STOP_ITERATION", "RAISE")
    events: list[tuple[str, str]] = []

    def generated() -> Iterator[int]:
        yield 1

    def inner() -> int:
        return len(())

    def outer() -> None:
        inner()
        for _ in generated():
            pass

    def watched() -> list[tuple[str, str]]:
        events.clear()
        monitoring.use_tool_id(4, "test")
        for name in names:
            event = getattr(monitoring.events, name)
            monitoring.register_callback(
                4, event, lambda code, *_, name=name: events.append((name, code.co_name))
            )
        both = monitoring.events.C_RETURN | monitoring.events.C_RAISE
        every = sum(getattr(monitoring.events, name) for name in names)
        monitoring.set_events(4, every & ~both)
        outer()
        monitoring.set_events(4, 0)
        monitoring.free_tool_id(4)
        return [event for event in events if event[1] in {"outer", "inner", "generated"}]

    eager = watched()
    got = hooked(watched, None)

    assert got == eager
    assert ("STOP_ITERATION", "outer") in got


@pytest.mark.parametrize("profiler", ["profile", "cProfile"])
def test_profilers_work(profiler: str) -> None:
    """The standard library's profilers count the calls of a program as ever."""
    printed = python(
        f"""
import pstats
from {profiler} import Profile
from framejit.jit.native import _core
def generated(n): yield from range(n)
def inner(n): return len(list(generated(n)))
def outer(): return [inner(n) for n in range(5)]
_core.hook_set_callbacks(lambda f: 1, None)
_core.hook_enable()
profile = Profile()
profile.runcall(outer)
profile.runctx("outer()", globals(), {{}})
counts = {{key[2]: value[1] for key, value in pstats.Stats(profile).stats.items()}}
print(*(counts[name] for name in ("outer", "inner", "generated")))
"""
    )

    assert printed.split() == ["2", "10", "30"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_tool_that_comes_up_meanwhile_sees_no_trace_of_the_frame(fails: bool) -> None:
    """A frame that was never seen to start is not seen to end, and no code of ours appears."""
    events = []

    def watch(frame: types.FrameType, event: str, _: object) -> Any:
        events.append((event, frame.f_code.co_name))
        return watch

    def f() -> Any:
        return None

    def handle(_: Any) -> str:
        sys.settrace(watch)
        if fails:
            raise ValueError
        return "handled"

    def call() -> Any:
        try:
            return f()
        except ValueError:
            return "failed"
        finally:
            sys.settrace(None)

    was = sys.gettrace()
    got = hooked(call, handle, f)
    sys.settrace(was)

    assert got == ("failed" if fails else "handled")
    assert {name for _, name in events} <= {"handle", "call"}


# ---- depth -------------------------------------------------------------------------------------


DEEP = """
import sys, threading
from framejit.jit.native import _core
def plain(n): return 0 if n == 0 else 1 + plain(n - 1)
def mapped(n): return 0 if n == 0 else 1 + next(map(mapped, (n - 1,)))
def generated(n):
    if n: yield from generated(n - 1)
    yield n
def listed(n): return len(list(generated(n))) - 1
def handled(n): return n
def work():
    assert {function}({depth}) == {depth}
    state = _core.hook_state()
    assert state["installed"], state
    print(bool(state["defaulted"]["deep"]), bool(state["handled"]))
def handle(function, n): return 0 if n == 0 else 1 + function(n - 1)
def main():
    _core.hook_mark(handled.__code__, 2)
    _core.hook_set_callbacks(lambda f: 1, handle)
    _core.hook_enable()
    if {elsewhere}:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
sys.setrecursionlimit({limit})
if {stack}:
    threading.stack_size({stack})
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
else:
    main()
"""


@pytest.mark.parametrize(
    ("function", "depth", "limit", "stack", "elsewhere", "deep"),
    [
        ("plain", 900, 1000, 0, False, False),
        ("plain", 150_000, 200_000, 0, False, True),
        ("plain", 900, 1000, 65536, False, True),
        ("plain", 20_000, 30_000, 65536, True, True),
        ("listed", 900, 1000, 0, False, False),
        ("listed", 10_000, 30_000, 0, False, True),
        ("listed", 100, 1000, 65536, False, True),
        ("mapped", 700, 1000, 0, False, False),
        ("mapped", 60, 1000, 65536, False, True),
        ("handled", 900, 1000, 0, False, True),
    ],
)
def test_what_plain_python_survives_we_survive(
    function: str, depth: int, limit: int, stack: int, elsewhere: bool, deep: bool
) -> None:
    """Below a measured part of the C stack the hook steps aside; it is back afterwards."""
    printed = python(
        DEEP.format(function=function, depth=depth, limit=limit, stack=stack, elsewhere=elsewhere)
    )

    assert printed.split() == [str(deep), str(function == "handled")]


def test_the_recursion_limit_is_where_it_was() -> None:
    """RecursionError comes at the same depth, hooked or not, and before `handle` is called."""

    def f() -> None:
        return None

    def depth(n: int) -> int:
        try:
            return depth(n + 1)
        except RecursionError:
            pass
        try:
            f()
        except RecursionError:
            return n
        return -1

    def measure(enable: Callable[[], Any]) -> int:
        enable()
        return depth(0)

    _core.hook_mark(f.__code__, HANDLE)
    _core.hook_set_callbacks(operator.truth, handled_in_c)
    eager = measure(_core.tools_active)

    assert measure(_core.hook_enable) == eager > 0


# ---- threads, forks, other hooks ---------------------------------------------------------------


def test_enabling_nests_and_the_last_one_restores() -> None:
    """The interpreter's own function is back when the last hook_enable() is undone."""
    for _ in range(3):
        _core.hook_enable()
    depths = []
    for _ in range(3):
        depths.append((_core.hook_state()["thread_depth"], _core.hook_state()["installed"]))
        _core.hook_disable()

    assert depths == [(3, True), (2, True), (1, True)]
    assert not _core.hook_state()["installed"]
    with pytest.raises(RuntimeError, match="without"):
        _core.hook_disable()


def test_a_thread_is_hooked_only_when_it_asks() -> None:
    """Enabling belongs to a thread; a thread that ends disables itself."""

    def f() -> str:
        return "eager"

    got = []

    def other() -> None:
        got.append(f())
        _core.hook_enable()
        got.append(f())
        got.append(_core.hook_state()["threads"])

    def call() -> None:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    hooked(call, lambda *_: "handled", f)
    assert got == ["eager", "handled", 2]
    assert _core.hook_state()["threads"] == 0


FORK = """
import os, threading
from framejit.jit.native import _core
def f(): return "eager"
def recurse(n):
    if n: return recurse(n - 1)
    ready.set()
    done.wait()
def other():
    _core.hook_enable()
    recurse({depth})
_core.hook_mark(f.__code__, 2)
_core.hook_set_callbacks(lambda _: 1, lambda *_: "handled")
ready, done = threading.Event(), threading.Event()
threading.stack_size(131072)
thread = threading.Thread(target=other)
thread.start()
ready.wait()
_core.hook_enable()
before = _core.hook_state()
pid = os.fork()
if pid == 0:
    now = _core.hook_state()
    good = (now["threads"], now["thread_depth"], now["installed"], f()) == (1, 1, True, "handled")
    _core.hook_disable()
    os._exit(0 if good and not _core.hook_state()["installed"] and f() == "eager" else 1)
status = os.waitpid(pid, 0)[1]
done.set()
thread.join()
print(before["threads"], before["installed"], status, _core.hook_state()["installed"], f())
"""


@pytest.mark.parametrize("depth", [0, 400])
def test_after_a_fork_only_the_forking_thread_is_left(depth: int) -> None:
    """The child forgets the other threads, and that one of them had taken the hook out."""
    printed = python(FORK.format(depth=depth), "-W", "ignore")

    assert printed.split() == ["2", str(depth == 0), "0", "True", "handled"]


LEAVING = """
import threading
import time
from framejit.jit.native import _core
_core.hook_set_callbacks(lambda f: 2, lambda f, *a: _core.RUN_ORIGINAL)
_core.hook_enable()
threading.Thread(target=_core.hook_enable).start()
class C:
    def __del__(self): self.x = [1]
kept = C()
"""


def test_leaving_while_enabled_is_quiet() -> None:
    """A program may end without disabling, in any thread."""
    assert python(LEAVING) == ""


SUBINTERPRETER = """
import _testcapi
from framejit.jit.native import _core
print(_testcapi.run_in_subinterp('''
from framejit.jit.native import _core
try:
    _core.hook_enable()
except RuntimeError as error:
    assert str(error) == "frames cannot be hooked: this is a subinterpreter"
else:
    raise SystemError
'''))
"""


def test_a_subinterpreter_is_told_why_not() -> None:
    """hook_enable names the reason where frames cannot be hooked."""
    pytest.importorskip("_testcapi")

    assert python(SUBINTERPRETER, "-W", "ignore") == "0\n"


class OtherHook:
    """An evaluation function that counts its frames and passes them on (x86-64 machine code)."""

    kept: ClassVar[list[OtherHook]] = []
    """Each of them: the interpreter may be on its way through one when its test ends."""

    def __init__(self, target: int) -> None:
        self.kept.append(self)
        self.count = ctypes.c_int64(0)
        self.memory = mmap.mmap(-1, 64, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        counter = ctypes.addressof(self.count)
        # mov rax, counter; inc qword [rax]; mov rax, target; jmp rax
        text = (b"\x48\xb8", counter, b"\x48\xff\x00\x48\xb8", target, b"\xff\xe0")
        self.memory.write(struct.pack("<2sq5sq2s", *text))


def evaluation(*function: int) -> int:
    """Installs an evaluation function, when one is given; returns the one that is installed."""
    api = ctypes.pythonapi
    api.PyInterpreterState_Main.restype = ctypes.c_void_p
    api._PyInterpreterState_GetEvalFrameFunc.restype = ctypes.c_void_p
    main = ctypes.c_void_p(api.PyInterpreterState_Main())
    for address in function:
        api._PyInterpreterState_SetEvalFrameFunc(main, ctypes.c_void_p(address))
    return int(api._PyInterpreterState_GetEvalFrameFunc(main))


@pytest.fixture
def eager_hook() -> Iterator[int]:
    """CPython's own evaluation function, which is back in its place afterwards."""
    default = evaluation()
    yield default
    evaluation(default)


def test_a_hook_that_was_there_gets_our_frames(eager_hook: int) -> None:
    """What we leave alone goes to the hook that we stand on, and it is back when we go."""

    def f() -> str:
        return "eager"

    other = OtherHook(eager_hook)
    evaluation(other.address)
    _core.hook_set_callbacks(operator.truth, None)
    _core.hook_enable()
    before = other.count.value
    got = f()
    seen = other.count.value - before
    _core.hook_disable()

    assert (got, seen, evaluation()) == ("eager", 1, other.address)


def test_a_hook_on_top_of_ours_stays(eager_hook: int) -> None:
    """The last hook_disable() leaves what others have put on top of us; enabling works again."""

    def f() -> str:
        return "eager"

    _core.hook_mark(f.__code__, HANDLE)
    _core.hook_set_callbacks(operator.truth, handled_in_c)
    _core.hook_enable()
    ours = evaluation()
    other = OtherHook(ours)
    evaluation(other.address)
    got = [f()]
    _core.hook_disable()
    got.append(f())
    assert evaluation() == other.address
    _core.hook_enable()
    got.append(f())
    assert evaluation() == other.address
    evaluation(ours)
    _core.hook_disable()

    assert got == ["handled", "eager", "handled"]
    assert evaluation() == eager_hook


def test_a_hook_that_dropped_ours_is_noticed(eager_hook: int) -> None:
    """Where the function that we had replaced is back, enabling installs the hook again."""
    _core.hook_enable()
    evaluation(eager_hook)
    assert not _core.hook_state()["installed"]
    _core.hook_disable()
    _core.hook_enable()

    assert _core.hook_state()["installed"]


def test_a_hook_that_leads_back_to_ours_is_cut_short(eager_hook: int) -> None:
    """Standing on a hook that remembers us from before must not go round in circles."""

    def f() -> str:
        return "eager"

    _core.hook_set_callbacks(operator.truth, None)
    _core.hook_enable()
    other = OtherHook(evaluation())
    _core.hook_disable()
    evaluation(other.address)
    _core.hook_enable()
    got = f()
    _core.hook_disable()

    assert (got, evaluation()) == ("eager", other.address)


# ---- memory ------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["handled", "fails", "original", "skipped"])
def test_references_and_memory_stay_exact(way: str) -> None:
    """100 000 frames leave every count and every byte where it was."""
    argument, result = object(), object()

    def f(a: object, *rest: object) -> object:
        return result

    def handle(_: Any, a: object, rest: tuple[object, ...]) -> Any:
        if way == "fails":
            raise ValueError
        return result if way == "handled" else _core.RUN_ORIGINAL

    def call(count: int) -> None:
        for _ in range(count):
            with contextlib.suppress(ValueError):
                f(argument, argument)

    def counts() -> list[int]:
        objects = (argument, result, f, f.__code__, handle, handle.__code__, _core.RUN_ORIGINAL)
        return [sys.getrefcount(each) for each in objects]

    def measure(count: int) -> int:
        hooked(lambda: call(count), handle, f, mark=SKIP if way == "skipped" else HANDLE)
        _core.hook_set_callbacks(None, None)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    measure(100)
    before = counts()
    tracemalloc.start()
    start = measure(100)
    grown = measure(100_000) - start
    tracemalloc.stop()

    assert counts() == before
    assert grown < 2000


NO_MEMORY = """
import _testcapi, operator
from framejit.jit.native import _core
made = {}
exec(f"def f({', '.join(f'a{k}' for k in range(20))}): return 'eager'", made)
f, arguments = made["f"], tuple(range(20))
def outcomes(call, undo):
    seen = set()
    for k in range(60):
        _testcapi.set_nomemory(k, k + 1)
        try:
            result = call()
        except MemoryError:
            result = "MemoryError"
        finally:
            _testcapi.remove_mem_hooks()
        seen.add(str(result)[:11])
        undo(result)
    print(sorted(seen))
def undo_enable(result):
    now = _core.hook_state()
    assert now["thread_depth"] == now["threads"] == now["installed"] == (result is None), now
    if result is None:
        _core.hook_disable()
marks = set()
def fresh(_):
    marks.add(_core.hook_get_mark(f.__code__)[0])
    f.__code__ = f.__code__.replace(co_name="again")
    assert _core.hook_get_mark(f.__code__) == (0, 0)
outcomes(_core.hook_enable, undo_enable)
outcomes(_core.hook_state, lambda _: None)
fresh(None)
outcomes(lambda: _core.hook_mark(f.__code__, 1), fresh)
_core.hook_enable()
_core.hook_set_callbacks(operator.truth, None)
marks.clear()
outcomes(lambda: f(*arguments), fresh)
print(marks)
_core.hook_set_callbacks(operator.truth, "handled".format)
_core.hook_mark(f.__code__, 2)
outcomes(lambda: f(*arguments), lambda _: None)
"""


def test_a_failed_allocation_is_a_memory_error_or_eager() -> None:
    """Any single allocation may fail: the API raises MemoryError, a frame runs as it is."""
    pytest.importorskip("_testcapi")

    assert python(NO_MEMORY, "-X", "dev").splitlines() == [
        "['MemoryError', 'None']",
        "['MemoryError', \"{'installed\"]",
        "['MemoryError', 'None']",
        "['eager']",
        "{0, 1}",
        "['eager', 'handled']",
    ]


@pytest.mark.alone
def test_enabling_is_cheap() -> None:
    """Each call of a function with breaks does it: the stack is not measured anew each time."""
    times = 2000
    start = time.perf_counter()
    for _ in range(times):
        _core.hook_enable()
        _core.hook_disable()

    assert (time.perf_counter() - start) / times < 20e-6
