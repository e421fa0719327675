"""Which of NumPy's loops over lines kernels have something faster for, with the same bits."""

from __future__ import annotations

import numpy as np

from ..library import numpys_tanh
from ..library.known_loops import NAMES, fuses, is_known
from ..library.names import REMAINDERS
from ..machine_code.objects import features


def works_in_place(ufunc: np.ufunc, number: int) -> bool:
    """Whether a result may stand where the first operand does; NumPy's loops take another path."""
    return faster(ufunc, number) == "quotients"


def faster(ufunc: np.ufunc, number: int) -> str | None:
    """The name of a kernel's own function; None: NumPy's loop is called."""
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
    """Whether five products take less time than a quotient, and a loop of their own.

    Vectors of any width are divided item by item; only wide ones are multiplied fast enough.
    """
    return fuses() and "+avx512f" in features()
