"""`u[1:-1] += v` stores the window that it has changed where it stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check, check_script

U = np.random.default_rng(0).random((12, 9))


def _step(u: Any) -> Any:
    u[1:-1, 1:-1] += 0.1 * (u[:-2, 1:-1] + u[2:, 1:-1] - 2 * u[1:-1, 1:-1])
    return u


def _again(u: Any) -> Any:
    window = u[2:, ::2]
    u[2:, ::2] = window
    return u, window


def _another(u: Any) -> Any:
    u[1:] = u[:-1]
    u[:, 1:3] = u[:, 2:4]
    u[:, ::-1] = u
    return u


def _by_number(u: Any, k: int) -> Any:
    row = u[k]
    row *= 2
    u[k] = row
    u[k, 1] += 1
    return u


CASES = [(one, dtype) for one in (_again, _another) for dtype in ("float64", "float32", "int32")]


@pytest.mark.parametrize(("program", "dtype"), [*CASES, (_step, "float64"), (_step, "float32")])
def test_windows(program: Any, dtype: str) -> None:
    u = (U * 10).astype(dtype)
    check(program, u)
    check(program, u.T)
    check(program, u[:0])


def test_rows_by_number() -> None:
    check(_by_number, U, 3)
    check(_by_number, U, -1)


def test_a_window_of_what_is_read_only() -> None:
    """Eager refuses the store of a window into itself, too."""

    def script(jit: Any) -> Any:
        u = U.copy()
        u.flags.writeable = False
        jitted = jit(_again)
        try:
            jitted(u)
        except ValueError as error:
            return str(error)

    check_script(script, calls=2)
