"""Inner loops of ufuncs: where they are, and what they do to raised flags."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit.jit.native import _core


def addresses(*cells: Any) -> tuple[int, ...]:
    """Return the addresses of arrays of one element each."""
    return tuple(cell.ctypes.data for cell in cells)


def number_of(ufunc: np.ufunc, types: str) -> int:
    """Return the number of a loop."""
    return ufunc.types.index(types)


def test_who_keeps_flags() -> None:
    """Comparisons and signs clear what is up, functions do not; none is up afterwards."""
    one, two, three = (np.ones(1) for _ in range(3))
    truth = np.ones(1, dtype=bool)
    kept = _core.loop_keeps_flags(np.sin, number_of(np.sin, "d->d"), addresses(one, two))
    assert kept is True
    assert two[0] == np.sin(1.0)
    assert _core.loop_keeps_flags(np.add, number_of(np.add, "dd->d"), addresses(one, two, three))
    number = number_of(np.less, "dd->?")
    assert _core.loop_keeps_flags(np.less, number, addresses(one, two, truth)) is False


def test_what_is_refused() -> None:
    """Loops that are not there, and elements that are not."""
    cell = np.ones(1)
    with pytest.raises(IndexError, match="sin has no such loop"):
        _core.loop_keeps_flags(np.sin, len(np.sin.types), addresses(cell, cell))
    with pytest.raises(IndexError, match="sin has no such loop"):
        _core.loop_keeps_flags(np.sin, -1, addresses(cell, cell))
    with pytest.raises(IndexError, match="sin has no such loop"):
        _core.loop_keeps_flags(np.sin, 0, addresses(cell))
    with pytest.raises(ValueError, match="no address"):
        _core.loop_keeps_flags(np.sin, 0, (0, 0))
    with pytest.raises(TypeError):
        _core.loop_keeps_flags(np.sin, 0, ("here", 1))
    with pytest.raises(TypeError):
        _core.loop_keeps_flags(abs, 0, ())


def test_a_loop_that_raises() -> None:
    """Its exception comes out."""
    base, exponent, result = np.array([2]), np.array([-1]), np.array([0])
    number = number_of(np.power, "ll->l")
    with pytest.raises(ValueError, match="negative integer powers"):
        _core.loop_keeps_flags(np.power, number, addresses(base, exponent, result))
