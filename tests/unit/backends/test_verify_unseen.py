"""verify=True: nothing of the check can be seen, and the option that turns it on."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from falsifying import computing, substituting
from oracle import check
from samples import sample

import framejit
from framejit.jit.ir.ops import FILL, UFUNC

FOUND = pytest.mark.counts("whether a kernel runs, and to its end")
TIMES_IS_PLUS = substituting(UFUNC, "ufunc", np.multiply, np.add)
X = np.arange(1.0, 6.0)
Register = Callable[..., str]


# ---- what is not seen ----------------------------------------------------------------------------


def verified(function: Any, backend: str) -> Any:
    """For oracle.check: the jitted function with every kernel compared."""
    return framejit.jit(function, backend=backend, verify=True)


def changes_objects(x: Any, log: list[Any]) -> Any:
    y = x * 2
    log.append(y)
    print(log[0][0])
    x[1:] = y[:-1]
    return np.random.random(2) + x[0], y


def overlapping(x: Any) -> Any:
    a, b = x[1:], x[:-1]
    a += b
    x[::2] *= a[0]
    return a, b


def warns(x: Any) -> Any:
    y = 1 / (x - x)
    return np.log(-x) + y


def fails_midway(x: Any) -> Any:
    y = np.empty(4)
    for k in range(9):
        x[0] = k
        y[k] = x[k]
    return y


def grows(x: Any, n: int) -> Any:
    made, k = [], 2
    for _ in range(n):
        k = k * k
        made.append(x[0] + 1)
    return k, made


def by_arrays(x: Any) -> Any:
    x[x > 2] = 0
    y = x[np.array([1, 0])]
    y.sort()
    return y, np.split(x, 5), np.median(x)


SEEN: dict[Callable[..., Any], tuple[Any, ...]] = {
    changes_objects: ([],),
    overlapping: (),
    warns: (),
    fails_midway: (),
    by_arrays: (),
}


@pytest.mark.parametrize("function", SEEN)
def test_nothing_is_done_twice(function: Any) -> None:
    """Effects, warnings, exceptions and the stream of random numbers are eager's."""
    check(function, sample("f8"), *SEEN[function], jit=verified, backends=["numba"])


def test_big_ints() -> None:
    """A launch that bails is not judged."""
    check(grows, sample("f8"), 9, jit=verified, backends=["numba"])


@FOUND
def test_memory_that_nobody_has_filled(register: Register) -> None:
    """It may hold anything, and what is made of it too."""

    def f(x: Any) -> Any:
        y = np.empty(3)
        y[0] = x[0]
        return y, y * 2, np.empty_like(x) + 1

    def garbage(attrs: Any, *dims: Any) -> Any:
        return np.full(dims, 7.0)

    jitted = framejit.jit(f, backend=register(computing(FILL, garbage)), verify=True)
    assert jitted(X)[0].tolist() == [1.0, 7.0, 7.0]


@pytest.mark.parametrize("by", ["array", "list"])
def test_a_loop_that_others_end(by: str) -> None:
    """The copies do not change, and so the comparison ends where it begins to wait."""

    def wait(flag: Any, x: Any) -> Any:
        n = 0
        while flag[0] == 0 and n < 2**50:
            n += 1
        return x + flag[0]

    flag: Any = np.zeros(1) if by == "array" else [0.0]
    jitted = verified(wait, "numba")
    flag[0] = 1.0
    jitted(flag, X)
    flag[0] = 0.0
    timer = threading.Timer(0.3, flag.__setitem__, (0, 1.0))
    timer.start()
    assert jitted(flag, X).tolist() == (X + 1).tolist()
    timer.join()


# ---- the option ----------------------------------------------------------------------------------


@FOUND
def test_the_option_of_a_context(register: Register) -> None:
    """Entries with and without are kept apart."""
    jitted = framejit.jit(lambda x: x * 3, backend=register(TIMES_IS_PLUS))
    assert jitted(X).tolist() == (X + 3).tolist()
    with framejit.config(verify=True), pytest.raises(framejit.VerifyError):
        jitted(X)
    assert jitted(X).tolist() == (X + 3).tolist()


def test_the_variable() -> None:
    """FRAMEJIT_VERIFY holds for the process."""
    code = "from framejit.jit.config import DEFAULT; print(DEFAULT.verify)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "FRAMEJIT_VERIFY": "1"},
    )

    assert done.stdout == "True\n"
