"""Variables that some paths leave unbound: who has read one knows that it is bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check


def told(number: Any) -> Any:
    print(number)
    return number


def sizes(mode: int, n: int) -> Any:
    mode = told(mode)
    if mode == 24:
        size = 10 * n
    elif mode == 21:
        size = 9 * n
    other = 20 + n
    first = np.zeros(size)
    second = np.zeros(other)
    print(second.size)
    return first, second


def of_three_kinds(mode: int, n: int) -> Any:
    mode = told(mode)
    if mode == 24:
        size = 10 * n
    elif mode == 21:
        size = np.arange(n)
    elif mode == 11:
        size = 1.5 * n
    total = size + 1
    print(mode)
    return total, size


@pytest.mark.parametrize("program", [sizes, of_three_kinds])
def test_an_exit_behind_the_read(program: Any) -> None:
    """It stores the variable, and has no way on which there is none."""
    for mode in (24, 21, 11, 10):
        check(program, mode, 3, backends=["numpy"])


def read_and_bound_anew(a: Any) -> Any:
    for _ in a:
        y = a
    x = y.T
    for _ in a:
        y = a + x
        x = y[1:]
    return x, y


def test_a_way_out_behind_the_place_where_it_was_read() -> None:
    """The second iteration is refused: eager goes on there, and by then the variable is bound."""
    check(read_and_bound_anew, np.ones((3, 3)))
