"""Equal operations: computed once where nobody can tell, twice where somebody may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

X = np.array([[1.0, -2.0, 4.5, 0.25], [3.0, -0.0, np.inf, 2.0], [0.5, 7.0, -1.0, 2.0]])
FINITE = np.where(np.isfinite(X), X, 2.5)


def merged(program: Callable[..., Any], *args: Any) -> int:
    """Return the number of merged operations, by the report; the answers are eager's."""
    check(program, *args)
    report = framejit.explain(framejit.jit(program, backend="numba"))(*map(np.array, args))
    return sum(segment.passes.get("common", 0) for segment in report.segments)


def standard_scores(x: Any) -> Any:
    return (x - x.mean()) / x.std()


def of_columns(x: Any) -> Any:
    return (x - x.mean(axis=0)) / x.std(axis=0), x.sum(axis=0) + x.sum(axis=0)


def exponentials(x: Any) -> Any:
    return np.exp(-x) / (1 + np.exp(-x)) ** 2


def sums_with_axes_first(x: Any) -> Any:
    return x / x.sum(keepdims=True) + x.sum(), x.sum()


def of_rows(x: Any) -> Any:
    return x.std(axis=1), x.mean(axis=-1), x.sum(axis=1) / x.sum(axis=1, keepdims=True)


def shares(x: Any) -> Any:
    top = x.max(axis=1, keepdims=True)
    return np.exp(x - top), x.max(axis=1) * 2.0, top


@pytest.mark.counts("which operations are merged")
@pytest.mark.parametrize(
    "program",
    [standard_scores, of_columns, exponentials, sums_with_axes_first, of_rows, shares],
)
@pytest.mark.parametrize("x", [FINITE, X, FINITE[:, :1], FINITE[:0], FINITE[::-1, ::2].T])
def test_merged(program: Any, x: Any) -> None:
    """NaN and warnings included, and for layouts of all kinds."""
    assert merged(program, x) > 0


def handed_out(x: Any) -> Any:
    one, other = x.sum(axis=0), x.sum(axis=0)
    one += 1.0
    return one, other, one is other


def both_handed_out(x: Any) -> Any:
    plain, kept = x.sum(axis=0), x.sum(axis=0, keepdims=True)
    return plain, kept, plain.flags.owndata, kept.flags.owndata


def viewed_and_written(x: Any) -> Any:
    plain, kept = x.sum(axis=0), x.sum(axis=0, keepdims=True)
    plain += 1.0
    return x - kept, plain


def written_in_between(x: Any) -> Any:
    first = x.mean()
    x += 1.0
    return first * 2.0, x.mean() * 2.0


def written_by_a_window(x: Any) -> Any:
    row = x[0]
    first = x.max() * 1.5
    row[:] = 9.0
    return first, x.max() * 1.5


def in_other_modes(x: Any) -> Any:
    with np.errstate(all="ignore"):
        one = x.sum(axis=0) * 2.0
    return one + x.sum(axis=0) * 2.0


def zeros(x: Any) -> Any:
    return x * 0.0 + x * -0.0, x + 1, x + True, x + 1.0


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for k in range(3):
        total += x.sum() * k
        x[k] = total
        total += x.sum() * k
    return total, x


def on_two_ways(x: Any, up: Any) -> Any:
    if up > 0:
        y = x / x.sum(axis=0)
        y += 1.0
    else:
        y = x * x.sum(axis=0)
    return y + x.sum(axis=0)


def products(x: Any) -> Any:
    return (x * 1.0) @ (x * 1.0).T, (x * 1.0) @ (x.T * 1.0)


@pytest.mark.parametrize(
    "program",
    [
        *(handed_out, written_in_between, written_by_a_window, in_other_modes, zeros, in_a_loop),
        *(both_handed_out, viewed_and_written),
        products,
    ],
)
def test_told_apart(program: Any) -> None:
    """By their memory, by what is written, by modes, by the sign of a zero."""
    check(program, X)
    check(program, FINITE)


def test_on_two_ways() -> None:
    """Results that one branch has computed are not there on the other."""
    for up in (1, -1):
        check(on_two_ways, FINITE, up)


def overflowing(x: Any) -> Any:
    one = x.sum(axis=0) * 2.0
    return one + x.sum(axis=0) * 2.0 + (np.exp(x) + np.exp(x)).sum()


def test_each_place_warns() -> None:
    """As often as in eager, in both lines."""
    check(overflowing, np.full((3, 2), 1.5e308), calls=8)


def of_other_attributes(x: Any) -> Any:
    a = x.sum(axis=0) + x.sum(axis=1)[:1] + x.sum(axis=0, keepdims=True)[0]
    return a + np.add.reduce(x) + x.max(axis=0) + x.min(axis=0) + x.astype("f4").sum(axis=0)


def test_other_operations() -> None:
    """Equal inputs do not make them equal."""
    check(of_other_attributes, FINITE)
