"""Objects that a segment was captured with die as in eager: guards compare, and own nothing."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from framejit import jit

pytestmark = pytest.mark.counts("entries that serve calls")

SOURCE = """
class C:
    scale = 2.0
    def __init__(self, x):
        self.x = x
    def method(self, x):
        return x * self.scale
    @staticmethod
    def static(x):
        return x + 1
    @classmethod
    def of_class(cls, x):
        return x - 1
    @property
    def shown(self):
        return self.x + 3
    def __add__(self, x):
        return self.x + x
class D(C):
    def method(self, x):
        return super().method(x) + 1
def function(x):
    return x * 3
"""

USES: dict[str, Callable[[dict[str, Any], Any], Any]] = {
    "method": lambda made, x: made["o"].method(x) + 1,
    "static method": lambda made, x: made["o"].static(x) + 1,
    "class method": lambda made, x: made["o"].of_class(x) + 1,
    "property": lambda made, x: made["o"].shown + x,
    "operator": lambda made, x: made["o"] + 1.5,
    "instance": lambda made, x: made["C"](x).x + 1,
    "super": lambda made, x: made["d"].method(x) + 1,
    "function": lambda made, x: made["function"](x) + 1,
    "identity": lambda made, x: x + (made["C"] is made["D"]),
}


def make(x: Any) -> dict[str, Any]:
    """Classes, objects of them and a function, of which nothing else knows."""
    made: dict[str, Any] = {}
    exec(SOURCE, globals(), made)
    return {**made, "o": made["C"](x), "d": made["D"](x)}


@pytest.mark.parametrize("use", USES)
def test_classes_and_functions_die(use: str) -> None:
    """Also their code; and what comes after them is captured anew."""
    body = USES[use]
    jitted = jit(body)
    x = np.arange(3.0)
    for _ in range(2):
        made = make(x)
        expected = body(made, x)
        assert all((jitted(made, x) == expected).all() for _ in range(3))
        assert jitted.stats()["hits"] >= 2
        held = [made["C"], made["D"], made["function"], made["function"].__code__]
        gone = [weakref.ref(one) for one in (*held, made["C"].method.__code__)]
        del made, held, expected
        gc.collect()

        assert [ref() for ref in gone] == [None] * 5


def test_a_capture_makes_no_garbage() -> None:
    """`gc.collect()` finds the objects that the program left behind, and nothing of ours."""

    def loop(x: Any) -> Any:
        for k in range(3):
            x = x * k if k else x + 1
        return x.sum()

    def broken(x: Any) -> Any:
        y = x + 1
        print(end="")
        return [v * 2 for v in (x, y)]

    found = []
    gc.disable()
    try:
        for body in (loop, broken):
            jitted = jit(body, backend="numpy")
            jitted(np.arange(3.0))  # what is imported and cached at the first capture
            gc.collect()
            jitted(np.arange(3.0, dtype="f4"))
            jitted(np.arange(3))
            found.append(gc.collect())
    finally:
        gc.enable()

    assert found == [0, 0]
