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
from oracle import check

import framejit
from framejit.backends.numba.numbers.libm import address_of_function, functions

OPERATORS = ("a + b", "a - b", "a * b", "a / b", "-a", "+a", "abs(a)")
QUOTIENTS = ("a // b", "a % b")
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

    check_numbers([*OPERATORS, *QUOTIENTS, *COMPARISONS, "a ** 2", "a ** b"], left, right)


@pytest.mark.parametrize("dtype", ["c16", "c8"])
def test_operators_of_complex_numbers(dtype: str) -> None:
    parts = np.array([0.0, -0.0, 1.0, -2.5, 0.1, 1e10, np.inf, -np.inf, np.nan])
    numbers = np.array([complex(x, y) for x in parts for y in parts], dtype)
    left, right = np.repeat(numbers, len(numbers)), np.tile(numbers, len(numbers))

    weak = ["a * 2.0", "3 + a", "a / (1 + 2j)", "2 - b"] if dtype == "c16" else []
    texts = [*(text for text in OPERATORS if text != "a / b"), "a == b", "a != b", *weak]
    check_numbers(texts, left, right)
    check_numbers(["a / b"], left[~np.isnan(right)], right[~np.isnan(right)])
    for divisor in numbers[np.isnan(numbers)][::4]:  # NumPy reports the invalid ones
        check(program(["a / b"], left, right), numbers[::9], np.full(9, divisor))


def test_operators_of_pythons_complex_numbers() -> None:
    """Quotients and powers are computed in another way than NumPy's."""
    parts = np.array([0.0, -0.0, 1.0, -2.5, 0.1, 1e10, 1e-300, np.inf, -np.inf, np.nan])
    numbers = np.array([complex(x, y) for x in parts for y in parts])
    left, right = np.repeat(numbers, len(numbers)), np.tile(numbers, len(numbers))
    a, b = "complex(a)", "complex(b)"
    texts = [f"{a} + {b}", f"{a} - {b}", f"{a} * {b}", f"-{a}", f"{a} == {b}", f"{a} != {b}"]
    texts += [f"2 * {a}", f"{a} - 0.5", f"3 - {a}", f"{a} + True", f"not {a}", f"1 if {a} else 2"]
    texts += [f"{a}.conjugate()", f"{a}.conjugate() * {b}"]
    check_numbers(texts, left, right)
    check_numbers([f"{a} / {b}", f"1 / {b}", f"{a} / 3"], left[right != 0], right[right != 0])
    rest = np.isfinite(left) & np.isfinite(right)
    check_numbers([f"abs({a})", f"{a} ** 2", f"{a} == 1"], left[rest], right[rest])


@pytest.mark.parametrize("text", ["abs(a)", "a ** 2", "1 / a", "a / 0"])
def test_pythons_complex_numbers_raise(text: str) -> None:
    f = eval(f"lambda a, x: ({text}, x + 1)")
    for number in (1e308 + 1e308j, 0j, 1e200 - 1e200j, complex("inf"), complex("nan")):
        check(f, number, np.ones(3))


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_floats_beside_numbers_of_python(dtype: str) -> None:
    left, _ = pairs(dtype, dtype, len(hostile(dtype)) ** 2)
    texts = ["a + 1", "a * 2.5", "3 - a", "a / 3", "0.1 * a", "a < 0.1", "a == 0", "2 > a", "1 / a"]
    texts += ["a - 1e-30", "a * 16777216", "a + True"]
    if dtype == "f8":
        texts += ["a // 0.3", "a % 6.28", "7 // a", "-7.5 % a", "a // -2", "a % -3"]

    check_numbers(texts, left, left)


@pytest.mark.parametrize("k", [2**53 - 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**62 + 1, 2**63 - 1])
def test_comparisons_of_pythons_ints_with_floats_are_exact(k: int) -> None:
    def program(k: int, number: float) -> Any:
        found = 0
        for _ in range(3):
            found = found * 2 + (k < number)
            found = found * 2 + (k == number)
            found = found * 2 + (k >= number)
            k += k < 2**60
        return found

    check(program, k, float(k))


def test_quotients_of_pythons_floats() -> None:
    left, right = pairs("f8", "f8", len(hostile("f8")) ** 2)
    left, right = left[right != 0], right[right != 0]

    check_numbers(["float(a) // float(b)", "float(a) % float(b)"], left, right)


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


@pytest.mark.parametrize("dtype", ["i8", "i4", "i1", "u1", "u2", "u4", "u8"])
def test_shifts_of_numpys_ints(dtype: str) -> None:
    """They drop what they shift out; a count beyond the width leaves the sign."""
    left = np.repeat(hostile(dtype), 80)
    right = np.resize(np.arange(80).astype(dtype), left.shape)

    texts = ["a << b", "a >> b", "~a", "a << 3", "a >> 2", "a ^ b", "a & 5", "a | b", "a << 70"]
    check_numbers(texts, left, right)


@pytest.mark.parametrize("dtype", ["i8", "i4", "u4", "u8", "f8", "f4"])
def test_casts(dtype: str) -> None:
    x = np.arange(1, 100).astype(dtype)
    targets = ("int8", "uint8", "int32", "uint32", "int64", "uint64", "float32", "float64")
    texts = [f"np.{name}({number})" for name in targets for number in ("a", "3")]

    check_numbers([*texts, "int(a)", "float(a)"], x, x)


def test_casts_of_ints_wrap() -> None:
    x = hostile("i8")
    targets = ("int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "float64")

    check_numbers([f"np.{name}(a)" for name in targets], x, x)


@pytest.mark.parametrize("dtype", ["i8", "i4", "i2", "i1"])
def test_quotients_by_negative_numbers(dtype: str) -> None:
    left = np.repeat(np.arange(-9, 10), 19).astype(dtype)
    right = np.tile(np.arange(-9, 10), 19).astype(dtype)
    left, right = left[right != 0], right[right != 0]

    texts = ["a // b", "a % b", "int(a) // int(b)", "int(a) % int(b)", "a / b"]
    check_numbers(texts, left, right)


@pytest.mark.parametrize("dtype", ["i8", "i4", "u1", "u8", "?"])
def test_operators_of_ints(dtype: str) -> None:
    """Operators of ints whose results stay in the range."""
    rng = np.random.default_rng(4)
    left, right = rng.integers(8, 12, 500).astype(dtype), rng.integers(2, 8, 500).astype(dtype)
    texts = ["int(a) + int(b)", "float(a)", "int(a) << int(b)", "int(a) / (int(b) + 1)"]
    if dtype != "?":
        texts += ["a + b", "a - b", "a * b", "a // b", "a % b", "a >> b", "abs(a)", "max(a, b)"]
    texts += ["a & b", "a | b", "a ^ b", *COMPARISONS]

    check_numbers(texts, left, right)


def test_roots_of_ints() -> None:
    roots = np.array([0, 1, 2, 3, 10, 46340, 2**20 + 1, 2**26 - 1])
    x = np.concatenate([roots**2, roots**2 + 2 * roots, roots[1:] ** 2 - 1])

    check_numbers(["math.isqrt(int(a))"], x, x)


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
