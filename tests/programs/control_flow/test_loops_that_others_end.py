"""Loops that ask in each iteration for what a signal handler or another thread will set."""

from __future__ import annotations

import signal
import threading
import time
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
    """An object with a flag."""

    def __init__(self) -> None:
        self.stopped = False
        self.asked = False


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


def begun_by_itself(worker: Any, x: Any, many: Any) -> Any:
    worker.stopped = False
    n = 0
    while not worker.stopped and n < many:
        n += int(x[n % 4])
    return n


def begun_in_a_list(flag: Any, x: Any, many: Any) -> Any:
    s = (x * 2).sum()
    flag[0] = False
    n = 0
    while not flag[0] and n < many:
        n += 1
    return n + int(s) - int(s)


def by_iterations_of_a_range(worker: Any, x: Any, many: Any) -> Any:
    worker.stopped = False
    s = 0.0
    for n in range(many):
        s += x[n % 4]
        if worker.stopped:
            break
    return n


def where_it_is_positive(worker: Any, x: Any, many: Any) -> Any:
    y = x + 1
    worker.stopped = False
    n = 0
    if y[0] > 0:
        while not worker.stopped and n < many:
            n += int(x[n % 4])
    return n


def in_a_function(worker: Any, x: Any, many: Any) -> Any:
    y = x + 1
    return begun_by_itself(worker, x, many) + int(y[0]) - 2


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
    """Run an action in another thread, SOON."""
    timer = threading.Timer(SOON, action)
    timer.start()
    try:
        yield
    finally:
        timer.join()


BY_THEMSELVES = [
    begun_by_itself,
    begun_in_a_list,
    by_iterations_of_a_range,
    where_it_is_positive,
    in_a_function,
]
"""Programs that set what ends them to false before they begin."""


@pytest.mark.counts("bails", "breaks")
@pytest.mark.parametrize("others", [handler, thread])
@pytest.mark.parametrize("program", [by_item, by_attribute, by_an_array, *BY_THEMSELVES])
def test_they_end(program: Any, others: Any) -> None:
    """Soon after it is set, and not after all iterations."""
    x = np.ones(4)
    worker, items, array = Worker(), [False], np.zeros(1)

    def stop() -> None:
        worker.stopped = True
        items[0] = True
        array[0] = 1

    jitted = framejit.jit(program)
    flags = {by_item: items, by_an_array: array, begun_in_a_list: items}
    flag = flags.get(program, worker)
    jitted(flag, x, 1000)
    assert jitted.stats()["bails"] == 0
    with others(stop):
        assert jitted(flag, x, MANY) < MANY // 2
    if program is not in_a_function:  # which runs by itself
        # An array is read as it is.
        assert jitted.stats()["bails"] == (program is not by_an_array)
        assert jitted.stats()["breaks"] == 0


def test_a_number_that_others_set() -> None:
    """It is a live-in of any value, and is looked at again all the same."""

    @framejit.jit
    def wait(flag: Any, x: Any, many: Any) -> Any:
        n = 0
        while flag[0] == 0 and n < many:
            n += 1
        return n + int(x.sum())

    flag = [0.0]
    wait(flag, np.ones(4), 1000)
    with thread(lambda: flag.__setitem__(0, 1.0)):
        assert wait(flag, np.ones(4), MANY) < MANY // 2


@pytest.mark.counts("bails")
def test_others_hear_that_it_runs() -> None:
    """A change before a loop is seen while the loop waits for an answer."""

    @framejit.jit
    def ask(worker: Any, x: Any, many: Any) -> Any:
        worker.asked = True
        n = 0
        while not worker.stopped and n < many:
            n += int(x[n % 4])
        return n

    worker, x = Worker(), np.ones(4)
    ask(worker, x, 1000)

    def answer() -> None:
        while not worker.asked:
            time.sleep(SOON / 10)
        worker.stopped = True

    worker.asked = False
    with thread(answer):
        assert ask(worker, x, MANY) < MANY // 2
    assert ask.stats()["bails"] == 1  # it was a kernel that heard it
