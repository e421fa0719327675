"""compile="auto": eager answers until a thread has compiled the kernel."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from held_up import SECONDS, Compiler, X, breaking, calling, later, looping, raising, warning, whole
from oracle import check

from framejit import wait_for_compiles

pytestmark = pytest.mark.counts("who answered: kernels or plain Python")


PROGRAMS = [whole, breaking, looping, warning, raising, calling]


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers_before_it_is_ready(program: Any, held: Compiler) -> None:
    """Nothing is compiled at all."""
    check(program, X, 2, calls=4, jit=later, backends=["numba"])


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers_when_it_is_ready(program: Any, compiler: Compiler) -> None:
    """Each call finds the kernels that the ones before have asked for."""

    def wait(result: Any) -> Any:
        assert wait_for_compiles(SECONDS)
        return result

    check(program, X, 2, calls=5, jit=later, backends=["numba", "numpy"], use=wait)


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers_while_it_becomes_ready(program: Any, compiler: Compiler) -> None:
    """The kernel may come at any time."""
    check(program, X, 2, calls=30, jit=later, backends=["numba"], filters=["always"])


def test_the_first_call_does_not_wait(held: Compiler) -> None:
    """Plain Python answers while the compiler is at work, and the kernel from then on."""
    f = later(whole)
    for _ in range(3):
        assert f(X, 2).tobytes() == whole(X, 2).tobytes()
    assert held.begun.wait(SECONDS)
    assert f.stats()["hits"] == 0
    assert not wait_for_compiles(0.01)
    held.opened.set()
    assert wait_for_compiles(SECONDS)
    assert f(X, 2).tobytes() == whole(X, 2).tobytes()

    stats = f.stats()
    assert (stats["hits"], stats["eager_calls"], stats["captures"]) == (1, 3, 1)
    assert len(held.texts) == 1


def test_segments_between_breaks(held: Compiler) -> None:
    """Each of them is asked for once; loops do not give up on them while they wait."""

    def f(x: Any, n: int) -> Any:
        for k in range(n):
            x = x * 2 - k
            print(end="")
        return x + 1

    g = later(f)
    assert g(X, 600).tobytes() == f(X, 600).tobytes()
    held.opened.set()
    assert wait_for_compiles(SECONDS)
    g(X, 600)
    before = g.stats()["launches"]
    g(X, 600)

    assert g.stats()["launches"] - before >= 600


def test_another_dtype_is_another_kernel(held: Compiler) -> None:
    """Guards select among the waiting entries."""
    f = later(whole)
    for dtype in ("f8", "f4", "f8", "f4"):
        f(X.astype(dtype), 2)
    assert f.stats()["captures"] == 2
    held.opened.set()
    assert wait_for_compiles(SECONDS)

    assert f(X.astype("f4"), 2).dtype == "f4"
    assert f.stats()["hits"] == 1


def test_warnings_wait_too(compiler: Compiler) -> None:
    """The first bail asks for a kernel that keeps warnings apart; eager warns until it is there."""

    def f(x: Any) -> Any:
        return 1 / x

    g = later(f)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        g(np.zeros(3))
        assert wait_for_compiles(SECONDS)
        compiler.opened.clear()
        for _ in range(40):
            g(np.zeros(3))
        assert g.stats()["bails"] == 1
        compiler.opened.set()
        assert wait_for_compiles(SECONDS)
        hits = g.stats()["hits"]
        g(np.zeros(3))

    assert g.stats()["hits"] == hits + 1
