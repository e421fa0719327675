"""Windows as short as one item, as elimination ends with, are computed by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import check_whole

TABLE = np.random.default_rng(8).normal(size=(6, 5)) - 0.2


def eliminated(a: Any) -> Any:
    a = a.copy()
    for k in range(len(a) - 1):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a


def growing(a: Any) -> Any:
    b, total = a[0], 0.0
    for k in range(1, 5):
        total += (b[:k, None] * b[:k]).sum() + (b[:k, None] - b[:k]).max()
    return total


def test_loops_that_end_at_one_item() -> None:
    check_whole(eliminated, (TABLE[:5],))
    check_whole(growing, (TABLE,))


def reduced(a: Any, rows: int, columns: int) -> Any:
    """All ways to reduce windows of all sizes down to one item."""
    found = []
    for m in range(1, rows):
        for n in range(1, columns):
            w, v = a[:m, -n:], a[:m, :n] * 1.5
            whole = w.sum() + v.sum() * 3 + v.min() - (w + v).mean() + v.T.sum()
            lines = w.sum(axis=0)[0] + v.sum(axis=1)[-1] + v.max(axis=0)[-1] - w.min(axis=1)[0]
            found.append(whole + lines + (w * v).sum(axis=0)[0] + np.abs(v).prod(axis=1)[0])
    return found


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1"])
def test_reductions_of_short_windows(dtype: str) -> None:
    a = (TABLE * 50).astype(dtype)
    for table in (a, np.asfortranarray(a), a[::-1, ::-1], np.repeat(a, 2, 1)[:, ::2]):
        check(reduced, table, 7, 6)
    check(reduced, np.negative(np.zeros((6, 5), dtype)), 7, 6)


def added_up(a: Any) -> Any:
    """Sums of columns, of which there is one in the end: then NumPy adds in another order."""
    made = np.zeros(4)
    for n in range(4, 0, -1):
        made[n - 1] = a[:, :n].sum(axis=0)[0] + (a[:, :n] * 1.1).sum(axis=0)[0]
    return made


def test_one_column_is_a_line() -> None:
    long = np.random.default_rng(9).normal(size=(1000, 4))
    check(added_up, long)
    check(added_up, np.asfortranarray(long))


def products(a: Any, b: Any) -> Any:
    return np.outer(a, b), np.outer(a[::-1], b), np.outer(a, b[::2]) + 1, np.outer(a, 2.0)


def test_outer_products_lie_in_c_order() -> None:
    for a in (TABLE[0], TABLE[:, 0], TABLE[0, ::-1], TABLE[0, :1], TABLE[::-2, 1], TABLE):
        for b in (TABLE[1], TABLE[::-1, 2], TABLE[1, :1], np.broadcast_to(2.0, (3,)), TABLE.T):
            check(products, a, b)
    check(products, TABLE[0].astype("f4"), np.arange(3))


def exponentials(x: Any, n: int) -> Any:
    found = []
    for k in range(1, n):
        y = x[:k] * 1.1
        found.append(np.exp(y[::-1]).sum() + np.log1p(y[::-1][:1] ** 2)[0])
    return found


def test_lines_of_one_item_that_go_backward() -> None:
    """NumPy computes them in another way, although it calls them contiguous."""
    x = np.random.default_rng(3).uniform(0.1, 0.6, 300)
    check(exponentials, x, 4)

    def single(y: Any) -> Any:
        return np.exp(y), np.sinh(y) + y

    for k in range(40):
        check(single, x[k : k + 1][::-1])
        check(single, x[k::-1][:1])
        check(single, x[k : k + 2])
