"""Objects of the program inside segments: attributes, lists, dicts, closures."""

from __future__ import annotations

import enum
import functools
import operator
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from oracle import assert_counts, check, check_script

X = np.linspace(0.1, 1.0, 7)


class Color(enum.Enum):
    """Members keep their identity."""

    RED = 1
    BLUE = 2


class Scaled:
    """A class with each sort of attribute: data, property, methods."""

    factor = 3.0

    def __init__(self, w: Any) -> None:
        self.w = w

    def step(self, x: Any) -> Any:
        return x * self.w

    @property
    def double(self) -> Any:
        return self.w * 2

    @classmethod
    def make(cls, w: Any) -> Any:
        return cls(w)

    @staticmethod
    def half(x: Any) -> Any:
        return x / 2

    def __getitem__(self, k: int) -> Any:
        return self.w * k


class Shifted(Scaled):
    """Calls its base."""

    def __init__(self, w: Any, shift: float) -> None:
        super().__init__(w)
        self.shift = shift

    def step(self, x: Any) -> Any:
        return super().step(x) + self.shift


@dataclass
class Pair:
    """A plain data class."""

    a: Any
    b: Any = 2.0

    def norm(self) -> Any:
        return np.sqrt(self.a * self.a + self.b * self.b)


@dataclass(frozen=True)
class Frozen:
    """Sets its fields through object.__setattr__."""

    a: Any
    n: int = 3


class Slotted:
    """Attributes in slots."""

    __slots__ = ("u", "v")

    def __init__(self, u: Any) -> None:
        self.u = u


class Point(NamedTuple):
    """A tuple with names and a method."""

    a: Any
    b: float = 2.0

    def both(self) -> Any:
        return self.a * self.b


def whole(function: Any, *args: Any) -> None:
    """Same as eager, and one kernel."""
    assert_counts(check(function, *args, calls=3), breaks=0, segments=1, hits=3)


def test_attributes_and_methods() -> None:
    """Instance, property, class attribute, static method, base method."""

    def f(x: Any, one: Any, other: Any) -> Any:
        return one.step(x) + one.double * one.factor + other.step(x) + other.half(x)

    whole(f, X, Scaled(X + 1), Shifted(2.0, 1.0))


def test_objects_made_here() -> None:
    """An exit builds each object that the program can still reach, once."""

    def f(x: Any) -> Any:
        shifted = Shifted(x, 1.0)
        pair = Pair(x)
        frozen = Frozen(x)
        slotted = Slotted(x)
        slotted.v = slotted.u * 2
        kept = [pair, slotted, frozen]
        gone = Scaled.make(x)
        return shifted.step(x) + pair.norm() + gone[2] * frozen.n, shifted, kept, kept[0] is pair

    whole(f, X)


def test_named_tuples() -> None:
    """Fields, methods, making and taking apart."""

    def f(x: Any, point: Any) -> Any:
        a, b = point
        return a * b, point.both(), Point(x).both(), Point(b=3.0, a=x)

    whole(f, X, Point(X))


def test_enum_members() -> None:
    """Members are guarded by identity, so the capture knows their values."""

    def f(x: Any, color: Any) -> Any:
        if color is Color.RED:
            return x * color.value
        return x * 3

    whole(f, X, Color.RED)
    whole(f, X, Color.BLUE)


def test_attribute_stores() -> None:
    """The exit stores attributes in the order of the program."""

    def f(x: Any, owner: Any) -> Any:
        owner.w = x * 2
        owner.w = owner.w + 1
        owner.new = owner.w * owner.double
        return owner.new + 1

    whole(f, X, Scaled(1.0))


def test_lists() -> None:
    """Appends, stores, deletions, slices, unpacking."""

    def f(x: Any, values: Any) -> Any:
        values[0] = x * 2
        values.append(values[0] + 1)
        values.extend([x, x])
        del values[1]
        values += [x * 3]
        first, *rest = values
        return first + rest[-1], rest, values[1:3], len(values)

    whole(f, X, [1, 2, 3])


def test_dicts() -> None:
    """Reads, stores, deletions, walks in order."""

    def f(x: Any, table: Any) -> Any:
        made = {"a": x, "b": x * 2}
        made["c"] = made["a"] + made["b"]
        del made["a"]
        total = x * 0
        for key, value in table.items():
            if key.startswith("w"):
                total = total + value * x
        table["n"] = total
        return {k: v * 2 for k, v in made.items()}, "q" in table, made.get("zz", x)

    whole(f, X, {"w": 2.0, "other": "text", "w2": X})


def test_comprehensions_and_generators() -> None:
    """A comprehension or generator that the segment consumes needs no object at the exit."""

    def numbers(x: Any) -> Any:
        for k in range(3):
            yield x * k

    def f(x: Any) -> Any:
        parts = [x * k for k in range(3)]
        table = [[v + j for j in range(2)] for v in parts]
        total = sum(v * 2 for v in numbers(x)) + max(k for k in range(3))
        for k, (one, other) in enumerate(zip(parts, reversed(parts), strict=True)):
            total = total + one * other * k
        first, *rest = sorted([3, 1, 2])

        def scaled(v: Any) -> Any:
            return v * first

        return total, table, list(map(scaled, parts)), rest, any(v > 2 for v in rest)

    whole(f, X)


def test_functions_made_here() -> None:
    """Closures, defaults, variables that functions share, partial and reduce."""

    def f(x: Any) -> Any:
        count = 0

        def scale(y: Any, k: int = 2, *rest: Any, add: Any = 1.0, **named: Any) -> Any:
            nonlocal count
            count += 1
            return y * k + add + len(rest) + named.get("z", 0)

        twice = functools.partial(operator.mul, 2.0)
        total = functools.reduce(lambda a, b: a + b, [x, x * 2])
        made = scale(x, *[3, 4], add=x, z=1) + twice(x) + total + scale(x)
        return made, scale, count

    whole(f, X)


def test_matching() -> None:
    """Literals, sequences, mappings, classes."""

    def f(x: Any, command: Any) -> Any:
        match command:
            case "double":
                return x * 2
            case ("scale", n):
                return x * n
            case {"shift": n}:
                return x + n
            case Scaled(w=w):
                return x * w
            case Pair(a, b=b):
                return x * a + b
            case _:
                return x

    for command in ("double", ("scale", 2.0), {"shift": X}, Scaled(X), Pair(X)):
        whole(f, X, command)
    check(f, X, 7)


def test_texts() -> None:
    """An exit assembles a text when the program can see it."""

    def f(x: Any, n: float) -> Any:
        return x * n, f"{n:>7.2f}|{n * 2!r}|{x.shape}", "size " + str(x.shape[0])

    whole(f, X, 2.5)


def test_a_default_that_changes() -> None:
    """A mutable default keeps what earlier calls left in it."""

    def setup() -> tuple[Any, ...]:
        def f(x: Any, seen: list[Any] = []) -> Any:  # noqa: B006
            seen.append(x * 2)
            return seen[-1] + 1, len(seen)

        return f, (X,)

    check(setup=setup, calls=4)


def test_unrolled_loop_that_breaks() -> None:
    """The loop is left to Python, with segments inside; what stands before it is one segment."""

    def f(x: Any) -> Any:
        parts = []
        total = x * 2 + 1
        for k in (1.0, 2.0, 3.0):
            parts.append(total * k)
            print(k)
            total = total + parts[-1] * k
        return total, parts

    made = check(f, X, calls=3)
    assert_counts(made, failures=0)


def test_ranges_longer_than_len_can_say() -> None:
    """len() raises; iterating and indexing do not."""

    def f(x: Any, numbers: range) -> Any:
        y = x * 2
        steps = iter(numbers)
        y = y + next(steps) + next(steps)
        try:
            return y, numbers[-1], 5 in numbers, len(numbers)
        except OverflowError as error:
            return y + 1, str(error)

    for numbers in (range(10**30), range(10**30, 0, -7), range(3), range(sys.maxsize + 1)):
        check(f, np.ones(3), numbers)
        check(lambda x, n=numbers: [x + k for _, k in zip(range(3), n, strict=False)], np.ones(3))


def test_functions_of_a_namespace_that_holds_itself() -> None:
    """A loop carries a new function, whose globals hold themselves and stay the program's."""
    space: dict[str, Any] = {"np": np}
    space["space"] = space["more"] = [space, {"space": space}]
    source = """
def f(x, n):
    step = lambda v: v * 2
    while n > 0:
        x = step(x)
        step = lambda v: v + 1
        n -= 1
    return x
"""
    exec(source, space)
    check(space["f"], X, 3)
    check(space["f"], X, 0)


def test_names_of_classes() -> None:
    """`__name__` of a class as a dict key and as a text; the program may assign another name."""

    def f(layers: Any, x: Any, seen: Any) -> Any:
        for layer in layers:
            x = layer.step(x)
            seen[type(layer).__name__] = x.shape
            seen[layer.__class__.__qualname__] = x[0]
        return x

    def script(jit: Any, x: Any) -> Any:
        class Layer(Scaled):
            pass

        function, found = jit(f), []
        for name in ("Layer", "Layer", "Other", "Layer"):
            Layer.__name__ = name
            seen: dict[str, Any] = {}
            found.append((function([Layer(2.0), Scaled(3.0)], x, seen), seen))
        return found

    for jitted in check_script(script, X):
        assert_counts(jitted, breaks=0, bails=0)
