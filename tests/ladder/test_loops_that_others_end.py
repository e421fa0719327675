"""Loops that ask in each turn for what a signal handler or another thread will set."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import framejit

MANY = 2 * 10**9
"""Turns that would take seconds in a kernel and minutes in Python."""
SOON = 0.05


class Worker:
    """With a flag."""

    def __init__(self) -> None:
        self.stopped = False


def by_item(flag: Any, x: Any, many: Any) -> Any:
    n = 0
    while not flag[0] and n < many:
        n += 1
    return n + int(x.sum())


def by_attribute(worker: Any, x: Any, many: Any) -> Any:
    s = 0.0
    for n in range(many):
        s += x[n % 4]
        if worker.stopped:
            break
    return n


def by_an_array(flag: Any, x: Any, many: Any) -> Any:
    n = 0
    while flag[0] == 0 and n < many:
        n += int(x[n % 4])
    return n


@contextmanager
def handler(action: Callable[[], None]) -> Iterator[None]:
    """The action is done by a handler, soon."""
    before = signal.signal(signal.SIGALRM, lambda *_: action())
    signal.setitimer(signal.ITIMER_REAL, SOON)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def thread(action: Callable[[], None]) -> Iterator[None]:
    """By another thread."""
    timer = threading.Timer(SOON, action)
    timer.start()
    try:
        yield
    finally:
        timer.join()


@pytest.mark.counts("bails")
@pytest.mark.parametrize("others", [handler, thread])
@pytest.mark.parametrize("program", [by_item, by_attribute, by_an_array])
def test_they_end(program: Any, others: Any) -> None:
    """Soon after it is set, and not after all turns."""
    x = np.ones(4)
    worker, items, array = Worker(), [False], np.zeros(1)

    def stop() -> None:
        worker.stopped = True
        items[0] = True
        array[0] = 1

    jitted = framejit.jit(program)
    flag = {by_item: items, by_attribute: worker, by_an_array: array}[program]
    jitted(flag, x, 1000)
    assert jitted.stats()["bails"] == 0
    with others(stop):
        assert jitted(flag, x, MANY) < MANY // 2
    assert jitted.stats()["bails"] == (program is not by_an_array)  # an array is read as it is
