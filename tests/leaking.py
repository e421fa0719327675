"""Programs that call and capture again and again, and what each leaves behind."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from framejit import capture, config, disable, explain, graph_break, jit

Step = Callable[[int], Any]
X = np.arange(6.0)
Y = X[::-1].copy()
KINDS = ("f8", "f4", "i8", "i4", "c16", "?", "u1")
GIVEN = [np.ones(3, kind) for kind in KINDS] + [np.ones((2, 2), kind) for kind in KINDS]

CALLS: dict[str, Callable[[str], Step]] = {}
"""Each makes, for a backend, a step: step(k) is one call of the program."""
CAPTURES: dict[str, Callable[[str], Step]] = {}
"""The same for programs of which each step captures anew."""


def calls(make: Callable[[str], Step]) -> Callable[[str], Step]:
    CALLS[make.__name__.replace("_", " ")] = make
    return make


def captures(make: Callable[[str], Step]) -> Callable[[str], Step]:
    CAPTURES[make.__name__.replace("_", " ")] = make
    return make


# ---- calls -------------------------------------------------------------------------------------


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


# ---- captures ------------------------------------------------------------------------------------


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


# ---- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slope:
    """What is left of one step, on average over each of some windows."""

    blocks: list[float]
    """Allocated blocks."""
    bytes: list[float]
    """Of resident memory."""
    kinds: dict[str, int]
    """Objects that the collector knows, in all windows together, by type."""
    references: list[float]
    """Reference counts of a debug build; else nothing."""


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def _kinds() -> Counter[str]:
    return Counter(type(one).__qualname__ for one in gc.get_objects())


def _now() -> tuple[int, int, int]:
    for _ in range(3):
        gc.collect()
    return sys.getallocatedblocks(), resident(), getattr(sys, "gettotalrefcount", int)()


def slope(step: Step, number: int, windows: int = 3, warm: int | None = None) -> Slope:
    """Runs windows of `number` steps each and looks at what they leave."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(number if warm is None else warm):
            step(k)
        kinds = _kinds()
        found = [_now()]
        for _ in range(windows):
            for k in range(number):
                step(k)
            found.append(_now())
        left = _kinds() - kinds
    steps = [
        [(after - before) / number for before, after in zip(*pair, strict=True)]
        for pair in itertools.pairwise(found)
    ]
    blocks, size, references = (list(column) for column in zip(*steps, strict=True))
    left.subtract(Counter(list=3, tuple=3))
    return Slope(blocks, size, dict(+left), references)
