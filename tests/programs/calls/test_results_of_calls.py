"""Results of opaque calls are predicted from examples with similar lengths and orders."""

from __future__ import annotations

from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check

from framejit.jit.filters import Strict
from framejit.jit.ir.indexing import Ref
from framejit.jit.ir.opaque import OpaqueCall

TALL = np.arange(60.0).reshape(12, 5) % 7


def test_the_smaller_of_two_dims() -> None:
    """A factor has as many columns as a tall matrix, and as many as a wide one has rows."""

    def factors(x: Any) -> Any:
        centred = x - x.mean(axis=0, keepdims=True)
        u, s, vt = np.linalg.svd(centred, full_matrices=False)
        return u * s, vt

    for matrix in (TALL, TALL.T.copy()):
        assert_counts(check(factors, matrix, calls=3), bails=0, hits=3)


def test_windows_as_long_as_an_example() -> None:
    """Windows of five among five items are one window, which says nothing of their order."""

    def rolling(x: Any, n: int) -> Any:
        windows = np.lib.stride_tricks.sliding_window_view(x, n)
        return windows.max(-1), windows.std(axis=1), windows - 1

    for n in (4, 5, 7):
        assert_counts(check(rolling, np.arange(20.0), n, calls=3), bails=0, hits=3)


def test_windows_that_are_whole() -> None:
    """A window of a call's argument may be all of it: then what the call gives has no gaps."""

    def blocks(x: Any) -> Any:
        grey = x @ np.array([0.25, 0.5, 0.25])
        rows, columns = grey.shape
        even = grey[: rows // 2 * 2, : columns // 2 * 2]
        parts = even.reshape(rows // 2, 2, columns // 2, 2)
        return parts.mean(axis=(1, 3)), parts + 1, parts

    for shape in ((4, 6), (5, 7), (4, 7)):
        x = np.arange(3 * np.prod(shape), dtype="u1").reshape(*shape, 3)
        assert_counts(check(blocks, x, calls=3), bails=0)


def test_lengths_that_numbers_decide() -> None:
    """A mask takes some items of an array whose length is a number."""

    def masked() -> Any:
        z = np.arange(11)
        z[(z > 3) & (z < 8)] *= -1
        return z, z[z > 0]

    assert_counts(check(masked, calls=3), bails=0, hits=3)


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "dot": lambda a, b: np.dot(np.outer(a, b), b) + 0.5,
    "casts": lambda a, b: np.concatenate((a, b), dtype=np.int32, casting="unsafe") + 1,
    "counts": lambda a, b: np.bincount(np.array([0, 1, 1]), weights=a) + b[0],
    "no counts": lambda a, b: np.bincount(np.array([0, -1, 1]), weights=a) + b[0],
    "unlike": lambda a, b: np.vdot(a, b[:2]) + 1,
    "no casts": lambda a, b: np.concatenate((a, b), dtype=np.float64, casting="unsafe") + 1,
    "correlation": lambda a, b: np.correlate(a, b) + 1,
}


@pytest.mark.parametrize("name", CALLS)
def test_compiled_functions_that_warn(name: str) -> None:
    """They do so by the floating point status, wherever they are called from."""
    big = np.array([1e200, 1.0, 3.0])
    for a in (big, np.array([np.nan, 2.0, np.inf]), np.float32([1e30, 2, 3]), big * 1j):
        check(CALLS[name], a, big)
        check(CALLS[name], a, a)


def test_compiled_functions_are_called_as_they_are() -> None:
    """No argument of a graph answers in their place, and they warn in no other way."""
    compiled = OpaqueCall(np.dot, (Ref(0), Ref(1)), {}).strict
    written = OpaqueCall(np.sort, (Ref(0),), {}).strict

    assert type(compiled) is BuiltinFunctionType
    assert type(written) is Strict


def turned_by_parts(x: Any, n: int) -> Any:
    q = x
    for _ in range(n):
        q, _ = np.linalg.qr(q + 1.0)
    return q


def the_last_of_each(x: Any, n: int) -> Any:
    q, total = np.eye(3), np.zeros(3)
    for _ in range(n):
        q, r = np.linalg.qr(q + 0.01 * (x @ q))
        total += np.log(np.abs(np.diag(r)))
    return total, q, r


def windows_on_each_other(x: Any, n: int) -> Any:
    y = x
    for _ in range(n):
        y = np.lib.stride_tricks.sliding_window_view(y, (2, 2))[:, :, 0, 0]
    return y * 2.0


def written_to(x: Any, n: int) -> Any:
    q = x
    for _ in range(n):
        q, r = np.linalg.qr(q + 1.0)
        q += r
    return q, r


def written_to_later(x: Any, n: int) -> Any:
    y = x
    for _ in range(n):
        y[0] += 1
        y = np.broadcast_arrays(y, y)[0]
        y = np.asfortranarray(y)
    return y, x


@pytest.mark.parametrize("program", [turned_by_parts, the_last_of_each, windows_on_each_other])
def test_loops_carry_them(program: Callable[..., Any]) -> None:
    """Loops carry results, also those that may share memory with others."""
    for n in (1, 2, 3):
        check(program, TALL[:3, :3].copy(), n)


@pytest.mark.parametrize("program", [written_to, written_to_later])
def test_loops_write_to_them(program: Callable[..., Any]) -> None:
    """They may be windows on other memory, and read-only."""
    for n in (1, 2, 3):
        check(program, TALL[:3, :3].copy(), n)


def test_a_loop_with_parts_is_captured() -> None:
    for program in (turned_by_parts, the_last_of_each):
        for one in check(program, TALL[:3, :3].copy(), 3, calls=3):
            assert_counts([one], bails=0, segments=1, breaks=0)
