"""Programs about classes, lines, names, imports, long jumps, and plain arithmetic."""

# ruff: noqa: B012, C416, RUF012
# the style of these functions is being tested

from __future__ import annotations

import sys
from contextlib import suppress

from program_list import program


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
