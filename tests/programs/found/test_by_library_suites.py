"""Small programs of faults found by NumPy's and SciPy's own tests (`campaigns/library_suites`)."""

from __future__ import annotations

import ctypes
import sys
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.special
import scipy.stats
from oracle import check

import framejit
from framejit.jit.ir.call_limit import MAX_EVENTS
from framejit.jit.ir.infer import CannotInfer, run_pure
from framejit.jit.ir.opaque import OpaqueCall, Ref

X = np.array([1.0, 2.0, 4.0, 3.0])


def result_of_a_test(x: Any) -> Any:
    found = scipy.stats.ttest_1samp(x * 2, 1.0)
    return found, found.df, found.statistic * x


def test_results_with_attributes() -> None:
    """A named tuple of SciPy's keeps more than its items: it is not made anew of these."""
    check(result_of_a_test, X)


class Result(namedtuple("Result", "value error")):  # noqa: PYI024 - it has no __slots__
    """Its objects may have attributes."""


def one_of_two(first: Any, second: Any, x: Any, which: Any) -> Any:
    found = second
    if which:
        found = first
    scaled = found.value * x
    return scaled, vars(found), found is first


def with_attribute() -> Any:
    def arguments() -> Any:
        first, second = Result(1.0, 0.5), Result(2.0, 0.25)
        first.steps = 3  # type: ignore[attr-defined]
        return first, second, X, np.float64(1)

    return one_of_two, arguments()


def test_attributes_of_named_tuples() -> None:
    """Where two of them meet, it is one of the two that goes on."""
    check(setup=with_attribute)


def in_dtypes(x: Any) -> Any:
    own = np.sum(x, dtype=x.dtype), np.prod(x, dtype=x.dtype), x.cumsum(dtype=x.dtype)
    others = np.add.reduce(x, 0, "i"), np.multiply.reduce(x, dtype="B"), x.sum(dtype=np.int64)
    return *own, *others, np.add.accumulate(x, dtype="l"), np.add.reduce(x, dtype="?")


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "i", "I", "q", "Q"])
def test_dtypes_of_reductions(dtype: str) -> None:
    """Sums of small ints are int64, unless another dtype is asked for, their own too."""
    x = np.arange(300).astype(dtype)
    backends = ["numba", "numpy"] if dtype == "i" else ["numpy"]
    check(in_dtypes, x, backends=backends)
    check(in_dtypes, x.reshape(30, 10), backends=["numpy"])


def iterators(x: Any, y: Any) -> Any:
    both = np.broadcast(x, y)
    return type(both).__name__, both.shape, [pair[0] for pair in both], both


def test_iterators_of_arrays() -> None:
    """NumPy's functions hand out eager's iterators, not the stand-ins of capture."""
    check(iterators, X, X[::-1], ignore=[("result[3]", "repr")])


def endless_steps(x: Any) -> Any:
    single = np.arange(0, 1, np.inf), np.arange(0, -1, -np.inf), np.arange(0, 1, -np.inf)
    return *single, np.arange(-0.0, 3.0), np.arange(-0.0, 1.0, 2.0), np.arange(-0.0, 1.0) + x


def test_first_numbers_of_ranges() -> None:
    """The first number of a range is its start, whatever the step is."""
    check(endless_steps, 1.0)


OUT_OF_ORDER = np.dtype({"names": ["a", "b"], "formats": ["i4", "f4"], "offsets": [4, 0]})


def lists_of_a_dtype(x: Any) -> Any:
    found = x.dtype.descr
    found.append(1)
    return x * 2, found, x.dtype.descr is x.dtype.descr


def lists_of_a_ufunc(x: Any) -> Any:
    found = np.add.types
    found.append("own")
    return x * 2, found, len(np.add.types)


def no_list_of_a_dtype(x: Any) -> Any:
    return x * 2, OUT_OF_ORDER.descr


def test_attributes_that_are_made_at_each_look() -> None:
    """A list that an attribute gives is a new one each time; it may raise what it likes, too."""
    check(lists_of_a_dtype, X)
    check(lists_of_a_ufunc, X)
    check(no_list_of_a_dtype, X)


def dtype_by_a_number(exact: bool, x: Any) -> Any:
    made = scipy.linalg.pascal(3, "lower", exact)
    if made.dtype == np.uint64:
        return made.view(np.int64), x * 2
    return made, x * 2


def class_by_a_number(exact: bool, x: Any) -> Any:
    made = scipy.special.comb(5, 2, exact=exact)
    return made, made / 3, x * 2


@pytest.mark.parametrize("function", [dtype_by_a_number, class_by_a_number])
def test_numbers_that_decide_about_results(function: Any) -> None:
    """A bool is a number of the graph; a call may give something else for another one."""
    for backend in ("numpy", "numba"):
        jitted = framejit.jit(function, backend=backend)
        for exact in (True, False, True):
            assert repr(jitted(exact, X)) == repr(function(exact, X))


def attributes_of_classes(x: Any, results: Any) -> Any:
    """`np.ndarray.__name__` comes from its metaclass, and no array has it."""
    total = x.sum()
    found = [hasattr(one, "__name__") for one in (results, x * 2, x[0], total, [1], (1, 2))]
    return found, getattr(x * 2, "__qualname__", "none"), callable(results), x + 1


def test_what_a_class_has_and_its_instances_have_not() -> None:
    """SciPy asks results whether they are functions by `hasattr(results, "__name__")`."""
    check(attributes_of_classes, X, X * 2)
    check(attributes_of_classes, X, np.sin)


def least_of_a_tuple(x: Any, pair: Any) -> Any:
    if min(pair) < -1:
        return x * min(pair)
    return x * 2, max(pair)


def test_the_least_of_two_kinds_in_a_tuple() -> None:
    """`wvar=(0, 0.5)` of `scipy.integrate.quad`: the items are looked at anew on each way."""
    for pair in ((0, 0.5), (0.5, 0), (-2, 0.5), (1.5, -3), (1, 2)):
        check(least_of_a_tuple, X, pair)


def moved_axes(x: Any) -> Any:
    made = np.zeros((1024, 1025, 2), np.int8)
    return np.moveaxis(made, 0, -1).shape, x * 2


def test_windows_on_large_arrays() -> None:
    """No example is as large as this one: a break, and no error of capture's."""
    check(moved_axes, X)


def logarithm(x: Any) -> Any:
    m = np.eye(41) * 2.0 + np.zeros((41, 41))
    return scipy.linalg.logm(m)[0, 0], x * 2


def test_an_example_that_takes_for_ever() -> None:
    """`scipy.linalg.logm(np.ones((41, 41)))` never ends; the call itself does."""
    check(logarithm, X)


def test_an_example_that_is_stopped_under_compiled_code(monkeypatch: Any) -> None:
    """`special.ellip_normal` integrates: C calls Python, and prints errors that it cannot raise."""
    told: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", told.append)

    def steps() -> int:
        return sum(abs(k) for k in range(MAX_EVENTS))

    def integrates(x: Any) -> Any:
        ctypes.CFUNCTYPE(ctypes.c_int)(steps)()
        return x

    integrates.__module__ = "scipy.special"
    with pytest.raises(CannotInfer, match="long"):
        run_pure(OpaqueCall(integrates, (Ref(0),), {}), [np.ones(3)])
    assert not told
    assert sys.getprofile() is None


def test_what_an_example_draws_is_taken_back() -> None:
    """Also where it raises, or is stopped."""

    def draws_and_raises(x: Any) -> Any:
        np.random.random()
        raise FloatingPointError

    call = OpaqueCall(draws_and_raises, (Ref(0),), {})
    np.random.seed(5)
    with pytest.raises(FloatingPointError):
        run_pure(call, [np.ones(3)])
    drawn = np.random.random()
    np.random.seed(5)
    assert drawn == np.random.random()
