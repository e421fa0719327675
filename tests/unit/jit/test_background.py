"""The thread that compiles: jobs in their order, one at a time, and none when nobody waits."""

from __future__ import annotations

import _thread
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from framejit.jit.background import Job, Worker

SECONDS = 30.0


class Entry:
    """An entry that waits for its kernel."""

    def __init__(self) -> None:
        self.got: list[Any] = []
        self.failed: list[BaseException] = []
        self.put_offs = 0
        self.wanted = True

    def wants(self, job: Job) -> bool:
        return self.wanted

    def finish(self, job: Job, code: Any) -> None:
        self.got.append(code)

    def fail(self, job: Job, error: BaseException) -> None:
        self.failed.append(error)

    def put_off(self, job: Job) -> None:
        self.put_offs += 1


class Gate:
    """A compile that says when it has begun, and ends when it may."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.opened = threading.Event()

    def __call__(self) -> Any:
        self.begun.set()
        assert self.opened.wait(SECONDS)
        return (1, "gate")


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    assert made.wait(SECONDS)


@pytest.fixture
def gate(worker: Worker) -> Iterator[Gate]:
    """A compile that is under way; it may end when the test has."""
    made, entry = Gate(), Entry()
    assert worker.begin(Job(made, entry))
    assert made.begun.wait(SECONDS)
    yield made
    made.opened.set()
    assert worker.wait(SECONDS)


def gives(code: Any) -> Callable[[], Any]:
    return lambda: (code, None)


def test_jobs_are_done_in_their_order(worker: Worker, gate: Gate) -> None:
    """Whoever begins one twice has it done once."""
    entry = Entry()
    jobs = [Job(gives(k), entry) for k in range(5)]
    for job in [*jobs, *jobs]:
        assert worker.begin(job)
    assert entry.got == []
    gate.opened.set()

    assert worker.wait(SECONDS)
    assert entry.got == [(k, None) for k in range(5)]
    assert all(job.asked <= job.began <= job.ended for job in jobs)


def test_the_thread_is_there_while_there_is_work(worker: Worker) -> None:
    """And `threading` does not count it."""
    before, entry = threading.active_count(), Entry()
    idents = []
    for _ in range(2):
        gate = Gate()
        worker.begin(Job(gate, entry))
        assert gate.begun.wait(SECONDS)
        idents.append(worker._native_id)
        assert threading.active_count() == before
        gate.opened.set()
        assert worker.wait(SECONDS)
        worker._join()
        assert not os.path.exists(f"/proc/self/task/{idents[-1]}")

    assert entry.got == [(1, "gate")] * 2


def test_waiting_has_an_end(worker: Worker, gate: Gate) -> None:
    """False where the time is over before."""
    assert not worker.wait(0)
    assert not worker.wait(0.01)
    gate.opened.set()

    assert worker.wait(SECONDS)
    assert worker.wait(0)


@pytest.mark.parametrize("way", ["dies", "does not want it"])
def test_a_job_nobody_waits_for_is_dropped(worker: Worker, gate: Gate, way: str) -> None:
    """It keeps nobody alive."""
    entry, compiled = Entry(), []
    worker.begin(Job(lambda: compiled.append(1), entry))
    if way == "dies":
        died = weakref.ref(entry)
        del entry
        assert died() is None
    else:
        entry.wanted = False
    gate.opened.set()

    assert worker.wait(SECONDS)
    assert compiled == []


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_an_error_is_told_to_who_waits(worker: Worker, error: type[BaseException]) -> None:
    """The thread goes on with the next job; in strict mode the error is kept for wait()."""

    def fails() -> Any:
        raise error("no")

    entry = Entry()
    failing = Job(fails, entry)
    worker.begin(failing)
    worker.begin(Job(gives(2), entry))

    assert worker.wait(SECONDS)
    assert [type(one) for one in entry.failed] == [error]
    assert entry.got == [(2, None)]
    assert failing.failed
    assert worker.errors == [failing.error]


def test_a_closed_worker_begins_nothing(worker: Worker, gate: Gate) -> None:
    """It waits for the compile under way, and puts off what has not begun."""
    entry = Entry()
    worker.begin(Job(gives(1), entry))
    threading.Timer(0.05, gate.opened.set).start()
    worker.close()

    assert gate.opened.is_set()
    assert (entry.got, entry.put_offs) == ([], 1)
    assert not worker.begin(Job(gives(1), entry))
    assert worker.wait(0)


def test_a_fork_waits_for_the_thread(worker: Worker, gate: Gate) -> None:
    """It is gone then; jobs that are left are put off, and begun again by who needs them."""
    entry = Entry()
    job = Job(gives(1), entry)
    worker.begin(job)
    thread = worker._native_id
    threading.Timer(0.05, gate.opened.set).start()
    assert worker.acquire(timeout=SECONDS)
    assert not os.path.exists(f"/proc/self/task/{thread}")
    worker.begin(job)  # by a handler of the program's that runs before the fork
    assert not worker._running
    worker.release()
    assert (entry.got, entry.put_offs) == ([], 1)
    assert worker.begin(job)

    assert worker.wait(SECONDS)
    assert entry.got == [(1, None)]


def test_a_fork_does_not_wait_for_ever(worker: Worker, gate: Gate) -> None:
    """The child then has no such thread; who waits for the compile under way is told."""
    assert not worker.acquire(timeout=0.01)
    held, current = worker._changed, worker._current
    worker.forked()
    try:
        assert not worker._running
        assert worker.wait(0)
    finally:  # this is no child: the thread is still there
        worker._changed, worker._current, worker._running = held, current, True


def test_stacks_are_large_enough(worker: Worker) -> None:
    """LLVM needs more than a program may give to its own threads."""

    def deep(levels: int) -> Any:
        return deep(levels - 1) if levels else (1, None)

    entry = Entry()
    before = _thread.stack_size(64 << 10)
    try:
        worker.begin(Job(lambda: deep(900), entry))
        assert _thread.stack_size() == 64 << 10
        assert worker.wait(SECONDS)
    finally:
        _thread.stack_size(before)

    assert entry.got == [(1, None)]


def test_many_threads_begin_at_once(worker: Worker) -> None:
    """No job is lost, none is done twice."""
    entries = [Entry() for _ in range(8)]

    def begin(entry: Entry) -> None:
        for k in range(50):
            assert worker.begin(Job(gives(k), entry))
            if k % 10 == 0:
                time.sleep(1e-3)

    threads = [threading.Thread(target=begin, args=(entry,)) for entry in entries]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert worker.wait(SECONDS)
    assert all(entry.got == [(k, None) for k in range(50)] for entry in entries)
