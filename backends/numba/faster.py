"""Which of NumPy's loops over lines kernels have something faster for, with the same bits."""

from __future__ import annotations

import numpy as np

from .sines_of_numpy import NAMES, fuses, is_known


def works_in_place(ufunc: np.ufunc, number: int) -> bool:
    """Whether a result may stand where the first operand does; NumPy's loops take another path."""
    return faster(ufunc, number) == "quotients"


def faster(ufunc: np.ufunc, number: int) -> str | None:
    """The name of a kernel's own function; None: NumPy's loop is called."""
    if ufunc is np.divide:
        return "quotients" if ufunc.types[number] == "dd->d" and fuses() else None
    return NAMES[ufunc] if is_known(ufunc, number) else None
