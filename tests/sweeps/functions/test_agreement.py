"""Calls with a row or a decomposition refuse and convert the same arguments as NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from samples import captured, eager, program_of

X = np.array([0.5, -1.5, 2.25, 3.0])
SMALL, UNSIGNED, SIGNED = np.array([1, -2, 3], "i1"), np.array([1, 2, 3], "u8"), np.arange(-1, 2)

REFUSED = """
np.pad(a, 1, constant_values=None)
np.full(3, None, "i1")
np.full(3, [1, 2], float)
np.full(2, "bad", int)
np.full_like(a, None)
np.ones_like(x, subok=np.inf)
np.zeros_like(x, subok=np.array([True, False]))
np.array(x, subok=np.array([1, 0]))
np.array(x, copy="bad")
np.power(x, x, subok=b"x")
np.multiply(x, x, out=x, subok=-1)
np.select([u > 0, u > 2], [u, 1], 2)
np.select([x > 0], [x], "bad")
np.squeeze(x, axis=[0])
x.reshape(4, order=1)
x.astype("i4", casting="safe")
np.diff(x, n=True, axis=2.5)
np.fft.fft(x, True)
np.eye(True)
np.repeat(x, True)
np.tri(2, True)
np.histogram(x, True)
np.tile(x, True)
np.tensordot(x, x, True)
list(np.ndindex([]))
list(np.ndindex([2]))
""".strip().splitlines()
"""With arguments that are wrong at each call, or bools where a body counts with ints."""


@pytest.mark.parametrize("text", REFUSED)
def test_what_numpy_refuses_is_refused_in_the_same_words(text: str) -> None:
    """The call is not captured, whatever stands in its place for other arguments."""
    program = program_of("x, a, u", f"({text}, x * 2)")

    for jitted in check(program, X, SMALL, UNSIGNED):
        assert_normally(jitted.stats()["hits"] <= jitted.stats()["calls"])


CONVERTED = """
np.array(x, copy=["a", 1])
np.array(x, copy=[])
np.asanyarray(x, copy=np.nan)
np.asarray(a=x, copy=0.0)
np.squeeze(x, axis=())
x.squeeze(axis=())
np.full(3, None, float)
np.full(3, None)
np.array(x, copy=2)
""".strip().splitlines()
"""With arguments that are of another type than what NumPy takes them for."""


@pytest.mark.parametrize("text", CONVERTED)
def test_the_memory_of_a_result_is_the_one_that_numpy_says(text: str) -> None:
    """A copy where NumPy makes one, and the array itself where it gives that."""
    check(program_of("x", f"({text}, x * 2)"), X)


def test_arguments_of_a_dtype_that_fits_are_captured_as_before() -> None:
    """The same decompositions, with what they are for."""
    captured(program_of("x", "np.pad(x, 1, constant_values=2.5) * 2"), X)
    captured(program_of("a", "np.select([a > 0, a < 0], [a, 1], 2) * 2"), SIGNED)
    captured(program_of("u", "np.select([u > 1], [u], 2) * 2"), UNSIGNED)


@pytest.mark.parametrize(
    "text", ["x.transpose(unknown=1)", "x.fill(value=1)", "x.tolist(a=1)", "x.sum().item(a=1)"]
)
def test_errors_of_methods_name_the_class(text: str) -> None:
    """CPython says `ndarray.fill()` where the method was not bound before the call."""
    eager(program_of("x", text), X)


def test_a_method_called_as_a_function_of_its_class_is_the_method() -> None:
    """Either is a function with its owner on the stack."""

    def program(x: Any) -> Any:
        return np.ndarray.sum(x) * 2 + np.ndarray.transpose(x)

    captured(program, X)


@pytest.mark.parametrize("text", ["np.sum(x, None, axis=None)", "np.roll(x, 1, None, axis=None)"])
def test_an_argument_that_is_given_twice_is_an_error(text: str) -> None:
    """It is one even if the second value is the default."""
    eager(program_of("x", text), X)


@pytest.mark.parametrize(
    "text",
    [
        "np.percentile(x, 30, out=(o,))",
        "np.sum(x, out=(o,))",
        "np.add(x, 1, out=(o,))",
        "x.sum(out=(o,))",
    ],
)
def test_a_tuple_around_an_output_is_the_output_for_ufuncs_only(text: str) -> None:
    """Other functions give back the tuple, or refuse it."""
    check(program_of("x, o", f"({text}, x * 2)"), X, np.zeros(()))
    check(program_of("x, o", f"({text}, x * 2)"), X, np.zeros(4))


@pytest.mark.parametrize("name", ["maximum", "minimum", "add", "fmax"])
@pytest.mark.parametrize("out", [None, np.zeros(4)])
def test_an_output_by_its_position(name: str, out: Any) -> None:
    """NumPy warns of it in `np.maximum` and `np.minimum`."""
    check(program_of("x, o", f"(np.{name}(x, x, o), x * 2)"), X, out)


@pytest.mark.parametrize("value", [None, 0, 1, 2, "a", 0.5, False, np.True_])
def test_values_that_only_look_alike_are_told_apart(value: Any) -> None:
    """`np.cov` asks for `bias == 0`, of which None and "a" are neither; the bits are compared."""
    table = np.array([[0.5, 3, -1], [2, 2.5, 7]])

    check(program_of("x, bias", "np.cov(x, bias=bias)"), table, value)
    check(program_of("x", f"np.cov(x, bias={value!r})".replace("np.True_", "True")), table)


ITSELF = """
np.fft.fftn(x, axes=())
np.fft.ifftn(x, axes=())
np.fft.fft2(x, axes=())
np.fft.fftn(x, axes=[])
np.diff(x, 0)
np.diff(x, n=0)
""".strip().splitlines()
"""Calls that may return the argument itself, or an array of it."""


@pytest.mark.parametrize("text", ITSELF)
@pytest.mark.parametrize("given", [[1.0, 2.0], (1.0, 2.0), [np.ones(2), np.ones(2)], X, 2.5])
def test_what_is_given_back_is_the_argument_or_is_not(text: str, given: Any) -> None:
    """A write into it shows in the argument where it does in eager."""
    check(program_of("x, y", f"({text} is x, type({text}), y * 2)"), given, X)

    def written(x: Any, y: Any) -> Any:
        z = y * 2
        r = np.diff(x, 0)
        r[0] = 9.0
        return z, r is x

    if not isinstance(given, tuple | float):
        check(written, given, X)


OF_OTHER_TYPES = """
x.trace(0.0)
x.trace(offset=0.0)
x.trace(0, 0.0, 1)
x.trace(0, 0, 1.0)
x.trace(False)
x.trace(None)
x.trace(np.int8(0))
x.repeat(2.0)
x.repeat(True)
x.repeat(2, 0.0)
x.repeat([1, 2])
x.repeat(None)
np.trace(x, 0.0)
np.piecewise(x, [], [1])
np.piecewise(x, (), (np.sum,))
np.piecewise(x, [], [])
np.piecewise(x, [x > 0], [])
np.piecewise(x, [x > 0], [1, 2, 3])
np.piecewise(x, [x > 0], [1j])
np.piecewise(x, [True], [1])
np.fft.fftn(x.sum())
np.fft.fftn(x, s=())
np.fft.fftn(x, axes=0)
np.fft.fftn(x, axes=(0, 0))
np.fft.rfftn(x.sum(), axes=())
np.fft.fft2(x[0])
np.pad(i, 1, constant_values=np.array(300))
np.pad(i, 1, constant_values=np.array([300]))
np.pad(i, 1, constant_values=np.int64(300))
np.pad(i, 1, constant_values=np.array(3))
np.pad(i, 0, constant_values=np.array(300))
np.pad(x, 1, constant_values=np.array([1.0, 2.0]))
np.apply_along_axis(np.sum, 0.0, x)
np.apply_along_axis(np.sum, False, x)
x.tolist(1)
x.nonzero(1)
""".strip().splitlines()


@pytest.mark.parametrize("text", OF_OTHER_TYPES)
def test_bodies_for_what_numpy_calls_and_for_methods_are_asked_about(text: str) -> None:
    """Private functions of NumPy's, methods, and functions that call others."""
    program = program_of("x, i", f"({text}, x * 2)")

    check(program, np.array([[0.5, -1.5], [2.25, 3.0]]), np.arange(4, dtype="i1"))
