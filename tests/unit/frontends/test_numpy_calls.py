"""Calls of NumPy's functions: one op, several, an opaque call, a constant, or a break."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, assert_normally, check
from samples import captured, sample

import framejit
from framejit.frontends.numpy.purity import is_pure


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_mean(dtype: str) -> None:
    """A sum and a division, as NumPy does it."""
    x = np.linspace(0.1, 9.0, 42).astype(dtype).reshape(7, 6)
    captured(lambda x: (x.mean(axis=0), np.mean(x, axis=1, keepdims=True)), x)
    captured(lambda x: x - x.mean(axis=(0, 1), keepdims=True), x)
    check(lambda x: x.mean() * 2.0, x)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (1, 4), (4, 1)])
def test_mean_of_few(shape: tuple[int, ...]) -> None:
    """A mean of nothing warns in NumPy's words, at the line that NumPy names."""
    for axis in (None, 0, -1):
        check(lambda x, axis: x.mean(axis) * 2.0, np.ones(shape), axis)
    check(lambda x: x[3:].mean(), np.ones(3))
    check(lambda x: x.mean(keepdims=None), np.ones(3))


def test_mean_of_other_dtypes() -> None:
    """Means of integers and of half precision are accumulated in another dtype."""
    for dtype in ("i4", "u1", "?", "f2", "c16"):
        check(lambda x: (x.mean(), x.mean(axis=0)), sample(dtype, (5, 4)))


def test_what_a_mean_reports() -> None:
    """NumPy warns about it in a file of its own."""
    check(lambda x: x.mean() * 2.0, np.array([np.inf, -np.inf]), calls=3)
    check(lambda x: x.mean(axis=0) * 2.0, np.full((2, 3), 1e308), calls=3)


def test_ranges() -> None:
    """Arrays from numbers, known and not known at capture, and what is computed with them."""

    def f(x: Any, n: int) -> Any:
        t = np.linspace(0.0, 1.0, n) + np.arange(n)
        return t[1:] * x[1:], np.arange(2, 12, 3) * 2.0, np.arange(0.0, 1.0, 0.25)

    captured(f, np.ones(6), 6)
    jitted = framejit.jit(f)
    for n in (6, 7, 3):
        for one, other in zip(jitted(np.ones(n), n), f(np.ones(n), n), strict=True):
            assert one.tobytes() == other.tobytes()
    assert_counts([jitted], captures=1)
    check(f, np.ones(6), 0)


def test_constants() -> None:
    """A pure function of constants that gives a constant is one."""

    def f(x: Any) -> Any:
        if np.issubdtype(np.float32, np.floating) and np.can_cast("f4", "f8"):
            x = x * np.sqrt(2.0)
        return x.astype(np.result_type(np.float32, np.int8)) + np.ndim(3.0)

    captured(f, np.ones(5))


def test_length_of_an_opaque_result() -> None:
    """A padded array is longer by as much whatever its length: its windows are known at capture."""

    def f(x: Any) -> Any:
        p = np.pad(x, ((2, 2), (1, 0)), mode="edge")
        return (p[:-4] + p[4:] + p[2:-2])[:, 1:] - x

    x = np.arange(35.0).reshape(7, 5)
    jitted = check(f, x)
    assert_counts(jitted[:1], captures=1, breaks=0, bails=0, hits=2)
    jitted[0](np.ones((9, 9)))
    assert_counts(jitted[:1], captures=1)


def test_lengths_that_only_look_equal() -> None:
    """The examples of inference have lengths too: a result of that length by chance is no match."""
    for more in (2, 4, 6, 36):
        check(lambda x, k=more: np.pad(x, ((0, k), (0, 0), (0, 0)))[..., 0] * 2, np.ones((5, 7, 9)))


def test_function_that_writes() -> None:
    """It is asked, not listed: an argument lets median write into another one."""

    def writes(x: Any) -> Any:
        return np.median(x, overwrite_input=True) + x

    jitted = check(writes, np.array([5.0, 1.0, 4.0, 2.0, 3.0]))
    assert_normally(jitted[0].stats()["breaks"] >= 1)


def test_function_whose_body_writes() -> None:
    """Where the body is captured so are its writes."""

    def writes(x: Any) -> Any:
        return np.nan_to_num(x, copy=False) * 2.0 + x

    x = np.array([1.0, np.nan, 3.0])
    for given in (x, x * 1j):
        captured(writes, given)
        captured(lambda x: np.nan_to_num(x) * 2.0 + x, given)


def test_function_that_calls_back() -> None:
    """The graph does not know the effects of a user's function that NumPy calls back."""
    seen: list[float] = []

    def note(row: Any) -> Any:
        seen.append(1.0)
        return row.sum()

    jitted = framejit.jit(lambda x: np.apply_over_axes(lambda a, axis: a * 2.0, x, 0) + 1.0)
    assert (jitted(np.ones((2, 3))) == 3.0).all()
    function = framejit.jit(lambda x: np.piecewise(x * 1.0, [x > 0], [note]) + 1.0)
    function(np.ones(3))
    function(np.ones(3))
    assert len(seen) == 2


def test_dtype_that_calls_back() -> None:
    """A dtype of strings asks its missing value what it equals: as often as in eager, no more."""

    class Missing:
        asked = 0

        def __ne__(self, other: object) -> bool:
            type(self).asked += 1
            return False

        __hash__ = None  # type: ignore[assignment]

    dtype = np.dtypes.StringDType(na_object=Missing())

    def f(x: Any, dtype: Any) -> Any:
        y = x * 2
        return y, np.array(["a"], dtype=dtype), x.astype(dtype)

    f(np.arange(3.0), dtype)
    before = Missing.asked
    f(np.arange(3.0), dtype)
    once = Missing.asked - before
    jitted = framejit.jit(f)
    for calls in (1, 2, 3):
        jitted(np.arange(3.0), dtype)
        assert Missing.asked == before + once + calls * once


def test_objects_that_can_be_called() -> None:
    """They may be changed between two calls, although NumPy wrote their class."""
    polynomial, old = np.polynomial.Polynomial([1.0, 2.0]), np.poly1d([1.0, 2.0])

    def f(x: Any) -> Any:
        return x * polynomial(2.0) + old(3.0), polynomial(x)

    jitted = framejit.jit(f)
    for k in range(3):
        polynomial.coef[0] = old.coeffs[0] = k
        for mine, eager in zip(jitted(np.ones(3)), f(np.ones(3)), strict=True):
            assert mine.tobytes() == eager.tobytes()


def test_options_of_the_process() -> None:
    """Results that depend on options of the process are no constants."""

    def f(x: Any) -> Any:
        return x * np.getbufsize(), np.array_repr(np.float64(1) / 3)

    size, jitted = np.getbufsize(), framejit.jit(f)
    try:
        for k in (1, 2, 4):
            np.setbufsize(size * k)
            with np.printoptions(precision=k):
                mine, eager = jitted(np.ones(3)), f(np.ones(3))
                assert (mine[0].tolist(), mine[1]) == (eager[0].tolist(), eager[1])
    finally:
        np.setbufsize(size)


@pytest.mark.parametrize(
    "function", [np.shares_memory, np.may_share_memory, np.bmat, np.test, np.show_runtime]
)
def test_functions_that_are_not_asked(function: Any) -> None:
    """They look at more than the values of their arguments, or do something."""
    assert not is_pure(function)


def test_function_that_computes_on() -> None:
    """In C, with what a ufunc gave: correlate takes the conjugate for an array without asking."""
    z = np.array([1, 2j, 3 + 1j, 4])
    check(lambda x, y: np.correlate(x, y, "full") * 2, z, z[1:])
    check(lambda x: np.linalg.norm(x) * x, z)


def test_function_that_gives_a_class() -> None:
    """`np.float64.shape` is a descriptor."""
    check(lambda x: (x * 2).astype(np.common_type(x, x.astype("f4"))), np.ones((2, 3)))


def test_functions_that_draw() -> None:
    """Told by a parameter; of functions in modules that nobody has looked at nothing is known."""
    stats, vq = pytest.importorskip("scipy.stats"), pytest.importorskip("scipy.cluster.vq")
    assert not is_pure(stats.bootstrap)
    assert not is_pure(vq.kmeans)
    assert not is_pure(stats.norm.pdf)  # a method of an object
    assert not is_pure(np.ma.fromfunction)
    assert is_pure(stats.zscore)


def test_reductions_by_their_ufunc() -> None:
    """Methods of ufuncs are functions of NumPy as others are; `at` writes."""
    x = sample("f8", (4, 5))
    captured(lambda x: np.add.reduce(x, axis=1) * 2.0, x)
    captured(lambda x: np.add.accumulate(x, axis=1) * 2.0, x)
    captured(lambda x: np.multiply.outer(x, x[0]) * 2.0, x)

    def at(x: Any) -> Any:
        np.add.at(x, 0, 1.0)
        return x * 2.0

    check(at, x)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.divmod(x * 2, 3.0)[0] + 1,
        lambda x: np.modf(x * 1.5),
        lambda x: np.linalg.eigh(x @ x.T),
        lambda x: np.linalg.eigh(x @ x.T).eigenvalues * 2,
        lambda x: np.linalg.svd(x * 1.0)[1] * 2,
        lambda x: np.unique(x // 2, return_counts=True),
        lambda x: np.nonzero(x * 2 > 4)[0] * 2,
        lambda x: np.meshgrid(x[0] * 2, x[1]),
        lambda x: np.gradient(x * 2.0),
        lambda x: np.linalg.slogdet(x @ x.T + np.eye(3) * 9),
        lambda x: np.histogram(x * 2, bins=4)[0] * 2,
        lambda x: np.frexp(x * 2),
    ],
    ids=lambda f: f.__code__.co_names[1] if f.__code__.co_names[1] != "linalg" else "linalg",
)
def test_functions_of_several_results(f: Any) -> None:
    """Tuples, lists and named tuples come out as they are; their items go on in the graph."""
    captured(f, np.arange(1.0, 13.0).reshape(3, 4))


def test_several_results_that_go_on() -> None:
    """Unpacked, used, and windows on memory that is then written to."""
    x = np.arange(1.0, 13.0).reshape(3, 4)

    def unpacked(x: Any) -> Any:
        q, r = np.linalg.qr(x * 2.0)
        a, b = np.divmod(r, 2.0)
        return q @ a + b.sum()

    def windows(x: Any) -> Any:
        a, b = np.split(x, 2, axis=1)
        x[:] = 5.0
        return a * 2 + b

    captured(unpacked, x)
    check(windows, x)
    check(lambda x: np.array_split(x * 2, 3), x)
    check(lambda x: np.split(x * 2, 2, axis=1), x)
    check(lambda x: np.divmod(x, 0.0), x, calls=3)
    check(lambda x: np.linalg.eigh(x * 2.0), x)


def test_arrays_that_warn_when_they_are_asked() -> None:
    """np.broadcast_arrays gives arrays that warn about writing, even when only asked for flags."""

    def f(x: Any) -> Any:
        return [a * 2 for a in np.broadcast_arrays(x * 2, x[0])][1]

    def g(x: Any) -> Any:
        a = np.broadcast_arrays(x, x[0])[1]
        print(end="")
        a += 1.0
        return a * 2

    x = np.arange(12.0).reshape(3, 4)
    check(f, x)
    check(g, x)


def test_what_multiplies_its_arguments() -> None:
    """A second set of examples would take gigabytes here."""
    c = np.polynomial.chebyshev
    check(lambda x, c3: c.chebgrid3d(x, x, x, c3) * 2, np.ones((2, 3)), np.ones((2, 2, 2)))


@pytest.mark.parametrize("axes", [7, 8, 9, 20])
def test_arrays_of_many_axes_made_here(axes: int) -> None:
    """As views, by NumPy's functions, by a reshape, as items of a list: more than eight break."""
    new = (None,) * (axes - 1)
    shape = (1,) * axes
    check(lambda x: (x[new] * 2, x[new] + x), np.arange(3.0))
    check(lambda x: np.expand_dims(x * 2, tuple(range(axes - 1))) + 1, np.arange(3.0))
    check(lambda x: np.ones(shape) * x, np.arange(3.0))
    check(lambda x: (x * 2).reshape(*shape[1:], 3) + 1, np.arange(3.0))
    check(lambda x: np.atleast_1d(x[new] * 2.0, x)[0] + 1, np.arange(3.0))
    check(lambda x: np.array((x[0] + 1), ndmin=axes) * 2, np.arange(3.0))


def test_the_longer_of_two() -> None:
    """The length depends on the greater of two lengths, which is known only in the call."""
    x, k = np.arange(9.0), np.array([0.5, 0.25, 0.25])
    jitted = framejit.jit(lambda x, k: np.convolve(x, k, "same") - x.mean())
    for _ in range(3):
        jitted(x, k)
    assert_counts([jitted], bails=0)
    for pair in ((x, k), (k, x), (x, x), (x[:1], k)):
        check(lambda x, k: np.convolve(x, k, "same") - x.mean(), *pair)
