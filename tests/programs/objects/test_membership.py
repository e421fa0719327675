"""`in`: arrays, objects with `__contains__`, and sets, which the report names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, assert_normally, check, check_script, id_of

from framejit import explain

X = np.linspace(0.1, 1.0, 7)


class Box:
    """Answers with a bool."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __contains__(self, item: Any) -> bool:
        return item in self.items


class Number(Box):
    """Answers with something of which the truth is asked."""

    def __contains__(self, item: Any) -> Any:
        return 5


class Above(Box):
    """Answers with the truth of a number of the graph."""

    def __contains__(self, item: Any) -> Any:
        return item > 2.0


class Nothing(Box):
    """`__contains__ = None`: `in` raises a TypeError."""

    __contains__ = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("container", "item"),
    [
        (np.arange(5), 3),
        (np.arange(5), 9),
        (np.arange(6.0).reshape(2, 3), 4.0),
        (np.arange(6).reshape(3, 2), (2, 3)),
        (np.arange(6.0), float("nan")),
        (np.array([np.nan]), float("nan")),
        (np.zeros((0, 3)), 1),
        (np.array(3.0), 3),
        (np.arange(3) * 1j, 1j),
        (np.array([True, False]), True),
        (np.arange(6, dtype="u1"), 300),
        (np.arange(6, dtype="u1"), -1),
        (np.arange(6), 2**70),
        (np.arange(7.0), np.arange(7.0)),
        (np.arange(7.0), np.arange(6.0)),
        (np.arange(6), None),
        (np.arange(6), "a"),
        (Box(1, 2), 2),
        (Number(), 2),
        (Above(), 3.0),
        (Nothing(), 3.0),
        ({(1, 2), (3, 4)}, (1, 2)),
        ({1, 2}, 5),
    ],
    ids=id_of,
)
def test_containers(container: Any, item: Any) -> None:
    """Items that are in it and items that are not, as a value and as a condition."""
    check(lambda x, c, i: (x * 2, i in c, i not in c, x if i in c else x * 3), X, container, item)


def test_arrays_are_asked_inside_the_kernel() -> None:
    """In a loop too, and for numbers of the graph."""

    def count(x: Any, wanted: Any) -> int:
        found = 0
        for i in range(len(x)):
            if x[i] in wanted:
                found += 1
        return found

    assert_counts(check(count, X, X[2:5].copy()), captures=1, hits=2, breaks=0)
    jitted = check(lambda x, v: x * 2 if x.max() in v else x * 3, X, X[::2].copy())
    assert_counts(jitted, captures=1, hits=2, breaks=0)


def test_a_class_learns_to_answer() -> None:
    """`__contains__` is guarded, like other methods."""

    def script(jit: Any) -> Any:
        class A:
            def __contains__(self, item: Any) -> bool:
                return True

        f = jit(lambda x, a: x * 2 if 3 in a else x)
        a = A()
        seen = [f(X, a), f(X, a)]
        A.__contains__ = lambda self, item: False  # type: ignore[method-assign,assignment]
        return [*seen, f(X, a)]

    check_script(script)


def test_the_report_tells_of_membership() -> None:
    """A set that is asked is not iterated over."""

    def seen_before(x: Any, visited: Any) -> Any:
        y = x * 2
        return y if (1, 2) in visited else y + 1

    breaks = explain(seen_before)(X, {(1, 2)}).breaks
    assert_normally([one.detail for one in breaks], ["membership in argument `visited` (set)"])
