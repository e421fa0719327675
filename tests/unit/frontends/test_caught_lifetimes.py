"""Functions that the hook has caught die as in eager, and what was made of them dies too."""

from __future__ import annotations

import contextlib
import gc
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from modes import HOSTILE

from framejit import capture
from framejit.jit.native import Dispatcher, Entry, Segment, all_owned, hook_mark

BODIES = {
    "hit": "return x * K + 1",
    "break": "y = x * K + 1; print(end=''); return y * 2 - x",
    "loop": "for k in range(3):\n    x = x * K + 1; print(end='')\n  return x",
    "nothing": "return len(str(K))",
    "fails": "y = x * K + 1; print(end=''); raise KeyError(y.shape)",
}
"""Bodies of functions, with an array `x` and something `K` from outside."""


class Mark:
    """Something that can be referred to weakly."""


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    """Whatever dies by itself must not wait for the collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def call(f: Any) -> None:
    """Misses, hits, misses of another type."""
    for x in (np.ones(3), np.ones(3), np.ones(3, "f4"), np.ones(3)):
        with contextlib.suppress(KeyError):
            f(x)


hook_mark(call.__code__, 1)
"""It is not captured: an entry of its own would hold the function that it was given."""


def in_namespace(body: str) -> tuple[Any, list[weakref.ref[Any]]]:
    """A function in a namespace of its own, which it is part of."""
    space: dict[str, Any] = {"K": 2.0, "mark": Mark()}
    exec(f"def f(x):\n  {body}", space)
    return space["f"], [
        weakref.ref(one) for one in (space["f"], space["f"].__code__, space["mark"])
    ]


def closure(body: str) -> tuple[Any, list[weakref.ref[Any]]]:
    """A closure over something that only it holds; nothing in it leads back to it."""
    space: dict[str, Any] = {}
    exec(f"def make(K, mark):\n def f(x):\n  mark\n  {body}\n return f", space)
    mark = Mark()
    f = space["make"](2.0, mark)
    return f, [weakref.ref(f), weakref.ref(mark)]


def method(body: str) -> tuple[Any, list[weakref.ref[Any]]]:
    """A method of a class made in a function."""
    space: dict[str, Any] = {"K": 2.0}
    exec(f"class C:\n def f(self, x):\n  {body}", space)
    c = space["C"]()
    return c.f, [weakref.ref(one) for one in (c, space["C"], space["C"].f)]


def alive(
    make: Callable[[str], tuple[Any, list[weakref.ref[Any]]]], body: str, catch: bool
) -> tuple[list[bool], list[bool]]:
    """Tell for each object if it is alive when the function was dropped, and after a collection."""

    def use() -> list[weakref.ref[Any]]:
        f, refs = make(body)
        if not catch:
            call(f)
            return refs
        with capture() as block:
            call(f)
        assert body == BODIES["nothing"] or HOSTILE or all_owned()
        assert block.report.skipped is not None
        return refs

    refs = use()
    dropped = [ref() is not None for ref in refs]
    gc.collect()
    return dropped, [ref() is not None for ref in refs]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("make", [in_namespace, closure, method])
def test_a_caught_function_dies_as_in_eager(make: Any, body: str) -> None:
    """By itself where eager needs no collector, else by the collector; nothing of ours is left."""
    expected = alive(make, BODIES[body], catch=False)
    gc.collect()
    before = sum(isinstance(one, Entry | Dispatcher | Segment) for one in gc.get_objects())

    assert alive(make, BODIES[body], catch=True) == expected
    assert not any(expected[1])
    left = sum(isinstance(one, Entry | Dispatcher | Segment) for one in gc.get_objects())
    assert left == before


def test_closures_of_a_loop_die_one_by_one() -> None:
    """Finalisers of their values run at the end of each round, as in eager."""

    def rounds() -> list[int]:
        fired: list[int] = []
        for k in range(12):
            mark = Mark()
            weakref.finalize(mark, fired.append, k)

            def f(x: Any, mark: Any = mark, k: int = k) -> Any:
                return x * k + 1

            call(f)
            del mark, f
            fired.append(-k)
        return fired

    hook_mark(rounds.__code__, 1)
    expected, before = rounds(), len(all_owned())
    with capture():
        actual = rounds()

    assert actual == expected
    assert len(all_owned()) == before


def test_nothing_shows_in_a_caught_function() -> None:
    """No attribute, no weak reference, no reference: it looks as it did."""

    def f(x: Any) -> Any:
        return x * 2 + 1

    def looks() -> tuple[object, ...]:
        return (
            sys.getrefcount(f),
            sys.getrefcount(f.__code__),
            weakref.getweakrefcount(f),
            weakref.getweakrefcount(f.__code__),
            dict(vars(f)),
            f.__closure__,
        )

    before = looks()
    with capture():
        call(f)

    # Objects made of it run the same code: the copy, its decoded form and the dispatcher.
    assert looks()[0:1] + looks()[2:] == before[0:1] + before[2:]


def test_a_function_that_dies_while_it_runs() -> None:
    """Its frame holds it, and what was made of it, until it returns."""
    results = []
    space: dict[str, Any] = {}

    def drop() -> None:
        space.pop("f", None)
        gc.collect()

    x = np.arange(3.0)
    source = "def f(x):\n  y = x * 2 + 1\n  drop()\n  return y * y"
    with capture():
        for _ in range(3):
            space["drop"] = drop
            exec(source, space)
            ref = weakref.ref(space["f"])
            results.append(space["f"](x).tolist())
            gc.collect()
            assert ref() is None

    assert results == [((x * 2 + 1) ** 2).tolist()] * 3


def test_a_generator_outlives_its_function() -> None:
    """A suspended frame is left with eager's code."""
    space: dict[str, Any] = {}
    source = "def f(x):\n  y = x * 2 + 1\n  yield y\n  z = y * 3 + x\n  yield z"
    exec(source, space)
    x = np.arange(3.0)
    with capture():
        list(space["f"](x))
        waiting = space["f"](x)
        next(waiting)
        del space["f"]
        gc.collect()
        rest = list(waiting)

    assert rest[0].tolist() == ((x * 2 + 1) * 3 + x).tolist()


@pytest.mark.counts("records that are left")
def test_code_that_is_made_again_and_again_leaves_no_record() -> None:
    """Marks, rules and counts go with the code; with a report, equal places are one."""
    from framejit.jit.native import records

    def make() -> None:
        space: dict[str, Any] = {}
        exec("def f(x):\n  return x + 1", space)
        space["f"](1)

    hook_mark(make.__code__, 1)

    def left() -> int:
        gc.collect()
        return sum(one[0][:2] == ("<string>", "f") for one in records())

    before = left()
    with capture():
        make()
        first = left()
        for _ in range(50):
            make()
        assert (first, left()) == (before + 1, before + 1)
    assert left() == before
