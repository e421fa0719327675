"""Programs of which each step captures anew."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from framejit import capture, config, explain, graph_break, jit
from leaking.arrays import GIVEN, X
from leaking.slopes import Step

CAPTURES: dict[str, Callable[[str], Step]] = {}
"""Each makes, for a backend, a step: step(k) is one capture of the program."""


def captures(make: Callable[[str], Step]) -> Callable[[str], Step]:
    CAPTURES[make.__name__.replace("_", " ")] = make
    return make


def _new(source: str, name: str = "f") -> Any:
    space: dict[str, Any] = {"np": np, "graph_break": graph_break, "X": X}
    exec(compile(source, "<leaking>", "exec"), space)
    return space[name]


@captures
def new_functions(backend: str) -> Step:
    def step(k: int) -> None:
        f = jit(_new(f"def f(x): return x * {k}.5 + 1"), backend=backend)
        f(X)
        f(X)

    return step


@captures
def new_functions_with_breaks(backend: str) -> Step:
    source = "def f(x):\n for k in range(2):\n  x = x * {}.5 + k\n  graph_break()\n return x + 1"

    def step(k: int) -> None:
        f = jit(_new(source.format(k)), backend=backend)
        f(X)
        f(X)

    return step


@captures
def new_closures(backend: str) -> Step:
    def make(k: float) -> Any:
        held = np.full(6, k)
        return jit(lambda x: x * held + k, backend=backend)

    return lambda k: make(k + 0.5)(X)


@captures
def new_classes(backend: str) -> Step:
    source = (
        "class C:\n def __init__(self, x): self.x = x\n"
        " def f(self, y):\n  self.z = self.x * y\n  return self.z + 1\n"
    )

    def step(k: int) -> None:
        kind = _new(source, "C")
        kind.f = jit(kind.f, backend=backend)
        c = kind(X)
        c.f(X)
        c.f(X)

    return step


@captures
def new_generators(backend: str) -> Step:
    source = "def f(x):\n y = x * {}.5 + 1\n yield y\n z = y * 2\n yield z + x\n"

    def step(k: int) -> None:
        list(jit(_new(source.format(k)), backend=backend)(X))

    return step


@captures
def new_functions_that_raise(backend: str) -> Step:
    source = "def f(x):\n y = x * {}.5\n if y[0] == 0: raise KeyError(y)\n return y\n"

    def step(k: int) -> None:
        f = jit(_new(source.format(k)), backend=backend)
        for _ in range(2):
            with contextlib.suppress(KeyError):
                f(X)

    return step


@captures
def new_shapes_up_to_the_limit(backend: str) -> Step:
    """The same function; then it is dropped and a new dispatcher is made of it."""

    def f(x: Any, y: Any) -> Any:
        return x * y + 1

    state: dict[str, Any] = {}

    def step(k: int) -> None:
        if k % len(GIVEN) == 0:
            state["f"] = jit(f, backend=backend)
        one = GIVEN[k % len(GIVEN)]
        state["f"](one, one)

    return step


@captures
def new_functions_caught(backend: str) -> Step:
    def step(k: int) -> None:
        with config(backend=backend), capture():
            f = _new(f"def f(x): return x * {k}.5 + 1")
            f(X)
            f(X)

    return step


@captures
def new_functions_explained(backend: str) -> Step:
    def step(k: int) -> None:
        with config(backend=backend):
            str(explain(_new(f"def f(x):\n y = x * {k}.5\n print(end='')\n return y + 1"))(X))

    return step


@captures
def new_functions_that_cannot(backend: str) -> Step:
    """Nothing to capture, or nothing that can be."""

    def step(k: int) -> None:
        f = jit(_new(f"def f(x):\n import os\n return str(x) + '{k}'"), backend=backend)
        f(X)
        f(X)

    return step
