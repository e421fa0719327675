"""The with statement."""

import contextlib
import decimal
import io
import threading

import numpy as np
from python_ladder import CYCLE, program, setup

X = np.linspace(0.5, 2, 6)
Z = np.array([0.0, 1.0, -1.0])


class Block:
    """Prints each event; swallows the exceptions that it is told to."""

    def __init__(self, log, swallow=()):
        self.log = log
        self.swallow = swallow

    def __enter__(self):
        self.log.append("enter")
        return len(self.log)

    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "exit")
        return kind is not None and issubclass(kind, self.swallow)


@program(X, [])
def simple(x, log):
    y = x * 2
    with Block(log) as k:
        y = y + k
        z = y * y
    return y - z


@program(X, [])
def nested(x, log):
    with Block(log) as a:
        y = x * a
        with Block(log) as b, Block(log) as c:
            y = y + b * c
            log.append(float(y[0]))
        y = y - 1
    return y


@program(X, [])
def suppresses(x, log):
    y = x * 2
    with Block(log, (IndexError, ValueError)):
        y = y + 1
        y[0] = y[99]
        log.append("never")
    with Block(log, ValueError):
        y = y + np.ones(4)
    return y * 2


@program(X, [])
def does_not_suppress(x, log):
    y = x * 2
    with Block(log, KeyError):
        x[0] = 100
        y = y + x[99]
    return y


@program(X, [])
def returns_inside(x, log):
    y = x * 2
    with Block(log):
        y = y + 1
        if y[0] > 1:
            return y * 3
    return y


@program(X, [])
def break_and_continue_inside(x, log):
    y = x * 0
    for k in range(5):
        with Block(log):
            if k == 1:
                continue
            y = y + x * k
            if k == 3:
                break
        log.append(k)
    else:
        log.append("else")
    return y, k


@contextlib.contextmanager
def scaled(x, k):
    print("before")
    try:
        yield x * k
    except ValueError as error:
        print("inside:", error)
    finally:
        print("after")


@program(X, ignore=CYCLE)
def generator_based(x):
    with scaled(x, 3) as y:
        z = y + 1
    with scaled(z, 2) as w:
        w = w - z
        raise ValueError("no")
    return w * 2


@program(Z)
def errstate_ignores(x):
    with np.errstate(all="ignore"):
        y = 1 / x + np.log(x)
    return y * 2, np.geterr()["divide"]


@program(Z)
def errstate_raises(x):
    y = x + 1
    try:
        with np.errstate(divide="raise"):
            y = y * 2
            y = y / x
    except FloatingPointError as error:
        print(error)
    return y - 1


@program(Z)
def errstate_as_a_decorator(x):
    @np.errstate(divide="ignore", invalid="ignore")
    def ratio(v):
        return v / (v * 0)

    return ratio(x), x / 0.0


@program(X, [])
def exit_stack(x, log):
    with contextlib.ExitStack() as stack:
        parts = [stack.enter_context(Block(log)) for _ in range(2)]
        stack.callback(lambda v: log.append(("callback", v)), 5)
        y = x * sum(parts)
        closing = stack.pop_all()
    y = y + len(log)
    closing.close()
    return y, len(log)


@program(X)
def suppress_and_redirect(x):
    out = io.StringIO()
    y = x * 2
    with contextlib.suppress(ZeroDivisionError), contextlib.redirect_stdout(out):
        print("captured", y[0])
        y = y + 1
        1 // 0
        y = y * 0
    print("shown")
    return y, out.getvalue()


@program(X)
def nullcontext_and_closing(x):
    class Thing:
        def close(self):
            print("closed")

    with contextlib.nullcontext(x * 2) as y, contextlib.closing(Thing()):
        y = y + 1
    return y


@setup()
def lock_around_the_work():
    lock = threading.Lock()

    def f(x):
        with lock:
            y = x * 2
            held = lock.locked()
        return y + 1, held, lock.locked()

    return f, X.copy()


@program(X)
def decimal_context(x):
    with decimal.localcontext() as context:
        context.prec = 4
        third = decimal.Decimal(1) / 3
        y = x * float(third)
    return y, third, str(decimal.Decimal(1) / 3)[:8]


@program(X, [])
def exception_in_enter(x, log):
    class Refuses(Block):
        def __enter__(self):
            self.log.append("refuse")
            raise RuntimeError("not today")

    y = x * 2
    try:
        with Block(log), Refuses(log):
            y = y * 0
    except RuntimeError:
        y = y + 1
    return y


@program(X, [])
def exception_in_exit(x, log):
    class Breaks(Block):
        def __exit__(self, *info):
            super().__exit__(*info)
            raise LookupError("from exit")

    y = x * 2
    with Breaks(log):
        y = y + 1
        y[7]
    return y


@program(X, [])
def target_is_an_item(x, log):
    table = {}
    with Block(log) as table["k"], contextlib.nullcontext((x, 2)) as (a, b):
        y = a * b + table["k"]
    return y, table


@program(X)
def not_a_context_manager(x):
    y = x * 2
    try:
        with y as z:
            y = z
    except TypeError as error:
        return y + 1, str(error).split()[0]


@program(X, [])
def generator_manager_as_a_decorator(x, log):
    @contextlib.contextmanager
    def logged(name):
        log.append(name)
        yield
        log.append("/" + name)

    @logged("work")
    def work(v):
        return v * 2

    return work(x) + work(x + 1)


@program(X, [])
def with_in_try_finally(x, log):
    y = x * 2
    try:
        with Block(log):
            y = y + 1
            try:
                raise KeyError("inner")
            finally:
                log.append("finally")
                y = y * 2
    except KeyError:
        y = y - 1
    return y
