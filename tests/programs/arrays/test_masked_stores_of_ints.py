"""An int of Python's that a dtype has no room for is refused by a masked store, as by any other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check


def constant(b: Any, n: Any) -> Any:
    b[b > n] = -1
    return b


def of_a_copy(b: Any, n: Any) -> Any:
    c = b * 2
    c[b > n] = 300
    return c


def at_run_time(b: Any, n: Any) -> Any:
    b[b == 1] = n
    return b


@pytest.mark.parametrize("program", [constant, of_a_copy, at_run_time])
@pytest.mark.parametrize("dtype", ["u1", "i1", "u8", "i8", "f4"])
@pytest.mark.parametrize("n", [0, 4, -1, 300])
def test_the_int_is_refused_though_nothing_is_chosen(program: Any, dtype: str, n: int) -> None:
    """`np.where`, which the kernel computes, would wrap it."""
    check(program, np.ones(4, dtype), n)
