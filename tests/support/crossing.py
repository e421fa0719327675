"""Functions whose running loops go over into compiled code after some iterations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from framejit.frontends.bytecode.opening import open_gates
from framejit.frontends.support import start
from framejit.frontends.undecorated import gates, loading
from framejit.frontends.undecorated.caught import copied
from framejit.frontends.undecorated.inplace import manager_of
from framejit.jit import native

start()  # puts the options in force that captures are made with


def program(x: Any, n: int, at: Any = None) -> Any:
    for k in range(n):
        x = x * 1.01 + k
        if at is not None:
            at(k)
    return x


class Crossings:
    """Opens all gates, and lets frames go over from some visit of a loop on."""

    def __init__(self, iterations: Callable[[int], int]) -> None:
        self.iterations = iterations
        """The visit with which a loop is entered, by the offset of its header."""
        self.visits: Counter[int] = Counter()
        self.over = 0
        """Frames that were told to go over."""
        self.backends: dict[CodeType, str] = {}

    def jit(self, function: Any, backend: str) -> Any:
        """A function like this one, with gates that are open."""
        made = copied(function)
        code = self.gated(made.__code__)
        self.backends[made.__code__] = backend
        made.__code__ = code
        return made

    def gated(self, code: CodeType) -> CodeType:
        """The code with gates that are open, and that of its inner functions."""
        made = loading.with_gates(code)
        pending = [made]
        while pending:
            one = pending.pop()
            pending += (const for const in one.co_consts if isinstance(const, CodeType))
            open_gates(one)
        return made

    def crossed(self, function: FunctionType, code: CodeType, header: int) -> Any:
        """Answer an open gate: go over from the chosen iteration on."""
        self.visits[header] += 1
        if self.visits[header] < self.iterations(header):
            return None
        manager = manager_of(function)
        if manager is not None:
            manager.overrides["backend"] = self.backends.get(function.__code__, "numpy")
        found = gates.crossed(function, code, header)
        self.over += found is not None
        return found


@contextmanager
def crossings(iterations: Callable[[int], int] = lambda header: 4) -> Iterator[Crossings]:
    """Gates are there and ask."""
    made = Crossings(iterations)
    wanted, loading.gates_wanted = loading.gates_wanted, True
    native.set_crossed(made.crossed)
    try:
        yield made
    finally:
        loading.gates_wanted = wanted
        native.set_crossed(None)
