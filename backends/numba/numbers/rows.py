"""Rows: how a function on scalars is computed, and when the kernel bails instead."""

from __future__ import annotations

from dataclasses import fields, replace

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


Cell = ScalarRow | None
NEVER = ScalarRow("")
"""A cell that says that NumPy is called for these numbers, whatever the column falls back on has.
"""


@dataclass(frozen=True, slots=True)
class Code:
    """The code of one function: a cell for each class of numbers.

    An empty cell is that of the column that its column falls back on (`FALLS_BACK`).
    """

    ints: Cell = None
    python_ints: Cell = None
    numpy_ints: Cell = None
    """NumPy's ints, computed in 64 bits and checked for the range of their type."""
    uint64: Cell = None
    bools: Cell = None
    """Bools alone, if the result is one."""
    floats: Cell = None
    doubles: Cell = None
    """Operands of which one is a `np.float64`."""
    python_floats: Cell = None
    singles: Cell = None
    complexes: Cell = None
    """Operands of which one is a `np.complex128`."""
    single_complexes: Cell = None
    python_complexes: Cell = None
    by_parts: Cell = None
    """Python's complex numbers since 3.14, where a real operand has no imaginary part."""
    real_left: Cell = None
    """The same, if the first operand is real."""
    real_right: Cell = None
    of_math: Cell = None
    """Real numbers, converted to doubles: functions of the math module."""
    compares: bool = False
    truth: bool = False
    converts: bool = False
    """True if the result is Python's number, which takes any int."""
    picks: bool = False
    """True if it returns one of its operands, so that these must have one type."""
    wraps: bool = False
    """True if results of NumPy's ints silently wrap around."""
    kinds: str = "biuf"
    """Kinds of numbers for which `of_math` holds."""

    @property
    def tells(self) -> bool:
        """True if the result is a bool."""
        return self.compares or self.truth


FALLS_BACK = {
    "python_ints": "ints",
    "numpy_ints": "ints",
    "uint64": "ints",
    "doubles": "floats",
    "singles": "floats",
    "python_floats": "doubles",
    "single_complexes": "complexes",
    "python_complexes": "complexes",
    "by_parts": "python_complexes",
    "real_left": "by_parts",
    "real_right": "by_parts",
}
"""For each column the one that has the cells which it leaves empty."""
_REPORTS_NOTHING = ("python_floats", "python_complexes")
"""Columns of Python's own arithmetic: flags that another column reports are not."""
COLUMNS = tuple(one.name for one in fields(Code) if one.type == "Cell")


def cell(code: Code | None, column: str) -> ScalarRow | None:
    """Return how a function is computed for the numbers of a column; None if NumPy is called."""
    if code is None:
        return None
    own: Cell = getattr(code, column)
    if own is not None:
        return None if own is NEVER else own
    if column not in FALLS_BACK:
        return None
    found = cell(code, FALLS_BACK[column])
    if found is not None and column in _REPORTS_NOTHING and found.flags is Flags.REPORTS:
        return replace(found, flags=Flags.SILENT)
    return found
