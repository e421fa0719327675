"""Run-time checks of kernels: if one fails, the kernel bails and eager continues."""

from __future__ import annotations

import enum


class Check(enum.Enum):
    """A failed check, in words of the report. Kernels report it by number."""

    OTHER = "for a check that is not told"
    CALL = "as a call gave another kind of result than at capture, or raised"
    INDEX = "as an index is out of bounds"
    SIZE = "as an array has another size than at capture"
    SHAPE = "as a shape does not fit"
    ORDER = "as axes stand in another order in memory than at capture"
    EMPTY = "as there is nothing in an array"
    STEP = "as a slice has another step than at capture"
    OVERLAP = "as memory that is written is read later"
    SHARED = "as an in-place statement reads memory that it writes, under another name"
    LOUD = "as a floating point error, or its warning, may raise here"
    INT = "as an int may leave its range, or eager raises"
    RANGE = "as a dtype cannot hold a number"
    RAISES = "as eager raises"
    LONG = "in a loop that took long and could not be halted"
    FLAG = "as eager warns of a floating point error before it goes on"
    REDUCTION = "as a single line is reduced in another way"
    ORDER_OF_ITEMS = "as zeros of both signs, or NaNs, are the largest or smallest items"
    LARGE = "as eager computes into an operand of this size"
    MEMORY = "as there is no memory"
    EAGER = "as only eager goes this way"
    WAITS = "as an exception or a warning waits"
    LIBRARY = "as NumPy raises, or warns where only eager can"
    GREW = "as threads could share its loops over arrays, which got large"

    @property
    def number(self) -> int:
        """Return the number that kernels report."""
        return _NUMBERS[self]

    @property
    def is_local(self) -> bool:
        """True if the check belongs to a single instruction."""
        return self not in _NOBODYS

    def at(self, spot: int) -> int:
        """Return the number that kernels report for the check at an instruction, counted from 1."""
        return self.number + spot * _SPOTS


_NOBODYS = (Check.OTHER, Check.FLAG, Check.MEMORY, Check.WAITS)
_SPOTS = 256
_NUMBERS = {check: number for number, check in enumerate(Check)}
CHECKS = tuple(Check)
"""All checks by number."""


def decode_check(said: int) -> tuple[Check, int]:
    """Decode the number that a bailing kernel reports: (check, number of the instruction or 0)."""
    spot, number = divmod(said, _SPOTS)
    return CHECKS[number], spot
