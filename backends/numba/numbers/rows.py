"""Rows: how a function of numbers is computed, and when the kernel leaves for eager instead."""

from __future__ import annotations

from ....jit.frozen import dataclass
from ..native import Flags


@dataclass(frozen=True, slots=True)
class ScalarRow:
    """One function on operands of one kind."""

    template: str
    """Over the operands {0}, {1}; {f} is the address of the library's function."""
    flags: Flags = Flags.PURE
    bail: str = ""
    """Expression under which the kernel bails to eager."""
    by_natural: str = ""
    """In place of `template`, where the second operand is zero at least: `bail` tells zero only."""
    before: str = ""
    """The same, of the operands as they come, before they are brought to the storage."""
    check: str = ""
    """The same, of the result {r}."""
    late: str = ""
    """In place of `bail`: an int that is negative where the result {r} is not to be used."""
    wrapped: str = ""
    """In place of `template`, where it is asked later whether the result is one."""
    compute: str = ""
    """Storage that operands are brought to first; empty: they stay what they are."""
    library: str = ""
    """A function of the C library."""


Table = dict[str, ScalarRow]

COMPARE = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}
"""Comparisons and how they are written."""
TRUTH: Table = {
    "truth": ScalarRow("{0} != 0"),
    "bool": ScalarRow("{0} != 0"),
    "not_": ScalarRow("{0} == 0"),
}
"""Of a bool, an int or a float; that of a NaN is silent too."""
BOTH: Table = {
    **{name: ScalarRow(f"{{0}} {sign} {{1}}") for name, sign in COMPARE.items()},
    **TRUTH,
    "pos": ScalarRow("{0}"),
    "max": ScalarRow("{1} if {1} > {0} else {0}"),
    "min": ScalarRow("{1} if {1} < {0} else {0}"),
}
"""Of numbers of any kind."""
