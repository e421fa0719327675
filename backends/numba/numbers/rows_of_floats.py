"""Rows for floats, in the precision in which NumPy computes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ....jit.ir.types import ScalarType
from ..native import Flags
from .rows import BOTH, COMPARE, TRUTH, ScalarRow, Table

EXACT = 2**53
"""Ints up to this magnitude are exact as doubles."""
EXACT_SINGLE = 2**24
"""Ints up to this magnitude are exact in single precision."""

_FLOAT: Table = {
    **{name: replace(row, flags=Flags.SILENT) for name, row in BOTH.items()},
    **TRUTH,
    "pos": ScalarRow("{0}"),
    "neg": ScalarRow("-{0}"),
    "abs": ScalarRow("fabs({0})"),
    "add": ScalarRow("{0} + {1}", Flags.REPORTS),
    "sub": ScalarRow("{0} - {1}", Flags.REPORTS),
    "mul": ScalarRow("{0} * {1}", Flags.REPORTS),
    "truediv": ScalarRow("{0} / {1}", Flags.REPORTS),
}
TO_INT = ScalarRow("truncated(float64({0}))", check="{r} < -9223372036854775807")
_TO_NUMBER: Table = {"float": ScalarRow("float64({0})"), "int": TO_INT}
_NUMPY_DOUBLE: Table = {
    **_FLOAT,
    **_TO_NUMBER,
    "quotient": ScalarRow("{0} / {1}", Flags.REPORTS, bail="{1} == 0"),
    "floordiv": ScalarRow("floor_divide({f}, {0}, {1})", Flags.REPORTS, library="fmod"),
    "mod": ScalarRow("remainder({f}, {0}, {1})", Flags.REPORTS, library="fmod"),
    "pow": ScalarRow("libm2({f}, {0}, {1})", Flags.REPORTS, library="pow"),
    "square": ScalarRow("square({f}, {0})", Flags.REPORTS, library="pow"),
}
_NO_POWER = (
    "not (fabs({0}) < inf and fabs({1}) < inf) or ({0} == 0 and {1} < 0) "
    "or ({0} < 0 and {1} != floor({1}))"
)
"""Where Python has an answer of its own: infinities, errors, complex numbers."""
_PYTHON_FLOAT: Table = {
    # No flag is reported.
    **{
        name: replace(row, flags=Flags.SILENT) if row.flags is Flags.REPORTS else row
        for name, row in _NUMPY_DOUBLE.items()
        if name != "quotient"
    },
    "truediv": ScalarRow("{0} / {1}", Flags.SILENT, bail="{1} == 0.0"),
    "floordiv": replace(_NUMPY_DOUBLE["floordiv"], flags=Flags.SILENT, bail="{1} == 0.0"),
    "mod": replace(_NUMPY_DOUBLE["mod"], flags=Flags.SILENT, bail="{1} == 0.0"),
    "pow": ScalarRow(
        "libm2({f}, {0}, {1})",
        Flags.SILENT,
        bail=_NO_POWER,
        check="not (fabs({r}) < inf)",
        library="pow",
    ),
    "square": ScalarRow(
        "square({f}, {0})", Flags.SILENT, check="not (fabs({r}) < inf)", library="pow"
    ),
}
_NUMPY_SINGLE: Table = {
    **_FLOAT,
    **_TO_NUMBER,
    "pow": ScalarRow("libm2f({f}, {0}, {1})", Flags.REPORTS, library="powf"),
}


def row_of_floats(name: str, types: Sequence[ScalarType]) -> ScalarRow | None:
    """Return the row of a function of floats, possibly mixed with ints; or None."""
    common = _common(types)
    python = all(type_.python for type_ in types)
    if common == np.float32:
        row = _NUMPY_SINGLE.get(name)
    elif common == np.float64:
        row = (_PYTHON_FLOAT if python else _NUMPY_DOUBLE).get(name)
    else:
        return None
    if row is None:
        return None
    if name in ("min", "max"):
        return row if len(set(types)) == 1 else None
    if common == np.float32:
        return replace(row, compute="float32", before=" or ".join(_no_single(types)))
    if name in COMPARE:
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
