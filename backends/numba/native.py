"""Ufuncs that LLVM code computes with NumPy's bits and flags, as proved by tests.

All others are computed by NumPy's own inner loops. tests/unit/backends/numba/test_native.py proves
each row on the installed NumPy.
"""

from __future__ import annotations

import enum

from ...jit.flags import bits_of
from ...jit.frozen import dataclass
from ...jit.ir.graph import Node


class Flags(enum.Enum):
    """Effect of an op on the processor's floating point flags."""

    PURE = enum.auto()
    """Raises no flag: integer arithmetic, moves, signs, selections."""
    REPORTS = enum.auto()
    """Raises the flags that eager reports."""
    SILENT = enum.auto()
    """May raise flags that eager does not report, as a comparison with NaN: the status is saved
    before and restored after it."""


def quiet_flags(node: Node) -> int:
    """Return flags that eager ignores at this node because of an `np.errstate` block."""
    return bits_of(node.location.modes.ignored) if node.location is not None else 0


def heard_flags(node: Node) -> int:
    """Return flags that eager reports at this node because of an `np.errstate` block."""
    return bits_of(node.location.modes.heard) if node.location is not None else 0


def told_flags(node: Node) -> int:
    """Return the reported flags that raise or call a handler instead of warning; only eager can."""
    return bits_of(node.location.modes.told) if node.location is not None else 0


@dataclass(frozen=True, slots=True)
class Native:
    """A ufunc as an expression for LLVM."""

    template: str
    """Numba expression over operands {0}, {1}; {t} is the result type, {bits} its size."""
    flags: Flags
    """Effect for floating point operands; integers are always PURE."""
    kinds: str
    """Dtype kinds for which it is proved: f, i, u, b."""
    numbers: bool = False
    """True if all operands but the first must be scalars: NumPy treats arrays in another way."""


_ARITHMETIC = "fiu"
_ANY = "fiub"
_IS_SHORT = "uint64({1}) < uint64({bits})"
"""True if a shift count is below the width; NumPy's result for larger ones is all shifted out."""
_RAISED = "({1} if ({0} < {1}) | ({1} != {1}) else {0})"
"""Applies the lower bound of `clip`; a NaN bound gives NaN."""

WRAPPING = {
    "add": "wrapped_add({0}, {1})",
    "subtract": "wrapped_sub({0}, {1})",
    "multiply": "wrapped_mul({0}, {1})",
    "square": "wrapped_mul({0}, {0})",
}
"""Templates for 64-bit ints; smaller ints are computed in 64 bits and truncated."""

NATIVE: dict[str, Native] = {
    "add": Native("{0} + {1}", Flags.REPORTS, _ARITHMETIC),
    "subtract": Native("{0} - {1}", Flags.REPORTS, _ARITHMETIC),
    "multiply": Native("{0} * {1}", Flags.REPORTS, _ARITHMETIC),
    "divide": Native("{0} / {1}", Flags.REPORTS, "f"),
    "square": Native("{0} * {0}", Flags.REPORTS, _ARITHMETIC),
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
    "logical_not": Native("{0} ^ uint8(1)", Flags.PURE, "b"),
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
