"""Slice 1: what NumPy warns about and refuses, and what framejit leaves to it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_counts, check, check_script
from samples import COMPARISONS, captured, eager, madd, operator_function, sample


def test_python_int_out_of_bounds() -> None:
    """A weak int that the array's dtype does not hold raises; one that it holds does not."""
    for dtype, value in (("u1", 300), ("u1", -1), ("i1", 128), ("u8", -1), ("i8", 2**63)):
        check(madd, sample(dtype), sample(dtype), value)
        check(madd, sample(dtype), value, sample(dtype))
    captured(madd, sample("u8"), 2**63 - 1, 1)
    check(madd, sample("f8"), 2**70, 10**400)
    check(madd, sample("f8"), 2**70, 1)


def test_int_becomes_too_large() -> None:
    """A later value that does not fit is not cut off."""

    def script(jit: Decorator, x: Any) -> Any:
        f = jit(madd)
        results = [f(x, 2, 1), f(x, 200, 1), f(x, 255, 0)]
        for value in (256, -1, 2**63, 2**64):
            try:
                results.append(f(x, value, 1))
            except OverflowError as error:
                results.append(str(error))
        return [*results, f(x, 3, 1)]

    made = check_script(script, sample("u1"))
    assert_counts([one[0] for one in made], recompiles=0)


WARNING = {
    "overflow": (operator_function("mul"), np.array([1e300, 2.0]), np.array([1e300, 2.0])),
    "overflow of float32": (operator_function("mul"), sample("f4"), np.full(5, 3e38, "f4")),
    "divide": (operator_function("truediv"), np.array([1.0, 2.0]), np.array([0.0, 1.0])),
    "invalid": (operator_function("truediv"), np.array([0.0, 2.0]), np.array([0.0, 1.0])),
    "inf - inf": (operator_function("sub"), np.array([np.inf]), np.array([np.inf])),
    "integer divide": (operator_function("floordiv"), sample("i8"), np.zeros(5, "i8")),
    "integer mod": (operator_function("mod"), sample("u1"), np.zeros(5, "u1")),
    "minimum // -1": (operator_function("floordiv"), np.array([-128], "i1"), np.array([-1], "i1")),
    "scalar": (operator_function("truediv"), np.float64(1), np.float64(0)),
    "complex": (operator_function("truediv"), sample("c16"), np.zeros(5, "c16")),
    "weak float": (operator_function("mul"), sample("f4"), 1e39),
    "negative power": (operator_function("pow"), sample("i8"), -sample("i8")),
}


@pytest.mark.parametrize("name", WARNING)
def test_warnings(name: str) -> None:
    """NumPy's warning or exception, at the user's line, shown as often as eager shows it."""
    function, x, y = WARNING[name]
    check(function, x, y, calls=3)


@pytest.mark.parametrize("mode", ["ignore", "raise", "print"])
def test_error_modes(mode: Any) -> None:
    """np.errstate around the call decides, whatever the kernel was compiled under."""

    def script(jit: Decorator, x: Any, zero: Any) -> Any:
        f = jit(operator_function("truediv"))
        results = [f(x, x)]
        with np.errstate(all=mode):
            try:
                results.append(f(x, zero))
            except FloatingPointError as error:
                results.append(str(error))
        return [*results, f(x, zero)]

    check_script(script, sample("f8"), np.zeros(5))


def test_two_warnings_in_order() -> None:
    """Warnings of one segment come in program order, each from its own line."""

    def two(x: Any, y: Any) -> Any:
        first = x * y
        second = x / (y - y)
        return first + second

    check(two, np.array([1e300, 1.0]), np.array([1e300, 1.0]))


def test_silent_nan() -> None:
    """NaN in the data is no reason to warn, nor to leave the kernel."""
    x = np.array([np.nan, 1.0, -np.nan, np.inf])
    for name in (*COMPARISONS, "add", "mul", "truediv"):
        captured(operator_function(name), x, np.array([1.0, np.nan, np.nan, 2.0]))


def test_underflow_is_not_reported_by_default() -> None:
    """The default errstate ignores underflow."""
    captured(operator_function("mul"), np.array([1e-300]), np.array([1e-300]))


def test_shapes_that_do_not_fit() -> None:
    """A ValueError of NumPy, also when the kernel was compiled for shapes that fit."""

    def script(jit: Decorator, x: Any, y: Any) -> Any:
        f = jit(madd)
        results = [f(x, x, x)]
        try:
            results.append(f(x, y, x))
        except ValueError as error:
            results.append(str(error))
        return results

    check(madd, sample("f8"), sample("f8", (4,)), 1.0)
    check_script(script, sample("f8"), sample("f8", (4,)))


def test_wrong_calls() -> None:
    """Too few, too many, unknown and repeated arguments raise CPython's TypeError."""
    x = sample("f8")
    check(madd, x, x)
    check(madd, x, x, x, x)
    check(madd, x, x, w=x)
    check(madd, x, x, x, z=x)
    check(madd)


def test_an_exception_of_the_users() -> None:
    """A captured stretch before an exception does not change its traceback."""

    def fails(x: Any, y: Any) -> Any:
        z = x * y + 1
        raise ValueError(str(z.sum()))

    check(fails, sample("f8"), 2.0)


class Loud(np.ndarray[Any, Any]):
    """A subclass that says which ufuncs it sees."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        print(ufunc.__name__, method)
        plain = [x.view(np.ndarray) if isinstance(x, Loud) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **kwargs).view(Loud)


class Duck:
    """No array, but it answers operators."""

    def __mul__(self, other: Any) -> str:
        return f"mul {type(other).__name__}"

    def __rmul__(self, other: Any) -> str:
        return f"rmul {type(other).__name__}"

    __array_ufunc__ = None


UNCAPTURED = {
    "subclass": sample("f8").view(Loud),
    "plain subclass": sample("f8").view(np.recarray),
    "masked": np.ma.array(sample("f8"), mask=[0, 1, 0, 0, 1]),
    "object": np.array([1, 2.5, Fraction(1, 3), Decimal(4), 2**70], object)[:3],
    "long double": sample("g"),
    "complex long double": sample("G"),
    "timedelta": np.array([1, 2, 3], "m8[s]"),
    "list": [1, 2],
    "Fraction": Fraction(1, 3),
    "huge int": 2**80,
}


@pytest.mark.parametrize("name", UNCAPTURED)
def test_what_is_not_captured(name: str) -> None:
    """Other objects and dtypes are left to eager, alone and beside an array."""
    value = UNCAPTURED[name]
    eager(lambda x: x * 2 + x, value)
    check(lambda x, y: x * 2 + y, value, sample("f8"))
    check(lambda x, y: y * 2 + x, value, sample("f8"))


def test_more_that_is_not_captured() -> None:
    """Strings, structured arrays, None and ducks: eager's answer or eager's exception."""
    x = sample("f8")
    for other in (np.array(["a"]), np.zeros(2, "i4,f8"), None, "a", b"a", {}, Duck(), [1] * 5):
        check(operator_function("mul"), x, other)
        check(operator_function("mul"), other, x)
