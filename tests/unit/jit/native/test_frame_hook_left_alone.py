"""Frames that the hook leaves alone: generators, bodies of modules, everything under a tool."""

from __future__ import annotations

import cProfile
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hooking import SKIP, defaulted, hooked, python

from framejit.jit.native import _core

pytestmark = pytest.mark.usefixtures("clean_hook")
monitoring = getattr(sys, "monitoring", None)


# ---- left alone --------------------------------------------------------------------------------


def test_generators_are_hooked_where_they_are_made_only() -> None:
    """The call that makes a generator is a frame like any other; its resumption is left alone."""

    def g(n: int) -> Iterator[int]:
        yield from range(n)

    assert hooked(lambda: g(3), lambda *_: "handled", g) == "handled"
    assert hooked(lambda: list(g(3)), lambda *_: _core.RUN_ORIGINAL, g) == [0, 1, 2]
    _core.hook_mark(g.__code__, SKIP)
    assert defaulted(lambda: list(g(3)), "generator") == 4


def test_throwing_into_a_generator_is_left_alone() -> None:
    """A frame evaluated for an exception is no call."""

    def g() -> Any:
        try:
            yield 1
        except ValueError:
            yield 2

    def call() -> Any:
        made = g()
        next(made)
        return made.throw(ValueError)

    _core.hook_mark(g.__code__, SKIP)
    assert defaulted(lambda: call() == 2, "throwflag") >= 1


def test_coroutines_are_left_alone() -> None:
    """A coroutine runs as it is."""

    async def f(n: int) -> int:
        return 0 if n == 0 else 1 + await f(n - 1)

    def call() -> Any:
        try:
            f(3).send(None)
        except StopIteration as stop:
            return stop.value
        return -1

    assert hooked(call, lambda *_: _core.RUN_ORIGINAL, f) == 3
    _core.hook_mark(f.__code__, SKIP)
    assert defaulted(call, "generator") >= 1


def test_bodies_of_modules_and_classes_are_left_alone() -> None:
    """Code that writes into a namespace is no function."""

    def call() -> None:
        class C:
            x = 1

        exec("y = 1", {})
        assert C.x == eval("0 + 1")

    assert defaulted(call, "module_or_class") == 3


def watchers() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Return for each kind of tool the functions that start and stop it."""
    profile = cProfile.Profile()
    pairs: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "settrace": (lambda: sys.settrace(lambda *_: None), lambda: sys.settrace(None)),
        "setprofile": (lambda: sys.setprofile(lambda *_: None), lambda: sys.setprofile(None)),
        "cProfile": (profile.enable, profile.disable),
    }
    if monitoring is not None:
        pairs["monitoring"] = (
            lambda: monitoring.use_tool_id(4, "test"),
            lambda: monitoring.free_tool_id(4),
        )
    return pairs


@pytest.mark.parametrize("name", watchers())
def test_under_a_tool_everything_is_left_alone(name: str) -> None:
    """A debugger, profiler or tracer sees the user's own frames."""
    start, stop = watchers()[name]
    if _core.tools_active():
        pytest.skip("something else is watching this test")

    def f() -> str:
        return "eager"

    def call() -> tuple[str, bool]:
        start()
        try:
            return f(), _core.tools_active()
        finally:
            stop()

    assert hooked(call, lambda *_: "handled", f) == ("eager", True)
    assert not _core.tools_active()
    assert hooked(f, lambda *_: "handled", f) == "handled"


def test_a_tool_sees_what_it_always_sees() -> None:
    """Under a tool the hook is taken out: an evaluation function alone changes its events."""
    if monitoring is None:
        pytest.skip("3.11 has no sys.monitoring")
    names = ("CALL", "C_RETURN", "PY_RETURN", "PY_YIELD", "PY_RESUME", "STOP_ITERATION", "RAISE")
    events: list[tuple[str, str]] = []

    def generated() -> Iterator[int]:
        yield 1

    def inner() -> int:
        return len(())

    def outer() -> None:
        inner()
        for _ in generated():
            pass

    def watched() -> list[tuple[str, str]]:
        events.clear()
        monitoring.use_tool_id(4, "test")
        for name in names:
            event = getattr(monitoring.events, name)
            monitoring.register_callback(
                4, event, lambda code, *_, name=name: events.append((name, code.co_name))
            )
        both = monitoring.events.C_RETURN | monitoring.events.C_RAISE
        every = sum(getattr(monitoring.events, name) for name in names)
        monitoring.set_events(4, every & ~both)
        outer()
        monitoring.set_events(4, 0)
        monitoring.free_tool_id(4)
        return [event for event in events if event[1] in {"outer", "inner", "generated"}]

    eager = watched()
    got = hooked(watched, None)

    assert got == eager
    assert ("STOP_ITERATION", "outer") in got


@pytest.mark.parametrize("profiler", ["profile", "cProfile"])
def test_profilers_work(profiler: str) -> None:
    """The standard library's profilers count the calls of a program as ever."""
    printed = python(
        f"""
import pstats
from {profiler} import Profile
from framejit.jit.native import _core
def generated(n): yield from range(n)
def inner(n): return len(list(generated(n)))
def outer(): return [inner(n) for n in range(5)]
_core.hook_set_callbacks(lambda f: 1, None)
_core.hook_enable()
profile = Profile()
profile.runcall(outer)
profile.runctx("outer()", globals(), {{}})
counts = {{key[2]: value[1] for key, value in pstats.Stats(profile).stats.items()}}
print(*(counts[name] for name in ("outer", "inner", "generated")))
""",
        *("-W", "ignore::DeprecationWarning"),
    )

    assert printed.split() == ["2", "10", "30"]


@pytest.mark.parametrize("fails", [False, True])
def test_a_tool_that_comes_up_meanwhile_sees_no_trace_of_the_frame(fails: bool) -> None:
    """A frame that was never seen to start is not seen to end, and no code of ours appears."""
    events = []

    def watch(frame: types.FrameType, event: str, _: object) -> Any:
        events.append((event, frame.f_code.co_name))
        return watch

    def f() -> Any:
        return None

    def handle(_: Any) -> str:
        sys.settrace(watch)
        if fails:
            raise ValueError
        return "handled"

    def call() -> Any:
        try:
            return f()
        except ValueError:
            return "failed"
        finally:
            sys.settrace(None)

    was = sys.gettrace()
    got = hooked(call, handle, f)
    sys.settrace(was)

    assert got == ("failed" if fails else "handled")
    assert {name for _, name in events} <= {"handle", "call"}
