"""Lines divided by one number: the bits of the instruction, its flags, and what is left to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit
from framejit.backends.numba.clusters import faster
from framejit.backends.numba.library.libm_proofs import fuses

HOSTILE = np.array(
    [
        *(0.0, -0.0, 1.0, -3.0, np.inf, -np.inf, np.nan, 5e-324, -1e-310, 1e308, -1e-308),
        *(2.0**500, 2.0**-500, np.nextafter(2.0**500, 0), np.nextafter(2.0**-500, 0), 1 / 3),
    ]
)


@pytest.fixture(autouse=True)
def _wide_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the processor has: the products are right with vectors of any width."""
    if not fuses():
        pytest.skip("the processor has no FMA")
    monkeypatch.setattr(faster, "products_are_faster", lambda: True)


def divided(x: Any, y: Any) -> Any:
    return x / y[0], x / y[1]


def rows(x: Any, y: Any) -> Any:
    return x / y


@pytest.mark.parametrize("length", [1, 7, 8, 15, 16, 17, 24, 40, 519])
def test_hostile_numbers(length: int) -> None:
    """Each by each, in groups of eight with and without one that is left to the instruction."""
    rng = np.random.default_rng(length)
    with np.errstate(all="ignore"):
        for k in range(0, len(HOSTILE), 2):
            line = np.where(rng.random(length) < 0.1, rng.choice(HOSTILE, length), 1.7)
            check(divided, line * rng.normal(size=length), HOSTILE[k : k + 2])


def test_rows() -> None:
    """Each by a number of its own, in all orders of memory."""
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(5, 40)), rng.normal(size=(5, 1))
    for one in (x, x[:, :9], x[:, ::2], x[::-1], np.asfortranarray(x), x[:, :1], x[:0]):
        check(rows, one, y[: len(one)])
        check(rows, one, y[:1])
    check(rows, x.T, y.T)
    check(rows, x, y.astype("f4"))
    check(rows, x.astype("f4"), y)


def test_flags() -> None:
    """Warnings are those of the numbers."""
    x = np.full(40, 1.5)
    for k, number in ((3, 1e308), (20, 1e-308), (39, np.inf), (0, 0.0)):
        line = x.copy()
        line[k] = number
        for by in (1e-10, 1e10, 0.0, np.inf, 3.0):
            for mode in ("warn", "raise"):
                with np.errstate(all=mode):
                    check(divided, line, np.array([by, 7.0]), calls=3)


@pytest.mark.counts("what kernels call")
def test_what_is_called() -> None:
    """A power of two is multiplied by; where memory has gaps the instruction divides."""

    def by_two(x: Any) -> Any:
        return x / 2.0 + x / 4

    for program, args, called in (
        (divided, (np.ones(40), np.full(2, 3.0)), True),
        (rows, (np.ones((4, 40)), np.full((4, 1), 3.0)), True),
        (rows, (np.ones((4, 40)), np.full((1, 40), 3.0)), False),
        (rows, (np.ones((4, 40))[:, ::2], np.full((4, 1), 3.0)), False),
        (by_two, (np.ones(40),), False),
    ):
        jitted = framejit.jit(program, backend="numba")
        jitted(*args)
        assert ("quotients(" in jitted.inspect("numba")) == called


@pytest.mark.counts("what kernels call")
def test_narrow_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The instruction divides, in the loop of the operations before and after."""
    monkeypatch.setattr(faster, "products_are_faster", lambda: False)
    jitted = framejit.jit(lambda x: 1.0 + 2.0 * x / 3.0, backend="numba")
    jitted(np.ones(40))
    assert "quotients(" not in jitted.inspect("numba")


def dividends(rng: np.random.Generator, by: float, count: int, kind: int) -> Any:
    """Return dividends: of all sizes, near multiples of `by`, or with quotients near halfway."""
    if kind == 0:
        return np.ldexp(rng.uniform(1, 2, count), rng.integers(-1074, 1024, count))
    if kind == 1:
        return rng.integers(-1 << 52, 1 << 52, count) * by
    if kind == 2:
        return np.nextafter(rng.integers(1, 1 << 52, count) * by, np.inf)
    product = rng.integers(1 << 52, 1 << 53, count) * by
    return product + np.spacing(product) * rng.integers(-2, 3, count)


def test_many() -> None:
    """1500 million were compared once, with none that differs; this is a sample."""
    rng = np.random.default_rng(8)
    jitted = framejit.jit(divided, backend="numba")
    with np.errstate(all="ignore"):
        for iteration in range(60):
            by = np.ldexp(rng.uniform(1, 2, 2), rng.integers(-499, 499, 2))
            if iteration % 5 == 0:  # all bits set, or one
                by = np.nextafter(np.exp2(rng.integers(-400, 400, 2)), [0.0, np.inf])
            x = dividends(rng, float(by[0]), 1 << 14, iteration % 4)
            for one, other in zip(jitted(x, by), divided(x, by), strict=True):
                assert np.array_equal(one.view(np.int64), other.view(np.int64))
