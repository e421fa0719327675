"""The engine's own frames are not counted against the program's recursion limit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from framejit import capture, jit


def at_depth(n: int, call: Callable[[], Any]) -> Any:
    """call() with so many frames below it."""
    return call() if n == 0 else at_depth(n - 1, call)


def frames_left() -> int:
    """Return the number of frames that the limit allows from here."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back  # type: ignore[assignment]
    return sys.getrecursionlimit() - depth


@pytest.mark.counts("a hostile mode has entries of its own")
@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_a_capture_at_the_limit(backend: str) -> None:
    """There is room for the call itself and little else: it is captured all the same."""

    def f(x: Any) -> Any:
        return x * 2 + x.shape[0]

    jitted = jit(f, backend=backend)
    x = np.arange(5.0)
    result = at_depth(frames_left() - 40, lambda: jitted(x))

    assert result.tobytes() == f(x).tobytes()
    assert jitted.stats()["captures"] == 1
    assert len(jitted._entries) == 1


def test_the_program_meets_the_limit_where_it_does_without_us() -> None:
    """A function that goes down until it is stopped, under capture()."""

    def dive(n: int) -> int:
        try:
            return dive(n + 1)
        except RecursionError:
            return n

    expected = dive(0)
    for _ in range(3):
        with capture():
            assert dive(0) == expected
