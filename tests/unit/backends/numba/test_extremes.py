"""Largest and smallest items of a cluster's results: block by block, with the bits of eager."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit
from framejit.jit.checks import Check

LENGTHS = [1, 2, 7, 64, 511, 512, 513, 1500]


def widest(x: Any, y: Any) -> Any:
    return np.max(x - y), np.min(x - y)


def residual(x: Any, y: Any) -> Any:
    gap = np.abs(x - y)
    return gap.max(), gap.sum(), gap.min()


def of_rows(x: Any, y: Any) -> Any:
    gap = x - y
    return gap.max(axis=1), gap.min(axis=-1, keepdims=True), gap.max(axis=0)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "i2"])
def test_numbers(length: int, dtype: str) -> None:
    rng = np.random.default_rng(length)
    x, y = (rng.integers(1, 120, length).astype(dtype) for _ in range(2))
    if dtype[0] == "f":
        x = (x * rng.normal(size=length)).astype(dtype)
    check(widest, x, y)
    check(residual, x, y)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_zeros_and_nans(length: int, dtype: str) -> None:
    """Specials of one kind, of several, before and behind others, in one block and in several."""
    rng = np.random.default_rng(length)
    nans = np.array([np.nan, -np.nan, np.inf - np.inf]).astype(dtype)
    for specials in ([0.0], [-0.0], [0.0, -0.0], [np.nan], [-np.nan], [*nans, 0.0], [np.inf]):
        for others in (-1.0, 1.0, np.inf, -np.inf, 0.0):
            for share in (0.003, 0.5, 1.0):
                drawn = rng.choice(np.array(specials, dtype), length)
                x = np.where(rng.random(length) < share, drawn, others)
                x = x.astype(dtype)
                with np.errstate(all="ignore"):
                    check(lambda x: (np.max(-x), np.min(-x)), x)
                    check(lambda x: np.max(x * 2), x)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (40, 3), (2, 600), (700, 2), (5, 513), (1, 9)])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4"])
def test_rows(shape: tuple[int, int], dtype: str) -> None:
    rng = np.random.default_rng(sum(shape))
    x, y = (rng.integers(0, 9, shape).astype(dtype) for _ in range(2))
    check(of_rows, x, y)
    check(of_rows, x, np.asfortranarray(y))
    check(of_rows, x.T.copy().T, np.asfortranarray(y))
    if dtype != "i4":
        check(of_rows, np.where(rng.random(shape) < 0.1, np.nan, x).astype(dtype), -y)
        check(of_rows, x, np.where(rng.random(shape) < 0.1, -0.0, -y).astype(dtype))


def test_nothing() -> None:
    check(widest, np.ones(0), np.ones(0))
    check(of_rows, np.ones((0, 3)), np.ones((0, 3)))
    check(lambda x: (x + 1).max(axis=1), np.ones((3, 0)))
    check(lambda x: (x + 1).max(axis=1), np.ones((0, 3)))


@pytest.mark.parametrize("mode", ["warn", "raise"])
def test_flags(mode: Any) -> None:
    """Flags of the cluster are reported, flags of comparisons with NaN are not."""
    x = np.ones(1300)
    x[700] = np.nan
    with np.errstate(all=mode):
        check(widest, x, x[::-1].copy(), calls=3)
        x[3] = 1e308
        check(widest, x, -x, calls=3)
        check(lambda x, y: np.max(x / y), x, x - x, calls=3)


def test_in_a_loop() -> None:
    """Until nothing moves: the last iterations compare zeros."""

    def settle(x: Any) -> Any:
        iterations = 0
        while True:
            new = 0.5 * (x + np.roll(x, 1)) - 0.25 * x
            iterations += 1
            if np.max(np.abs(new - x)) < 1e-12 or iterations > 300:
                return new, iterations
            x = new

    check(settle, np.random.default_rng(0).normal(size=600))
    check(settle, np.zeros(600))
    check(settle, np.full(600, np.nan))


def test_behind_a_store() -> None:
    """A bail does not store again."""

    def step(x: Any, y: Any) -> Any:
        x += 1.0
        return np.max(x * y)

    x = np.full(600, -1.0)
    y = np.where(np.arange(600) % 2 == 0, 1.0, -1.0)
    check(step, x, y, calls=3)


@pytest.mark.counts("what kernels call, and bails")
def test_what_is_made() -> None:
    """No array is made of the compared values; zeros of both signs are eager's to judge."""
    jitted = framejit.jit(lambda x, y: np.max(np.abs(x - y)), backend="numba")
    jitted(np.ones(600), np.zeros(600))
    assert "alloc(" not in jitted.inspect("numba")
    jitted(np.ones(600), np.ones(600))
    jitted(np.full(600, np.nan), np.ones(600))
    assert jitted.stats()["bails"] == 0
    mixed = framejit.jit(lambda x: np.max(-x), backend="numba")
    zeros = np.zeros(600)
    mixed(zeros)
    zeros[7] = -0.0
    report = framejit.explain(mixed)(zeros)
    assert report.segments[0].checks == {Check.ORDER_OF_ITEMS.value: 1}
