"""Functions of NumPy that are captured as something else: windows, copies, bodies of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from falsifying import Falsifying
from oracle import assert_counts, check
from samples import captured

from framejit.backends import registry
from framejit.jit.ir.graph import Node
from framejit.jit.ir.ops import FILL

FUSED = """
np.roll(x, 2) * 2
np.roll(x, n)
np.roll(B, -1)
np.roll(B, -7, axis=-1)
np.roll(T, 2, 1)
np.roll(x.astype("i4"), 3)
np.repeat(x, 2)
np.repeat(x, n)
x.repeat(3)
np.repeat(B, 2)
np.repeat(B, 2, axis=0)
B.repeat(2, -1)
np.repeat(B, 0)
np.repeat(B.T, 2, 0)
np.repeat(x[:0], 2)
np.eye(4)
np.eye(n)
np.eye(3, 5, k=2)
np.eye(5, 3, k=-4)
np.eye(5, 3, k=1, dtype="i4")
np.eye(len(x)) * x
np.eye(1, dtype=bool)
np.identity(3, dtype=int)
np.meshgrid(x, x[:3])
np.meshgrid(x, x[:3], x[:2], indexing="ij")
np.meshgrid(x, x[:3], x[:2].astype("i4"))
np.meshgrid(x[:1], x)
np.meshgrid(x[:0], x)
np.meshgrid(B, x)
np.squeeze(B[:1])
np.squeeze(B[:1], 0)
B[:1, :1].squeeze()
x.squeeze(), np.squeeze(x)
np.moveaxis(T, 0, 2)
np.moveaxis(T, [0, 1], [-1, 0])
np.transpose(T, (1, 0, 2))
T.transpose(1, 0, 2), T.transpose((2, 0, 1)), T.transpose(None)
np.swapaxes(T, 0, -1)
np.rollaxis(T, 2)
np.select([x > 0, x < -1], [x, x * 2], 7.0)
np.nanvar(x), np.nanstd(B, axis=1)
np.average(x, returned=True)
np.asarray(x.sum()) + 1, np.array(x[0])
np.split(x, 2), np.split(x, [1, 3]), np.array_split(x, 4), np.array_split(x, n)
np.split(B, 2, axis=1)[1] * 2, np.hsplit(B, 2), np.vsplit(B, 3), np.dsplit(T, 2)
np.split(x, (2, 9, -1)), np.array_split(x[:0], 2)
np.tile(x, 3), np.tile(x, (2, 1)), np.tile(B, (2, 3)), np.tile(B.T, n), np.tile(x, (2, 1, 3))
np.tile(T, (1, 2, 1)) * 2
np.diag(x), np.diag(x, 2), np.diag(x.astype("i4"), -1) * 2
np.tri(4), np.tri(3, 5, -1), np.tri(n, k=1, dtype=int) * 2
np.tril(B), np.triu(B, 1), np.tril(T, -1), np.triu(B.T)
np.piecewise(x, [x < 0, x >= 2], [-1.0, lambda v: v * 2]) * 2
np.piecewise(x, [x < 0, x > 0], [lambda v, k: v + k, 2.0, 3.0], 4.0)
np.fromfunction(lambda i, j: i * 2 + j, (3, 4)) * 2
np.fromfunction(lambda i: i == 2, (n,), dtype=int)
np.cross(x[:3], x[3:])
np.roll(B, (1, 2), (0, 1)), np.fft.fftshift(x), np.fft.ifftshift(B)
np.rot90(B), np.rot90(B, 2), np.rot90(B.T, -1) * 2, np.rot90(B, 4)
np.column_stack([x, x * 2]), np.column_stack((B, x[:3])), np.column_stack([x])
np.pad(x, 2), np.pad(B, ((1, 0), (2, 3))), np.pad(B, (1, 2), constant_values=7) * 2
np.pad(x, 3, mode="edge"), np.pad(T, ((0, 1), (2, 0), (1, 1)), "edge")
np.trace(B), B.trace() * 2, np.trace(B[:, :2].copy())
np.trace(B[:2, 1:]), np.trace(B.T) * 2, B[::-1, ::-2].trace(), np.trace(B[1:, :1].astype("f4"))
np.kron(x, x[:3]), np.kron(B, B), np.kron(x, x.astype("i4"))
np.unique(x.astype(int) % 3), np.unique((B * 0.3).astype("i2")) * 2, np.unique(x > 0)
np.digitize(x, x[1:4]), np.digitize(B, np.array([8.0, 3.0, 1.0])), np.digitize(x, x[:3], right=True)
np.histogram(x), np.histogram(B, 4), np.histogram(x / 3, bins=n)
np.histogram(x, 3, (0, 2)), np.histogram(x, 9, (-2.5, 2.5), density=True)
np.histogram(B, density=1)
np.select([x > 0, x < -1], [x, 5.0], 7), np.select([B > 2], [B.astype("f4")])
np.column_stack([x > 0, x]), np.nanargmax(x), np.flatnonzero(x)
np.take_along_axis(B, np.argsort(B, axis=1), axis=1)
np.sort(B, axis=0), np.argsort(x), np.sort_complex(x)
np.setdiff1d(x.astype(int), [1, 2]), np.intersect1d(x.astype(int), B.astype(int))
np.isin(x.astype(int), B.astype(int)) * x
np.array(x, copy=None, ndmin=1) * 2, np.array(B, ndmin=2), np.asfortranarray(x)
np.full_like(x, 1.5) + x, np.full_like(x.astype(int), 1.5)
""".strip().splitlines()
CALLED = """
np.roll(B.T, 1, 0)
np.roll(B[:, ::2], 1, 1)
np.roll(x[:0], 1)
np.roll(B, 1, 5), np.roll(B, (1, 2), 0)
np.rot90(T), np.rot90(B, 1, (1, 0)), np.rot90(B, 1.5)
np.pad(x[:0], 1), np.pad(B.T, 1), np.pad(x, 1, mode="reflect"), np.pad(x, 1, constant_values=(1, 2))
np.pad(x[:0], 1, mode="edge")
np.trace(B, 1), np.trace(T), B[:0].trace()
np.kron(x, B), np.kron(B.T, B), np.kron(x[:0], x)
np.unique(x[:1].astype(int)), np.unique(B, axis=0), np.unique(x, return_counts=True)
np.digitize(x, x[[1, 0, 3]])
np.histogram(x, x[:3]), np.histogram(x, weights=x), np.histogram(x, 3, (0, 2), weights=x)
np.histogram(x, 3, (2, 0)), np.histogram(x, 3, (1, 1)), np.histogram(x, 3, (0, np.nan))
np.histogram(x, 3, (x[0], 9)), np.histogram(x, 3, [0, 9]), np.histogram(x, 3, (0, 2**70))
np.histogram(x[:0], 3, (0, 1)), np.histogram(x, 3, (0,)), np.histogram(x, 3, (0, 1, 2))
np.histogram(x, "auto"), np.histogram(x, np.int64(3))
np.histogram(x[:0]), np.histogram(x * 0), np.histogram(x, 0), np.histogram(x.astype("f4"))
np.histogram(x / 0), np.histogram(x * 1e308), np.histogram(x * 5e-324, 20)
np.select([x > 0, x[0] > 1], [x, 5.0], 7), np.select([B > 2], [x[:4]]), np.select([], [])
np.roll(x, 1)
np.roll(x, 1.5), np.roll(x, np.int64(2))
np.repeat(x, [1, 2, 3, 0, 1, 1])
np.repeat(x, -1)
np.repeat(3.0, 4)
np.eye(3, k=7), np.eye(0), np.eye(3, order="F")
np.split(x, 4)
np.split(x, n + 1)
np.split(x, 0)
np.split(x, 2, axis=1), np.split(x, x[:2].astype(int))
np.tile(x, 0), np.tile(x, 1), np.tile(x[:0], 2), np.tile(2.0, 3), np.tile(x, [2, 2])
np.diag(B), np.diag(B, 1), np.diag(T), np.diag(x[:0])
np.tri(0), np.tri(3, k=1.5), np.tri(-1)
np.piecewise(x, x < 0, [1.0, 2.0])
np.piecewise(x.astype(int), [x < 0, x > 99], [7.9, lambda v: v.sum()])
np.piecewise(x, [x < 0], [1.0, 2.0, 3.0])
np.piecewise(x, [x < 0, B[0] > 0], [1.0, 2.0])
np.piecewise(x.sum(), [True], [3.0])
np.fromfunction(lambda i: i * 2, 4)
np.meshgrid(x, x[:3], sparse=True)
np.squeeze(B, 0)
np.moveaxis(T, 0, 9)
np.cov(B), np.corrcoef(B)
np.median(B, (0, 1)), np.percentile(x, 30, method="lower")
np.unique(x), np.unique_counts(x)
np.convolve(x, x[:3]), np.convolve(x[:3], x), np.correlate(x, x[:3])
np.interp(x, x, x, period=3), np.interp(x, x, x * 1j)
np.array(x, ndmin=2), np.array(2.5, ndmin=1), np.asfortranarray(B)
np.einsum("ij,jk->ik", B, B.T)
np.count_nonzero(B, axis=0)
np.polyder(x), np.trim_zeros(x), np.hanning(4)
np.linalg.norm(B), np.linalg.det(B[:, :3]), np.linalg.multi_dot([B, B.T, B])
np.argwhere(x)
np.indices((2, 3))
""".strip().splitlines()
X, B, T = np.arange(6.0) - 2, np.arange(12.0).reshape(3, 4), np.arange(24.0).reshape(2, 3, 4)


def program(text: str) -> Any:
    names: dict[str, Any] = {"np": np}
    exec(f"def program(x, B, T, n):\n    y = x + 1\n    return {text}, y", names)
    return names["program"]


@pytest.mark.parametrize("text", FUSED)
def test_fused(text: str) -> None:
    captured(program(text), X, B, T, 3)


@pytest.mark.parametrize("text", CALLED)
def test_called(text: str) -> None:
    """Whole or in part."""
    check(program(text), X, B, T, 3, backends=("numpy",))


@pytest.mark.parametrize("text", FUSED)
def test_every_item_is_written(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays begin as memory that holds something else: what a body does not write is seen."""
    backend = Falsifying("numpy", _filled)
    monkeypatch.setitem(registry._BUILT_IN, backend.name, lambda: backend)
    registry.load_backend.cache_clear()
    try:
        check(program(text), X, B, T, 3, backends=(backend.name,))
    finally:
        registry.load_backend.cache_clear()


def _filled(node: Node) -> Node:
    """No memory as it comes, but a number that is in none of the results."""
    if node.op is not FILL or node.attrs["value"] is not None:
        return node
    return replace(node, attrs={**node.attrs, "value": node.attrs["dtype"].type(113)})


LAYOUTS = {
    "backwards": lambda x: x[::-1],
    "gaps": lambda x: x[::2],
    "C": lambda x: x.copy(),
    "Fortran": lambda x: x[:64].reshape(8, 8).T,
    "columns": lambda x: x[:64].reshape(8, 8)[:, 1:5],
}
INTO = """
y **= s
y *= s
y **= z
np.exp(y, out=y)
np.multiply(y, y, out=y)
np.log1p(y, y)
np.hypot(z, z, out=y)
np.exp(y, out=y, casting="unsafe")
""".strip().splitlines()


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_in_place_whatever_the_steps(layout: str, dtype: str) -> None:
    """NumPy's loops round in another way where their steps allow for vectors."""
    given = LAYOUTS[layout]((np.arange(128) * 0.37 + 0.1).astype(dtype))
    for text in INTO:
        if dtype == "c16" and "hypot" in text:
            continue
        names: dict[str, Any] = {"np": np}
        exec(f"def program(y, z, s):\n    w = z + z\n    {text}\n    return y, w", names)
        check(names["program"], given, np.array(given, order="C") * 1.5, 2.7)


def into_other_dtypes(a: Any, b: Any) -> Any:
    x = b + b
    np.add(abs(a), a + a, out=x)
    b += a * 2
    np.multiply(a, a, out=b)
    np.exp(a, out=b)
    return x, b


def test_one_warning_of_a_ufunc_and_its_cast() -> None:
    """A flag raised on the way into an output of another dtype is the ufunc's own."""
    items = np.array([-1.7e308, -1.3e154, 3.0, 5e-324, 1.5, -np.inf, np.inf])
    a = np.resize(items, (4, 3))
    with np.errstate(all="warn"):
        check(into_other_dtypes, a, np.ones((4, 3), "f4"), filters=("always",))
        check(into_other_dtypes, a.T, np.ones((3, 4), "f4"), filters=("always",))


def products(b: Any, a: Any) -> Any:
    c = b[None] * a
    b *= a
    b[None] *= a
    return b, c


@pytest.mark.parametrize("shape", [(), (1,), (1, 1)])
def test_one_element(shape: tuple[int, ...]) -> None:
    """An overflow inside a product of complex numbers depends on NumPy's algorithm."""
    largest = np.full(shape, complex(1.7976931348623157e308, np.nan))
    with np.errstate(all="warn"):
        check(products, largest, np.array(1 + 3j))
        check(products, largest, np.full(shape, 1 + 3j))


RANGES: dict[str, Callable[[Any, int], Any]] = {
    "of a length": lambda x, n: np.arange(len(x)) * x,
    "of a number": lambda x, n: np.arange(n, dtype=np.float32) * x[:n],
    "between numbers": lambda x, n: np.arange(n, n + 7) * x,
    "down": lambda x, n: np.arange(n, -3, -3) + n,
    "of nothing": lambda x, n: np.arange(n, 2) + n,
    "below zero": lambda x, n: np.arange(-n) + n,
    "of floats": lambda x, n: np.arange(0.1, 2.0, 1 / 3) * n,
    "of single floats": lambda x, n: np.arange(0.1, 1.1, 1 / 3, dtype="f4") * n,
    "of tiny floats": lambda x, n: np.arange(0, 5e-323, 5e-324) + n,
    "of large ints": lambda x, n: np.arange(2**62, 2**62 + n) + n,
    "without a step": lambda x, n: np.arange(n, n * 2, 0) + n,
    "linspace": lambda x, n: np.linspace(0.5, 2.0, 7) * x,
    "linspace of a length": lambda x, n: np.linspace(0, n, len(x), endpoint=False) * x,
    "geomspace": lambda x, n: np.geomspace(1, 8, 7) * x,
    "logspace": lambda x, n: np.logspace(0, n, 7) * x,
    "ediff1d": lambda x, n: np.ediff1d(x) * n,
}


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("n", [5, 1, 0])
def test_ranges(name: str, n: int) -> None:
    with np.errstate(all="warn"):
        check(RANGES[name], np.linspace(0.0, 1.0, 7), n, backends=("numpy",))


def several_ranges(x: Any, n: int) -> Any:
    a = np.arange(n) + np.arange(n, 2 * n) * np.arange(0.1, 0.1 + 5, dtype=np.float32)
    b = np.arange(0.1, 2.4, 1 / 3) + np.linspace(0, 1, len(x)) + np.linspace(-1.0, 1.0, 7)
    return a, b, np.isclose(b, x), np.full_like(x, 2) + np.asarray(0.5)


def test_several_ranges_in_one_segment() -> None:
    assert_counts(check(several_ranges, np.linspace(0.0, 1.0, 7), 5), segments=1, breaks=0)


def counted(x: Any, bins: int) -> Any:
    counts, edges = np.histogram(x, bins)
    return counts * 2, edges


def test_histograms() -> None:
    """A number at an edge is in the bin that NumPy puts it in."""
    rng = np.random.default_rng(4)
    for n in (2, 3, 100, 5000):
        for bins in (1, 7, 64):
            check(counted, rng.normal(size=n), bins, backends=["numba"])
            check(counted, rng.integers(0, 9, n) * 0.1, bins, backends=["numba"])
            x = rng.integers(-9, 99, n) * 0.1
            x[:1] = rng.choice([np.nan, np.inf, -np.inf, 1.0])
            check(counted_within, x, bins, 0.3, 7.1, backends=["numba"])


def counted_within(x: Any, bins: int, low: float, high: float) -> Any:
    counts, edges = np.histogram(x, bins, range=(low, high))
    return counts * 2, edges, np.histogram(x, bins, (0, 5), density=True)


def different(x: Any) -> Any:
    return np.unique(x) * 2


def test_many_items_have_another_way() -> None:
    """NumPy uses a table for many items; items are searched side by side."""
    rng = np.random.default_rng(6)
    for n in (70_000, 500):
        captured(different, rng.integers(0, 300, n))
    for n in (1, 2, 255, 256, 257, 700):
        check(sought, np.sort(rng.normal(size=40)), rng.normal(size=n))


def sought(line: Any, keys: Any) -> Any:
    return np.searchsorted(line, keys) + 1, line.searchsorted(keys, "right")
