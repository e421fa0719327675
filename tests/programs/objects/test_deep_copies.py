"""`copy.deepcopy`: new arrays and containers, and one object for what was one."""

from __future__ import annotations

import collections
import copy
import math
from typing import Any, NamedTuple

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
X = np.linspace(0.5, 2.0, 6)
SHARED = [X, X]


@PROGRAMS.runs((X,), (X[::2],), (X.reshape(2, 3).T,), (X.reshape(2, 3)[:, ::-1],), (X > 1,))
def arrays(x: Any) -> Any:
    y = copy.deepcopy(x)
    y[0] = 0
    return y * 2, x, y.strides


@PROGRAMS.runs((X, 3, 2.5, "a", None), (X, True, np.float32(2.5), b"a", (1, (2, "b"))))
def numbers_and_texts(x: Any, i: Any, f: Any, s: Any, n: Any) -> Any:
    y = copy.deepcopy(x + 1.0)
    return y, copy.deepcopy(i), copy.deepcopy(f), copy.deepcopy(s), copy.deepcopy(n), math.pi * y


@PROGRAMS.runs(([X, X + 1, 3.0, "a"], X), ([X, X, X], X), (SHARED, X), ([X, 1.0], X))
def lists_from_outside(items: Any, x: Any) -> Any:
    copied = copy.deepcopy(items)
    copied[0][0] = 7.0
    copied.append(x * 2)
    return copied, items, copied[0] + items[0]


@PROGRAMS.runs((X,))
def containers_made_here(x: Any) -> Any:
    inner = [x, x * 2]
    held = {"a": inner, "b": inner, 3: (1, 2), (1, "k"): (inner, 5), "c": {"d": x + 1}}
    copied = copy.deepcopy(held)
    copied["a"].append(x)
    copied["a"][0][0] = 5.0
    return copied, held, copied["a"] is copied["b"], copied["a"] is held["a"]


@PROGRAMS.runs(({"w": X, "b": X[:1], "n": 3, "l": [X[1:]]}, X))
def parameters(given: Any, x: Any) -> Any:
    best = copy.deepcopy(given)
    best["w"] += x
    best["l"][0][0] = -1.0
    return best, given["w"]


@PROGRAMS.runs((X,))
def in_a_loop(x: Any) -> Any:
    best = x
    for k in range(4):
        x = x * 1.1 - k
        if x.sum() > 2:
            best = copy.deepcopy(x)
    return best


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=PROGRAMS.names)
def test_is_captured_whole(program: Any, arguments: tuple[Any, ...]) -> None:
    """No break is left of the copy."""
    check_whole(program, arguments)


class Point(NamedTuple):
    x: Any
    y: Any


class Says:
    """Copies itself."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __deepcopy__(self, memo: Any) -> Says:
        return Says(self.x * 2)


class Plain:
    def __init__(self, x: Any) -> None:
        self.x = x


def copied(held: Any, x: Any) -> Any:
    made = copy.deepcopy(held)
    return made, x * 2, made is held


@pytest.mark.parametrize(
    "held",
    [
        Point(1, X),
        Says(X),
        Plain(X),
        [Plain(X)],
        (X, 1),
        ((), []),
        {1, 2},
        collections.OrderedDict(a=X),
        {X.dtype: X},
        slice(1, 2),
        range(3),
        np.int64(3),
        [np.float64(2.5)],
        X.astype(object),
        np.array("text"),
        len,
        math,
        int,
        [[], [[]]],
        -(2**80),
        np.dtype("f4"),
        bytearray(b"a"),
    ],
    ids=lambda held: type(held).__name__,
)
def test_other_objects(held: Any) -> None:
    """Eager copies objects whose class defines how; the copy of an immutable one is itself."""
    check(copied, held, X)


def test_shared_parts() -> None:
    """Two references to one object stay so in the copy, even if the last call got two."""

    def pair(one: Any, other: Any) -> Any:
        made = copy.deepcopy([one, other])
        made[0] += 1.0
        return made, one + other

    def script(jit: Any) -> Any:
        jitted = jit(pair)
        x, y = np.arange(3.0), np.arange(3.0)
        return [jitted(x, y), jitted(x, x), jitted(x, x[:]), jitted(y, x), jitted(y, y)]

    from oracle import check_script

    check_script(script)
    check(pair, X, X)


def test_lists_in_themselves() -> None:
    """Eager copies a list that contains itself."""
    ring: list[Any] = [1.0]
    ring.append(ring)

    def of_ring(x: Any) -> Any:
        made = copy.deepcopy(ring)
        return x * 2, made[1] is made, made is ring

    check(of_ring, X)


def test_branches_that_choose() -> None:
    """An array that a branch chooses may be the one that the list already holds."""

    def chosen(x: Any, y: Any) -> Any:
        z = x if x.sum() > y.sum() else y
        made = copy.deepcopy([x, z])
        made[0] += 1.0
        return made

    check(chosen, X, X * 2)
    check(chosen, X * 2, X)


def test_with_a_memo() -> None:
    """The caller's own dict is eager's."""

    def own(x: Any) -> Any:
        memo: dict[int, Any] = {}
        made = copy.deepcopy([x, x], memo)
        return made, x * 2, len(memo) > 0

    check(own, X)
