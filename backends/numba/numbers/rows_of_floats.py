"""The code for floats, in the precision in which NumPy computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ....jit.ir.types import ScalarType
from .rows import ScalarRow, cell
from .table import CODE

EXACT = 2**53
"""Ints up to this magnitude are exact as doubles."""
EXACT_SINGLE = 2**24
"""Ints up to this magnitude are exact in single precision."""


def row_of_floats(name: str, types: Sequence[ScalarType]) -> ScalarRow | None:
    """Return the row of a function of floats, possibly mixed with ints; or None."""
    code, common = CODE.get(name), _common(types)
    python = all(type_.python for type_ in types)
    if common == np.float32:
        row = cell(code, "singles")
    elif common == np.float64:
        row = cell(code, "python_floats" if python else "doubles")
    else:
        return None
    if code is None or row is None:
        return None
    if code.picks:
        return row if len(set(types)) == 1 else None
    if common == np.float32:
        return replace(row, compute="float32", before=" or ".join(_no_single(types)))
    if code.compares:
        return _with_exact_ints(row, types)
    return replace(row, compute="float64")


def _common(types: Sequence[ScalarType]) -> np.dtype[np.generic]:
    """Return the precision of the computation; Python numbers adapt to NumPy's."""
    weak = {"b": False, "i": 0, "f": 0.0}
    given = [weak[t.dtype.kind] if t.python else t.dtype for t in types]
    return np.result_type(*given)


def _no_single(types: Sequence[ScalarType]) -> list[str]:
    """Return conditions under which Python numbers do not convert cleanly to single precision."""
    found = []
    for k, type_ in enumerate(types):
        if type_.python and type_.dtype.kind == "i":
            found.append(f"abs({{{k}}}) > {EXACT_SINGLE}")
        elif type_.python and type_.dtype.kind == "f":
            found.append(f"not (1e-37 < fabs({{{k}}}) < 3e38 or {{{k}}} == 0)")
    return found


def _with_exact_ints(row: ScalarRow, types: Sequence[ScalarType]) -> ScalarRow:
    """Add a check that ints are exact as doubles, since Python compares exactly.

    After conversion, the smallest int that is not exact has become `EXACT`.
    """
    large = [f"abs({{{k}}}) >= {EXACT}" for k, type_ in enumerate(types) if type_.dtype.kind == "i"]
    return replace(row, bail=" or ".join(large), compute="float64")
