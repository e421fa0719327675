"""A loop that is interrupted in a kernel keeps the iterations that it has finished."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from interrupting import PROGRAMS, Interrupted, interrupted
from oracle import check

import framejit

pytestmark = [
    pytest.mark.counts("launches"),
    # Python drops what an alarm raises in a finaliser; it rings again.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
MANY = 2**31 - 1


@pytest.fixture
def alarm() -> Iterator[None]:
    """Rings soon."""

    def ring(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", PROGRAMS)
def test_states_that_eager_could_have_left(name: str) -> None:
    wrong, _ = interrupted(6, 0, [name])
    assert wrong == 0


def test_finished_iterations_are_kept() -> None:
    """By far most of them, in each program."""
    for name in PROGRAMS:
        one = Interrupted(name)
        before = signal.signal(signal.SIGALRM, one.ring)
        try:
            iterations, _ = one.once(0.05)
        finally:
            signal.signal(signal.SIGALRM, before)
        assert iterations, name
        assert iterations > one.rate * 0.001, name


def caught(x: Any, n: int) -> Any:
    k = 0
    try:
        for i in range(1, n, 2):  # noqa: B007
            x += 1.0
            k += 3
    except KeyboardInterrupt:
        return i, k
    return None


def test_a_handler_of_the_function_sees_its_variables(alarm: None) -> None:
    """The exception comes at the loop's own line, within its `try`."""
    f = framejit.jit(caught)
    assert f(np.zeros(9), 10**6) is None
    x = np.zeros(9)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 1.0)
    i, k = f(x, MANY)
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert (x == k // 3).all()
    assert i == 2 * (k // 3) - 1
    assert f.stats()["bails"] == 1


def test_a_loop_that_took_long_can_be_halted_from_then_on(alarm: None) -> None:
    """It was short when it was captured."""
    f = framejit.jit(caught)
    f(np.zeros(9), 10)
    stats = f.stats()
    n, seconds = 10**6, 0.0
    while seconds < 0.3:
        begun = time.perf_counter()
        f(np.zeros(9), n)
        seconds, n = time.perf_counter() - begun, n * 4
    signal.setitimer(signal.ITIMER_REAL, 0.05, 1.0)
    i, k = f(np.zeros(9), MANY)
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert k > 1000
    assert i == 2 * (k // 3) - 1
    assert f.stats()["captures"] > stats["captures"]


class Sent(Exception):  # noqa: N818
    """An exception that another thread sends."""


def endless(x: Any, n: int) -> None:
    for _ in range(n):
        x += 1.0


def test_what_another_thread_sends() -> None:
    f = framejit.jit(endless)
    f(np.zeros(9), 10**6)
    home = ctypes.c_ulong(threading.get_ident())
    x = np.zeros(9)

    def send() -> None:
        time.sleep(0.05)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(home, ctypes.py_object(Sent))

    sender = threading.Thread(target=send)
    sender.start()
    with pytest.raises(Sent):
        f(x, MANY)
    sender.join()
    assert x[0] > 0
    assert (x == x[0]).all()


def test_what_others_change_is_heard_without_starting_over() -> None:
    """The rest of the loop is run with what it is now."""

    class Settings:
        step = 1.0
        stopped = False

    def run(settings: Any, x: Any, n: int) -> int:
        for i in range(n):  # noqa: B007
            x += settings.step
            if settings.stopped:
                break
        return i

    f = framejit.jit(run)
    settings, x = Settings(), np.zeros(9)
    f(settings, x, 10**6)
    x[:] = 0
    timer = threading.Timer(0.05, lambda: setattr(settings, "stopped", True))
    timer.start()
    i = f(settings, x, MANY)
    timer.join()
    assert (x == i + 1).all()
    assert i > 1000


def test_nobody_interrupts() -> None:
    """Loops with exits at their headers give eager's values."""

    def program(x: Any, n: int) -> Any:
        s = t = 0
        for i in range(3, n, 2):
            s = s * 0.5 + i
            x[i % 9] += s
        while s > 1e-3:
            s *= 0.9
            t += 1
        for v, k in zip(x, range(9), strict=True):
            t += k
            s += v
        return s, t, i

    check(program, np.zeros(9), 10**4, calls=2)
    check(program, np.zeros(9), 1, calls=2)
