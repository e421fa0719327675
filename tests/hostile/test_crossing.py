"""Frames that go over into other code: tracebacks, signals, recursion, memory and threads."""

from __future__ import annotations

import gc
import signal
import sys
import threading
import traceback
import types
import weakref
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from crossing import crossings, program

from framejit.frontends.bytecode import gating
from framejit.frontends.bytecode.decode import decode
from framejit.frontends.bytecode.flow import analyse
from framejit.frontends.bytecode.loops import outermost_loops
from framejit.frontends.bytecode.opening import close_gates, open_gates
from framejit.frontends.bytecode.rewrite import rewrite
from framejit.frontends.undecorated import loading
from framejit.jit import native

X = np.linspace(0.5, 1.5, 7)


class StopError(Exception):
    """Raised by a handler of the program."""


def test_tracebacks_after_it() -> None:
    """Lines, columns and variables of an exception that is raised in the code gone over into."""

    def fails(x: Any, n: int) -> Any:
        for k in range(n):
            x = x * 1.01 + k
            if k == n - 2:
                print(end="")
                x = x + (k + np.zeros(3)[k])
        return x

    def told(f: Any) -> Any:
        try:
            f(X, 30)
        except IndexError as error:
            link: Any = error.__traceback__.tb_next  # type: ignore[union-attr]
            lines = traceback.format_exception(error)[2:]
            return lines, link.tb_lineno, [*link.tb_frame.f_locals], link.tb_frame.f_lineno
        return None

    with crossings() as made:
        f = made.jit(fails, "numpy")
        assert told(f) == told(fails)
    assert made.over > 0


def test_an_interrupt_in_the_handler_is_the_users() -> None:
    """It comes at the header, with no frame of ours in its traceback."""
    with crossings() as made:

        def interrupted(*_: Any) -> Any:
            raise KeyboardInterrupt

        f = made.jit(program, "numpy")
        native.set_crossed(interrupted)
        with pytest.raises(KeyboardInterrupt) as info:
            f(X, 12)
        native.set_crossed(lambda *_: StopError("of the program's"))
        with pytest.raises(StopError, match="of the program's") as stop:
            f(X, 12)
    assert [entry.name for entry in info.traceback][1:] == ["program"]
    assert [entry.name for entry in stop.traceback][1:] == ["program"]
    assert info.traceback[-1].lineno == program.__code__.co_firstlineno


def test_signals_while_frames_go_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Handlers see no frame of ours, and their exceptions have none, wherever they come.

    What comes before the handler of gates has begun is lost; the timer rings again then.
    """
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    seen = set()
    raised: list[tuple[str, ...]] = []

    armed = False

    def handler(number: int, frame: Any) -> None:
        if armed:  # on a slow machine it comes once more, behind the call
            seen.add(frame.f_code.co_name)
            raise StopError

    flow = analyse(decode(program.__code__))
    headers = [loop.header for loop in outermost_loops(flow.loops)]
    versions = [rewrite(flow.decoded, (), flow, headers) for _ in range(2)]
    landing = gating.gates_of(versions[0])[0].landing

    def names_to_the_end(f: Any) -> tuple[str, ...]:
        nonlocal armed
        try:
            armed = True
            f(X, 1 << 40)
        except StopError as error:
            armed = False
            return tuple(one.name for one in traceback.extract_tb(error.__traceback__))[1:]
        return ()

    def over(function: Any, code: Any, header: int) -> Any:
        try:
            other = versions[code is versions[0]]
            return other, landing
        except StopError as error:
            return error

    before = signal.signal(signal.SIGALRM, handler)
    try:
        with crossings() as made:
            f = made.jit(program, "numpy")
            for code in versions:
                native.stand_in(code, program.__code__)
                open_gates(code, gating.gates_of(code)[0].header)
            native.set_crossed(over)
            for k in range(300):
                signal.setitimer(signal.ITIMER_REAL, 1e-4 + 1e-7 * k, 0.05)
                with suppress(StopError):  # on a slow machine it comes once more
                    raised.append(names_to_the_end(f))
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert f(X, 100).tobytes() == program(X, 100).tobytes()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)  # a late one would end the process
        signal.signal(signal.SIGALRM, before)
    assert ("program", "handler") in raised
    assert {*raised} <= {("program",), ("program", "handler"), ("handler",)}
    assert seen <= {"program", "over", "names_to_the_end"}


def test_near_the_recursion_limit() -> None:
    """Recursion reaches as many frames as in eager."""

    def deep(x: Any, n: int) -> int:
        for _ in range(2):
            n = n + 1
        try:
            return deep(x, n)
        except RecursionError:
            return n

    with crossings(lambda header: 1 << 30) as made:
        depth = made.jit(deep, "numpy")
        space = {"deep": depth}
        cell: Any = deep.__closure__
        assert cell is not None
        plain = deep(X, 0)
        cell[0].cell_contents = space["deep"]
        gated = depth(X, 0)
        cell[0].cell_contents = deep
    assert gated == plain


def test_no_code_is_left() -> None:
    """Frames that go over to and fro own what they run, and nothing else is kept."""
    flow = analyse(decode(program.__code__))
    headers = [loop.header for loop in outermost_loops(flow.loops)]
    dead = []

    def over(function: Any, code: Any, header: int) -> Any:
        other = rewrite(flow.decoded, (), flow, headers)
        native.stand_in(other, program.__code__)
        open_gates(other, gating.gates_of(other)[0].header)
        dead.append(weakref.ref(other))
        return other, gating.gates_of(other)[0].landing

    with crossings() as made:
        f = made.jit(program, "numpy")
        native.set_crossed(over)
        alive: list[int] = []
        f(X, 200, lambda k: alive.append(sum(one() is not None for one in dead)))
    assert len(dead) == 201
    assert max(alive) == 1
    assert all(one() is None for one in dead)


def test_the_function_dies_with_its_code() -> None:
    """Objects made while its loop ran form reference cycles, which the collector finds."""
    with crossings() as made:
        f = made.jit(program, "numpy")
        f(X, 40)
        code = weakref.ref(native.running_code(f))
        made.backends.clear()
        dead = weakref.ref(f)
        del f
        gc.collect()
    assert dead() is None
    assert code() is None


def test_two_threads_change_versions() -> None:
    """Each frame goes over at its own visits, under switches at every moment."""
    flow = analyse(decode(program.__code__))
    headers = [loop.header for loop in outermost_loops(flow.loops)]
    versions = [rewrite(flow.decoded, (), flow, headers) for _ in range(3)]
    for code in versions:
        open_gates(code, gating.gates_of(code)[0].header)

    def over(function: Any, code: Any, header: int) -> Any:
        other = versions[(versions.index(code) + 1) % 3 if code in versions else 0]
        return other, gating.gates_of(other)[0].landing

    results: list[bytes] = []
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with crossings() as made:
            f = made.jit(program, "numpy")
            native.set_crossed(over)
            work = [
                threading.Thread(target=lambda: results.append(f(X, 5000).tobytes()))
                for _ in range(3)
            ]
            for thread in work:
                thread.start()
            for thread in work:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert results == [program(X, 5000).tobytes()] * 3


def test_the_hash_of_code_stays() -> None:
    """Open or closed: somebody may have put it into a dict."""
    loading.gates_wanted, before = True, loading.gates_wanted
    try:
        code = loading.with_gates(program.__code__)
    finally:
        loading.gates_wanted = before
    told = {code: "here"}
    header = gating.gates_of(code)[0].header
    assert open_gates(code, header)
    assert told[code] == "here"
    close_gates(code, header)
    assert not open_gates(code, 1 << 20)


def test_functions_show_their_own_code() -> None:
    with crossings() as made:
        f = made.jit(program, "numpy")
        for _ in range(3):
            f(X, 40)
            assert f.__code__ is program.__code__
            assert isinstance(native.running_code(f), types.CodeType)
