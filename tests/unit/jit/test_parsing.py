"""Text is parsed while the garbage collector runs code that parses, too."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from oracle import check

from framejit import jit
from framejit.jit.parsing import parse


@pytest.fixture
def parsing_collections() -> Iterator[list[str]]:
    """A collection after every few objects, each of which parses; notes its phases."""
    phases: list[str] = []

    def note(phase: str, _: dict[str, int]) -> None:
        phases.append(phase)
        ast.parse("x + 1")

    before = gc.get_threshold()
    gc.callbacks.append(note)
    gc.set_threshold(5)
    yield phases
    gc.set_threshold(*before)
    gc.callbacks.remove(note)


def lengths(x: Any, y: Any) -> Any:
    """A kernel that nothing else compiles."""
    return np.sqrt(x * x + y * y) - 0.8125 * np.arctan(x - y)


def test_kernels_are_made(request: pytest.FixtureRequest) -> None:
    """On CPython 3.11.7 the second parse made the first one fail, and the kernel was lost."""
    jit(lambda x: x + 1, compile="now", cache=False, backend="numba")(np.ones(3))  # imports all
    phases = request.getfixturevalue("parsing_collections")
    x = np.linspace(0.5, 2.5, 7)
    [function] = check(lengths, x, x[::-1], backends=["numba"])

    assert phases
    assert function.stats()["hits"] >= 1


@pytest.mark.parametrize("is_on", [True, False])
def test_collection_is_as_before(is_on: bool) -> None:
    """An error changes nothing either."""
    (gc.enable if is_on else gc.disable)()
    try:
        assert isinstance(parse("a + b", "eval").body, ast.BinOp)
        with pytest.raises(SyntaxError):
            parse("a +")
        assert gc.isenabled() == is_on
    finally:
        gc.enable()
