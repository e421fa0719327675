"""Loops around a cluster: short lines, lines that turn out to be one, memory used again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured
from sweep import numbers, sweep

from framejit.backends.numba import outlining


@pytest.mark.parametrize("columns", [2, 3, 10, 255, 256, 257, 511, 512, 513, 1030])
def test_lines_of_any_length(columns: int) -> None:
    """A row and a column against a matrix, with NumPy's loops on the blocks."""

    def f(x: Any, row: Any, column: Any) -> Any:
        shifted = np.exp(x * 0.01 - row) + column
        return shifted / np.tanh(column), np.where(shifted > row, np.log1p(shifted), column)

    args = []
    for rows in (2, 3, 51, 700):
        x = np.abs(numbers((rows, columns), "f4")).clip(0.1, 9)
        args.append((x, np.ones(columns, "f4"), np.ones((rows, 1), "f4")))
    stats = sweep(f, args)
    assert stats["captures"] == 1
    assert stats["hits"] == len(args)


def test_lines_that_follow_each_other() -> None:
    """Windows of an image: the last two axes are one line, whatever the sizes."""

    def f(x: Any) -> Any:
        return np.sqrt(x[:, 1:] * 2.0 + x[:, :-1]) + x[:, 1:]

    x = np.abs(numbers((9, 12, 3), "f8")).clip(0.1, 9)
    captured(f, x)
    sweep(f, [(x,), (x[:, ::2],), (x[::2],), (x[:, :, :2],), (x.transpose(1, 0, 2),)])


def test_lines_that_follow_each_other_backwards() -> None:
    """Negative steps do not follow."""
    x = np.abs(numbers((6, 7, 3), "f8")).clip(0.1, 9)
    sweep(lambda x, y: np.exp(x * 0.1) + y, [(x, x[::-1]), (x[::-1, ::-1], x), (x, x[:, :, ::-1])])


def test_memory_of_what_is_read_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result takes the memory of an operand only where nothing reads that operand any more."""
    monkeypatch.setattr(outlining, "FEWEST", 10**9)  # copies of variables have no lines, else

    def chain(x: Any, w: Any) -> Any:
        a = x @ w
        b = np.maximum(a + 1.0, 0.0)
        c = b @ w
        d = np.tanh(c) - b
        e = d @ w
        return e + d[::-1] + d

    def windows(x: Any, w: Any) -> Any:
        a = x @ w
        b = a[::-1] + a
        c = b @ w
        return c.T + c, (b @ w).T

    x, w = (np.nan_to_num(numbers((40, 40), "f8", seed), posinf=1, neginf=1) for seed in (1, 2))
    captured(chain, x, w)
    captured(windows, x, w)
    text = captured_text(chain, x, w)
    assert "in memory that is free" in text


def captured_text(function: Any, *args: Any) -> str:
    """The text of the kernel."""
    import framejit

    jitted = framejit.jit(function, backend="numba")
    jitted(*args)
    text: str = jitted.inspect("numba")
    return text


def test_memory_in_a_region() -> None:
    """Arrays that a loop carries change places; nothing else may stand in their memory."""

    def f(x: Any, w: Any, n: int) -> Any:
        total = np.zeros_like(x)
        for i in range(n):
            a = x @ w
            x = np.tanh(a) + i
            b = x @ w
            total = total + np.sqrt(np.abs(b)) - a
        return x, total

    x, w = (np.nan_to_num(numbers((12, 12), "f8", seed), posinf=1, neginf=1) for seed in (3, 4))
    captured(f, x, w, 7)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize(
    "f",
    [
        lambda x, y: np.exp(x) + np.exp(y.T),
        lambda x, y: np.sin(y.T) * 2 + x,
        lambda x, y: (np.exp(x) * 2, np.log(y.T) + x),
        lambda x, y: np.tanh(np.exp(y.T) + x),
        lambda x, y: np.exp(x + y.T) + np.sqrt(y.T) * np.log(y.T),
    ],
    ids=["sum", "product", "two", "nested", "mixed"],
)
def test_unlike_orders_of_memory(f: Any, dtype: str) -> None:
    """Each of NumPy's loops walks its operands in their own order, as in eager."""
    for shape in ((20, 30), (3, 700), (600, 5)):
        x = np.abs(numbers(shape, "f8")).clip(0.1, 5).astype(dtype)
        y = np.abs(numbers(shape[::-1], "f8", 1)).clip(0.1, 5).astype(dtype)
        captured(f, x, y)


def test_lines_of_one_element() -> None:
    """A line without a step of its own, several at a time, in NumPy's loops and in ours."""

    def columns(x: Any) -> Any:
        first, second = x[..., :1], x[..., 1:2]
        return (
            np.exp(first * 0.01),
            np.sin(second) + first,
            np.log(abs(first) + 1) * np.cos(x),
            np.exp(np.exp(second * 0.01) - first.astype("f4")),
            np.tanh(x[:1] * 0.5) + np.arctan(first),
        )

    for shape in ((4, 3), (1, 3), (700, 2), (3, 5, 2), (2, 1, 2), (600, 1, 3), (3, 700, 2)):
        x = np.arange(np.prod(shape), dtype=float).reshape(shape) * 0.01 - 1
        check(columns, x)
        check(columns, x[::-1])
        check(columns, np.asfortranarray(x))


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_lines_that_go_backward_beside_tables(dtype: str) -> None:
    """Eager copies them, so that `arctan2` and `power` take another path than for a line alone."""

    def both(x: Any, y: Any) -> Any:
        return np.arctan2(x, y), np.arctan2(y, x) + 1, np.power(y, x), x**y, np.hypot(x, y * 2)

    for n in (2, 9, 40, 700):
        x = np.abs(numbers((n,), "f8")).clip(0.1, 5).astype(dtype)
        y = np.abs(numbers((5, n), "f8", 1)).clip(0.1, 5).astype(dtype)
        for line in (x[::-1], x, np.repeat(x, 2)[::-2], np.repeat(x, 2)[::2]):
            check(both, line, y)
            check(both, line, np.asfortranarray(y))
            check(both, line, line)
            check(both, line, y[0])
            check(both, line[:5, None], y[: len(line[:5])])
