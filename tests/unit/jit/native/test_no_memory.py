"""Allocations that fail in turn: a right answer or a MemoryError, and nothing is lost."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any

import entries as make
import numpy as np
import pytest
from entries import FIRST, guard, load, recipe, step

from framejit import jit
from framejit.jit.native import _core

_testcapi = pytest.importorskip("_testcapi", reason="CPython's own test module is not installed")
if not hasattr(_testcapi, "set_nomemory"):
    pytest.skip("this _testcapi cannot make allocations fail", allow_module_level=True)

MOST = 400
"""Allocations of one action that are made to fail in turn."""


def _forget(_: object) -> None:
    pass


def failing(action: Callable[[], Any], check: Callable[[Any], bool], *watched: Any) -> int:
    """Makes each allocation of an action fail, alone and with all after it; how many there were.

    The action gives what `check` takes, or a MemoryError; references to `watched` are as before.
    """
    action()
    gc.collect()
    counts = [sys.getrefcount(one) for one in watched]
    reached, errstate = 0, np.geterr()
    for first in range(MOST):
        errors = 0
        for last in (first + 1, 0):
            result = error = None
            # 3.15 tells of each dict that it cannot clear, and pytest keeps what is told
            told, sys.unraisablehook = sys.unraisablehook, _forget
            _testcapi.set_nomemory(first, last)
            try:
                result = action()
            except MemoryError:
                errors += 1
            except BaseException as other:
                error = other
            finally:
                _testcapi.remove_mem_hooks()
                sys.unraisablehook = told
            if error is not None:
                raise AssertionError(f"allocation {first}") from error
            assert result is None or check(result)
            result = None
        reached = first
        if not errors and first > 20:
            break
    np.seterr(**errstate)  # resetting a context variable takes memory
    assert action() is not None
    gc.collect()
    assert [sys.getrefcount(one) for one in watched] == counts
    return reached


def test_making_an_entry() -> None:
    """Every table is a piece of memory of its own."""
    objects, owner, options = (np.dtype("f8"), {}), make.Owner(), object()
    array = guard("ARRAY", 0, a=12, b=1, c=2, object=0x101, extra=0)
    fields: dict[str, Any] = {
        "objects": objects,
        "guards": array,
        "loads": load("ARRAY", 0, FIRST, 1),
        "arrays": make.array(1, FIRST + 3, 1, 0),
        "calls": make.call(1, 2),
        "recipes": recipe(0, 1) * 2,
        "n_slots": 3,
        "kernel": 1,
        "owner": owner,
        "options": options,
    }
    made = failing(lambda: make.entry(**fields), lambda _: True, objects, owner, options)

    assert made >= 8


def test_segments_and_dispatchers() -> None:
    """Objects with a cache, a binding of names, a list of entries."""

    def f(a: Any, b: Any, *, c: Any = 1) -> Any:
        return a

    entry = make.entry(n_live=3)

    def action() -> Any:
        made, segment = _core.Dispatcher(f, None), _core.Segment(f, 3)
        for one in range(5):
            made._add(entry)
            segment.add(entry)
            assert len(made._entries) == one + 1
        entry.set_exit_numbers((0,))
        assert entry.failed_guard((1, 2, 3)) is None
        return repr(made), made.__reduce__(), segment.entries

    assert failing(action, lambda result: result[1] == f.__qualname__, f, entry) > 10


@pytest.mark.parametrize("n_slots", [2, 40])
def test_launches(n_slots: int) -> None:
    """Slots, words, the log, recipes of any depth, opaque calls, telling the exit."""

    def twice(one: Any) -> list[Any]:
        return [one, one]

    live = [1000]
    deep = step("SLOT", 1) * 40 + step("LIST", 40)
    code, address = make.calling_code()
    entry = make.entry(
        kernel=address,
        keepalive=code,
        n_slots=n_slots,
        n_exits=1,
        objects=(twice,),
        calls=make.call(1, 1),
        recipes=recipe(0, 41) + recipe(41, 3),
        steps=deep + step("CONST") + step("SLOT") + step("CALL", 1),
        words=bytes(8 * (200 if n_slots > 30 else FIRST)),
    )
    with make.options():
        segment = make.segment(entry, n_exits=3)

        def check(result: Any) -> bool:
            return result in ([None], [(True, [[live, live]] * 40)])

        failing(lambda: [segment(live)], check, live, twice)


def test_misses() -> None:
    """The tuple of live-ins, and the call of the Python side."""

    class Point:
        def miss(self, *_: Any) -> bool:
            return False

    def f(a: Any, b: Any = 2) -> Any:
        return [a, b]

    live = [1000]
    segment, dispatcher = _core.Segment(Point(), 2), _core.Dispatcher(f, Point())
    with make.options():
        failing(lambda: [segment(live)], lambda result: result == [None], live)
        failing(lambda: dispatcher(live), lambda result: result == [live, 2], live)


@pytest.mark.parametrize(
    "source",
    [
        "lambda x: x * 2 + 1",
        "lambda x: [x * 2, (x, {'a': x + 1})]",
        "lambda x: np.sort(x * 2) + x",
        "lambda x: (print(end=''), x * 2 + 1)[1]",
        "lambda x: x / 0",
    ],
)
def test_hits(source: str) -> None:
    """A whole call: where memory is short eager may answer, or its MemoryError comes out.

    Not with the numpy backend: np.errstate of NumPy itself crashes where memory is short.
    """
    f = jit(eval(source, {"np": np}))
    x = np.arange(1.0, 5.0)
    with np.errstate(all="ignore"):
        expected = repr(f.__wrapped__(x))
        for _ in range(3):
            f(x)
        results: list[Any] = [None]

        def action() -> Any:
            results[0] = None
            results[0] = f(x)
            return True

        def check(_: Any) -> bool:
            return repr(results[0]) == expected

        failing(action, check, x, f, f.__wrapped__)


def test_the_hook_is_left() -> None:
    """A thread that could not be hooked is not; one that was is let go of, whatever fails."""

    def action() -> bool:
        _core.hook_enable()
        _core.hook_disable()
        return True

    failing(action, bool)

    assert _core.hook_state()["thread_depth"] == 0
    assert not _core.hook_state()["installed"]
