"""Functions of one statement and of two: what a kernel gains least with.

Each takes `a`, `b` (arrays of n items), `c` (a number), `m` (an array of bools), `rows` (k rows of
n / k items) and `l` (a list of n numbers, 1,000 at most) by the names of its parameters, and may
write into arrays.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

FUNCTIONS: dict[str, Any] = {}


def _listed(function: Any) -> Any:
    FUNCTIONS[function.__name__] = function
    return function


# ---- in place ------------------------------------------------------------------------------------


@_listed
def add_in_place(a: Any, b: Any) -> None:
    b += a


@_listed
def number_in_place(b: Any, c: Any) -> None:
    b *= c


@_listed
def bits_in_place(m: Any, n: Any) -> None:
    m |= n


@_listed
def maximum_into(a: Any, b: Any) -> None:
    np.maximum(a, b, out=b)


@_listed
def negative_into(a: Any, b: Any) -> None:
    np.negative(a, out=b)


@_listed
def inner_in_place(a: Any, b: Any) -> None:
    b[1:-1] += a[1:-1]


@_listed
def column_in_place(rows: Any, c: Any) -> None:
    rows[:, 0] += c


@_listed
def row_by_row(rows: Any, a: Any) -> None:
    rows += rows[0]


@_listed
def filled(b: Any, c: Any) -> None:
    b[:] = c


@_listed
def copied(a: Any, b: Any) -> None:
    b[:] = a


@_listed
def masked_store(a: Any, b: Any, m: Any) -> None:
    b[m] = 0


@_listed
def four_times(a: Any, b: Any) -> None:
    for _ in range(4):
        b += a


@_listed
def two_in_place(a: Any, b: Any) -> None:
    b += a
    b *= a


@_listed
def step_in_place(a: Any, b: Any, c: Any) -> None:
    b -= c * a


@_listed
def add_into(a: Any, b: Any) -> Any:
    return np.add(a, 1, out=b)


# ---- results -------------------------------------------------------------------------------------


@_listed
def added(a: Any, b: Any) -> Any:
    return a + b


@_listed
def scaled_and_shifted(a: Any, c: Any) -> Any:
    return a * c + 1


@_listed
def compared(a: Any, b: Any) -> Any:
    return a < b


@_listed
def between(a: Any, c: Any) -> Any:
    return (a > 0) & (a < c)


@_listed
def chosen(a: Any, b: Any, m: Any) -> Any:
    return np.where(m, a, b)


@_listed
def clipped(a: Any) -> Any:
    return np.clip(a, 0, 1)


@_listed
def casted(a: Any) -> Any:
    return a.astype(np.float32)


@_listed
def copy(a: Any) -> Any:
    return a.copy()


@_listed
def reversed_copy(a: Any) -> Any:
    return a[::-1].copy()


@_listed
def absolute(a: Any) -> Any:
    return np.abs(a)


@_listed
def divided(a: Any, b: Any) -> Any:
    return a / (b + 1)


@_listed
def exponential(a: Any) -> Any:
    return np.exp(a)


@_listed
def differences(a: Any) -> Any:
    return a[1:] ^ a[:-1] if a.dtype == bool else a[1:] - a[:-1]


# ---- reductions ----------------------------------------------------------------------------------


@_listed
def total(a: Any) -> Any:
    return a.sum()


@_listed
def mean_and_deviation(a: Any) -> Any:
    return a.mean(), a.std()


@_listed
def largest(a: Any) -> Any:
    return a.max()


@_listed
def place_of_largest(a: Any) -> Any:
    return a.argmax()


@_listed
def totals_of_rows(rows: Any) -> Any:
    return rows.sum(axis=1)


@_listed
def totals_of_columns(rows: Any) -> Any:
    return rows.sum(axis=0)


@_listed
def any_and_all(m: Any) -> Any:
    return m.any(), m.all()


@_listed
def running_total(a: Any) -> Any:
    return a.cumsum()


@_listed
def product(a: Any, b: Any) -> Any:
    return a @ b


@_listed
def product_of_rows(rows: Any) -> Any:
    return rows @ rows.T


@_listed
def count(m: Any) -> Any:
    return np.count_nonzero(m)


# ---- lists and calls -----------------------------------------------------------------------------


@_listed
def array_of_list(l: Any) -> Any:  # noqa: E741
    return np.array(l)


@_listed
def list_of_array(a: Any) -> Any:
    return a[:1000].tolist()


@_listed
def permuted(l: Any) -> Any:  # noqa: E741
    return np.random.permutation([int(x) for x in l])


@_listed
def sorted_copy(a: Any) -> Any:
    return np.sort(a)


@_listed
def distinct(a: Any) -> Any:
    return np.unique(a)


@_listed
def found(a: Any, c: Any) -> Any:
    return np.searchsorted(a, c)


@_listed
def joined(a: Any, b: Any) -> Any:
    return np.concatenate([a, b])


@_listed
def stacked(a: Any, b: Any) -> Any:
    return np.stack([a, b])


@_listed
def fourier(a: Any) -> Any:
    return np.fft.rfft(a)


@_listed
def by_index(a: Any, places: Any) -> Any:
    return a[places]


@_listed
def by_mask(a: Any, m: Any) -> Any:
    return a[m]


# ---- small loops ---------------------------------------------------------------------------------


@_listed
def loop_of_numbers(c: Any) -> Any:
    s = 0.0
    for k in range(10):
        s += k * c
    return s


@_listed
def loop_of_elements(a: Any) -> Any:
    s = a[0] * 0
    for x in a[:100]:
        s = s + x
    return s


@_listed
def root(c: Any) -> Any:
    return math.sqrt(c * c + 1)


@_listed
def three_rows(rows: Any) -> Any:
    out = np.zeros(len(rows))
    for k in range(min(3, len(rows))):
        out[k] = rows[k].max()
    return out


@_listed
def doubled_until(a: Any, c: Any) -> Any:
    while a[0] + c < 0:
        a = a * 2
    return a
