"""Who waits for kernels: entries that were captured, and those that were kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakMethod

from ..jit.background import WORKER, Job
from ..jit.config import debug_mode
from ..jit.kernels import MachineCode, Unfinished
from ..jit.log import log
from ..jit.native import Entry
from .runtime.waiting import wait

if TYPE_CHECKING:
    from .runtime.sites import Site


@dataclass(eq=False, slots=True, weakref_slot=True, kw_only=True)
class AwaitsKernels:
    """The part of an entry that has kernels compiled and hands them to C when they are there.

    It also asks whether launches are worth their price.
    """

    native: Entry | None = None
    job: Job | None = None
    """What has compiled the kernel in the background, or will."""
    _unpaid: list[Job] = field(default_factory=list)
    """Compiles that nobody has begun: they are to be paid for."""
    _waiting: dict[Job, Entry] = field(default_factory=dict)
    """Entries that wait for their kernel: this one's, the attributing one."""
    site: Site | None = None
    """Whose time pays for compiles; None where they need not pay."""
    on_failure: WeakMethod[Callable[[], None]] | None = None
    """Weak: the entries of a function go with its manager, by reference counts."""
    _on_idle: Callable[[], None] | None = None

    @property
    def name(self) -> str:
        """Function and line where it begins, for messages."""
        raise NotImplementedError

    def watch(self, on_idle: Callable[[], None]) -> None:
        """Launches are weighed from now on; `on_idle` is called when they do too little."""
        self._on_idle = on_idle
        if self.native is not None:
            self.native.watched = 1

    def idle(self) -> None:
        """Called by launch.c: launches did too little; this entry declines from now on."""
        if self._on_idle is not None:
            self._on_idle()

    def wants(self, job: Job) -> bool:
        """Whether a call could still use it."""
        return job in self._waiting

    def finish(self, job: Job, code: MachineCode) -> None:
        """The next call runs the kernel."""
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
        """An error of framejit's own: eager answers; in strict mode the next call raises."""
        waiting = self._waiting.get(job)
        note = self.on_failure() if self.on_failure is not None else None
        if waiting is not None and note is not None:
            note()
            waiting.asks = int(debug_mode("strict"))

    def put_off(self, job: Job) -> None:
        """The next call begins it again."""
        waiting = self._waiting.get(job)
        if waiting is not None:
            waiting.asks = 1

    def begin(self, unfinished: Unfinished, waiting: Entry) -> Job:
        """Has the kernel of an entry compiled."""
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
        """Begins compiles that are paid for by now; False where others are left."""
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
        """Called by launch.c, where an entry `asks`: eager answers, and nobody compiles."""
        for job in [*self._waiting]:
            if job.error is not None:
                raise job.error
            if not WORKER.begin(job):
                job.run()
