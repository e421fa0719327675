"""RecursionError comes where it comes in eager, and a raised limit ends no process.

`tests/campaigns/depths.py` prints the depths of all programs, one process each, at any limit.
"""

from __future__ import annotations

import sys

import pytest
from recursing import PROGRAMS, depths

FIRST = 1
"""In its first round code is not specialised yet, which on 3.11 takes levels of its own."""

INLINED = ("plain", "keywords", "mutual", "every other", "method", "comprehension", "caught")
"""Those in which the interpreter does not recurse in C, on all versions."""

UNLIMITED = sys.version_info >= (3, 14)
"""3.14 compares the depth with no limit where it inlines a property, until its stack of frames
needs a new chunk: plain Python, too, gets deeper than the limit, by where it begins."""


UNCOUNTED = sys.version_info[:2] == (3, 15)
"""3.15.2 counts no frame that `f(*args)` enters: a recursion by such calls takes all memory in
plain Python, and one with such calls gets deeper by a level of ours."""
PROGRAMS_WITH_A_LIMIT = [name for name in PROGRAMS if not (UNCOUNTED and name == "stars")]


def settled(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: reached[FIRST:] for name, reached in found.items()}


@pytest.fixture(scope="module")
def eager() -> dict[str, list[str]]:
    return settled(depths(PROGRAMS_WITH_A_LIMIT, "eager", 1000))


@pytest.mark.parametrize("way", ["jit", "capture"])
def test_the_limit_is_where_it_is_in_eager(eager: dict[str, list[str]], way: str) -> None:
    """For calls of every kind, through C too."""
    found = settled(depths(PROGRAMS_WITH_A_LIMIT, way, 1000))
    if found != eager:
        # The engine sets a context variable, and in one process of 32 NumPy's lookup of another
        # one is then a comparison: a level of recursion (docs/decisions/dispatch.md).
        found = settled(depths(PROGRAMS_WITH_A_LIMIT, way, 1000))
    if sys.version_info[:2] == (3, 12) and way == "capture":
        # The engine's guess at what called the outermost frame: a level of C more or less.
        assert abs(int(found["map"][0]) - int(eager["map"][0])) <= 1
        found["map"] = eager["map"]
    if UNLIMITED:
        for reached in (found["property"], eager["property"]):
            assert all(990 <= int(depth) <= 2000 for depth in reached)
        found["property"] = eager["property"]

    if UNCOUNTED:
        pairs = zip(found["wrapped"], eager["wrapped"], strict=True)
        assert all(0 <= int(of_eager) - int(ours) <= 1 for ours, of_eager in pairs)
        found["wrapped"] = eager["wrapped"]

    assert found == eager


@pytest.mark.parametrize("way", ["jit", "capture"])
def test_a_raised_limit(way: str) -> None:
    """A recursion that does not recurse in C in eager gets as deep as it is allowed to."""
    found = depths(INLINED, way, 10_000, rounds=2)

    assert found == depths(INLINED, "eager", 10_000, rounds=2)


@pytest.mark.parametrize("way", ["jit", "numba"])
def test_a_thread_with_a_small_stack(way: str) -> None:
    """Captures, and compiles, where a thread has hardly stack enough for NumPy."""
    found = depths(["plain", "leaves", "quiet"], way, 900, stack=128 * 1024)

    assert found == depths(["plain", "leaves", "quiet"], "eager", 900, stack=128 * 1024)
