"""Options of a context: config(), disable(), in blocks, generators, coroutines and threads."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts

from framejit import config, disable, jit
from framejit.frontends.context import current_options

X = np.arange(4.0)
ENTRIES = pytest.mark.counts("which entries there are, and for which options")


def affine(x: Any) -> Any:
    return x * 2 + 1


def broken(x: Any) -> Any:
    y = x * 2
    print("here")
    return y + 1


def same(actual: Any) -> bool:
    return bool(np.array_equal(actual, X * 2 + 1))


@ENTRIES
def test_config_keeps_entries_apart() -> None:
    """Each set of options has its own entries, and the outer ones hold again afterwards."""
    jitted = jit(affine)
    with config(backend="numpy"):
        jitted(X)
        with config(backend="eager"):
            jitted(X)
        jitted(X)
    jitted(X)
    backends = [entry.owner.options.backend for entry in jitted._entries]

    assert sorted(backends) == ["numba", "numpy"]
    assert jitted.stats()["hits"] == 3


@ENTRIES
def test_eager_for_a_while_does_not_close_segments() -> None:
    """A segment that met backend="eager" first is captured when other options hold."""
    jitted = jit(broken)
    jitted(X.astype("f4"))
    with config(backend="eager"):
        jitted(X)
    before = jitted.stats()["captures"]
    jitted(X)

    assert jitted.stats()["captures"] > before


@ENTRIES
def test_the_decorator_wins_over_the_context() -> None:
    """An option given to jit() is nearer than config()."""
    jitted = jit(affine, backend="numpy")
    with config(backend="numba"):
        jitted(X)

    assert jitted._entries[0].owner.options.backend == "numpy"


def test_disable_as_a_block() -> None:
    """Eager inside, compiled after; config() inside does not switch it on again."""
    jitted = jit(affine)
    with disable(), config(backend="numpy"):
        assert same(jitted(X))
        assert current_options() is None
    stats = jitted.stats()
    jitted(X)

    assert (stats["calls"], stats["hits"], stats["eager_calls"]) == (1, 0, 1)
    assert_counts([jitted], hits=1)


def test_disable_is_left_by_an_exception() -> None:
    """The block is left as any `with` block is."""
    with pytest.raises(KeyError), disable():
        raise KeyError
    assert current_options() is not None


def test_disable_as_a_decorator() -> None:
    """The function and what it calls stay eager; its face stays."""
    inner = jit(affine)

    @disable
    def outer(x: Any) -> Any:
        """Calls a jitted function."""
        return inner(x)

    assert same(outer(X))
    assert inner.stats()["hits"] == 0
    assert (outer.__name__, outer.__doc__) == ("outer", "Calls a jitted function.")
    assert same(disable()(affine)(X))
    assert same(disable(inner)(X))
    assert inner.stats()["calls"] == 1


def test_disable_of_a_generator() -> None:
    """Off while it runs, on between its steps; send, throw, close and return go through."""
    closed = []

    @disable
    def steps() -> Iterator[Any]:
        try:
            got = yield current_options()
            try:
                yield got
            except KeyError:
                yield "caught"
            return "end"
        finally:
            closed.append(current_options())

    running: Any = steps()
    assert next(running) is None
    assert current_options() is not None
    assert running.send(5) == 5
    assert running.throw(KeyError()) == "caught"
    with pytest.raises(StopIteration) as stop:
        next(running)
    assert stop.value.value == "end"
    assert inspect.isgeneratorfunction(steps)
    other = steps()
    next(other)
    other.close()  # type: ignore[attr-defined]
    assert len(closed) == 2


def test_disable_of_a_coroutine() -> None:
    """Off while it runs, on in the tasks beside it."""
    seen = []

    @disable
    async def off() -> int:
        seen.append(current_options())
        await asyncio.sleep(0)
        seen.append(current_options())
        return 7

    async def beside() -> None:
        await asyncio.sleep(0)
        assert current_options() is not None

    async def main() -> int:
        number, _ = await asyncio.gather(off(), beside())
        return number

    assert asyncio.run(main()) == 7
    assert seen == [None, None]


def test_disable_refuses() -> None:
    """The message has the correct form."""

    async def both() -> AsyncIterator[int]:
        yield 1

    with pytest.raises(
        TypeError, match="`function` must be a function, not 3: write `with disable"
    ):
        disable(3)
    with pytest.raises(
        TypeError, match=r"asynchronous generator function .*both: write `with disab"
    ):
        disable(both)


def test_options_belong_to_a_context() -> None:
    """Another thread and a copied context do not see each other's blocks."""
    seen = []
    with config(backend="numpy"):
        thread = threading.Thread(target=lambda: seen.append(current_options()))
        thread.start()
        thread.join()
        copied = contextvars.copy_context()
    seen.append(copied.run(current_options))

    assert [options and options.backend for options in seen] == ["numba", "numpy"]


def test_one_block_object_is_used_twice() -> None:
    """A config() that was kept can be entered again, inside itself too."""
    numpy = config(backend="numpy")
    before = current_options()
    with numpy, numpy:
        assert current_options() is not before
    assert current_options() is before
