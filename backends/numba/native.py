"""The proved list: ufunc loops that LLVM code reproduces bit for bit, and their flags.

Everything that is not here is computed by NumPy's own inner loop. The equality tests in
tests/unit/backends/numba/test_native.py prove each row on the installed NumPy.
"""

from __future__ import annotations

import enum

from ...jit.flags import bits_of
from ...jit.frozen import dataclass
from ...jit.ir.graph import Node


class Flags(enum.Enum):
    """What an op does to the floating point status of the processor."""

    PURE = enum.auto()
    """Nothing, ever: integer work, moves, sign bits, selects."""
    REPORTS = enum.auto()
    """Raises what eager would report."""
    SILENT = enum.auto()
    """May raise what eager would never report (a comparison with NaN): runs between saving and
    restoring the status."""


def quiet_flags(node: Node) -> int:
    """Flags that eager does not report here, as an `np.errstate` around the op ignores them."""
    return bits_of(node.location.modes.ignored) if node.location is not None else 0


def heard_flags(node: Node) -> int:
    """Flags that eager does not overlook here, as an `np.errstate` around the op says so."""
    return bits_of(node.location.modes.heard) if node.location is not None else 0


def told_flags(node: Node) -> int:
    """Those of them that only eager can tell of: they do not end in a warning."""
    return bits_of(node.location.modes.told) if node.location is not None else 0


@dataclass(frozen=True, slots=True)
class Native:
    """One ufunc in LLVM terms."""

    template: str
    """Numba expression over operands {0}, {1}; {t} is the type of the result of {bits} bits."""
    flags: Flags
    """For floating point operands; integers are always PURE."""
    kinds: str
    """dtype kinds of the operands that are proved: f, i, u, b."""
    numbers: bool = False
    """Whether all operands but the first have to be numbers: arrays take another way in NumPy."""


_ARITHMETIC = "fiu"
_ANY = "fiub"
_IS_SHORT = "uint64({1}) < uint64({bits})"
"""Whether a shift leaves some of the bits; by more of them, NumPy shifts all out."""
_RAISED = "({1} if ({0} < {1}) | ({1} != {1}) else {0})"
"""What `clip` makes of a number that is too small, or where that is not said: NaN."""

WRAPPING = {
    "add": "wrapped_add({0}, {1})",
    "subtract": "wrapped_sub({0}, {1})",
    "multiply": "wrapped_mul({0}, {1})",
    "square": "wrapped_mul({0}, {0})",
}
"""Templates for ints of 64 bits; smaller ones are computed in 64, and cut."""

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
