"""The oracle on results: two functions that differ in one aspect alone must be told apart."""

from __future__ import annotations

import types
from collections import deque, namedtuple
from typing import Any

import numpy as np
import pytest
from telling import Function, compare, told

Pair = namedtuple("Pair", "a b")  # noqa: PYI024
Thing = types.SimpleNamespace


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array.flags.writeable = False
    return array


def drawn(count: int) -> np.random.Generator:
    generator = np.random.default_rng(1)
    generator.random(count)
    return generator


def record(a: int, b: int) -> np.ndarray[Any, Any]:
    return np.array([(a, b)], [("a", "i4"), ("b", "i8")])


def nan(bits: int) -> np.ndarray[Any, Any]:
    return np.array([bits], np.uint64).view(np.float64) + 0


RESULTS: dict[str, tuple[str, Function, Function]] = {
    "last bit": ("values", lambda x: x + 0, lambda x: np.nextafter(x, 9)),
    "minus zero": ("values", lambda x: x * 0.0, lambda x: x * -0.0),
    "Python minus zero": ("values", lambda x: 0.0, lambda x: -0.0),
    "NaN or number": ("values", lambda x: x + 1, lambda x: x + np.nan),
    "imaginary zero": ("values", lambda x: complex(0, 0.0), lambda x: complex(0, -0.0)),
    "long double": (
        "values",
        lambda x: x.astype("g"),
        lambda x: np.nextafter(x.astype("g"), np.longdouble(9)),
    ),
    "datetime": ("values", lambda x: np.array([1], "M8[s]"), lambda x: np.array([2], "M8[s]")),
    "datetime unit": ("dtype", lambda x: np.array([0], "M8[s]"), lambda x: np.array([0], "M8[D]")),
    "dtype": ("dtype", lambda x: x + 1, lambda x: (x + 1).astype("f4")),
    "two long types": ("dtype", lambda x: np.zeros(3, "l"), lambda x: np.zeros(3, "q")),
    "byte order": ("dtype", lambda x: np.zeros(3, "<f8"), lambda x: np.zeros(3, ">f8")),
    "metadata": (
        "dtype",
        lambda x: np.zeros(3, np.dtype("f8", metadata={"a": 1})),
        lambda x: np.zeros(3, np.dtype("f8", metadata={"a": 2})),
    ),
    "shape": ("shape", lambda x: np.ones((2, 3)), lambda x: np.ones((3, 2))),
    "memory order": ("strides", lambda x: np.ones((4, 3)), lambda x: np.ones((4, 3), order="F")),
    "stride of one row": (
        "strides",
        lambda x: np.ones(8)[:4].reshape(1, 4),
        lambda x: np.ones((2, 4))[::2].base.reshape(2, 4)[::2],
    ),
    "writeable": ("flags", lambda x: x + 1, lambda x: read_only(x + 1)),
    "scalar or 0-d": ("type", lambda x: np.float64(1), lambda x: np.array(1.0)),
    "NumPy or Python float": ("type", lambda x: np.float64(1), lambda x: 1.0),
    "NumPy or Python bool": ("value", lambda x: np.True_, lambda x: True),
    "bool or int": ("value", lambda x: True, lambda x: 1),
    "int": ("value", lambda x: 1, lambda x: 2),
    "str": ("value", lambda x: "a", lambda x: "b"),
    "str or its subclass": ("value", lambda x: "a", lambda x: np.str_("a")),
    "list or tuple": ("type", lambda x: [1], lambda x: (1,)),
    "tuple or named tuple": ("type", lambda x: (1, 2), lambda x: Pair(1, 2)),
    "length": ("[1]", lambda x: deque([1]), lambda x: deque([1, 1])),
    "nested value": ("[0]['k'][1]", lambda x: [{"k": (1, 2)}], lambda x: [{"k": (1, 3)}]),
    "order of a dict": ("keys", lambda x: {1: 0, 2: 0}, lambda x: {2: 0, 1: 0}),
    "type of a key": ("keys", lambda x: {1: 0}, lambda x: {True: 0}),
    "items of a set": ("items", lambda x: {1, 2}, lambda x: {1, 3}),
    "slice": ("stop", lambda x: slice(1, 2), lambda x: slice(1, 3)),
    "attribute": (".a", lambda x: Thing(a=1), lambda x: Thing(a=2)),
    "missing attribute": (".b", lambda x: Thing(a=1, b=2), lambda x: Thing(a=1)),
    "array in an attribute": (".a", lambda x: Thing(a=x + 1), lambda x: Thing(a=x + 2)),
    "object array": ("[1]", lambda x: np.array([1, None]), lambda x: np.array([1, "a"])),
    "0-d object array": ("[]", lambda x: np.array(None), lambda x: np.array("a", object)),
    "structured array": ("['b']", lambda x: record(1, 2), lambda x: record(1, 3)),
    "subclass": ("type", lambda x: x + 1, lambda x: (x + 1).view(np.recarray)),
    "mask": (
        "_mask",
        lambda x: np.ma.array(x + 1, mask=[0] * 6),
        lambda x: np.ma.array(x + 1, mask=[1] * 6),
    ),
    "an argument itself": ("is the object", lambda x: x, lambda x: x.copy()),
    "one object twice": ("result[1]", lambda x: [x + 1] * 2, lambda x: [x + 1, x + 1]),
    "two views, one memory": (
        "memory",
        lambda x: (lambda y: [y[:4], y[2:]])(np.ones(6)),
        lambda x: (lambda y: [y[:4], y[:4]])(np.ones(6)),
    ),
    "view or copy": ("memory", lambda x: x[1:], lambda x: np.ones(6)[1:]),
    "place of a view": ("memory", lambda x: x[:2], lambda x: x[1:3]),
    "base": (".base", lambda x: np.ones(4), lambda x: np.ones(4)[:]),
    "function": ("value", lambda x: np.sin, lambda x: np.cos),
    "bound method": ("__self__", lambda x: x.sum, lambda x: x.copy().sum),
    "state of a Generator": ("state", lambda x: drawn(1), lambda x: drawn(2)),
}


@pytest.mark.parametrize("name", RESULTS)
def test_differences_of_results(name: str) -> None:
    """Two results that differ in one aspect are told apart, by the name of that aspect."""
    aspect, one, other = RESULTS[name]

    text = told(one, other, np.ones(6))

    assert aspect in text
    assert "result" in text


def test_nan_payloads_count_only_when_asked() -> None:
    """A computed NaN equals any NaN; under nan="bits" sign and payload are compared."""
    quiet, other = 0x7FF8000000000000, 0xFFF8000000000001
    assert "values" in told(lambda: nan(quiet), lambda: nan(other), nan="bits")
    compare(lambda: nan(quiet), lambda: nan(other))
    compare(lambda: nan(quiet) * 1j, lambda: nan(other) * 1j)
    assert "values" in told(lambda: nan(quiet) + 0j, lambda: nan(quiet) + 1j)
