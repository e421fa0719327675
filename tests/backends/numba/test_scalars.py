"""Single numbers in loops: each row and each ufunc gives the bits that Python and NumPy give."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from compare import differences, portrait
from equality import LIMIT, Array, hostile, pairs, ufunc_texts

import framejit
from framejit.backends.numba.libm import address_of_function, functions

OPERATORS = ("a + b", "a - b", "a * b", "a / b", "-a", "+a", "abs(a)")
COMPARISONS = ("a < b", "a <= b", "a == b", "a != b", "a > b", "a >= b", "not a")


def program(texts: Sequence[str], x: Array, y: Array) -> Callable[..., Any]:
    """A loop over two arrays that writes each of the numbers into an array of its own."""
    lines = ["def f(x, y):"]
    with np.errstate(all="ignore"):
        results = [eval(text, _names(), {"a": x[0], "b": y[0]}) for text in texts]
    for k, result in enumerate(results):
        lines.append(f"    o{k} = np.zeros(len(x), np.{np.asarray(result).dtype.name})")
    lines += ["    for k in range(len(x)):", "        a, b = x[k], y[k]"]
    lines += [f"        o{k}[k] = {text}" for k, text in enumerate(texts)]
    lines.append(f"    return {', '.join(f'o{k}' for k in range(len(texts)))},")
    names = _names()
    exec("\n".join(lines), names)
    made: Callable[..., Any] = names["f"]
    return made


def _names() -> dict[str, Any]:
    return {"np": np, "math": math}


def check_numbers(texts: Sequence[str], x: Array, y: Array) -> None:
    """Compares them with eager's; the kernel computes all of them."""
    for first in range(0, len(texts), LIMIT):
        f = program(texts[first : first + LIMIT], x, y)
        jitted = framejit.jit(f)
        with np.errstate(all="ignore"):
            expected = portrait(result=f(x, y))
            for _ in range(2):
                assert differences(expected, portrait(result=jitted(x, y))) == []

        stats = jitted.stats()
        assert (stats["breaks"], stats["bails"], stats["hits"]) == (0, 0, 2)
        assert re.findall(r"^ +if call\(.*", jitted.inspect("numba"), re.MULTILINE) == []


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_ufuncs(dtype: str) -> None:
    """On hostile values; NumPy's inner loops are called as eager calls them for one number."""
    left, right = pairs(dtype, dtype, len(hostile(dtype)) ** 2)
    texts = []
    for text in ufunc_texts(dtype, dtype):
        name, _, arguments = text.partition("(")
        texts.append(f"{name}({arguments.replace('x', 'a').replace('y', 'b')}")

    check_numbers(texts, left, right)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_operators_of_floats(dtype: str) -> None:
    left, right = pairs(dtype, dtype, len(hostile(dtype)) ** 2)

    powers = ["a ** 2", "a ** b"] if dtype == "f8" else []
    check_numbers([*OPERATORS, *COMPARISONS, *powers], left, right)


def test_powers_of_floats() -> None:
    rng = np.random.default_rng(3)
    left = np.abs(rng.normal(size=2000)) * 10.0 ** rng.integers(-5, 5, 2000)
    right = rng.choice([2.0, 3.0, -1.0, 0.5, 1.5, -2.0, 0.1], 2000)

    check_numbers(["a ** b", "float(a) ** float(b)", "a ** 2", "float(a) ** 2"], left, right)


def test_squares() -> None:
    """They are `pow` of the C library, which is wrong in one of a thousand."""
    x = np.random.default_rng(8).random(1_000_000) + 1.0
    f = program(["a ** 2"], x, x)
    expected = np.array([a**2 for a in x])

    assert (expected != x * x).any()
    np.testing.assert_array_equal(framejit.jit(f)(x, x)[0], expected)


@pytest.mark.parametrize("dtype", ["i8", "i4", "u1", "?"])
def test_operators_of_ints(dtype: str) -> None:
    """Where no result leaves the range."""
    rng = np.random.default_rng(4)
    left, right = rng.integers(8, 12, 500).astype(dtype), rng.integers(2, 8, 500).astype(dtype)
    texts = ["int(a) + int(b)", "float(a)", "int(a) << int(b)", "int(a) / (int(b) + 1)"]
    if dtype != "?":
        texts += ["a + b", "a - b", "a * b", "a // b", "a % b", "a >> b", "abs(a)", "max(a, b)"]
    texts += ["a & b", "a | b", "a ^ b", *COMPARISONS]

    check_numbers(texts, left, right)


def test_functions_of_math() -> None:
    """The C library's, which are Python's own."""
    rng = np.random.default_rng(5)
    left, right = rng.random(2000) * 0.98 + 0.01, rng.random(2000) + 1.0
    texts = []
    for function, name in functions().items():
        assert address_of_function(name) is not None
        operands = "b" if function is math.acosh else "a"
        texts.append(f"math.{name}({'a, b' if name in ('atan2', 'fmod', 'pow') else operands})")
    texts += [f"math.{name}(b * 1000 - 500)" for name in ("floor", "ceil", "trunc", "fabs")]
    texts += ["math.sqrt(b)", "math.isnan(a)", "math.isinf(a)", "math.isfinite(a)"]

    check_numbers(texts, left, right)
