"""compile="auto" beside other options, and what the report says of compiles under way."""

from __future__ import annotations

from typing import Any

import pytest
from held_up import SECONDS, Compiler, X, later, told, whole

from framejit import config, jit, wait_for_compiles

pytestmark = pytest.mark.counts("who answered: kernels or plain Python")


# ---- options -------------------------------------------------------------------------------------


def test_the_option_of_a_context(held: Compiler) -> None:
    """As for other options: the context says it."""

    def f(x: Any) -> Any:
        return x * 3 - 4

    with config(compile="auto"):
        g = jit(f)
        g(X)
        assert held.begun.wait(SECONDS)
        (segment,) = told(g).segments
    assert segment.waits


def test_kernels_that_are_compared_with_numpy_are_compiled_now(compiler: Compiler) -> None:
    """Comparing takes longer than any compile."""
    f = later(whole, verify=True)
    f(X, 2)

    assert f.stats()["hits"] == 1


def test_other_backends_need_not_know(held: Compiler) -> None:
    """A backend may compile at once, as the one of NumPy does."""
    f = later(whole, "numpy")
    f(X, 2)

    assert f.stats()["hits"] == 1


# ---- reports -------------------------------------------------------------------------------------


def test_the_report_tells_of_it(held: Compiler) -> None:
    """It names compiles under way, then their time and the calls that plain Python served."""

    def f(x: Any) -> Any:
        return x * 5 - 6

    g = later(f)
    g(X)
    g(X)
    report = told(g)
    assert "plain Python answers while kernels are compiled" in str(report)
    (segment,) = report.segments
    assert segment.waits
    assert segment.notes[0].startswith("compiling in the background for ")
    assert segment.notes[0].endswith(" ms: plain Python answered 2 calls")
    held.opened.set()
    assert wait_for_compiles(SECONDS)

    g(X)
    (segment,) = told(g).segments
    assert not segment.waits
    assert segment.hits == 1
    assert segment.notes[0].startswith("compiled in the background in ")
    assert segment.notes[0].endswith(" plain Python answered 2 calls meanwhile")
