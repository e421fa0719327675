"""Ufuncs that LLVM code computes with NumPy's bits and flags, as proved by tests.

All others are computed by NumPy's own inner loops. tests/unit/backends/numba/test_native.py proves
each row on the installed NumPy.
"""

from __future__ import annotations

import enum
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy._core import umath

from ...jit.flags import bits_of
from ...jit.frozen import dataclass
from ...jit.ir.graph import Node
from ...jit.native import ufunc_loop


class Flags(enum.Enum):
    """Effect of an op on the processor's floating point flags."""

    PURE = enum.auto()
    """Raises no flag: integer arithmetic, moves, signs, selections."""
    REPORTS = enum.auto()
    """Raises the flags that eager reports."""
    SILENT = enum.auto()
    """May raise flags that eager does not report, as a comparison with NaN: the status is saved
    before and restored after it."""


TRUTH = "({0} != 0)"
"""Template for the truth of a bool in memory; `bytes.view(bool)` holds more than 0 and 1."""


def number_of(cell: str, dtype: np.dtype[Any]) -> str:
    """Return the text of the number that a place in memory holds."""
    return f"uint8({TRUTH.format(cell)})" if dtype.kind == "b" else cell


def ignored_flags(node: Node) -> int:
    """Return flags that eager ignores at this node because of an `np.errstate` block."""
    return bits_of(node.location.modes.ignored) if node.location is not None else 0


def trapped_flags(node: Node) -> int:
    """Return flags that an `np.errstate` block reports here, whatever mode the caller has set."""
    return bits_of(node.location.modes.trapped) if node.location is not None else 0


def escalated_flags(node: Node) -> int:
    """Return the trapped flags that raise, print or call a handler; only eager can do that."""
    return bits_of(node.location.modes.escalated) if node.location is not None else 0


@dataclass(frozen=True, slots=True)
class Native:
    """A ufunc as an expression for LLVM."""

    template: str
    """Numba expression over operands {0}, {1}; {t} is the result type, {bits} its size."""
    flags: Flags
    """Effect for floating point operands; integers are always PURE."""
    kinds: str
    """Dtype kinds for which it is proved: f, i, u, b."""
    wrapped: str = ""
    """Replaces `template` for 64-bit ints; smaller ints are computed in 64 bits and truncated."""
    numbers: bool = False
    """True if all operands but the first must be scalars: NumPy treats arrays in another way."""


_ARITHMETIC = "fiu"
_ANY = "fiub"
_IS_SHORT = "uint64({1}) < uint64({bits})"
"""True if a shift count is below the width; NumPy's result for larger ones is all shifted out."""
_RAISED = "({1} if ({0} < {1}) | ({1} != {1}) else {0})"
"""Applies the lower bound of `clip`; a NaN bound gives NaN."""

NATIVE: dict[str, Native] = {
    "add": Native("{0} + {1}", Flags.REPORTS, _ARITHMETIC, "wrapped_add({0}, {1})"),
    "subtract": Native("{0} - {1}", Flags.REPORTS, _ARITHMETIC, "wrapped_sub({0}, {1})"),
    "multiply": Native("{0} * {1}", Flags.REPORTS, _ARITHMETIC, "wrapped_mul({0}, {1})"),
    "divide": Native("{0} / {1}", Flags.REPORTS, "f"),
    "square": Native("{0} * {0}", Flags.REPORTS, _ARITHMETIC, "wrapped_mul({0}, {0})"),
    "reciprocal": Native("{t}(1) / {0}", Flags.REPORTS, "f"),
    "sqrt": Native("sqrt({0})", Flags.REPORTS, "f"),
    "negative": Native("-{0}", Flags.PURE, "fi"),
    "positive": Native("{0}", Flags.PURE, _ARITHMETIC),
    "absolute": Native("fabs({0})", Flags.PURE, "f"),
    "fabs": Native("fabs({0})", Flags.PURE, "f"),
    "conjugate": Native("{0}", Flags.PURE, _ARITHMETIC),
    "equal": Native("{0} == {1}", Flags.SILENT, _ANY),
    "not_equal": Native("{0} != {1}", Flags.SILENT, _ANY),
    "less": Native("{0} < {1}", Flags.SILENT, _ANY),
    "less_equal": Native("{0} <= {1}", Flags.SILENT, _ANY),
    "greater": Native("{0} > {1}", Flags.SILENT, _ANY),
    "greater_equal": Native("{0} >= {1}", Flags.SILENT, _ANY),
    "logical_and": Native("{0} & {1}", Flags.PURE, "b"),
    "logical_or": Native("{0} | {1}", Flags.PURE, "b"),
    "logical_not": Native("not {0}", Flags.PURE, "b"),
    "logical_xor": Native("{0} ^ {1}", Flags.PURE, "b"),
    "bitwise_and": Native("{0} & {1}", Flags.PURE, "iub"),
    "bitwise_or": Native("{0} | {1}", Flags.PURE, "iub"),
    "bitwise_xor": Native("{0} ^ {1}", Flags.PURE, "iub"),
    "left_shift": Native(f"{{t}}({{0}} << {{1}}) if {_IS_SHORT} else {{t}}(0)", Flags.PURE, "iu"),
    "right_shift": Native(
        f"{{t}}({{0}} >> {{1}}) if {_IS_SHORT} else {{t}}(-int64({{0}} < {{t}}(0)))",
        *(Flags.PURE, "iu"),
    ),
    "clip": Native(
        f"{{2}} if ({_RAISED} > {{2}}) | (({{2}} != {{2}}) & ({{1}} == {{1}})) else {_RAISED}",
        *(Flags.SILENT, _ARITHMETIC),
        numbers=True,
    ),
}


def row_of(ufunc: np.ufunc, operands: tuple[np.dtype[Any], ...]) -> Native | None:
    """Return the row for operands that all have this dtype, None if no row is proved for it.

    NumPy computes with the truth of bools, whatever their bytes are.
    """
    kinds = {dtype.kind for dtype in operands}
    name = ufunc.__name__ if getattr(umath, ufunc.__name__, None) is ufunc else ""
    if kinds == {"b"}:
        name = _of_bools().get(_loop_of_bools(ufunc), name)
    row = NATIVE.get(name)
    if row is None or not kinds <= set(row.kinds) or len(set(operands)) > 1:
        return None
    if kinds == {"b"}:
        truths = [TRUTH.format(f"{{{k}}}") for k in range(len(operands))]
        return replace(row, template=row.template.format(*truths))
    if kinds <= {"i"} and operands[0].itemsize == 8:
        return replace(row, template=row.wrapped or row.template)
    return row


@cache
def _of_bools() -> dict[int, str]:
    """Return rows by the address of NumPy's loop: `maximum` of bools has that of `logical_or`."""
    rows = (name for name, row in NATIVE.items() if "b" in row.kinds)
    return {_loop_of_bools(getattr(umath, name)): name for name in rows}


def _loop_of_bools(ufunc: np.ufunc) -> int:
    """Return the address of the loop over bools; 0 if there is none."""
    signature = f"{'?' * ufunc.nin}->?"
    if signature not in ufunc.types:
        return 0
    return ufunc_loop(ufunc, ufunc.types.index(signature))[0]
