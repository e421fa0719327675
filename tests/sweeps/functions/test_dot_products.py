"""np.dot and what is made of it: inner, vdot, tensordot, norm, cov, corrcoef."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

from framejit import jit

RNG = np.random.default_rng(7)
LINE = RNG.normal(size=33)
DTYPES = ("f8", "f4", "c16", "c8", "i8", "i4", "u1", "?", "f2")
PROGRAMS: dict[str, Any] = {}


def program(function: Any) -> Any:
    """A program that is tried on all operands."""
    PROGRAMS[function.__name__] = function
    return function


@program
def functions(a: Any, b: Any) -> Any:
    return np.dot(a, b) + 1, np.dot(b, a), np.inner(a, a), a.dot(b), np.vdot(a, b)


def sample(dims: tuple[int, ...], dtype: str, seed: int = 0) -> Any:
    """Numbers of any sign, a zero of each and a large one among them."""
    rng = np.random.default_rng(seed)
    made = rng.normal(size=dims) * 5
    if made.size > 2:
        made.flat[1], made.flat[2] = 0.0, -0.0
    if "c" in dtype:
        made = made + 1j * rng.normal(size=dims)
    return abs(made).astype(dtype) if dtype in ("u1", "?") else made.astype(dtype)


def fit(x: Any, y: Any, rate: Any) -> Any:
    """Steps of gradient descent: what a user writes with dot."""
    w = np.zeros(x.shape[1])
    for _ in range(20):
        error = x.dot(w) - y
        w -= rate * np.dot(x.T, error) / len(y)
    return w, np.sqrt(np.dot(error, error)), np.linalg.norm(error)


def test_a_fit() -> None:
    x = RNG.normal(size=(40, 3))
    jitted = check(fit, x, x @ [1.0, 2.0, 3.0], 0.1)
    assert_counts(jitted, segments=1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_lines(dtype: str) -> None:
    """Forward, with gaps, backward, broadcast, and of few items."""

    def both(a: Any, b: Any) -> Any:
        return np.dot(a, b) * 2, np.inner(a, b), b.dot(a), np.vdot(a, b), np.vdot(b, a)

    a, b = sample((34,), dtype, 1), sample((34,), dtype, 2)
    for x, y in ((a, b), (a[::2], b[::2]), (a[::-1], b), (a[::-2], b[::-2]), (a[:1], b[:1])):
        check(both, x, y)
    check(both, a[:0], b[:0])
    check(both, np.broadcast_to(a[:1], 34), b)
    check(both, a, a)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F", "rows", "columns", "backward"])
def test_tables(dtype: str, order: str) -> None:
    """With tables and lines, packed and not, and their own transpose."""

    def products(a: Any, b: Any, v: Any, w: Any) -> Any:
        own = np.dot(a, a.T), np.dot(a.T, a), np.inner(a, a), a.dot(v) + 1, np.dot(w, a)
        return (
            np.dot(a, b) * 2,
            *own,
            np.inner(v, a),
            np.inner(a, v),
            np.dot(b.T, a.T),
            np.vdot(a, a),
        )

    for m, k, n in ((4, 5, 3), (2, 2, 2), (1, 4, 3), (4, 1, 3), (4, 5, 1), (1, 1, 1), (1, 5, 1)):
        a, b = sample((m, k), dtype, 1), sample((k, n), dtype, 2)
        if order == "F":
            a = np.asfortranarray(a)
        elif order == "rows":
            a = np.repeat(a, 2, axis=0)[::2]
        elif order == "columns":
            a = np.repeat(a, 2, axis=1)[:, ::2]
        elif order == "backward":
            a = a[::-1, ::-1]
        few = (m, k, n) in ((4, 5, 3), (1, 4, 3), (4, 1, 3)) and dtype in ("f8", "f4", "c8")
        backends = None if few else ["numpy"]
        check(products, a, b, sample((k,), dtype, 3), sample((m,), dtype, 4), backends=backends)
    empty = (sample(dims, dtype) for dims in ((3, 0), (0, 2), (0,), (3,)))
    check(products, *empty, backends=["numpy"])


def test_mixed_dtypes_and_more_axes() -> None:
    """As NumPy's function, which is called."""

    def product(a: Any, b: Any) -> Any:
        return np.dot(a, b) + 1, np.inner(a, a), np.vdot(b, b)

    check(product, LINE, np.arange(33))
    check(product, LINE.astype("f4"), LINE)
    check(product, sample((2, 3, 4), "f8"), sample((4, 5), "f8"))
    check(lambda a, b: np.dot(a, b) + 1, np.array(2.0), LINE)
    check(lambda a, b: (np.dot(a, b), np.dot(2.0, b), np.inner(b, 3)), 2.0, LINE)
    check(product, LINE, LINE[:5])  # NumPy refuses them


def test_out() -> None:
    def into(a: Any, b: Any, out: Any) -> Any:
        np.dot(a, b, out=out)
        a.dot(b, out)
        return out * 2

    check(into, sample((3, 4), "f8"), sample((4, 2), "f8"), np.zeros((3, 2)))


def test_what_is_reported() -> None:
    """The name is `dot`, whoever calls it; vdot says nothing."""
    big = np.array([1e300, 1e300, 2.0])
    table = np.stack([big, big, big])

    def reporting(a: Any, t: Any) -> Any:
        return np.dot(a, a), a.dot(t), np.inner(t, t), np.dot(t, t) + 1, np.linalg.norm(a)

    def silent(a: Any, t: Any) -> Any:
        return np.vdot(a, a) + 1, np.vdot(t, t)

    check(reporting, big, table)
    check(silent, big, table)
    check(reporting, np.array([np.inf, 0.0, np.nan]), table)
    for mode in ("raise", "ignore", "warn"):
        with np.errstate(all=mode):  # type: ignore[call-overload]
            check(reporting, big, table)
            check(silent, big, table)


def test_a_kernel_writes_them() -> None:
    """Nothing is called where operands are as usual."""
    table = sample((6, 6), "f8")
    for function, given in (
        (lambda a, b: np.dot(a, b) * 2, (table, table)),
        (lambda a, b: np.inner(a, b) * 2, (table, LINE[:6])),
        (lambda a, b: a.dot(b) + np.vdot(b, b), (table, LINE[:6])),
        (lambda a, b: np.linalg.norm(a) + np.linalg.norm(b), (table, LINE)),
        (lambda a, b: np.tensordot(a, b, 1), (table, table)),
        (lambda a, b: np.cov(a)[0] + np.cov(b, b)[0, 0], (table, LINE)),
        (lambda a, b: np.corrcoef(a)[0] + np.corrcoef(b, b)[0, 0], (table, LINE)),
    ):
        jitted = jit(function, backend="numba")
        jitted(*given)
        (entry,) = jitted._manager.entries
        assert all(node.op.name != "opaque" for node in entry.captured.graph.nodes())


@pytest.mark.parametrize("axes", [0, 1, 2, (0, 1), ((1, 0), (0, 1)), ([-1], [0]), ((), ())])
def test_tensordot(axes: Any) -> None:
    """By one table of the axes that stay and those that are summed over."""

    def product(a: Any, b: Any) -> Any:
        return np.tensordot(a, b, axes) + 1, np.tensordot(b, a, axes=axes)

    for dtype in ("f8", "c8", "i4"):
        for dims in ((3, 3), (1, 1), (0, 0)):
            backends = None if dims == (3, 3) and dtype == "f8" else ["numpy"]
            check(product, sample(dims, dtype, 1), sample(dims, dtype, 2), backends=backends)
        check(product, sample((3, 4), dtype, 1), sample((4, 3), dtype, 2))
        check(product, np.asfortranarray(sample((3, 3, 3), dtype, 1)), sample((3, 3, 3), dtype, 2))
    check(product, sample((4,), "f8"), sample((4,), "f8", 1))


def test_tensordot_over_several_axes() -> None:
    a, b = sample((3, 4, 5), "f8", 1), sample((4, 3, 2), "f8", 2)
    jitted = check(lambda a, b: np.tensordot(a, b, axes=([1, 0], [0, 1])) * 2, a, b)
    assert_counts(jitted, segments=1)
    check(lambda a, b: np.tensordot(a, b, axes=([1, 1], [0, 1])) * 2, a, b)  # refused
    check(lambda a, b: np.tensordot(a, b, axes=([1, 2], [0, 1])) * 2, a, b)
    check(lambda a, b: np.tensordot(a, b, axes=5) * 2, a, b)


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8"])
def test_covariances(dtype: str) -> None:
    """Covariances of lines, of tables either way, of two of them; few observations warn."""

    def covariances(m: Any, y: Any) -> Any:
        return np.cov(m) + 1, np.cov(m, y), np.corrcoef(m) * 2, np.corrcoef(m, y)

    def by_column(m: Any, y: Any) -> Any:
        one = np.cov(m, rowvar=False), np.cov(m, y, rowvar=False), np.cov(m, bias=True)
        return *one, np.cov(m, ddof=0), np.cov(m, ddof=2), np.corrcoef(m, rowvar=False)

    for dims in ((4, 9), (7,), (1, 6), (3, 1), (1,), (2,)):
        m, y = sample(dims, dtype, 1), sample(dims[-1:], dtype, 2)
        backends = None if dims in ((4, 9), (7,)) and dtype == "f8" else ["numpy"]
        check(covariances, m, y, backends=backends)
        check(by_column, m, sample(dims[:1], dtype, 3), backends=["numpy"])
    check(covariances, np.asfortranarray(sample((4, 9), dtype, 1)), sample((9,), dtype, 2))
    check(covariances, np.ones((3, 4), dtype), np.ones(4, dtype), backends=["numpy"])  # 0 / 0
    check(lambda m: np.cov(m, fweights=[1, 2, 1], aweights=[0.5, 1, 1]), sample((2, 3), dtype))
