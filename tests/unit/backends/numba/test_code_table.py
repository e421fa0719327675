"""The table of code has a row for each function of numbers, and cells that are used."""

from __future__ import annotations

import pytest

from framejit.backends.numba.numbers.rows import COLUMNS, FALLS_BACK, NEVER, cell
from framejit.backends.numba.numbers.table import CODE
from framejit.jit.ir.primitives.operators import OF_MATH, ROWS

WITHOUT = {"matmul", "stored as", "int64"}
"""Operations of arrays, and casts, whose code depends on the dtype alone."""
NAMES = {f"math.{row.name}" if row.family is OF_MATH else row.name for row in ROWS}


def test_names_are_those_of_primitives() -> None:
    """A row under another name would never be found; a square is a power of two."""
    assert CODE.keys() - {"square"} <= NAMES


def test_each_operator_has_a_row() -> None:
    """Each operator has code; functions of `math` may lack it, and are then called."""
    missing = {name for name in NAMES - CODE.keys() if not name.startswith("math.")}

    assert missing <= WITHOUT


@pytest.mark.parametrize("name", CODE)
def test_cells_are_needed(name: str) -> None:
    """A cell differs from what its column would fall back on."""
    code = CODE[name]
    assert any(cell(code, column) for column in COLUMNS)
    for column in COLUMNS:
        own, back = getattr(code, column), FALLS_BACK.get(column)
        if own is NEVER:
            assert back is not None
            assert cell(code, back) is not None
        elif own is not None and back is not None:
            assert own != cell(code, back), column


def test_columns_fall_back_on_others() -> None:
    """Each chain ends at a column that falls back on none."""
    assert FALLS_BACK.keys() | {*FALLS_BACK.values()} <= {*COLUMNS}
    for column in COLUMNS:
        seen = [column]
        while seen[-1] in FALLS_BACK:
            seen.append(FALLS_BACK[seen[-1]])
            assert len(seen) == len(set(seen))
