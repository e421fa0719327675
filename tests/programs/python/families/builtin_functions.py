"""The builtin functions and types around array code."""

import contextlib
import functools
import math
import operator
import warnings

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)
A = np.linspace(-1, 1, 12).reshape(3, 4)


@program(X, [1, 2.5, None, "a", X])
def isinstance_and_type(x, items):
    y = x * 2
    for item in items:
        if isinstance(item, (int, float)):
            y = y * item
        elif type(item) is np.ndarray:
            y = y + item
        elif item is None or isinstance(item, str):
            y = y - 1
    return y, issubclass(bool, int), type(y).__name__, isinstance(x[0], float)


@program(A)
def len_and_zip(a):
    total = a[0] * 0
    for k, (row, weight) in enumerate(zip(a, [1.0, 2.0, 3.0], strict=True)):
        total = total + row * weight + k
    return total / len(a), list(zip("ab", (1, 2))), len("abc") + len(a[0])


@program(A)
def strict_zip_fails(a):
    seen = []
    try:
        for row, k in zip(a, [1, 2], strict=True):
            seen.append(row * k)
    except ValueError as error:
        print(error)
    return seen, a + 1


@program(X)
def map_and_filter(x):
    rows = list(map(lambda k: x * k, range(3)))
    kept = list(filter(lambda r: r.sum() > 5, rows))
    both = list(map(np.add, rows, rows))
    return rows[1] + both[2], len(kept), list(filter(None, [0, 1, "", "a"]))


@program(X)
def lazy_map(x):
    def say(k):
        print("map", k)
        return x * k

    lazy = map(say, [1, 2, 3])
    y = next(lazy) + 1
    print("between")
    return y + next(lazy), len(list(lazy))


@program(X)
def min_max_sum(x):
    y = x * 2
    return (
        max(y) - min(y),
        max(3, 1.5, key=lambda v: -v),
        min([], default=7),
        sum([y, y + 1]),
        sum([[1], [2]], []),
        max("b", "a"),
    )


@program(X)
def any_all_sorted_reversed(x):
    y = x - 1
    backwards = list(reversed(y))
    return any(y > 0), all([1, "a", y.size]), sorted(y, key=abs), np.array(backwards) * 2


@program(X, -7, 2.5)
def numbers_in_and_out(x, n, v):
    y = x * abs(n) + round(v) - round(2.675, 2)
    quotient, rest = divmod(n, 3)
    z = y * quotient + rest + pow(2, 5) + pow(3, -1, 7)
    return z, divmod(7.5, 2), round(n, -1), int(v), float(n), complex(1, n), bool(n)


@program(X)
def round_and_abs_of_arrays(x):
    y = abs(x - 1) * 3
    return round(y[1], 1), abs(-y[0]), pow(x, 2) + 1, divmod(x, 0.7), round(float(y[2]), 3)


@program(X)
def ranges(x):
    r = range(10, 0, -3)
    y = x * len(r) + r[1] + r[-1]
    return y, list(r), 4 in r, r.index(7), r[1:], range(3) == range(0, 3), list(reversed(r))


@program(X)
def iter_and_next(x):
    it = iter([x, x * 2])
    y = next(it) + next(it)
    calls = iter(lambda: len(seen.append(0) or seen), 3)
    seen = []
    return y, list(calls), next(it, "none"), seen


@program(X)
def getattr_setattr_hasattr(x):
    class Thing:
        size = 3

    thing = Thing()
    setattr(thing, "data", x * getattr(thing, "size"))
    y = getattr(thing, "data") + getattr(thing, "missing", 1)
    delattr(thing, "data")
    return y, hasattr(thing, "data"), hasattr(x, "shape"), getattr(x, "sum")()


@program(X)
def callables(x):
    class Quiet:
        pass

    class Loud:
        def __call__(self, v):
            return v + 1

    y = x * 2
    for one in (Quiet(), Loud(), abs, np.sin, lambda v: v * 3):
        if callable(one):
            y = one(y)
    return y


@program(X)
def text_of_values(x):
    y = x * 2
    return str(y[0]), repr(float(y[1])), ascii("é"), str(None), repr([1, "a"]), format(y[2], ".2f")


@program(X)
def containers_from_containers(x):
    y = x * 2
    as_list = list(y)
    as_tuple = tuple(as_list[:2])
    as_dict = dict(zip("ab", as_tuple), c=3)
    as_set = set(map(int, y))
    return y + len(as_set), as_list, as_tuple, as_dict, y.tolist(), list("abc"), dict(a=1)


@program(X)
def hash_and_id(x):
    y = x * 2
    same = id(y) == id(y), id(x) != id(y), hash((1, "a")) == hash((1, "a"))
    try:
        hash(y)
    except TypeError as error:
        print(error)
    return y + 1, same, {(1, 2): y}[1, 2] is y


@program(X)
def enumerate_from(x):
    y = x * 0
    for k, v in enumerate(x, 10):
        y = y + v * k
        if k == 12:
            break
    return y, k, list(enumerate("ab", start=1))


@program(X)
def slice_and_super_types(x):
    y = x[slice(1, 4)] * 2
    made = type("Made", (), {"k": 3, "twice": lambda self, v: v * 2 * self.k})
    return made().twice(y), made.__name__, isinstance(made(), made)


@program(X)
def bytes_and_memory(x):
    y = x * 2
    view = memoryview(y)
    y[0] = 42
    return view[0], view.shape, bytes(view[:1].tobytes()) == y[:1].tobytes(), y + 1


@program(X)
def builtin_of_wrong_type(x):
    y = x * 2
    try:
        y = y + len(5)
    except TypeError as error:
        print(error)
    try:
        int([])
    except TypeError:
        y = y + 1
    return y, sum(["a"])


@program(X)
def float_and_int_of_items(x):
    y = x * 3
    return float(y[0]), int(y[-1]), bool(y[1] > 100), complex(y[2]), float(y.sum()), int(len(y))


@program(np.array([2.5]), np.array(3))
def conversions_of_small_arrays(one, zero):
    k = int(zero) + 1
    y = one * k
    return float(y[0]), zero.item() * 2, bool(zero), range(zero)[-1], [5, 6, 7, 8][zero]


@program(X)
def print_of_everything(x):
    print(*[1, 2], *x[:2], sep="|", end="!\n", flush=True)
    y = x * 2
    print()
    print({"a": y[0]}, (1,), None, True, y.shape)
    return y


@program(X)
def static_types(x):
    y = np.asarray(x * 2, dtype=float)
    kinds = list[int], dict[str, float], int | None, tuple[int, ...]
    return y + len(kinds), kinds[0].__args__ == (int,), isinstance(3, int | str)


@program(np.linspace(0.5, 2, 6))
def strict_zip_ends_at_the_second(a):
    rows = []
    with contextlib.suppress(ValueError):
        for k, row in zip([1, 2, 3], [a, a * 2], strict=True):
            rows.append(row * k)
    return rows, list(zip([1], [a], strict=True)), list(zip(strict=True))


@program(np.linspace(0.5, 2, 6))
def an_iterator_that_has_ended_stays_so(a):
    items = [a, 2.0]
    walk = iter(items)
    total = 0
    for item in walk:
        total = total + item
    items.append(3.0)
    rest = list(walk)
    print(len(items), rest)
    items.append(a)
    return total, rest, list(walk), next(walk, "end")


@program(np.linspace(0.5, 2, 6))
def backward_through_a_list_that_changes(a):
    items = [a, 2.0]
    grows, shrinks, changes = reversed(items), reversed(items), reversed(items)
    items.append(5.0)
    first = next(grows) * a
    items[0] = 9.0
    print(first.sum(), next(changes))
    del items[1:]
    return first, list(shrinks), list(grows), list(changes), list(reversed(items))


@program(np.linspace(0.5, 2, 6))
def mapped_and_zipped_lists_that_grow(a):
    items = [1, 2]
    mapped, pairs, kept = map(lambda k: a * k, items), zip(items, items), filter(None, items)
    ended = list(mapped), list(pairs), list(kept)
    items.append(3)
    return ended, list(mapped), list(pairs), list(kept)


@program(X)
def builtins_called_wrongly(x):
    calls = (
        lambda: sorted(), lambda: list.append([x]), lambda: [x].pop(0, 1), lambda: tuple(x, y=1),
        lambda: len(), lambda: len(x, x), lambda: reversed(), lambda: enumerate(x, 1, start=2),
        lambda: any(x > 0, key=1), lambda: callable(), lambda: hasattr(x), lambda: delattr(x),
        lambda: {}.keys(1), lambda: [].reverse(x=1), lambda: operator.add(x), lambda: format(),
        lambda: functools.reduce(max), lambda: zip(x, strange=1), lambda: dict(1, 2),
        lambda: abs(), lambda: abs(x, x), lambda: math.sqrt(), lambda: operator.neg(x, x),
        lambda: np.add(x), lambda: x.sum(1, 2, 3, 4, 5, 6, 7, 8), lambda: super(),
        lambda: list.pop(), lambda: str.join(), lambda: np.mean(axis=0), lambda: np.copy(value=x),
        lambda: np.mean(x, a=x), lambda: x.mean(a=x), lambda: np.full(3, fill_value=2) + x.size,
    )  # fmt: skip
    said = []
    for call in calls:
        try:
            said.append(call())
        except (TypeError, RuntimeError) as error:
            said.append(str(error))
    return x + len(said), said


@program(X, True)
def folded_with_a_warning(x, flag):
    t = True
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        y = x + ~t
        z = y * ~flag
        z = z - operator.invert(flag)
    return y, z, [str(one.message) for one in caught]


@program(X, 2.5, 3, np.float32(2))
def hasattr_of_numbers(x, *numbers):
    names = ("real", "__len__", "is_integer", "shape", "tolist", "nothing", "__get__", "conjugate")
    y = x * 2
    found = []
    for number in (*numbers, y.sum(), 7, x):
        for name in names:
            found.append((name, hasattr(number, name), getattr(number, name, None) is None))
    return y, found
