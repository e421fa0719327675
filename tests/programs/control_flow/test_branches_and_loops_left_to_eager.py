"""Branches and loops that raise, warn, overflow or print: eager goes on where the kernel cannot."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Program

X = np.arange(6.0)


def raises_on_one_way(x: Any) -> Any:
    s = x.sum()
    if s < 0:
        raise ValueError(f"negative: {s}")
    return x * s


def index_error_in_the_middle(x: Any, n: Any) -> Any:
    for i in range(n):
        x[i] = x[i] * 2
        x[i + 1] += 1
    return x


def division_by_zero(x: Any, n: Any) -> Any:
    for i in range(len(x)):
        x[i] = x[i] + 1 / (n - i)
    return x


def unbound(x: Any, n: Any) -> Any:
    for i in range(n):
        y = x * i
    return y


def bigger_than_64_bits(x: Any, n: Any) -> Any:
    p = 1
    for _ in range(n):
        p *= 3
    return x[:1], p


def warns_in_the_middle(x: Any) -> Any:
    for i in range(len(x)):
        x[i] = 1 / x[i]
    return x


def warns_for_what_nobody_reads(x: Any) -> Any:
    n = 0
    for i in range(len(x)):
        t = x[i] * 1e308
        u = x[i] - x[i]
        if i == 1:
            n += int(t > 0)
    return n, u


def warns_on_the_way_to_a_break(x: Any) -> Any:
    for i in range(len(x)):
        t = 1 / x[i]
        if i == 3:
            break
    return t


def waits_for_a_thread(x: Any) -> Any:
    def other() -> None:
        x[0] = 7

    thread = threading.Timer(0.05, other)
    thread.start()
    while x[0] != 7:
        pass
    thread.join()
    return x * 2


def prints_on_one_way(x: Any, n: Any) -> Any:
    for i in range(n):
        x = x + i
        if i == 2:
            print(i, x)
    return x * 2


@pytest.mark.parametrize(
    ("program", "calls"),
    [
        (raises_on_one_way, [(X,), (-X,)]),
        (index_error_in_the_middle, [(X, 5), (X, 6), (X, 9)]),
        (division_by_zero, [(X, 9), (X, 3)]),
        (unbound, [(X, 2), (X, 0)]),
        (bigger_than_64_bits, [(X, 5), (X, 50)]),
        (warns_in_the_middle, [(X + 1,), (X,)]),
        (warns_for_what_nobody_reads, [(X,), (X + 5,)]),
        (warns_on_the_way_to_a_break, [(X,), (X + 1,)]),
        (waits_for_a_thread, [(X,)]),
        (prints_on_one_way, [(X, 2), (X, 4)]),
    ],
)
def test_eager_goes_on(program: Program, calls: Iterable[tuple[Any, ...]]) -> None:
    """Eager goes on from its own state, with no effect of the kernel."""
    for args in calls:
        check(program, *args, calls=3)
