"""Compiles in the background: one thread of the process, which is there while there is work.

The thread waits for the compile helper, another process, and loads what comes from there. If there
is no helper it compiles by itself, which holds the GIL half of the time.

A job knows the text of a kernel and, weakly, who waits for the machine code: arguments and
functions do not live longer for it. The thread is none of `threading`'s: programs count those. It
has to be gone when the process forks, whose child would have its locks and not the thread, and when
the interpreter ends, which is no place to be in the middle of LLVM. A thread that waits is told to
stop and ends at once; one that compiles ends after that compile. What is not finished stays with
who waits for it, and is asked for again when needed.
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
"""Bytes of stack that LLVM may need, whatever the program gives to threads of its own."""
LINGERS = 1.0
"""Seconds that the system may need to end a thread that has returned."""


class Waiting(Protocol):
    """Who waits for machine code; called by the thread that compiles."""

    def wants(self, job: Job) -> bool:
        """Whether anybody would use it."""

    def finish(self, job: Job, code: MachineCode) -> None:
        """Here it is."""

    def fail(self, job: Job, error: BaseException) -> None:
        """There is none; called while the error is being handled."""

    def put_off(self, job: Job) -> None:
        """Nobody compiles at the moment: begin() it again when it is needed."""


class Job:
    """One compile. Times are seconds of the monotonic clock, 0.0 for what has not happened."""

    __slots__ = (
        *("_ask", "_compile", "_pending", "_whose"),
        *("asked", "began", "cpu", "ended", "error", "failed", "inside", "lines"),
    )

    def __init__(
        self, compile_: Finish, whose: Waiting, ask: Callable[[], Pending | None] | None = None
    ) -> None:
        """`ask` has another process compile it."""
        self._compile = compile_
        self._ask = ask
        self._pending: Pending | None = None
        self._whose: ReferenceType[Waiting] = ref(whose)
        self.asked = monotonic()
        self.began = 0.0
        self.ended = 0.0
        self.lines = 0
        """Of the text, where somebody counts."""
        self.cpu = 0.0
        """Seconds of CPU time that it took, here or in another process."""
        self.inside = False
        """This process has compiled it."""
        self.failed = False
        self.error: BaseException | None = None
        """In strict mode only: it holds the frames that it came through."""

    def wait(self, stop: bytearray) -> bool:
        """Has another process compile it, and waits; False if `stop[0]` was set before the end."""
        if self._ask is None or not self.is_wanted():
            return True
        self.began = self.began or monotonic()
        if self._pending is None or self._pending.forgotten:
            self._pending = self._ask()
        return self._pending is None or self._pending.wait(None, stop)

    def run(self) -> None:
        """Compiles what no other process has, and tells who waits, of errors too.

        Nothing is done if nobody wants it any more. Exceptions that are no errors go through.
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
            if (heard := meant_for_program(error)) is not None:
                raise heard from None
            self.fail(error)
            return
        self.ended = monotonic()
        self.cpu = thread_time() - before + (pending.cpu if pending is not None and done else 0.0)
        whose = self._whose()
        if whose is not None:
            whose.finish(self, code)

    def is_wanted(self) -> bool:
        """Whether anybody would use it."""
        whose = self._whose()
        return whose is not None and whose.wants(self)

    def fail(self, error: BaseException) -> None:
        """There is no machine code."""
        self.ended, self.failed = monotonic(), True
        self.error = error if debug_mode("strict") else None
        whose = self._whose()
        if whose is not None:
            whose.fail(self, error)

    def leave_to_helper(self) -> None:
        """The process ends: another one may make the kernel, for the next process."""
        if self._ask is not None and self._pending is None and self.is_wanted():
            with suppress(Exception):
                self._pending = self._ask()

    def put_off(self) -> None:
        """Nobody compiles at the moment."""
        whose = self._whose()
        if whose is not None:
            whose.put_off(self)


class Worker:
    """The thread, and the jobs that it is to do. To a fork it is one of the locks to be held."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queue: deque[Job] = deque()
        self._current: Job | None = None
        self._running = False
        self._stop = bytearray(1)
        """Not 0 while the thread may not wait for another process."""
        self._native_id = 0
        self._forks = 0
        """Threads that are about to fork."""
        self._closed = False
        self.errors: list[BaseException] = []
        """In strict mode, those that nobody has been told of."""

    @property
    def is_running(self) -> bool:
        """True if there is a thread."""
        return self._running

    def begin(self, job: Job) -> bool:
        """Has the job done after those before it; False where the interpreter ends."""
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
        """Waits until all is done; whether it is."""
        with self._changed:
            if self._is_own_thread():
                return False  # a finaliser that the garbage collector runs in our thread
            if self._queue:
                self._has_thread()
            return self._changed.wait_for(self._is_idle, timeout)

    def close(self) -> None:
        """The interpreter ends: drops all but a compile of our own that is under way."""
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
        """Before a fork: the thread ends, after a compile of its own. False: it takes too long."""
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
        """After a fork, in both processes: the next call of each entry goes on with its job."""
        self._end_fork()
        left = [*self._queue]
        self._changed.release()
        for job in left:
            job.put_off()

    def _end_fork(self) -> None:
        self._forks -= 1
        self._stop[0] = self._closed or self._forks > 0

    def forked(self) -> None:
        """In the child, after release() if that is called: it compiles what is called there."""
        self._changed = threading.Condition()
        self._running, self._forks, self._stop = False, 0, bytearray(1)
        self._queue.clear()
        if self._current is not None:  # by a thread that is in the parent only
            self._current.put_off()
            self._current = None

    # ---- the thread ------------------------------------------------------------------------------

    def _is_own_thread(self) -> bool:
        return self._running and _thread.get_native_id() == self._native_id

    def _is_idle(self) -> bool:
        return not self._queue and self._current is None

    def _has_thread(self) -> bool:
        """Whether there is a thread, or one can be made."""
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
        native.engine_enter()  # what compilers run is not captured
        self._native_id = _thread.get_native_id()
        is_done = True
        while (job := self._next(is_done)) is not None:
            try:
                is_done = job.wait(self._stop)
                if is_done:
                    job.run()
            except BaseException as error:  # sent to this thread, which is none of the program's
                is_done = True
                job.fail(error)
            if job.error is not None:
                self.errors.append(job.error)
            del job  # the text of a kernel, and who waits for it

    def _next(self, is_done: bool) -> Job | None:
        """The next job; None ends the thread. The present one is put back if it is not done."""
        with self._changed:
            if not is_done and self._current is not None:
                self._queue.appendleft(self._current)
            more = self._queue and not self._closed and not self._forks
            self._current = self._queue.popleft() if more else None
            self._running = bool(more)
            self._changed.notify_all()
            return self._current

    def _join(self) -> None:
        """Waits until the system has ended the thread, which has nothing left to do."""
        task, end = f"/proc/self/task/{self._native_id}", monotonic() + LINGERS
        while self._native_id and os.path.exists(task) and monotonic() < end:
            sleep(1e-4)
        self._native_id = 0


WORKER = Worker()
"""That of the process."""


def wait_for_compiles(timeout: float | None = None) -> bool:
    """Waits for what is compiled while plain Python answers, with `compile="auto"`.

    Args:
        timeout: seconds to wait at most, a number; None waits as long as it takes.

    Returns:
        Whether all is done: the next call of what was captured before runs its kernel. False when
        the time is over before.

    Raises:
        TypeError: `timeout` is neither a number nor None.
    """
    if timeout is not None and not isinstance(timeout, int | float):
        raise TypeError(f"wait_for_compiles: `timeout` must be seconds or None, not {timeout!r}")
    done = WORKER.wait(timeout)
    if WORKER.errors:
        raise WORKER.errors.pop()
    return done


try:
    # atexit runs after all threads that are not daemons have ended, and these may wait for us.
    threading._register_atexit(WORKER.close)  # type: ignore[attr-defined]
except RuntimeError:  # the interpreter is ending already
    WORKER.close()
