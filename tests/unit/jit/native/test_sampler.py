"""The sampler: where the main thread spends its CPU time."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import pytest

from framejit.jit import native

PERIOD = 0.001
Frame = tuple[FunctionType | None, CodeType, int, int, int, tuple[Any, ...]]


@pytest.fixture
def told() -> Iterator[list[Frame]]:
    """Returns the list to which the handler adds each sample."""
    found: list[Frame] = []

    def handler(frames: list[Frame]) -> None:
        for one in frames:
            found.append(one)
            native.tell_at(one[1], one[3] * 2)

    native.sample(handler, PERIOD)
    yield found
    native.sample(None, 0.0)


def _burn(seconds: float, work: Callable[[], object]) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        work()


def _spent(function: Callable[..., Any]) -> float:
    return native.time_spent(function.__code__) / 1e9


def test_callers_have_the_time_of_callees(told: list[Frame]) -> None:
    a = np.arange(20_000.0)

    def inner() -> None:
        b = a
        for _ in range(20):
            b = np.add(b, a)

    def outer() -> None:
        _burn(0.2, inner)

    outer()
    assert 0.1 < _spent(outer) < 0.4
    # The last tick may be counted when both have returned: then it is the innermost one's alone.
    assert 0.1 < _spent(inner) <= _spent(outer) + 2 * PERIOD
    by_code = {one[1]: one for one in told if one[2] >= 0}  # without those that had returned
    assert by_code[inner.__code__][0] is inner
    assert by_code[outer.__code__][3] >= 20_000_000
    assert any(value is a or getattr(value, "cell_contents", None) is a
               for value in by_code[inner.__code__][5])  # fmt: skip


def test_own_time_is_that_of_the_innermost_code_of_the_program(told: list[Frame]) -> None:
    """Time in libraries, and in code that nobody asks about, counts as time of the caller."""

    def inner() -> None:
        for _ in range(20):
            sum(range(500))

    def outer() -> None:
        _burn(0.1, inner)
        _burn(0.1, lambda: sum(range(500)))

    native.tell_at(_burn.__code__, None)
    outer()
    own = {one.__name__: native.own_time(one.__code__) / 1e9 for one in (inner, outer)}
    assert 0.05 < own["inner"] < 0.15
    assert own["outer"] < 0.12
    assert _spent(outer) > 0.15


def test_recursion_counts_once(told: list[Frame]) -> None:
    def down(n: int) -> None:
        if n:
            down(n - 1)
        else:
            _burn(0.1, lambda: sum(range(1000)))

    down(20)
    assert 0.05 < _spent(down) < 0.2


def test_a_function_that_has_returned_is_found(told: list[Frame]) -> None:
    """Operators of arrays come to no place at which CPython handles signals."""
    a = np.arange(50_000.0)

    def leaf(a: Any) -> Any:
        return a * 2.0 + a * 3.0 + a * 4.0 + a * 5.0

    native.tell_at(leaf.__code__, 20_000_000)

    def caller() -> None:
        for _ in range(10):
            leaf(a)

    _burn(0.3, caller)
    assert _spent(leaf) > 0.1


def test_called_once_or_again(told: list[Frame]) -> None:
    def often() -> None:
        for _ in range(3):
            sum(range(3000))

    def both() -> None:
        often()
        for _ in range(3):
            sum(range(3000))

    def once() -> None:
        _burn(0.3, both)

    once()
    again = {one[1]: bool(one[4]) for one in told}  # the last word on each
    assert again[often.__code__]
    assert not again[once.__code__]


def test_sleep_costs_nothing(told: list[Frame]) -> None:
    def sleeper() -> None:
        for _ in range(10):
            time.sleep(0.01)

    sleeper()
    assert _spent(sleeper) < 0.05


def test_a_handler_that_fails_is_told_of_and_the_program_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    heard: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda one: heard.append(one.exc_type))

    def handler(frames: list[Frame]) -> None:
        for one in frames:
            native.tell_at(one[1], None)
        raise RuntimeError("no")

    native.sample(handler, PERIOD)
    try:
        _burn(0.2, lambda: sum(range(1000)))
    finally:
        native.sample(None, 0.0)
    assert heard
    assert {*heard} == {RuntimeError}


def test_what_is_no_error_is_the_programs(told: list[Frame]) -> None:
    raised: list[bool] = []

    def handler(frames: list[Frame]) -> None:
        for one in frames:
            native.tell_at(one[1], None)
        if not raised:
            raised.append(True)
            raise KeyboardInterrupt

    native.sample(handler, PERIOD)
    with pytest.raises(KeyboardInterrupt):
        _burn(5.0, lambda: sum(range(1000)))


def test_it_can_be_started_and_stopped_often() -> None:
    def threads() -> int:
        return len(os.listdir("/proc/self/task"))

    before = threads()
    for _ in range(50):
        native.sample(lambda frames: None, PERIOD)
        assert native.is_sampling()
        native.sample(None, 0.0)
    assert not native.is_sampling()
    assert threads() <= before


def test_the_thread_is_none_of_the_programs() -> None:
    def known() -> tuple[int, int]:
        return threading.active_count(), len(sys._current_frames())

    before = known()
    native.sample(lambda frames: None, PERIOD)
    try:
        _burn(0.05, lambda: None)
        assert known() == before
    finally:
        native.sample(None, 0.0)


def test_signals_go_to_threads_of_the_program(told: list[Frame]) -> None:
    got: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: got.append(number))
    try:
        for _ in range(20):
            os.kill(os.getpid(), signal.SIGUSR1)
            _burn(0.002, lambda: None)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert len(got) == 20


def test_code_that_dies_is_forgotten(told: list[Frame]) -> None:
    for _ in range(20):
        space: dict[str, Any] = {}
        exec("def f(work):\n    for _ in range(50): work()", space)
        space["f"](lambda: sum(range(2000)))
        space.clear()
        gc.collect()
    told.clear()


@pytest.mark.parametrize("period", [0.0, 1e-5, 11.0, float("nan")])
def test_periods_that_make_no_sense(period: float) -> None:
    with pytest.raises(ValueError, match=r"0\.1 ms to 10 s"):
        native.sample(lambda frames: None, period)


def test_forks_and_the_end_of_the_process() -> None:
    program = textwrap.dedent(
        """
        import os, time, warnings
        from framejit.jit import native

        def burn(seconds):
            until = time.process_time() + seconds
            while time.process_time() < until:
                sum(range(1000))

        def handler(frames):
            for one in frames:
                native.tell_at(one[1], one[3] * 2)

        native.sample(handler, 0.001)
        for k in range(30):
            burn(0.002)
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # CPython warns of forks beside other threads
                child = os.fork()
            if not child:
                before = native.time_spent(burn.__code__)
                burn(0.03)
                os._exit(0 if native.time_spent(burn.__code__) > before else 1)
            assert os.waitpid(child, 0)[1] == 0, k
        print("done")
        """
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr


def test_another_thread_may_start_it() -> None:
    """As where a program loads NumPy in one: the main thread is sampled."""

    def busy() -> None:
        _burn(0.1, lambda: sum(range(1000)))

    native.tell_at(busy.__code__, 1 << 60)
    starter = threading.Thread(target=native.sample, args=(lambda frames: None, PERIOD))
    starter.start()
    starter.join()
    try:
        busy()
    finally:
        native.sample(None, 0.0)
    assert 0.05 < _spent(busy) < 0.2


def test_the_first_sample_may_wait() -> None:
    def work() -> None:
        for _ in range(2000):
            pass

    found: list[Frame] = []
    native.sample(found.extend, PERIOD, 0.3)
    try:
        until = time.perf_counter() + 0.15  # not CPU time: the wait is none, and cores may be busy
        while time.perf_counter() < until:
            work()
        assert _spent(work) == 0.0
        _burn(0.4, work)
        assert _spent(work) > 0.1
    finally:
        native.sample(None, 0.0)
    with pytest.raises(ValueError, match="the wait 0 to"):
        native.sample(found.extend, PERIOD, -1.0)
