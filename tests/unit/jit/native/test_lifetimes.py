"""Arguments, results and functions live as long as they are used and no longer."""

from __future__ import annotations

import contextlib
import gc
import sys
import tracemalloc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import framejit
from framejit import jit
from framejit.jit.counting import ASKED
from framejit.jit.native import Dispatcher, Entry, Segment

WHOLE = "def f(x, y=1.5):\n    return x * y + K"
BROKEN = "def f(x, y=1.5):\n    z = x * y + K\n    print(end='')\n    return z * 2 - x"
LOOP = "def f(x, y=1.5):\n  for k in range(3):\n    x = x * y + K\n    print(end='')\n  return x"
STAR = "def f(*a):\n    return a[0] * 2 + K"
OPAQUE = "def f(x, y=1.5):\n    return np.sort(x * y + K) * 2"
FAILS = "def f(x, y=1.5):\n    z = x * y + K\n    raise KeyError(z.shape)"
WRITES = "def f(x, y=1.5):\n    x[:] = x * y - x\n    return x"
GENERATOR = "def f(x, y=1.5):\n    z = x * y\n    yield z + K\n    yield z * 2"
CLOSURE = "def outer(c):\n    def f(x):\n        return x * c + K\n    return f\nf = outer(2.5)"
HOOKED = "def g(x):\n    return x * 3 + K\ndef f(x):\n    print(end='')\n    return g(x) * 2"
PROGRAMS = {
    "whole": WHOLE,
    "broken": BROKEN,
    "loop": LOOP,
    "star": STAR,
    "opaque": OPAQUE,
    "fails": FAILS,
    "writes": WRITES,
    "generator": GENERATOR,
    "closure": CLOSURE,
}
BACKENDS = ("numba", "numpy")


class Mark:
    """Something that can be referred to weakly."""


def function(source: str, **names: Any) -> Any:
    """The function f of a program, with a namespace of its own."""
    namespace: dict[str, Any] = {"np": np, "K": 0.25, **names}
    exec(source, namespace)
    return namespace["f"]


def use(f: Any, *args: Any) -> Any:
    """Calls, and runs a generator to its end; an exception is an answer."""
    with contextlib.suppress(KeyError):
        result = f(*args)
        return list(result) if hasattr(result, "send") else result


# ---- arguments and results -----------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_arguments_are_given_back(program: str, backend: str) -> None:
    """References to arguments, results, defaults, globals and the function are as before."""
    f = jit(function(PROGRAMS[program]), backend=backend)
    plain = f.__wrapped__
    x = np.arange(1.0, 5.0)
    floats = np.arange(1.0, 5.0, dtype="f4")
    for _ in range(3):
        use(f, x)
        use(f, floats)
    objects = (x, x.dtype, floats, plain.__defaults__, plain.__globals__["K"], plain, f)
    before = [sys.getrefcount(one) for one in objects]
    for _ in range(50):
        use(f, x)
        use(f, floats)
        with contextlib.suppress(TypeError):
            f(wrong=x)

    assert [sys.getrefcount(one) for one in objects] == before
    result = use(f, x)
    if program not in ("fails", "generator", "writes"):
        owners = sys.getrefcount(result)
        assert owners == 1 + ASKED


@pytest.mark.parametrize("backend", BACKENDS)
def test_arguments_are_given_back_by_bails_and_misses(backend: str) -> None:
    """Flags that are reported, types that no entry has, a cache that is full."""
    f = jit(function("def f(x, y):\n    return x / y + 1"), backend=backend)
    x, zero = np.arange(4.0), np.zeros(4)
    kinds = [np.arange(4).astype(kind) for kind in "bBhHiIlLfdFD"]
    kinds += [np.ones((2,) * n) for n in range(2, 10)]
    with np.errstate(all="raise"):
        for _ in range(3):
            for one in kinds:
                f(one, 3)
        before = [sys.getrefcount(one) for one in (x, zero, *kinds)]
        for _ in range(40):
            for one in kinds:
                f(one, 3)
            with pytest.raises(FloatingPointError):
                f(x, zero)

        assert [sys.getrefcount(one) for one in (x, zero, *kinds)] == before


# ---- memory --------------------------------------------------------------------------------------


def growth(action: Callable[[], Any], times: int) -> int:
    """Bytes that the second half of so many calls leaves behind."""
    tracemalloc.start()
    try:
        for _ in range(times // 2):
            action()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(times // 2):
            action()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("program", ["whole", "broken", "opaque", "fails"])
def test_memory_stays_flat_over_calls(program: str) -> None:
    """A hundred thousand calls leave nothing behind."""
    f = jit(function(PROGRAMS[program]))
    x = np.arange(4.0)

    assert growth(lambda: use(f, x), 100_000) < 4000


@pytest.mark.parametrize("program", ["whole", "broken", "closure", "star"])
def test_memory_stays_flat_over_functions(program: str) -> None:
    """Hundreds of functions that are captured, called and dropped leave nothing behind."""
    x = np.arange(4.0)

    def short() -> None:
        f = jit(function(PROGRAMS[program]), backend="numpy")
        use(f, x)
        use(f, x)

    # Each would leave some 10 000 bytes.
    assert growth(short, 1000 if program == "whole" else 400) < 50_000


# ---- functions -----------------------------------------------------------------------------------


def traces(f: Any) -> list[weakref.ref[Any]]:
    """The function, its code, its namespace's mark and its dispatcher."""
    plain = f.__wrapped__
    mark = plain.__globals__["mark"] = Mark()
    return [weakref.ref(one) for one in (plain, plain.__code__, mark, f)]


def alive(refs: list[weakref.ref[Any]]) -> list[bool]:
    """Tell for each reference if its object is alive after a collection."""
    gc.collect()
    return [ref() is not None for ref in refs]


def of_kind(*kinds: type) -> int:
    """Return the number of objects of these kinds."""
    return sum(isinstance(one, kinds) for one in gc.get_objects())


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_function_dies_with_all_it_holds(program: str, cyclic: bool, backend: str) -> None:
    """Entries, segments, rewritten code and the namespace go when the user drops the function."""
    gc.collect()
    before = of_kind(Entry, Dispatcher, Segment)
    f = jit(function(PROGRAMS[program]), backend=backend)
    refs = traces(f)
    if cyclic:
        f.__wrapped__.__globals__["f"] = f
    for _ in range(3):
        use(f, np.arange(4.0))
    assert of_kind(Entry, Dispatcher, Segment) > before
    del f

    assert alive(refs) == [False] * 4
    assert of_kind(Entry, Dispatcher, Segment) == before


def test_a_function_lives_while_it_runs() -> None:
    """The user drops it in the middle of a call that goes on in rewritten code."""
    holder: list[Any] = []

    def drop() -> None:
        holder.clear()
        gc.collect()

    holder.append(jit(function(BROKEN.replace("print(end='')", "drop()"), drop=drop)))
    refs = traces(holder[0])
    x = np.arange(4.0)

    assert holder[0](x).tolist() == ((x * 1.5 + 0.25) * 2 - x).tolist()
    assert alive(refs) == [False] * 4


def test_a_function_lives_while_its_generator_waits() -> None:
    """The rewritten code of a suspended frame still has its segments."""
    f = jit(function(GENERATOR))
    x = np.arange(4.0)
    use(f, x)
    refs = traces(f)
    waiting = f(x)
    first = next(waiting)
    del f
    gc.collect()
    rest = list(waiting)
    del waiting

    assert [first.tolist(), rest[0].tolist()] == [(x * 1.5 + 0.25).tolist(), (x * 3).tolist()]
    assert alive(refs) == [False] * 4


def test_old_versions_of_the_code_die() -> None:
    """New exits make new code; what ran before goes when its last frame ends."""
    f = jit(function("def f(x, n):\n  y = x + 1\n  print(end='')\n  return y * 2 if n > 0 else y"))
    x = np.arange(4.0)
    codes = []
    for n in (1, -1, 1, -1):
        f(x, n)
        codes.append(weakref.ref(f._fallback.__code__))
    newest = f._fallback.__code__
    gc.collect()

    assert {ref() for ref in codes} <= {None, newest}


def test_a_dropped_method_dies_with_its_class() -> None:
    """Jitted methods are found through the class alone."""

    def make() -> list[weakref.ref[Any]]:
        class Model:
            @jit
            def run(self, x: Any) -> Any:
                y = x * 2
                print(end="")
                return y + 1

        model = Model()
        for _ in range(3):
            model.run(np.arange(3.0))
        return [weakref.ref(Model), weakref.ref(model), weakref.ref(vars(Model)["run"])]

    assert alive(make()) == [False] * 3


# ---- called again --------------------------------------------------------------------------------


def test_a_finaliser_of_an_argument_calls_the_function() -> None:
    """It runs when the call has let go of the argument, and may call what is about to return."""
    died = []

    class Mortal(np.ndarray):  # type: ignore[type-arg]
        def __del__(self) -> None:
            died.append(f(np.ones(2)).tolist())

    for program in (WHOLE, BROKEN):
        f = jit(function(program))
        expected = f.__wrapped__(np.ones(2)).tolist()
        died.clear()
        for _ in range(3):
            f(np.ones(2).view(Mortal))
        del f.__wrapped__.__globals__["K"]
        f.__wrapped__.__globals__["K"] = 0.25
        assert died
        assert all(one == expected for one in died)


def test_a_replaced_global_dies_in_the_middle() -> None:
    """Its finaliser calls the function while an opaque call of that function runs."""
    results: list[Any] = []

    class Mortal:
        def __del__(self) -> None:
            results.append(f(x).tolist())

    def replace() -> None:
        f.__wrapped__.__globals__["mortal"] = None

    f = jit(function(BROKEN.replace("print(end='')", "replace()"), replace=replace))
    x = np.arange(3.0)
    expected = ((x * 1.5 + 0.25) * 2 - x).tolist()
    for _ in range(3):
        f.__wrapped__.__globals__["mortal"] = Mortal()
        results.append(f(x).tolist())

    assert results == [expected] * 6


def test_the_function_is_called_by_a_warning() -> None:
    """`showwarning` of the user calls the function that warns; the warnings are eager's."""
    import warnings

    def run(made: Any) -> tuple[list[str], list[Any]]:
        texts: list[str] = []
        results = []

        def show(message: Any, *_: Any, **__: Any) -> None:
            texts.append(str(message))
            if len(texts) < 4:
                results.append(made(x * 0, x).tolist())

        with warnings.catch_warnings(), np.errstate(all="warn"):
            warnings.simplefilter("always")
            warnings.showwarning = show
            for _ in range(4):
                results.append(made(x, x * 0).tolist())
        return texts, results

    x = np.arange(1.0, 4.0)
    source = "def f(x, y):\n    return x / y + 1"

    assert run(jit(function(source))) == run(function(source))


def test_a_subclass_calls_the_function_from_array_finalize() -> None:
    """It is eager's array; what it calls in the middle is jitted."""
    inner = []

    class Sub(np.ndarray):  # type: ignore[type-arg]
        def __array_finalize__(self, _: Any) -> None:
            if len(inner) < 6:
                inner.append(f(np.ones(2)).tolist())

    f = jit(function(WHOLE))
    result = [type(f(np.ones(3).view(Sub))) for _ in range(3)]

    assert result == [Sub] * 3
    assert inner == [[1.75, 1.75]] * 6


@contextlib.contextmanager
def _limit(depth: int) -> Iterator[None]:
    old = sys.getrecursionlimit()
    sys.setrecursionlimit(depth)
    try:
        yield
    finally:
        sys.setrecursionlimit(old)


@pytest.mark.parametrize("stop", [50, None])
def test_recursion(stop: int | None) -> None:
    """A jitted function may call itself; without an end it is a RecursionError."""
    source = (
        "def f(x, n):\n    y = x + 1\n    print(end='')\n    return y if n == 0 else f(y, n - 1)"
    )
    f = jit(function(source))
    f.__wrapped__.__globals__["f"] = f
    x = np.zeros(2)
    if stop is not None:
        assert f(x, stop).tolist() == [stop + 1] * 2
        return
    f(x, 2)
    with _limit(400), pytest.raises(RecursionError):
        f(x, -1)
    assert f(x, 2).tolist() == [3.0, 3.0]


def test_functions_caught_by_the_hook_are_called_right() -> None:
    """A callee of a break, dropped and made again at the same place, is never another's."""
    results = []
    x = np.arange(3.0)
    with framejit.capture():
        for factor in range(1, 30):
            g = function(f"def f(x):\n    return x * {factor} + 1")
            results.append(g(x).tolist() == (x * factor + 1).tolist())

    assert all(results)
