"""The part of entries, captured or kept on disk, that waits for kernels being compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakMethod

from ...jit.background import WORKER, Job
from ...jit.config import debug_mode
from ...jit.frozen import dataclass, field
from ...jit.kernels import MachineCode, Unfinished
from ...jit.log import log
from ...jit.native import Entry
from ..tiers.waiting import wait

if TYPE_CHECKING:
    from ..tiers.sites import Site


@dataclass(eq=False, slots=True, weakref_slot=True, kw_only=True)
class AwaitsKernels:
    """Requests the kernels of an entry and hands them to C when they are there.

    It also has launches judged by whether they are worth their cost.
    """

    native: Entry | None = None
    job: Job | None = None
    """The job that compiles the kernel in the background."""
    _unpaid: list[Job] = field(default_factory=list)
    """Compiles that have not begun, as they first have to be paid for."""
    _waiting: dict[Job, Entry] = field(default_factory=dict)
    """Native entries that wait for their kernel: the entry's own and the attributing one."""
    site: Site | None = None
    """The site whose time pays for compiles; None if they need not be paid for."""
    on_failure: WeakMethod[Callable[[], None]] | None = None
    """Weak, because a function's entries are freed with its manager, by reference counts."""
    _on_idle: Callable[[], None] | None = None

    @property
    def name(self) -> str:
        """Return function and line where the entry begins, for messages."""
        raise NotImplementedError

    def watch(self, on_idle: Callable[[], None]) -> None:
        """Judge launches from now on; `on_idle` is called if they do too little."""
        self._on_idle = on_idle
        if self.native is not None:
            self.native.watched = 1

    def idle(self) -> None:
        """Decline from now on, as launches did too little; called by launch.c."""
        if self._on_idle is not None:
            self._on_idle()

    def wants(self, job: Job) -> bool:
        """True if a call could still use the job's kernel."""
        return job in self._waiting

    def finish(self, job: Job, code: MachineCode) -> None:
        """Install the kernel, which the next call runs."""
        waiting = self._waiting.pop(job, None)
        if self.site is not None:
            self.site.has_compiled(job)
        if waiting is not None:
            waiting.set_kernel(*code)
            log(
                "tiers",
                "%s: its kernel serves, after %.1f ms of compiling",
                self.name,
                job.cpu * 1e3,
            )

    def fail(self, job: Job, error: BaseException) -> None:
        """Record an error of framejit's own.

        Eager answers, or in strict mode the next call raises.
        """
        waiting = self._waiting.get(job)
        note = self.on_failure() if self.on_failure is not None else None
        if waiting is not None and note is not None:
            note()
            waiting.asks = int(debug_mode("strict"))

    def put_off(self, job: Job) -> None:
        """Note that the job was dropped; the next call queues it again."""
        waiting = self._waiting.get(job)
        if waiting is not None:
            waiting.asks = 1

    def begin(self, unfinished: Unfinished, waiting: Entry) -> Job:
        """Have the kernel of an entry compiled."""
        job = Job(unfinished.finish, self, unfinished.ask)
        self._waiting[job] = waiting
        job.lines = unfinished.lines
        if self.site is not None:
            self._unpaid.append(job)
            wait(WeakMethod(self._begin_what_pays))
        elif not WORKER.begin(job):
            job.run()
        return job

    def _begin_what_pays(self) -> bool:
        """Begin compiles that are paid for by now; return False if others are left."""
        assert self.site is not None
        while self._unpaid:
            job = self._unpaid[-1]
            if not self.site.may_compile(job.lines):
                return False
            if self.wants(job) and not WORKER.begin(job):
                return False
            log("tiers", "%s: %d lines of kernel are to be compiled", self.name, job.lines)
            self._unpaid.remove(job)
        return True

    def awaited(self) -> None:
        """Begin compiles again; called by launch.c for an entry that `asks` while eager answers."""
        for job in [*self._waiting]:
            if job.error is not None:
                raise job.error
            if not WORKER.begin(job):
                job.run()
