"""Attributes of single numbers: tested, compared, returned and handed on, as in eager."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

import framejit

DTYPES = "?BldgD"
USES = {
    "is_none": "(s.{0} is None, x[1].{0} is None)",
    "returned": "s.{0}",
    "twice": "(lambda v: (v, v))(s.{0})",
    "asked": "(type(s.{0}), hasattr(s, '{0}'), getattr(s, '{0}', 0) is None, s.{0} == s.{0})",
}
NEW_AT_EACH_LOOK = {"data", "flags", "flat", "__array_struct__", "__array_interface__", "__dict__"}
"""Attributes that tell of memory, or are objects of which only the class can be compared."""


def attributes_of(kind: Any) -> list[str]:
    """All that `dir` tells of, but for methods, which other tests call."""
    return [name for name in sorted(dir(kind)) if not callable(getattr(kind(1), name))]


def outcome(function: Any, *args: Any) -> Any:
    """The result, as far as it can be compared, or the class of the exception."""
    try:
        result = function(*args)
    except Exception as error:
        return type(error)
    if isinstance(result, tuple):
        return type(result[0]), result[0] is result[1]
    return type(result)


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("char", DTYPES)
def test_numbers_of_numpy(char: str, use: str) -> None:
    """Each attribute of a sum, used in each way."""
    for name in attributes_of(np.dtype(char).type):
        function = eval(f"lambda x: [s := x.sum(), {USES[use].format(name)}][1]")
        x = np.arange(1, 4).astype(char)
        if name not in NEW_AT_EACH_LOOK or use not in ("returned", "twice"):
            check(function, x, backends=["numpy"])
            continue
        jitted = framejit.jit(function, backend="numpy")
        assert [outcome(jitted, x) for _ in range(2)] == [outcome(function, x)] * 2


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("kind", [bool, int, float, complex])
def test_numbers_of_python(kind: Any, use: str) -> None:
    """The same of a number that is an argument and of one that is computed."""
    for name in attributes_of(kind):
        for number in ("n", "x.sum().item()"):
            text = USES[use].format(name).replace("x[1]", "n")
            function = eval(f"lambda x, n: [s := {number}, {text}][1]")
            check(function, np.arange(3).astype(kind), kind(300), backends=["numpy"])


def test_what_is_captured() -> None:
    """The base, the parts, the transpose and the constants of a dtype break no graph."""

    def function(x: Any, z: Any) -> Any:
        s, c = x.sum(), z.sum()
        alone = s.base is None
        parts = c.real * 2 + c.imag - s.T + s.real + s.imag
        return alone, parts, s.strides, s.shape == (), s.dtype, s.device, c.real, s.itemsize

    jitted = check(function, np.arange(4.0), np.arange(3) * (1 - 2j))
    assert_counts(jitted, captures=1, hits=2, segments=1, breaks=0)


@pytest.mark.parametrize("name", ["base", "flags", "ctypes", "data", "T", "real", "device", "flat"])
def test_arrays(name: str) -> None:
    """Arrays and arrays of no axes, made here and from outside."""
    for text in (f"x.{name} is None", f"(x * 2).{name} is None", f"y.{name} is None"):
        check(eval(f"lambda x, y: ({text}, x * 2)"), np.arange(4.0), np.array(3.0))
