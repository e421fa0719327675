"""Indices: what is read, what is written, and what stands in the array when one is refused."""

from __future__ import annotations

import pytest
import reading_rows
import writing_rows
from contract import NUMBA, compare
from indexed import LINES, TABLES


@pytest.mark.parametrize("name", LINES)
def test_one_axis(name: str) -> None:
    """An IndexError has NumPy's text, and what was written before it stays."""
    compare(reading_rows.LINE, [LINES[name]])
    compare(writing_rows.LINE, [LINES[name]])


@pytest.mark.parametrize("name", TABLES)
def test_two_axes(name: str) -> None:
    """The order of axes that arrays make; parts that overlap; masks of one axis."""
    compare(reading_rows.TABLE, [TABLES[name]])
    compare(writing_rows.TABLE, [TABLES[name]])


def test_in_kernels() -> None:
    """The same in kernels, and a share of the rows that eager refuses."""
    compare(reading_rows.LINE[::4], [LINES["gaps"]], backends=NUMBA)
    compare(writing_rows.LINE[::7], [LINES["gaps"]], backends=NUMBA)
    compare(reading_rows.TABLE[::4], [TABLES["F"]], backends=NUMBA)
    compare(writing_rows.TABLE[::7], [TABLES["F"]], backends=NUMBA)
