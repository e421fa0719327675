"""Programs about names: comprehensions, closures, unbound locals, calls, operators."""

# ruff: noqa: B007, B023, C408, C416, F821, RUF005
# the style of these functions is being tested

from __future__ import annotations

from contextlib import suppress

from program_list import program


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


@program((2,), (1.5,), ("s",))
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
