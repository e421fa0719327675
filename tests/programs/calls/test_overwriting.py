"""Functions of SciPy that may write into their arguments, and those that die of examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.signal
from oracle import assert_counts, check

A = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [2.0, 0.0, 5.0]])
B = np.array([1.0, 2.0, 3.0])

OVERWRITING: dict[str, Callable[..., Any]] = {
    "solve": lambda a, b: scipy.linalg.solve(a, b, overwrite_a=True),
    "solve by position": lambda a, b: scipy.linalg.solve(a, b, False, False, True),
    "inv": lambda a, b: scipy.linalg.inv(a, overwrite_a=True),
    "det": lambda a, b: scipy.linalg.det(a, overwrite_a=True),
    "lu_factor": lambda a, b: scipy.linalg.lu_factor(a, overwrite_a=True)[0],
    "qr": lambda a, b: scipy.linalg.qr(a, overwrite_a=True)[1],
    "svdvals": lambda a, b: scipy.linalg.svdvals(a, True),
    "eigvals": lambda a, b: scipy.linalg.eigvals(a, overwrite_a=True),
    "eigvalsh": lambda a, b: scipy.linalg.eigvalsh(a, overwrite_a=True),
    "solve_triangular": lambda a, b: scipy.linalg.solve_triangular(a, b, overwrite_b=True),
    "cho_solve": lambda a, b: scipy.linalg.cho_solve((a, False), b, overwrite_b=True),
    "solve_banded": lambda a, b: scipy.linalg.solve_banded((1, 1), a, b, True, True),
    "fft": lambda a, b: scipy.fft.fft(a, overwrite_x=True),
    "detrend": lambda a, b: scipy.signal.detrend(b, overwrite_data=True),
}


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("name", OVERWRITING)
def test_overwriting(name: str, order: Any) -> None:
    """Values computed from the argument before the call have its contents before the call."""
    function = OVERWRITING[name]

    def program(a: Any, b: Any) -> Any:
        before = a * 2, b * 2
        result = function(a, b)
        return *before, result + 1, a * 2, b * 2

    check(program, A.copy(order=order), B)


def inverse(a: Any, b: Any) -> Any:
    return scipy.linalg.inv(a) * 2, scipy.linalg.solve(a, b) + scipy.linalg.inv(a * 1)[0]


@pytest.mark.parametrize(
    "a",
    [A.astype(int), A.astype(np.uint8), A, A.astype(complex)],
    ids=lambda a: a.dtype.name,
)
def test_examples_are_not_singular(a: Any) -> None:
    """SciPy dies of singular ones in its own copy in Fortran's order, and the examples are ours."""
    assert_counts(check(inverse, np.asfortranarray(a), B), captures=1, breaks=0)


def test_bools() -> None:
    """SciPy 1.18 warns that it will not take them."""
    check(inverse, np.asfortranarray(np.triu(np.ones((3, 3), bool))), B)
