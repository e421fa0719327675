"""Compares NumPy's ufuncs with the rows of native.py, by Python's own arithmetic.

On the NumPy versions that framejit was tested with, tests prove the rows, as kernels compute them.
On a newer one each row is tried before its first use in a process: the row's text is evaluated on
hostile numbers as Python floats and ints, whose arithmetic is that of LLVM's instructions. A row
that does not give NumPy's bits and flags is not used: kernels then call NumPy's loop.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from ...jit.log import tell
from ...jit.numpy_versions import is_tested, untested
from .native import Flags, Native

Array = np.ndarray[Any, Any]
MOST_BOUNDS = 6
"""Numbers that are tried for each operand behind the first where only numbers are proved."""


class _Ieee(float):
    """A Python float that divides as processors do: by zero, too."""

    def __truediv__(self, other: float) -> float:
        number = float(self)
        if other != 0:
            return number / float(other)
        if number == 0.0 or math.isnan(number):
            return math.nan
        return math.copysign(math.inf, number) * math.copysign(1.0, other)


def _sqrt(number: float) -> float:
    return math.nan if number < 0 else math.sqrt(number)


def _wrapped(dtype: np.dtype[Any]) -> Callable[[int], int]:
    """Return a function that reduces an int to those of a dtype."""
    bits = 8 * dtype.itemsize
    low = -(1 << bits - 1) if dtype.kind == "i" else 0
    return lambda number: (int(number) - low) % (1 << bits) + low


def hostile(dtype: np.dtype[Any]) -> Array:
    """Return numbers of a dtype on which loops differ if they ever do, and some plain ones."""
    if dtype.kind == "b":
        return np.array([0, 1, 2, 128, 255], np.uint8).view(bool)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        ints = [0, 1, 2, 3, 7, 31, 63, 100, limits.min, limits.min + 1, limits.max - 1, limits.max]
        return np.array(ints + [-1, -2, -7] * (dtype.kind == "i"), dtype)
    of = np.finfo(dtype)
    small, least, most = of.smallest_subnormal, of.smallest_normal, of.max
    odd = 2.0 ** (of.nmant // 2 + 1) + 1  # its square is rounded
    with np.errstate(all="ignore"):
        positive = np.array(
            [0, 1, 0.5, 3, 0.1, 100.7, odd, small, 3 * small, least, most, np.inf, np.nan], dtype
        )
    return np.concatenate([positive, -positive])


def is_proved(ufunc: np.ufunc, row: Native, dtype: np.dtype[Any]) -> bool:
    """True if kernels may use a row with the installed NumPy; a failure is logged."""
    if is_tested() or holds(ufunc, row, dtype):
        return True
    tell(
        f"{untested()}; its {ufunc.__name__} of {dtype} does not give the bits and flags that "
        "kernels would, so they call it"
    )
    return False


@cache
def holds(ufunc: np.ufunc, row: Native, dtype: np.dtype[Any]) -> bool:
    """True if a row gives NumPy's bits and flags for operands of one dtype."""
    columns = _combinations(ufunc, row, dtype)
    with np.errstate(all="ignore"):
        expected = _evaluated(row, columns, dtype, _dtype_of_result(ufunc, dtype))
        return all(_same(found, expected) for found in _results(ufunc, row, columns)) and (
            dtype.kind != "f" or _reports(ufunc, row, columns, expected)
        )


def _combinations(ufunc: np.ufunc, row: Native, dtype: np.dtype[Any]) -> list[Array]:
    """Return all combinations of operands, an array for each operand."""
    numbers = hostile(dtype)
    every = range(len(numbers))
    bounds = every[:: max(1, len(numbers) // MOST_BOUNDS)] if row.numbers else every
    cells = itertools.product(every, *[bounds] * (ufunc.nin - 1))
    return [numbers[[*places]] for places in zip(*cells, strict=True)]


def _dtype_of_result(ufunc: np.ufunc, dtype: np.dtype[Any]) -> np.dtype[Any]:
    found: np.dtype[Any] = ufunc(*[np.ones(1, dtype)] * ufunc.nin).dtype
    return found


def _evaluated(
    row: Native, columns: list[Array], dtype: np.dtype[Any], result: np.dtype[Any]
) -> Array:
    """Return the row's results as Python computes them."""
    kind: Callable[[Any], Any] = _Ieee if dtype.kind == "f" else _wrapped(dtype)
    text = row.template.format(
        *(f"x{k}" for k in range(len(columns))), t="kind", bits=str(8 * dtype.itemsize)
    )
    names = ", ".join(f"x{k}" for k in range(len(columns)))
    known: dict[str, Any] = {
        "kind": kind,
        "sqrt": _sqrt,
        "fabs": math.fabs,
        "int64": int,
        "uint64": lambda number: int(number) % (1 << 64),
        "wrapped_add": lambda left, right: left + right,
        "wrapped_sub": lambda left, right: left - right,
        "wrapped_mul": lambda left, right: left * right,
    }
    compute = eval(f"lambda {names}: {text}", known)
    given = (column.view(np.uint8) if dtype.kind == "b" else column for column in columns)
    lines = ([_Ieee(x) if dtype.kind == "f" else x for x in line.tolist()] for line in given)
    found = [compute(*cell) for cell in zip(*lines, strict=True)]
    if result.kind in "iu":
        found = [_wrapped(result)(number) for number in found]
    return np.array(found).astype(result) if result.kind != "u" else np.array(found, result)


def _results(ufunc: np.ufunc, row: Native, columns: list[Array]) -> Iterator[Array]:
    """Yield NumPy's results, of operands that stand beside each other and of others."""
    if row.numbers:
        first, *rest = columns
        yield np.array([ufunc(*cell) for cell in zip(first, *rest, strict=True)], first.dtype)
        return
    yield ufunc(*columns)
    yield ufunc(*(np.repeat(column, 2)[::2] for column in columns))
    yield ufunc(*(column[::-1] for column in columns))[::-1]


def _same(left: Array, right: Array) -> bool:
    """True if the bits are the same, but for those of a NaN."""
    if left.dtype != right.dtype or left.dtype.kind != "f":
        return left.dtype == right.dtype and bool(np.array_equal(left, right))
    unlike = np.isnan(left) | np.isnan(right)
    bits = f"u{left.dtype.itemsize}"
    same = np.ascontiguousarray(left).view(bits) == np.ascontiguousarray(right).view(bits)
    return bool(np.all(np.where(unlike, np.isnan(left) & np.isnan(right), same)))


def _reports(ufunc: np.ufunc, row: Native, columns: list[Array], results: Array) -> bool:
    """True if NumPy reports an invalid, infinite or overflowing result where the row says so."""
    stacked = np.stack(columns)
    made = np.isnan(results) & ~np.isnan(stacked).any(axis=0)
    made |= np.isinf(results) & np.isfinite(stacked).all(axis=0)
    expected = made & (row.flags is Flags.REPORTS)
    return all(
        _raises(ufunc, [column[place : place + 1] for column in columns]) == expected[place]
        for place in range(len(results))
    )


def _raises(ufunc: np.ufunc, operands: list[Array]) -> bool:
    with np.errstate(divide="raise", over="raise", invalid="raise", under="ignore"):
        try:
            ufunc(*operands)
        except FloatingPointError:
            return True
    return False
