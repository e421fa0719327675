"""Loops of NumPy for which kernels have faster code with the same bits."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ....jit.platforms import PROCESSOR
from ..library import numpys_tanh
from ..library.libm_proofs import NAMES, fuses, is_known
from ..library.names import REMAINDERS
from ..machine_code.objects import features


def works_in_place(ufunc: np.ufunc, number: int, operand: int) -> bool:
    """True if the result may overwrite this operand, provided the other one is elsewhere."""
    own = faster(ufunc, number)
    return (own == "quotients" and operand == 0) if own else _same_in_place(ufunc, number, operand)


@cache
def _same_in_place(ufunc: np.ufunc, number: int, operand: int) -> bool:
    """True if NumPy's loop gives the same bits in place, as tried on lines of many lengths."""
    operands, results = ufunc.types[number].split("->")
    if operands[operand] != results:
        return False
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        for length in (1, 2, 3, 5, 8, 13, 37, 100, 512, 1000):
            given = [_line(rng, length).astype(char) for char in operands]
            fresh = ufunc(*given)
            ufunc(*given, out=given[operand])
            if fresh.tobytes() != given[operand].tobytes():
                return False
    return True


def _line(rng: np.random.Generator, length: int) -> np.ndarray[Any, Any]:
    """Return numbers of all kinds, with signed zeros, infinities and NaN."""
    special = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0], length)
    return np.where(rng.random(length) < 0.2, special, rng.normal(0, 20, length))


def faster(ufunc: np.ufunc, number: int) -> str | None:
    """Return the name of the kernel's own function, or None to call NumPy's loop."""
    if ufunc is np.divide:
        return "quotients" if ufunc.types[number] == "dd->d" and products_are_faster() else None
    if ufunc is np.remainder:
        operands, results = ufunc.types[number].split("->")
        name = f"remainders_{np.dtype(results)}"
        return name if operands == results * 2 and name in REMAINDERS else None
    if ufunc is np.tanh:
        return "tangents" if ufunc.types[number] == "d->d" and numpys_tanh.is_known() else None
    return NAMES[ufunc] if is_known(ufunc, number) else None


def products_are_faster() -> bool:
    """True if a division by one number is faster as five products.

    Vector division takes its time per item at any width; only wide vectors multiply fast enough.
    """
    return fuses() and PROCESSOR.vector_bytes(features()) >= 64
