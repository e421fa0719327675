"""Background compiles: a thread of this process that exists only while there are jobs.

The thread waits for the compile helper, a separate process, and loads the machine code it sends.
Without a helper it compiles itself, holding the GIL half of the time.

A job holds the text of a kernel and a weak reference to whoever waits for it, so that it keeps
neither arguments nor functions alive. The thread is unknown to `threading`, because programs count
threads. It has to end before a fork, whose child would inherit its locks without the thread, and
before the interpreter does, since LLVM must not be interrupted. A waiting thread ends at once, a
compiling one after its compile. Unfinished jobs go back to whoever waits, and are started again
when needed.
"""

from __future__ import annotations

import _thread
import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep, thread_time
from typing import Protocol
from weakref import ReferenceType, ref

from . import native
from .config import debug_mode
from .filters import filtered
from .interrupts import meant_for_program
from .kernels import Finish, MachineCode, Pending

STACK = 8 << 20
"""Stack size in bytes that LLVM may need, even if the program sets a smaller one for its threads.
"""
LINGERS = 1.0
"""Seconds that the system may take to end a thread that has returned."""


class Waiting(Protocol):
    """Receives the machine code of a job; the methods are called by the compiling thread."""

    def wants(self, job: Job) -> bool:
        """Return True if the machine code would still be used."""

    def finish(self, job: Job, code: MachineCode) -> None:
        """Take the machine code."""

    def fail(self, job: Job, error: BaseException) -> None:
        """Learn that the compile failed; called while the error is being handled."""

    def put_off(self, job: Job) -> None:
        """Learn that the job was dropped; `Worker.begin` it again when it is needed."""


class Job:
    """One compile. Times are in seconds of the monotonic clock, 0.0 for events yet to come."""

    __slots__ = (
        *("_ask", "_compile", "_pending", "_whose"),
        *("asked", "began", "cpu", "ended", "error", "failed", "inside", "lines"),
    )

    def __init__(
        self, compile_: Finish, whose: Waiting, ask: Callable[[], Pending | None] | None = None
    ) -> None:
        """Create a job; `ask`, if given, has another process compile it."""
        self._compile = compile_
        self._ask = ask
        self._pending: Pending | None = None
        self._whose: ReferenceType[Waiting] = ref(whose)
        self.asked = monotonic()
        self.began = 0.0
        self.ended = 0.0
        self.lines = 0
        """Number of lines of the text, if known."""
        self.cpu = 0.0
        """CPU seconds that the compile took, in this process or another."""
        self.inside = False
        """True if this process compiled it."""
        self.failed = False
        self.error: BaseException | None = None
        """The error, in strict mode only, as it keeps the frames of its traceback alive."""

    def wait(self, stop: bytearray) -> bool:
        """Have another process compile it, and wait.

        Return False if `stop[0]` was set before the end.
        """
        if self._ask is None or not self.is_wanted():
            return True
        self.began = self.began or monotonic()
        if self._pending is None or self._pending.forgotten:
            self._pending = self._ask()
        return self._pending is None or self._pending.wait(None, stop)

    def run(self) -> None:
        """Compile unless another process has; hand the result, or the error, to whoever waits.

        Does nothing if the result is no longer wanted. Exceptions other than errors propagate.
        """
        if not self.is_wanted():
            return
        self.began = self.began or monotonic()
        pending = self._pending
        done = pending is not None and pending.wait(0)
        self.inside, before = not done, thread_time()
        try:
            with filtered("ignore"):
                code = self._compile(pending) if done else self._compile()
        except Exception as error:
            if (for_program := meant_for_program(error)) is not None:
                raise for_program from None
            self.fail(error)
            return
        self.ended = monotonic()
        self.cpu = thread_time() - before + (pending.cpu if pending is not None and done else 0.0)
        whose = self._whose()
        if whose is not None:
            whose.finish(self, code)

    def is_wanted(self) -> bool:
        """True if the machine code would still be used."""
        whose = self._whose()
        return whose is not None and whose.wants(self)

    def fail(self, error: BaseException) -> None:
        """Record that the compile failed, and report it."""
        self.ended, self.failed = monotonic(), True
        self.error = error if debug_mode("strict") else None
        whose = self._whose()
        if whose is not None:
            whose.fail(self, error)

    def leave_to_helper(self) -> None:
        """Let the helper compile it for later processes, as this process ends."""
        if self._ask is not None and self._pending is None and self.is_wanted():
            with suppress(Exception):
                self._pending = self._ask()

    def put_off(self) -> None:
        """Tell whoever waits that the job was dropped."""
        whose = self._whose()
        if whose is not None:
            whose.put_off(self)


class Worker:
    """The compiling thread and its queue of jobs. Forks wait for it as for a lock."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queue: deque[Job] = deque()
        self._current: Job | None = None
        self._running = False
        self._stop = bytearray(1)
        """Nonzero while the thread must not wait for another process."""
        self._native_id = 0
        self._forks = 0
        """Number of threads that are about to fork."""
        self._closed = False
        self.errors: list[BaseException] = []
        """In strict mode, errors that have not been reported to anybody."""

    @property
    def is_running(self) -> bool:
        """True while the thread exists."""
        return self._running

    def begin(self, job: Job) -> bool:
        """Queue a job; return False if the interpreter is ending."""
        with self._changed:
            if self._closed:
                return False
            if job is not self._current and job not in self._queue:
                self._queue.append(job)
            if not self._has_thread():
                self._queue.remove(job)
                return False
        return True

    def wait(self, timeout: float | None) -> bool:
        """Wait until all jobs are done; return False on timeout."""
        with self._changed:
            if self._is_own_thread():
                return False  # a finaliser run by the garbage collector in this thread
            if self._queue:
                self._has_thread()
            return self._changed.wait_for(self._is_idle, timeout)

    def close(self) -> None:
        """End the thread as the interpreter ends.

        Only a compile inside this process is finished.
        """
        with self._changed:
            self._closed = True
            self._stop[0] = 1
            self._changed.wait_for(lambda: not self._running)
            dropped = [*self._queue]
            self._queue.clear()
        for job in dropped:
            job.leave_to_helper()
            job.put_off()
        self._join()

    # ---- forks -----------------------------------------------------------------------------------

    def acquire(self, timeout: float) -> bool:
        """End the thread before a fork; return False if its compile takes longer than `timeout`."""
        self._changed.acquire()
        self._forks += 1
        self._stop[0] = 1
        if not self._is_own_thread():
            self._changed.wait_for(lambda: not self._running, timeout)
        if self._running:
            self._end_fork()
            self._changed.release()
            return False
        self._join()
        return True

    def release(self) -> None:
        """Resume after a fork, in both processes: entries queue their jobs again when called."""
        self._end_fork()
        left = [*self._queue]
        self._changed.release()
        for job in left:
            job.put_off()

    def _end_fork(self) -> None:
        self._forks -= 1
        self._stop[0] = self._closed or self._forks > 0

    def forked(self) -> None:
        """Reset the state in the child; its entries compile when they are called there."""
        self._changed = threading.Condition()
        self._running, self._forks, self._stop = False, 0, bytearray(1)
        self._queue.clear()
        if self._current is not None:  # it belongs to the parent's thread
            self._current.put_off()
            self._current = None

    # ---- the thread ------------------------------------------------------------------------------

    def _is_own_thread(self) -> bool:
        return self._running and _thread.get_native_id() == self._native_id

    def _is_idle(self) -> bool:
        return not self._queue and self._current is None

    def _has_thread(self) -> bool:
        """Return True if the thread exists or could be started."""
        if self._running or self._forks:
            return True
        before = _thread.stack_size()
        try:
            if 0 < before < STACK:
                _thread.stack_size(STACK)
            _thread.start_new_thread(self._work, ())
        except RuntimeError:  # there are too many, or the interpreter ends
            return False
        finally:
            if 0 < before < STACK:
                _thread.stack_size(before)
        self._running = True
        return True

    def _work(self) -> None:
        native.engine_enter()  # code that compilers run must not be captured
        self._native_id = _thread.get_native_id()
        is_done = True
        while (job := self._next(is_done)) is not None:
            try:
                is_done = job.wait(self._stop)
                if is_done:
                    job.run()
            except BaseException as error:  # sent to this thread from elsewhere
                is_done = True
                job.fail(error)
            if job.error is not None:
                self.errors.append(job.error)
            del job  # it keeps a kernel's text alive

    def _next(self, is_done: bool) -> Job | None:
        """Return the next job, or None to end the thread.

        An unfinished job goes back to the queue.
        """
        with self._changed:
            if not is_done and self._current is not None:
                self._queue.appendleft(self._current)
            more = self._queue and not self._closed and not self._forks
            self._current = self._queue.popleft() if more else None
            self._running = bool(more)
            self._changed.notify_all()
            return self._current

    def _join(self) -> None:
        """Wait until the system has ended the thread, which has already returned."""
        task, end = f"/proc/self/task/{self._native_id}", monotonic() + LINGERS
        while self._native_id and os.path.exists(task) and monotonic() < end:
            sleep(1e-4)
        self._native_id = 0


WORKER = Worker()
"""The worker of this process."""


try:
    # atexit functions run after all non-daemon threads have ended; one may be waiting for us.
    threading._register_atexit(WORKER.close)  # type: ignore[attr-defined]
except RuntimeError:  # the interpreter is ending already
    WORKER.close()
