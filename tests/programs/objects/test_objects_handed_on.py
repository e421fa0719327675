"""Results of calls that are no number or array: bytes, str, dtypes, lists with an item a row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from samples import captured

X = np.linspace(0.5, 3, 12)
A = np.arange(12.0).reshape(3, 4) + 1


def as_bytes(x: Any, a: Any) -> Any:
    made = (x + 1).tobytes()
    return made, [made, a.tobytes("F")], {"bytes": made}, x * 2


def dtypes(x: Any, a: Any) -> Any:
    return np.min_scalar_type(x * 2), np.ravel(a) + 1


def one_of_them(x: Any, a: Any) -> Any:
    made = x.tobytes() if x[0] > 0 else a.tobytes()
    return type(made), x + 1


def swapped(x: Any, a: Any) -> Any:
    return x.byteswap(), a.byteswap(False), a.byteswap(inplace=False) * 0


@pytest.mark.parametrize("function", [as_bytes, dtypes, swapped])
def test_objects(function: Any) -> None:
    captured(function, X, A)
    check(function, X[::2], A[:, ::-1], calls=3)


def test_an_object_that_is_made_on_one_of_several_ways() -> None:
    check(one_of_them, X, A, calls=3)
    check(one_of_them, -X, A, calls=3)


def test_an_object_that_eager_goes_on_with() -> None:
    def program(x: Any) -> Any:
        made = (x * 2).tobytes()
        print(len(made))
        return made + b"1", np.frombuffer(made), x + 1

    check(program, X, calls=3)


# ---- tuples and lists ----------------------------------------------------------------------------


def rows(a: Any) -> Any:
    return a.tolist(), (a * 2).tolist()


def histograms(a: Any) -> Any:
    counts, edges = np.histogramdd(a, bins=2)
    edges.append(counts)
    return counts * 2, edges[0] + 1, edges


def paths(a: Any) -> Any:
    return np.einsum_path("ij,jk->ik", a, a.T), a + 1


def parts(a: Any) -> Any:
    first, *others = np.unstack(a)
    return first + others[0], others, np.unstack(a * 2, axis=1)[1] + 1


@pytest.mark.parametrize("function", [rows, histograms, paths, parts])
def test_nested_results(function: Any) -> None:
    captured(function, A)
    check(function, A[:2, ::2], calls=3)


def test_another_number_of_items() -> None:
    """The length of the axis is guarded, and another one is captured by itself."""

    def program(a: Any) -> Any:
        parts = np.unstack(a)
        return len(parts), sum(parts)

    for jitted in check(program, A, calls=2):
        assert_counts([jitted], captures=1, bails=0)
        for other in (A[:2], np.ones((5, 4)), A):
            count, total = jitted(other)
            assert count == len(other)
            assert total.tobytes() == sum(other).tobytes()
        assert_counts([jitted], captures=3, bails=0)
