"""Pruning: what stays of the graphs of some programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

X = np.arange(6.0)

pytestmark = pytest.mark.counts("which segments there are")


def graph_of(program: Callable[..., Any], *args: Any) -> list[str]:
    """The lines of its graph, without numbers of values."""
    jitted = framejit.jit(program, backend="numpy")
    assert jitted(*args) == program(*args)
    return [line.strip() for line in jitted.inspect("graph").splitlines()]


def outputs(line: str) -> int:
    """Return the number of results of a node."""
    return line.partition(" = ")[0].count("%") if " = " in line else 0


def loops(lines: list[str]) -> list[int]:
    """The results of each loop."""
    return [outputs(line) for line in lines if "for(" in line or "loop(" in line]


def test_variables_of_loops() -> None:
    """Nobody asks for the last index, nor for what an iteration computes on its way."""

    def total(x: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            for j in range(3):
                t = x[i] * j
                s += t
        return s

    assert all(n <= 3 for n in loops(graph_of(total, X)))  # `s` of each kind, and which it is


def test_what_is_asked_for_behind_the_loop() -> None:
    """It stays, with what it is made from."""

    def last(n: Any) -> Any:
        k = m = 0
        for i in range(n):
            m = k
            k = i * 2
        return m

    lines = graph_of(last, 7)
    assert loops(lines) == [2]  # the last index is none of them
    assert sum(line.startswith("continue(") and line.count("%") == 2 for line in lines) == 1


def test_a_dead_branch_goes() -> None:
    """Its condition too, where nothing else needs that; what may raise stays."""

    def keeps(n: Any, x: Any) -> Any:
        s = 0
        for i in range(n):
            if i % 2:
                unused = i + 1  # noqa: F841
            s += i
        return s + x[n]

    lines = graph_of(keeps, 4, X)
    branches = [k for k, line in enumerate(lines) if line.startswith("if(") or " = if(" in line]
    assert all("halted(" in lines[k - 1] for k in branches)
    assert any("mod" in line for line in lines)  # may raise
    assert any("element(" in line for line in lines)


def test_bigger_ints_that_nobody_reads() -> None:
    """No bail, since eager's big int goes nowhere."""

    def grows(n: Any) -> Any:
        power = 1
        count = 0
        for _ in range(n):
            power = power * 3
            count += 1
        return count

    assert not any("mul" in line for line in graph_of(grows, 500))


def test_what_warns_stays() -> None:
    """`~` of a bool is deprecated, whether somebody reads it or not."""

    def inverts(n: Any) -> Any:
        s = 0
        for i in range(n):
            unused = ~(i > 2)  # noqa: F841
            s += i
        return s

    check(inverts, 5)


def test_ends_of_a_loop_with_a_break() -> None:
    """The number that says where it ended is always needed."""

    def finds(x: Any) -> Any:
        place = -1
        for i in range(len(x)):
            if x[i] > 3:
                place = i
                break
        else:
            place = -2
        return place

    assert len(loops(graph_of(finds, X))) == 1
