"""Rows for complex numbers, computed by parts as in Python and in NumPy's scalars.

NumPy's array loops use fused multiplications, which round differently.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ....jit.ir.types import ScalarType
from ..native import Flags
from .rows import ScalarRow, Table

_NO_NUMBER = "{1}.real != {1}.real or {1}.imag != {1}.imag"
"""NumPy compares the parts of the divisor, which may raise "invalid" for NaN."""

_COMPLEX: Table = {
    "add": ScalarRow("{0} + {1}", Flags.REPORTS),
    "sub": ScalarRow("{0} - {1}", Flags.REPORTS),
    "mul": ScalarRow("times({0}, {1})", Flags.REPORTS),
    "truediv": ScalarRow("over({0}, {1})", Flags.REPORTS, bail=_NO_NUMBER),
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
    "truediv": ScalarRow("overf({0}, {1})", Flags.REPORTS, bail=_NO_NUMBER),
    "abs": ScalarRow("libm2f({f}, {0}.real, {0}.imag)", Flags.REPORTS, library="hypotf"),
}


_INFINITE = "fabs({r}.real) == inf or fabs({r}.imag) == inf"
_PYTHON: Table = {
    # No flag is reported. A real operand has an imaginary part of 0.0, but see below.
    "add": ScalarRow("{0} + {1}", Flags.SILENT),
    "sub": ScalarRow("{0} - {1}", Flags.SILENT),
    "mul": ScalarRow("times({0}, {1})", Flags.SILENT),
    "truediv": ScalarRow("through({0}, {1})", Flags.SILENT, bail="{1}.real == 0 and {1}.imag == 0"),
    # Powers start from the product of one and the number.
    "square": ScalarRow(
        "times(complex128(complex(1.0, 0.0)), times({0}, {0}))", Flags.SILENT, check=_INFINITE
    ),
    "neg": _COMPLEX["neg"],
    "eq": _COMPLEX["eq"],
    "ne": _COMPLEX["ne"],
    "abs": ScalarRow(
        "libm2({f}, {0}.real, {0}.imag)",
        Flags.SILENT,
        check="not (fabs({r}) < inf)",
        library="hypot",
    ),
    **{name: _COMPLEX[name] for name in ("truth", "bool", "not_")},
}


KEEPS_PARTS: Final = math.copysign(1.0, (complex(1.0, -0.0) + 1.0).imag) < 0.0
"""Since 3.14 a real operand has no imaginary part, and results with two NaNs are computed again."""
_SINCE_314: Table = {
    **_PYTHON,
    "mul": ScalarRow("times_again({0}, {1})", Flags.SILENT),
    "truediv": replace(_PYTHON["truediv"], template="through_again({0}, {1})"),
    "square": replace(
        _PYTHON["square"],
        template="times_again(complex128(complex(1.0, 0.0)), times_again({0}, {0}))",
    ),
}
_REAL_RIGHT: Table = {
    "add": ScalarRow("complex({0}.real + {1}.real, {0}.imag)", Flags.SILENT),
    "sub": ScalarRow("complex({0}.real - {1}.real, {0}.imag)", Flags.SILENT),
    "mul": ScalarRow("complex({0}.real * {1}.real, {0}.imag * {1}.real)", Flags.SILENT),
    "truediv": ScalarRow(
        "complex({0}.real / {1}.real, {0}.imag / {1}.real)", Flags.SILENT, bail="{1}.real == 0"
    ),
}
_REAL_LEFT: Table = {
    "add": ScalarRow("complex({1}.real + {0}.real, {1}.imag)", Flags.SILENT),
    "sub": ScalarRow("complex({0}.real - {1}.real, -{1}.imag)", Flags.SILENT),
    "mul": ScalarRow("complex({1}.real * {0}.real, {1}.imag * {0}.real)", Flags.SILENT),
    "truediv": replace(_PYTHON["truediv"], template="real_through({0}.real, {1})"),
}
_REAL_OPERANDS: Final[dict[tuple[bool, ...], Table]] = {
    (False, True): _REAL_RIGHT,
    (True, False): _REAL_LEFT,
}


def row_of_complex(name: str, types: Sequence[ScalarType]) -> ScalarRow | None:
    """Return the row of a function, or None."""
    numpy = {type_.dtype.char for type_ in types if not type_.python}
    if not numpy:
        return _row_of_python(name, types)
    if name not in _COMPLEX:
        return None
    if "D" in numpy and numpy <= {"d", "D"}:
        return replace(_COMPLEX[name], compute="complex128")
    if numpy == {"F"} and not any(type_.python for type_ in types):
        return replace(_SINGLE[name], compute="complex64")
    return None


def _row_of_python(name: str, types: Sequence[ScalarType]) -> ScalarRow | None:
    if name in ("eq", "ne") and any(type_.dtype.kind not in "fc" for type_ in types):
        return None  # an int is compared exactly
    table = _PYTHON
    if KEEPS_PARTS:
        real = tuple(type_.dtype.kind != "c" for type_ in types)
        table = {**_SINCE_314, **_REAL_OPERANDS.get(real, {})}
    return replace(table[name], compute="complex128") if name in table else None
