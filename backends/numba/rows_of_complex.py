"""Rows for functions of NumPy's complex numbers, part by part as its scalars compute them.

Its loops over arrays multiply with fused operations, which round in another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...jit.ir.types import ScalarType
from .native import Flags
from .rows import ScalarRow, Table

_COMPLEX: Table = {
    "add": ScalarRow("{0} + {1}", Flags.REPORTS),
    "sub": ScalarRow("{0} - {1}", Flags.REPORTS),
    "mul": ScalarRow("times({0}, {1})", Flags.REPORTS),
    "truediv": ScalarRow("over({0}, {1})", Flags.REPORTS),
    "neg": ScalarRow("complex(-{0}.real, -{0}.imag)"),
    "pos": ScalarRow("{0}"),
    "eq": ScalarRow("({0}.real == {1}.real and {0}.imag == {1}.imag)", Flags.SILENT),
    "ne": ScalarRow("({0}.real != {1}.real or {0}.imag != {1}.imag)", Flags.SILENT),
    "abs": ScalarRow("libm2({f}, {0}.real, {0}.imag)", Flags.REPORTS, library="hypot"),
    "truth": ScalarRow("({0}.real != 0 or {0}.imag != 0)"),
    "bool": ScalarRow("({0}.real != 0 or {0}.imag != 0)"),
    "not_": ScalarRow("({0}.real == 0 and {0}.imag == 0)"),
}


_SINGLE: Table = {
    **_COMPLEX,
    "truediv": ScalarRow("overf({0}, {1})", Flags.REPORTS),
    "abs": ScalarRow("libm2f({f}, {0}.real, {0}.imag)", Flags.REPORTS, library="hypotf"),
}


def row_of_complex(name: str, types: Sequence[ScalarType]) -> ScalarRow | None:
    """How it is computed, None where it has no row; Python's own complex numbers have none."""
    numpy = {type_.dtype.char for type_ in types if not type_.python}
    if name not in _COMPLEX:
        return None
    if "D" in numpy and numpy <= {"d", "D"}:
        return replace(_COMPLEX[name], compute="complex128")
    if numpy == {"F"} and not any(type_.python for type_ in types):
        return replace(_SINGLE[name], compute="complex64")
    return None
