"""Rows: how a function on scalars is computed, and when the kernel bails instead."""

from __future__ import annotations

from ....jit.frozen import dataclass
from ..native import Flags


@dataclass(frozen=True, slots=True)
class ScalarRow:
    """One function for one class of operands."""

    template: str
    """Expression over the operands {0}, {1}; {f} is the address of a library function."""
    flags: Flags = Flags.PURE
    bail: str = ""
    """Condition under which the kernel bails."""
    by_natural: str = ""
    """Replaces `template` if the second operand is not negative; `bail` then tests for zero only.
    """
    before: str = ""
    """Condition to bail, over the operands before their conversion to the storage type."""
    check: str = ""
    """Condition to bail, over the result {r}."""
    late: str = ""
    """Replaces `bail` for deferred checks: an int that is negative if the result {r} is invalid."""
    wrapped: str = ""
    """Replaces `template` if validity of the result is checked later."""
    compute: str = ""
    """Storage type to which operands are converted first; "" leaves them as they are."""
    library: str = ""
    """Name of a C library function."""


Table = dict[str, ScalarRow]

COMPARE = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}
"""Comparisons and their operators."""
TRUTH: Table = {
    "truth": ScalarRow("{0} != 0"),
    "bool": ScalarRow("{0} != 0"),
    "not_": ScalarRow("{0} == 0"),
}
"""Truth of a bool, int or float; NaN raises no flag."""
BOTH: Table = {
    **{name: ScalarRow(f"{{0}} {sign} {{1}}") for name, sign in COMPARE.items()},
    **TRUTH,
    "pos": ScalarRow("{0}"),
    "max": ScalarRow("{1} if {1} > {0} else {0}"),
    "min": ScalarRow("{1} if {1} < {0} else {0}"),
}
"""Functions with the same code for numbers of any kind."""
