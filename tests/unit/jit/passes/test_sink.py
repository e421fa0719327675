"""Sinking: what is computed only on the way that needs it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit

X = np.array([1.0, -2.0, np.nan, 3.0, 2.0])


def lines_of(program: Any, *args: Any) -> list[str]:
    """Return the lines of its graph."""
    jitted = framejit.jit(program, backend="numpy")
    assert repr(jitted(*args)) == repr(program(*args))
    return jitted.inspect("graph").splitlines()


def depth(line: str) -> int:
    """Return the indentation of a line."""
    return len(line) - len(line.lstrip())


def greatest(x: Any) -> Any:
    best, where = 0.0, None
    for i in range(len(x)):
        here = max(0.0, x[i], x[i - 1])
        if here > best:
            best, where = here, i
    return best, where


def halves(x: Any, n: Any) -> Any:
    k = 0
    for i in range(n):
        half = i // 2
        small = half < 2
        if x[i] > 0:
            k += half
            if small:
                k += 1
    return k


def by_both(x: Any, n: Any) -> Any:
    k = 0
    for i in range(n):
        t = i * 3 - 1
        if x[i] > 0:
            k += t
        else:
            k -= t
    return k


def of_an_inner_loop(x: Any, n: Any) -> Any:
    k = 0
    for i in range(n):
        t = i * 3 - 1
        for j in range(2):
            k += t * j
    return k + int(x[0])


@pytest.mark.counts("which segments there are")
def test_the_kind_of_a_number() -> None:
    """The kind of `max`'s result is decided where the number is kept, and not in each iteration."""
    lines = lines_of(greatest, X)
    picks = [line for line in lines if "pick" in line]
    branch = next(line for line in lines if " if(" in line or line.lstrip().startswith("if("))
    assert picks
    assert all(depth(line) > depth(branch) for line in picks)


@pytest.mark.counts("which segments there are")
@pytest.mark.parametrize("program", [by_both, of_an_inner_loop])
def test_what_stays(program: Any) -> None:
    """Values that both branches need, and values that a loop would compute again and again."""
    lines = lines_of(program, X, 5)
    body = next(line for line in lines if "for(" in line)
    product = next(line for line in lines if "mul" in line)
    assert depth(product) <= depth(body) + 4


@pytest.mark.parametrize("program", [halves, by_both, of_an_inner_loop])
def test_answers(program: Any) -> None:
    """With zero iterations, and where an index is out of range on one way only."""
    for n in (0, 1, 5):
        check(program, X, n)
    check(program, X[:3], 5)


def test_the_answer_of_greatest() -> None:
    """NaN, zeros of both signs, no item."""
    for x in (X, -X, np.zeros(3), np.array([-0.0, 0.0]), X[:0]):
        check(greatest, x)
