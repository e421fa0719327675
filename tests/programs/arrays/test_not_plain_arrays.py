"""Arrays that are no plain ones: eager's answer in eager's type, and a break that names them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from unlike_arrays import KINDS, X, memmap

from framejit import explain

PROGRAMS: list[Callable[..., Any]] = []


def program(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a program that each kind of array is passed to; some raise for most kinds."""
    PROGRAMS.append(function)
    return function


@program
def operators(x: Any, y: Any) -> Any:
    z = y * 2
    w = x + z
    v = z + x
    return w, v, z + 1


@program
def ufuncs(x: Any, y: Any) -> Any:
    z = y * 2
    return np.sin(x), np.maximum(z, x), z + 1


@program
def changes_the_other(x: Any, y: Any) -> Any:
    z = y * 2
    z += x
    return z, z + 1


@program
def is_changed(x: Any, y: Any) -> Any:
    z = y * 2
    x += z
    x[1:3] = z[1:3]
    return x, z + 1


@program
def is_written_to(x: Any, y: Any) -> Any:
    z = y * 2
    np.add(z, z, out=x)
    return x, z + 1


@program
def is_stored(x: Any, y: Any) -> Any:
    z = y * 2
    z[1:3] = x[1:3]
    z[0] = x[0]
    return z + 1


@program
def attributes(x: Any, y: Any) -> Any:
    z = y * 2
    return x.shape, len(x), x.dtype, x.T, z + 1


@program
def methods(x: Any, y: Any) -> Any:
    z = y * 2
    return x.sum(), x.copy(), x.reshape(-1), x.astype(float) * z, z + 1


@program
def items(x: Any, y: Any) -> Any:
    z = y * 2
    return x[0], x[::-1], x[z > 3], z + 1


@program
def functions(x: Any, y: Any) -> Any:
    z = y * 2
    return np.where(z > 3, z, x), np.sum(x), np.concatenate([z, x]), z + 1


@program
def conversions(x: Any, y: Any) -> Any:
    z = y * 2
    return np.asarray(x), np.asanyarray(x) + z, np.array([x, z]), z + 1


@program
def loops(x: Any, y: Any) -> Any:
    z = y * 2
    total = z[0]
    for i in range(len(x)):
        total = total + x[i] * z[i]
    for item in x:
        total = total + item
    return total


@program
def comparisons(x: Any, y: Any) -> Any:
    z = y * 2
    if isinstance(x, np.ndarray):
        z = z + 1
    return x == z, z < x, np.ndim(x), z


@program
def as_index(x: Any, y: Any) -> Any:
    z = y * 2
    w = z[x]
    z[x] = 1
    return w, z + 1


@program
def fields(x: Any, y: Any) -> Any:
    z = y * 2
    return x["a"] * 2, z * x["b"], z + 1


@program
def products(x: Any, y: Any) -> Any:
    z = y * 2
    return z @ x, np.dot(x, z), np.linalg.norm(x), x**2, z + 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind: str) -> None:
    """Same results, types, exceptions, and nothing is asked of them twice."""
    make, _ = KINDS[kind]
    for function in PROGRAMS:
        check(setup=lambda function=function: (function, (make(), X.copy())), backends=["numpy"])


@pytest.mark.parametrize("mode", ["r", "c"])
def test_memmap(mode: str, tmp_path: Path) -> None:
    """Also one that cannot be written to."""
    make = memmap(str(tmp_path / "memory"), mode)
    for function in PROGRAMS:
        check(setup=lambda function=function: (function, (make(), X.copy())), backends=["numpy"])


def test_in_kernels() -> None:
    """The statements around them are compiled."""
    for kind in ("attribute", "masked", "object", "duck", "big-endian"):
        make, _ = KINDS[kind]
        check(setup=lambda make=make: (operators, (make(), X.copy())))


def once(x: Any, y: Any) -> Any:
    z = y * 2 + 1
    w = np.add(x, z)
    return z * 3 - 1, w


@pytest.mark.counts("the report of the normal mode")
@pytest.mark.parametrize("kind", KINDS)
def test_one_break_says_so(kind: str) -> None:
    """The break names line and kind of the array; plain arrays around it are captured."""
    make, told = KINDS[kind]

    def guarded(x: Any, y: Any) -> Any:
        z = y * 2 + 1
        try:
            w = np.add(x, z)
        except (TypeError, ValueError):
            w = None
        return z * 3 - 1, w

    report = explain(guarded)(make(), X.copy())
    found = [record for record in report.breaks if record.code == "FJ302"]

    assert [record.detail for record in found] == [f"argument `x` ({told})"]
    assert found[0].source == "w = np.add(x, z)"
    assert "`x" in found[0].hint


def test_the_break_is_the_only_one() -> None:
    """And the code on both sides of it is captured."""
    report = explain(once)(X.astype(object), X.copy())

    assert_normally([record.code for record in report.breaks], ["FJ302"])
    assert_normally(len(report.segments), 2)


def uses(x: Any, y: Any, how: str) -> Any:
    z = y * 2
    if how == "sum":
        return np.sum(x), z
    if how == "method":
        return x.sum(), z
    if how == "len":
        return len(x), z
    if how == "item":
        return x[0], z
    if how == "index":
        return z[x], z
    if how == "store":
        z[:] = x
        return z
    for item in x:
        z = z + item
    return z


@pytest.mark.counts("the report of the normal mode")
@pytest.mark.parametrize("how", ["sum", "method", "len", "item", "index", "store", "loop"])
def test_each_use_names_it(how: str) -> None:
    """The break gives the array's kind as the reason, whatever the operation."""
    report = explain(uses)(np.arange(6).astype(">i4"), X.copy(), how)
    details = {record.detail for record in report.breaks if record.code == "FJ302"}

    assert "argument `x` (an array of dtype >i4)" in details
