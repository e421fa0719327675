"""The compile helper: a process that compiles the texts of kernels to object code, one at a time.

It must not take time or memory from the program: it runs at low priority and is the first to be
killed if memory runs out. It ends with the program (after finishing the present job, whose result
is on disk for the next run) and when idle. Helpers of programs that share a cache folder compile
each text once, see `compile_leases.py`.
"""

from __future__ import annotations

import os
import resource
import select
import traceback
from contextlib import suppress
from time import monotonic

from ....jit.giving_way import give_way
from ....jit.helper_frames import Frame, Kind, Receiver
from . import compile_leases, stored

CHANNEL = 3
"""Descriptor of the socket to the program (jit/native/detached.c)."""
LAST_SECONDS = 5.0
"""Seconds after the program's end during which further kernels are begun."""
IDLE = 60.0
"""Seconds after which an idle helper ends."""
MOST_MEMORY = 1 << 30
"""Bytes of memory above which an idle helper ends, as LLVM and Numba leak some in each compile."""
RIGHTS = ("Uid", "Gid", "Groups", "CapPrm", "CapEff", "NoNewPrivs", "Seccomp")
"""Lines of /proc/PID/status that must not change. A text is code that runs here, so a program that
has dropped privileges must not use a helper that still has them."""
BUSY = 0.01
"""Seconds between two attempts to take the lease of a text that another helper compiles."""


def main(program: int) -> None:
    """Serve the program with this pid until it ends; does not return."""
    give_way()
    _serve(program)
    os._exit(0)  # nothing needs cleaning up, which would take Numba and LLVM a moment


def _serve(program: int) -> None:
    try:
        from . import compiling  # noqa: F401 - takes long; afterwards jobs are compiled at once

        greeting = stored.versions()
        assert greeting is not None
    except Exception as error:
        _send(Frame(Kind.FAILED, 0, _described(error)))
        return
    _send(Frame(Kind.READY, os.getpid(), greeting, _cpu()))
    _Server(program).serve()


class _Server:
    """Processes the jobs of one program."""

    def __init__(self, program: int) -> None:
        self._receiver = Receiver()
        self._queue: list[Frame] = []
        self._has_compiled = False
        self._tried: dict[int, float] = {}
        """First attempts at jobs for which another helper has the lease, as times."""
        self._poll = select.poll()
        self._poll.register(CHANNEL, select.POLLIN)
        self._program = program
        self._rights = _rights(os.getpid())
        self._pidfd = _pidfd(program)
        if self._pidfd is not None:
            self._poll.register(self._pidfd, select.POLLIN)

    def serve(self) -> None:
        """Serve until the program ends or nothing is left to do."""
        done = True
        while True:
            wait = 0.0 if self._queue and done else BUSY if self._queue else IDLE
            ready = {descriptor for descriptor, _ in self._poll.poll(1000 * wait)}
            is_there = self._receive() and self._pidfd not in ready
            if not is_there:
                self._do_last()
                return
            if self._queue and _rights(self._program) != self._rights:
                return
            if not self._queue and (not ready or _memory() > MOST_MEMORY):
                _send(Frame(Kind.GOODBYE, 0, cpu=_cpu()))
                return
            done = self._do_one()

    def _receive(self) -> bool:
        """Read requests; return False if the program is gone."""
        while select.select([CHANNEL], [], [], 0)[0]:
            try:
                part = os.read(CHANNEL, 1 << 16)
            except ConnectionResetError:  # it did not read all that was sent
                return False
            if not part:
                return False
            self._queue += self._receiver.feed(part)
        return True

    def _do_last(self) -> None:
        """Finish some jobs after the program has ended.

        A short program may end each time before its helper has started. To give later runs its
        kernels, at least one is compiled for the disk, and more while time permits.
        """
        until = monotonic() + LAST_SECONDS
        self._queue = [job for job in self._queue if job.kind is Kind.COMPILE_AND_KEEP]
        while self._queue and (not self._has_compiled or monotonic() < until):
            if not self._do_one():
                return

    def _do_one(self) -> bool:
        """Answer the first request that can be answered now; return False if there is none."""
        for job in self._queue:
            answer = self._answer(job)
            if answer is not None:
                self._has_compiled = True
                self._queue.remove(job)
                self._tried.pop(job.number, None)
                _send(answer)
                return True
        return False

    def _answer(self, job: Frame) -> Frame | None:
        """Return the answer, or None while another helper compiles the same text."""
        text = job.body.decode()
        if job.kind is not Kind.COMPILE_AND_KEEP:
            return _compiled(job.number, text, keep=False)
        content = stored.content_of(text)
        if content is not None:
            return Frame(Kind.FOUND, job.number, content, _cpu())
        leases, key = compile_leases.leases(), compile_leases.key_of(text)
        waits_since = self._tried.setdefault(job.number, monotonic())
        is_ours = leases is None or leases.take(key)
        if not is_ours and monotonic() - waits_since < compile_leases.LEASE_LIMIT:
            return None
        try:
            content = stored.content_of(text)  # another helper may have just written it
            if content is not None:
                return Frame(Kind.FOUND, job.number, content, _cpu())
            return _compiled(job.number, text, keep=True)
        finally:
            if leases is not None and is_ours:
                leases.give_back(key)


def _compiled(number: int, text: str, keep: bool) -> Frame:
    from .compiling import compiled

    try:
        code, symbol = compiled(text)
        content = stored.packed(text, code, symbol)
        is_kept = stored.keep(text, code, symbol) if keep else True
    except Exception as error:
        return Frame(Kind.FAILED, number, _described(error), _cpu())
    if content is None:
        return Frame(Kind.BOUND_TO_PROCESS, number, cpu=_cpu())
    return Frame(Kind.MADE if is_kept else Kind.MADE_NOT_KEPT, number, content, _cpu())


def _described(error: Exception) -> bytes:
    """Return an error in one line, followed by its traceback."""
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}\n{traceback.format_exc()}".encode()


def _send(frame: Frame) -> None:
    """Send a frame; if the program is gone, reading will notice."""
    rest = memoryview(frame.packed())
    with suppress(BrokenPipeError, ConnectionResetError):
        while rest:
            rest = rest[os.write(CHANNEL, rest) :]


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _rights(process: int) -> list[str]:
    """Return the privileges of a process; empty if it has ended."""
    try:
        with open(f"/proc/{process}/status") as status:
            return [line for line in status if line.partition(":")[0] in RIGHTS]
    except OSError:
        return []


def _memory() -> int:
    """Return the peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _pidfd(process: int) -> int | None:
    """Return a descriptor that becomes readable when a process ends, or None.

    The socket's end of stream tells it too, unless a child of the program has inherited the socket
    without executing another program or running Python's fork handlers.
    """
    try:
        return os.pidfd_open(process)
    except OSError:  # kernels older than 5.3 lack it
        return None
