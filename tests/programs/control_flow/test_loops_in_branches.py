"""A loop that is left on one way and goes round on the other, with a loop in it that breaks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check_script


def told(value: Any) -> Any:
    print(value)
    return value * 0.5


def leaves(x: Any, n: int, tol: float) -> Any:
    for k in range(n):  # noqa: B007
        for i in range(3):
            x[i] = told(x[i])
        new = told(x[0])
        if new == 0 or new < tol:
            break
    return k


def leaves_later(x: Any, n: int, tol: float) -> Any:
    rate = None
    for k in range(n):  # noqa: B007
        for i in range(3):
            x[i] = told(x[i])
        new = told(x[0])
        if new == 0 or (rate is not None and rate < tol):
            break
        rate = new
    return k, rate


@pytest.mark.parametrize("program", [leaves, leaves_later])
def test_the_inner_loop_breaks(program: Any) -> None:
    """It is gone back to before that loop, not to before the branch."""

    def script(jit: Any) -> Any:
        f = jit(program)
        seen = []
        for n, tol in ((6, 0.1), (6, 1e-3), (4, 10.0), (6, 0.1)):
            for x in (np.linspace(1, 2, 3), np.zeros(3)):
                seen.append((f(x, n, tol), x))
        return seen

    check_script(script, backends=["numpy"])
