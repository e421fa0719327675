"""Programs of which each step is a call."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from framejit import capture, config, disable, graph_break, jit
from leaking.arrays import GIVEN, X, Y
from leaking.slopes import Step

CALLS: dict[str, Callable[[str], Step]] = {}
"""Each makes, for a backend, a step: step(k) is one call of the program."""


def calls(make: Callable[[str], Step]) -> Callable[[str], Step]:
    CALLS[make.__name__.replace("_", " ")] = make
    return make


@calls
def hits(backend: str) -> Step:
    f = jit(lambda x, y: x * y + 1, backend=backend)
    return lambda k: f(X, Y)


@calls
def keywords_and_defaults(backend: str) -> Step:
    def f(x: Any, *, y: Any = Y, scale: float = 2.0) -> Any:
        return x * y * scale

    f = jit(f, backend=backend)
    return lambda k: f(X, scale=k * 0.5)


@calls
def stars(backend: str) -> Step:
    def f(*args: Any, **kwargs: Any) -> Any:
        return args[0] * kwargs["y"] + 1

    f = jit(f, backend=backend)
    return lambda k: f(X, y=Y)


@calls
def alternating_misses(backend: str) -> Step:
    """More types than there are entries, in turn."""
    f = jit(lambda x, y: x + y, backend=backend)
    return lambda k: f(GIVEN[k % len(GIVEN)], GIVEN[k % len(GIVEN)])


@calls
def wrong_arguments(backend: str) -> Step:
    f = jit(lambda x, y: x + y, backend=backend)
    f(X, Y)

    def step(k: int) -> None:
        with contextlib.suppress(TypeError):
            f(X, z=Y)

    return step


@calls
def breaks(backend: str) -> Step:
    def f(x: Any, y: Any) -> Any:
        z = x * y
        graph_break()
        for k in range(2):
            z = z + k
            graph_break()
        return z - y

    f = jit(f, backend=backend)
    return lambda k: f(X, Y)


@calls
def exits(backend: str) -> Step:
    def f(x: Any) -> Any:
        y = x * 2
        if y[0] > 3:
            return y - 1
        while y[1] < 9:
            y = y + x
            if y[2] > 20:
                break
        return y

    f = jit(f, backend=backend)
    given = [np.full(3, v) for v in (1.0, 2.0, 5.0)]
    return lambda k: f(given[k % 3])


@calls
def exceptions(backend: str) -> Step:
    def f(x: Any, k: int) -> Any:
        y = x * 2
        try:
            if k % 2:
                raise KeyError(k)
            return y[k + 100]
        finally:
            x = y + 1

    f = jit(f, backend=backend)

    def step(k: int) -> None:
        with contextlib.suppress(KeyError, IndexError):
            f(X, k)

    return step


@calls
def bails(backend: str) -> Step:
    f = jit(lambda x, k: (x * 2 + 1)[k] + x, backend=backend)

    def step(k: int) -> None:
        with contextlib.suppress(IndexError):
            f(X, 10 if k % 2 else 3)

    return step


@calls
def warnings_of_flags(backend: str) -> Step:
    f = jit(lambda x, y: x / y + 1, backend=backend)
    zero = np.zeros(6)

    def step(k: int) -> None:
        if k % 3 == 2:
            with contextlib.suppress(FloatingPointError), np.errstate(divide="raise"):
                f(X + 1, zero)
        else:
            f(X, zero)

    return step


@calls
def generators(backend: str) -> Step:
    def f(x: Any) -> Any:
        for k in range(3):
            yield x * k + 1

    f = jit(f, backend=backend)

    def step(k: int) -> None:
        made = f(X)
        if k % 3 == 0:
            next(made)
        elif k % 3 == 1:
            list(made)
        else:
            next(made)
            made.close()

    return step


@calls
def coroutines(backend: str) -> Step:
    async def f(x: Any) -> Any:
        y = x * 2
        await asyncio.sleep(0)
        return y + 1

    f = jit(f, backend=backend)

    def step(k: int) -> None:
        made = f(X)
        made.send(None)
        with contextlib.suppress(StopIteration):
            made.send(None)

    return step


@calls
def short_lived_objects(backend: str) -> Step:
    class Point:
        def __init__(self, x: Any) -> None:
            self.x = x

        def moved(self, by: float) -> Any:
            return Point(self.x * 2 + by)

        def length(self) -> Any:
            return (self.x * self.x).sum()

    moved = Point.moved
    Point.moved = jit(moved, backend=backend)
    Point.length = jit(Point.length, backend=backend)
    return lambda k: Point(X).moved(1.5).length()


@calls
def containers(backend: str) -> Step:
    def f(x: Any, into: Any) -> Any:
        into.append(x * 2)
        found = {"a": x + 1, "b": [x, x * 3]}
        found["c"] = tuple(found["b"])
        into[0] = found
        return found, [y + 1 for y in found["b"]]

    f = jit(f, backend=backend)
    return lambda k: f(X, [None])


@calls
def views_and_writes(backend: str) -> Step:
    def f(x: Any) -> Any:
        y = x[1:4]
        y[...] = y * 1.0
        x += 0
        return y.T, x[::2]

    f = jit(f, backend=backend)
    own = X.copy()
    return lambda k: f(own)


@calls
def opaque_calls(backend: str) -> Step:
    f = jit(lambda x: np.median(np.concatenate([x, x + 1])) + np.sort(x), backend=backend)
    return lambda k: f(X)


@calls
def closures_in_calls(backend: str) -> Step:
    def f(x: Any, k: float) -> Any:
        def inner(y: Any) -> Any:
            return y * k + x

        return inner, inner(x)

    f = jit(f, backend=backend)
    return lambda k: f(X, 2.0)[0](X)


@calls
def recursion(backend: str) -> Step:
    def f(x: Any, n: int) -> Any:
        return x if n == 0 else f(x + 1, n - 1) * 2

    f = jit(f, backend=backend)
    return lambda k: f(X, 12)


@calls
def options(backend: str) -> Step:
    f = jit(lambda x: x * 2 + 1)

    def step(k: int) -> None:
        with config(backend=backend):
            f(X)
        with disable():
            f(X)

    return step


@calls
def caught_lambdas(backend: str) -> Step:
    """Under capture(): each call makes a function, of which the first are captured."""

    def made(x: Any, k: int) -> Any:
        return (lambda y: y * k + x)(x)

    def step(k: int) -> None:
        with config(backend=backend), capture():
            made(X, 3)

    return step


@calls
def dispatchers_dropped(backend: str) -> Step:
    """Decorated and never called."""

    def f(x: Any) -> Any:
        return x * 2

    return lambda k: jit(f, backend=backend)
