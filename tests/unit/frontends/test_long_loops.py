"""A loop in a kernel can be interrupted like one in Python, and leaves other threads their turn."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from framejit import jit

pytestmark = pytest.mark.counts("launches")

SOON = 0.05
"""Seconds until the alarm: the kernel is in its loop by then."""


def endless(n: int, x: Any) -> int:
    """Ends only where it is called with 0."""
    k = 0
    while k < n:
        k = (k + 1) % 1000
        x[0] = k
    return k


@pytest.fixture
def alarm() -> Iterator[Callable[[Any], None]]:
    """Sets the handler of an alarm that rings soon."""
    before = signal.getsignal(signal.SIGALRM)

    def set_alarm(handler: Any) -> None:
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, SOON, 1.0)

    yield set_alarm
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_what_a_handler_raises_ends_an_endless_loop(backend: str, alarm: Any) -> None:
    """The very exception, raised at the user's line; and the loop may run again.

    The reference backend is Python code: there the exception comes out of its own frames.
    """

    def ring(number: int, frame: Any) -> None:
        raise TimeoutError("the alarm")

    f = jit(endless, backend=backend)
    x = np.zeros(2)
    f(0, x)
    alarm(ring)
    with pytest.raises(TimeoutError, match="the alarm") as caught:
        f(1000, x)

    names = [entry.name for entry in caught.traceback]
    assert names[-1] == "ring"
    assert backend == "numpy" or names[-2] == "endless"
    assert f(0, x) == 0
    assert f.stats()["failures"] == 0


def test_ctrl_c_ends_an_endless_loop(alarm: Any) -> None:
    f = jit(endless)
    f(0, np.zeros(2))
    alarm(signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        f(1000, np.zeros(2))

    assert f.stats()["bails"] == 1


def counted(n: int) -> int:
    k = 0
    for i in range(n):
        k = (k * 3 + i) % 1001
    return k


def test_a_handler_that_returns_does_not_end_a_loop(alarm: Any) -> None:
    """Nor does it start over."""
    rung = []
    f = jit(counted)
    f(3)
    n = 1_000_000
    start = time.perf_counter()
    f(n)
    iterations = int(n * 6 * SOON / (time.perf_counter() - start))
    alarm(lambda number, frame: rung.append(number))
    f(iterations)

    assert rung
    assert f.stats()["bails"] == 0


class SentError(Exception):
    """The exception that another thread sends."""


def test_other_threads_run_beside_an_endless_loop() -> None:
    """One of them sends an exception into it, as soon as it has the interpreter for itself."""
    import ctypes

    f = jit(endless)
    f(0, np.zeros(2))
    home = ctypes.c_ulong(threading.get_ident())

    def send() -> None:
        time.sleep(SOON)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(home, ctypes.py_object(SentError))

    sender = threading.Thread(target=send)
    sender.start()
    with pytest.raises(SentError):
        f(1000, np.zeros(2))
    sender.join()

    assert f.stats()["bails"] == 1


def overflows(x: Any, n: int) -> int:
    k = 0
    y = x[0]
    while k < n:
        y = y * 2.0
        k = (k + 1) % 5000
    return k


@pytest.mark.parametrize("mode", ["raise", "call"])
def test_an_endless_loop_reports_what_its_arithmetic_raises(mode: str) -> None:
    """Eager reports it in the iteration where it comes up."""

    def stop(kind: str, flag: int) -> None:
        raise OverflowError(kind)

    f = jit(overflows)
    f(np.ones(1), 0)
    with np.errstate(over=mode, call=stop), pytest.raises((FloatingPointError, OverflowError)):
        f(np.ones(1), 5000)

    assert f.stats()["bails"] >= 1
