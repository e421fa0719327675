"""Hand-written functions that between them use every kind of bytecode, and arguments for each.

`PROGRAMS` is a tuple of (function, calls); a call is a tuple of arguments.  Arguments are made
anew for each run, because some functions change them.  All of them are deterministic.
"""

from __future__ import annotations

import asyncio
import copy
import sys
from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import Any

PROGRAMS: list[tuple[Callable[..., Any], tuple[tuple[Any, ...], ...]]] = []


def program(*calls):
    """Enter a function with the arguments that it is called with."""

    def enter(function):
        PROGRAMS.append((function, calls))
        return function

    return enter


def arguments(call):
    """Fresh arguments."""
    return copy.deepcopy(call)


@program((0,), (7,), (30,))
def loops(n):
    total, seen = 0, []
    for i in range(n):
        if i % 7 == 5:
            continue
        for j in range(i):
            if j > 4:
                break
            total += i * j
        else:
            seen.append(i)
    k = 0
    while k * k < n:
        k += 1
        if k == 4:
            break
    else:
        seen.append(-k)
    return total, seen, k


@program((1, 0), (1, 2), ("a", 2), (None, None))
def try_except_finally(a, b):
    log = []
    for _ in range(2):
        try:
            try:
                log.append(a / b)
            except ZeroDivisionError as error:
                log.append(repr(error))
                b = 1
                continue
            else:
                log.append("else")
            finally:
                log.append("finally")
        except TypeError as error:
            log.append(str(error))
            return log
    return log


@program((0,), (3,), (-1,))
def nested_exceptions(n):
    def fail(k):
        if k == 0:
            raise KeyError("deep")
        try:
            fail(k - 1)
        except KeyError as error:
            raise ValueError(k) from error

    if n < 0:
        return [].pop()
    return fail(n)


@program((1,), ("x",), (0,))
def reraised(value):
    try:
        return [1, 2][value] + (10 // (value - 1))
    except (ZeroDivisionError, TypeError):
        try:
            raise
        finally:
            value = sys.exc_info()[0].__name__


@program((0,), (1,), (2,), (3,))
def exception_groups(n):
    caught = []
    errors = [ValueError(1), TypeError(2), KeyError(3)][: n + 1]
    try:
        if errors:
            raise ExceptionGroup("several", errors)
    except* ValueError as group:
        caught.append(("value", len(group.exceptions)))
    except* TypeError as group:
        caught.append(("type", [str(one) for one in group.exceptions]))
    return caught


@program((False,), (True,))
def with_statements(fail):
    log = []

    @contextmanager
    def manager(name):
        log.append("enter " + name)
        try:
            yield name
        except LookupError:
            log.append("swallowed in " + name)
        finally:
            log.append("exit " + name)

    with manager("a") as a, manager("b") as b:
        log.append(a + b)
        if fail:
            raise LookupError(a)
        log.append("done")
    with suppress(ZeroDivisionError):
        for i in range(3):
            with manager(str(i)):
                if i == 1:
                    break
    return log


@program((5,), (0,))
def generators(n):
    def inner(m):
        received = []
        try:
            for i in range(m):
                received.append((yield i))
        except ValueError as error:
            received.append(str(error))
            yield "caught"
        finally:
            received.append("closed")
        return received

    def outer(m):
        try:
            result = yield from inner(m)
        except KeyError:
            result = "key"
        yield ("result", result)

    log = [list(outer(n))]
    first = outer(n)
    log.append(next(first))
    with suppress(StopIteration):
        log.append(first.send("sent"))
        log.append(first.throw(ValueError("thrown")))
        log.append(list(first))
    second = outer(n)
    log.append(next(second))
    log.append(second.throw(KeyError("k")))
    second.close()
    third = inner(n)
    next(third, None)
    third.close()
    return log, first.gi_frame, third.gi_frame


@program((3,))
def generator_state(n):
    import inspect

    def numbers(m):
        a = 1
        yield a
        b = a + m
        yield b
        del a
        yield

    running = numbers(n)
    log = [inspect.getgeneratorstate(running)]
    for value in running:
        log.append((value, sorted(inspect.getgeneratorlocals(running).items())))
    log.append(inspect.getgeneratorstate(running))
    return log


@program((4,))
def delegation(n):
    import inspect

    def inner():
        x = yield 1
        return x

    def outer():
        y = yield from inner()
        yield y, n

    running = outer()
    next(running)
    delegate = running.gi_yieldfrom
    name = delegate.__name__
    value = running.send("v")
    return name, value, inspect.getgeneratorstate(delegate), running.gi_yieldfrom


@program((3,), (0,))
def coroutines(n):
    async def pause(value):
        await asyncio.sleep(0)
        return value

    async def numbers(m):
        for i in range(m):
            yield await pause(i)

    class Manager:
        async def __aenter__(self):
            return await pause("entered")

        async def __aexit__(self, kind, value, trace):
            return kind is not None and await pause(True)

    async def main():
        log = [x async for x in numbers(n) if x != 1]
        async for x in numbers(n):
            log.append(x)
        else:
            log.append("else")
        async with Manager() as entered:
            log.append(entered)
            raise KeyError("swallowed")
        log += await asyncio.gather(pause(1), pause(2))
        try:
            await asyncio.wait_for(asyncio.sleep(10), 0.001)
        except TimeoutError:
            log.append("timeout")
        return log

    return asyncio.run(main())


@program((3,))
def async_generator_protocol(n):
    async def numbers():
        received = []
        try:
            for i in range(n):
                received.append((yield i))
        except ValueError:
            yield received
        finally:
            await asyncio.sleep(0)

    async def main():
        running = numbers()
        log = [await running.__anext__(), await running.asend("a")]
        log.append(await running.athrow(ValueError()))
        await running.aclose()
        other = numbers()
        log.append(await anext(other))
        await other.aclose()
        log.append(await anext(other, "exhausted"))
        return log

    return asyncio.run(main())


@program((6,), (0,))
def comprehensions(n):
    squares = [i * i for i in range(n) if i % 2]
    pairs = {(i, j) for i in range(n) for j in range(i)}
    table = {i: [j for j in range(i)] for i in squares}
    lazy = sum(x for x in squares)
    functions = [lambda k=k: k + n for k in range(3)]
    i = "kept"
    cells = [(lambda: (x, i)) for x in range(3)]
    return squares, sorted(pairs), table, lazy, [f() for f in functions], i, [c() for c in cells]


@program((4,))
def comprehension_that_fails(n):
    x = "outer"
    try:
        return [1 // (x - 2) for x in range(n)]
    except ZeroDivisionError:
        pass
    with suppress(NameError):
        y = [y for y in [1, 2]]
        del y
        return [y for y in [1]], x, y
    return x


@program((5,), ("a",))
def closures(n):
    count = 0
    history = []

    def add(k):
        nonlocal count
        count += k
        history.append(lambda: count)
        return count

    def drop():
        nonlocal count
        del count

    for i in range(3):
        add(i)
    before = [h() for h in history], n
    drop()
    try:
        return count
    except NameError as error:
        return before, str(error)


@program((1, 2), (3, 4))
def argument_cells(a, b):
    def swap():
        nonlocal a, b
        a, b = b, a

    swap()
    return a, b, sorted(locals().items(), key=str)[:2]


@program(
    ([1, 2],), ([1, 2, 3],), ({"k": 1, "z": 2},), ({"k": 3},), ("text",), (3,), (1 + 2j,), ([],)
)
def match_statement(subject):
    match subject:
        case [1, 2]:
            return "pair"
        case [first, *rest] if rest:
            return first, rest
        case {"k": 1, **others}:
            return others
        case {"k": value}:
            return value
        case str() as text:
            return text.upper()
        case complex(real=real, imag=imag):
            return real, imag
        case int(number) | float(number):
            return number
        case _:
            return None


@program((0,), (1,), (2,))
def unbound_locals(n):
    if n == 1:
        x = 1
    if n:
        try:
            y = x
        except UnboundLocalError as error:
            y = str(error)
        del y
    for z in range(n):
        pass
    # apart, because 3.11 reports the columns of the first of two fused loads for the second
    return [z] + [x]


@program((3,), (0,))
def deletions(n):
    box = {i: i for i in range(n)}
    for i in list(box):
        value = box[i]
        del box[i], value
    try:
        del i
    except UnboundLocalError as error:
        return str(error)
    return box, "i" in locals()


@program(((1, 2), {"c": 3}), ((), {}), ((1, 2, 3, 4), {}))
def star_calls(args, kwargs):
    def target(a=0, *rest, c=None, **others):
        return a, rest, c, others

    return (
        target(*args),
        target(*args, **kwargs),
        target(9, *args, x=1, **kwargs),
        [*args, *args],
        {**kwargs, "y": 2},
        {*args},
    )


@program((3,))
def keyword_calls(n):
    def target(a, b=2, /, c=3, *, d=4):
        return a, b, c, d

    class Thing:
        def method(self, value=0, *, scale=1):
            return value * scale

    thing = Thing()
    return (
        target(n, d=n),
        target(n, 1, c=n if n > 2 else 0, d=[i for i in range(n)]),
        thing.method(value=n, scale=2),
        thing.method(n),
        max([1, 5, 2], key=lambda v: -v, default=None),
        "{a} {b}".format(a=n, b="x"),
        dict(a=1, b=2),
    )


@program((2,), (True,), ("s",))
def operators(a):
    out = []
    for operation in (
        lambda: a + a,
        lambda: a - 1,
        lambda: a * 3,
        lambda: a % 2,
        lambda: a**2 / 3 // 1,
        lambda: (a << 2 | 1 & a ^ 3) >> 1,
        lambda: (-a, +a, ~a, not a),
        lambda: a @ a,
    ):
        try:
            out.append(operation())
        except TypeError as error:
            out.append(str(error))
    b = [1]
    c = b
    b += [a]
    b *= 2
    d = (0 < len(c) <= 4 != 5 and a is not None) or a not in b
    return out, b is c, c, d, a in b, b[1:], b[::-1], b[:1], f"{a!r:>5}|{a:>3}|{a!s}"


@program(([3, 1, 2],), ([],))
def subscripts(items):
    items[1:2] = [7, 8]
    items[:0] = [0]
    with suppress(IndexError):
        items[10] = 1
    items[0] += 5
    del items[-1]
    first, *middle, last = items or [1, 2]
    (a, b), c = [first, last], len(middle)
    a, b, c = c, b, a
    return items, first, middle, last, a, b, c


class Base:
    """Something to inherit from."""

    kind = "base"

    def __init__(self, value):
        self.value = value

    def double(self):
        return self.value * 2


class Child(Base):
    """Uses every form of super()."""

    def __init__(self, value):
        super().__init__(value)

    @property
    def label(self):
        return super().kind + super().kind

    def double(self):
        return super().double() + super().double() + len(__class__.__name__)


@program((3,), ("ab",))
def methods_and_super(value):
    child = Child(value)
    child.extra = child.label
    del child.extra
    try:
        return child.double(), child.label, child.extra
    except AttributeError as error:
        return str(error), error.name


@program((2,))
def classes(n):
    class Local:
        size = n
        squares = [i * i for i in range(n)]
        label: str = f"{n}"

        def get(self):
            return self.size, n, __class__.__name__

    class Derived(Local):
        size = Local.size + 1

    return Derived().get(), Local.squares, Local.__annotations__


@program((4,))
def line_numbers(n):
    lines = []
    base = sys._getframe().f_code.co_firstlineno
    for _ in range(n):
        lines.append(sys._getframe().f_lineno - base)
    try:
        raise RuntimeError
    except RuntimeError as error:
        lines.append(error.__traceback__.tb_lineno - base)
    return lines


@program((1,), (2,))
def local_names(n):
    if n == 2:
        extra = n
    before = sorted(locals())
    total = [n for n in range(3)]
    return before, sorted(locals()), total


@program((True,), (False,))
def short_circuits(flag):
    empty = []
    a = (flag and "yes") or "no"
    b = flag or empty
    c = not flag
    d = None if flag else 1
    e = 1 if d is None else 2
    f = (d is not None) + (b is empty)
    assert flag in (True, False), "never"
    return a, b, c, d, e, f


@program((3,), (0,))
def imports(n):
    import json
    import os.path as path
    from collections import OrderedDict, deque

    return path.join("a", "b"), OrderedDict(a=n), list(deque(range(n), 2)), json.dumps([n])


@program((300,))
def globals_and_names(n):
    global written
    written = n
    value = written
    del written
    try:
        return written
    except NameError as error:
        return value, str(error), eval("n + 1", {"n": n}), [*map(abs, [-1])]


@program((0,), (1,), (2,), (3,), (4,))
def early_returns(n):
    for i in range(5):
        with suppress(ValueError):
            try:
                if n == 0:
                    return "inside"
                if n == 1:
                    raise ValueError
                if n == 2:
                    return i
                if n == 3 and i == 2:
                    break
            finally:
                if n == 4:
                    continue
    return i, n


@program((3,))
def recursion(n):
    def hanoi(k, a="a", b="b", c="c"):
        if k == 0:
            return []
        return [*hanoi(k - 1, a, c, b), (a, b), *hanoi(k - 1, c, b, a)]

    return hanoi(n)


@program((1,))
def decorated(n):
    def twice(function):
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs), function(*args, **kwargs)

        return wrapper

    @twice
    def add(a: int, b: int = 2, *, c: int = 3) -> int:
        return a + b + c

    return add(n), add(n, c=0), (lambda *a, k=n: (a, k))(1, 2)


@program((0,), (5,))
def walrus_and_chains(n):
    if (half := n // 2) > 1:
        x = y = [half]
        x[0], z = half, y[0]
        return x, y, z, [last := i for i in range(n)], last
    return half


def _long_source():
    """A function so long that jumps and constants need EXTENDED_ARG."""
    lines = ["def long_function(n):", "    total = 0", "    for i in range(n):"]
    lines += ["        if i % 3 == 0:", "            try:"]
    lines += [f"                total += i * {k} - {1000 + k}" for k in range(150)]
    lines += ["            finally:", "                total += 1"]
    lines += ["        elif i % 3 == 1:"]
    lines += [f"            total -= {2000 + k} if i else total" for k in range(150)]
    lines += ["    return total"]
    return "\n".join(lines)


exec(compile(_long_source(), __file__ + ":long", "exec"))
program((0,), (4,))(globals()["long_function"])


@program((0,), (9,), (25,))
def while_arithmetic(n):
    a, b, steps = 1, 1, ()
    while b < n:
        a, b = b, a + b
        if b % 2:
            steps += (b, len(steps))
            continue
        if b > 10 and not a % 3:
            b -= 1
    return a, b, steps, "odd" if a % 2 else "even", max(a, b, key=abs), -a if b else +b


@program(((3, 1, 2),), ((),), ((5, 5, 5, 5, 5),))
def pure_calls(items):
    best = None
    for i, item in enumerate(items):
        if best is None or item > best[1]:
            best = i, item
        text = "-".join(str(one) for one in ()) + f"{item:>3}".strip().upper()
        total = sum([k * item for k in range(len(items))], start=i)
        low, high = min(total, item), max(total, item)
        if low == high and isinstance(low, int) and text.startswith("5"):
            break
    else:
        return sorted(items, reverse=True), best
    return best, text, total, low, high


@program((2, 3), (0, 4), (5, 0))
def nested_ranges(n, m):
    total = 0.0
    for i in range(n):
        row = 0
        for j in range(m):
            value = i * m + j
            if value % 3 == 0:
                continue
            row += value if value % 2 else -value
            if row > 9:
                del value
                break
        total += row / 2
        last = row
    return [total], [i], [last]
