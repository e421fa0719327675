"""Cache entries: from a captured segment to what C runs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from time import thread_time
from typing import TYPE_CHECKING

import numpy as np

from ..backends.registry import REFERENCE, load_backend
from ..guards.program import GuardProgram
from ..jit.checks import Check, told
from ..jit.config import Options
from ..jit.entries import native_entry
from ..jit.filters import filtered
from ..jit.ir.graph import Node, Recipe, Spot
from ..jit.ir.ops import ELEMENT, FOR, LOOP, OPERATOR, Kind
from ..jit.ir.scalar_math import warned_name
from ..jit.ir.text import print_graph
from ..jit.ir.types import ScalarType
from ..jit.log import log
from ..jit.native import MAX_BAILS_IN_ROW, Entry, set_trials
from ..jit.pipeline import Parts, Plan, TooLong, compile_plan
from ..jit.threads import share
from .awaited import AwaitsKernels
from .capture import Captured
from .issuing import Logged, issue
from .lessons import Lessons
from .runtime.at_once import is_at_once, is_looked_into

if TYPE_CHECKING:
    from ..backends.verify.pace import Pace

PATIENCE, LONG_PATIENCE = 32, 256
"""Launches before a kernel is measured against plain Python. One that goes over single elements is
so much faster that a call of plain Python costs what many launches save."""
LONGEST = 50_000_000
"""Nanoseconds of a launch of such a kernel above which plain Python is not tried, which may take a
hundred times as long."""
SMALL = 80
"""Operations of a kernel that is compiled at its first bail to tell its warnings apart."""
SURE, SELDOM = 4, 8
"""Bails at one instruction before captures end there, and launches that may come between two."""


@dataclass(eq=False, slots=True)
class CacheEntry(AwaitsKernels):
    """The Python side of a native entry: what the report and the slow paths need."""

    captured: Captured
    program: GuardProgram
    payloads: list[Recipe]
    n_live: int
    options: Options
    key: Options
    """The options of the context in which the entry holds."""
    parts: Parts = field(default_factory=Parts)
    bails: dict[str, int] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)
    """Checks of kernels that did not hold, in words."""
    spots: list[Spot] = field(default_factory=list)
    """Instructions that its kernels bail at, by number from 1 on."""
    _bailed_at: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By number: bails there, and hits of the entry before the first of these."""
    made_room_for: Check | None = None
    """What has not held, so that the next capture is more general."""
    ends_before: Spot | None = None
    """Where the capture ends that it has made room for."""
    attributing: Parts | None = None
    """Those of the attributing kernel, once there is one."""
    _has_tried: bool = False
    """Whether one was made, or would have been too long."""
    exit_numbers: tuple[int, ...] = ()
    seconds: float = 0.0
    """CPU time of its compiles for which calls have waited."""
    pace: Pace | None = None
    """What NumPy takes for the same, where the function was explained."""
    lessons: Lessons | None = None

    @property
    def name(self) -> str:
        """Function and line where it begins, for messages."""
        located = [node.location for node in self.captured.graph.nodes() if node.location]
        return f"{located[0].function}, {located[0].filename}:{located[0].line}" if located else "?"

    def weigh(self) -> None:
        """It serves whole calls: these are measured against plain Python from time to time."""
        if self.native is not None and self.options.backend != REFERENCE:
            ops = {node.op for node in self.captured.graph.nodes()}
            one_by_one = not ops.isdisjoint((FOR, LOOP)) and ELEMENT in ops
            self.native.patience = LONG_PATIENCE if one_by_one else PATIENCE
            if one_by_one:
                self.native.longest = LONGEST

    def forget(self) -> None:
        """Nobody can call it any more."""
        self.native = None
        self._waiting.clear()

    # ---- called by launch.c ----------------------------------------------------------------------

    def took_long(self) -> None:
        """A launch was in a loop for long that it could not halt: the next capture makes it so."""
        if self.lessons is not None and self.native is not None and not self.lessons.takes_long:
            self.lessons.takes_long = True
            self.made_room_for = Check.LONG
            self.native.outgrown = 1
            self.lessons.ask()

    def grew(self) -> None:
        """Its arrays got large: the next capture is of a kernel whose loops threads share."""
        if self.lessons is not None and self.native is not None:
            self.made_room_for = Check.GREW
            self.native.outgrown = 1
            self.lessons.ask()

    def bailed(self, why: str, flags: int, check: int) -> None:
        """A launch left for eager.

        Either a "check" did not hold, or eager would report "flags", or an exception for the
        program came as an "interrupt", or others "changed" what the entry relies on meanwhile, for
        either of which a loop may have been "halted" between two turns, or one of these came after
        the first "checkpoint", or a check or flag so "late" in a loop that the kernel ran once more
        and kept the turns before. `flags` are the reported ones; `check` says
        what did not hold and at which instruction, 0 where that is not told.
        """
        self.bails[why] = self.bails.get(why, 0) + 1
        words = self._teach(check, kept=why == "late") if check else ""
        log("bails", "%s: a launch left for eager: %s%s", self.name, why, words and f", {words}")
        heard = flags or (why in ("check", "late") and self._may_warn)
        if heard and not self._has_tried and self._pays_to_attribute():
            self._attribute()

    def _attribute(self) -> None:
        """Makes the kernel that tells which operation has raised a flag."""
        assert self.native is not None
        self._has_tried = True
        try:
            with filtered("ignore"):
                parts = self.compile_parts(attribute=True)
        except TooLong:  # plain Python warns
            return
        self.attributing = parts
        attributing = self.new_native(parts, attribute=True)
        self.native.set_attributing(attributing)
        if parts.unfinished is not None:
            self.begin(parts.unfinished, attributing)

    def _teach(self, said: int, *, kept: bool) -> str:
        """Where the next capture may hold, this entry makes room for it; the check, in words.

        A kernel that keeps the turns before a bail is worth more than one that ends before it.
        """
        check, number = told(said)
        self.checks[check.value] = self.checks.get(check.value, 0) + 1
        if self.lessons is not None and self.native is not None:
            if self.lessons.learn(check, is_narrow=self.captured.is_narrow):
                self.made_room_for = check
                self.native.outgrown = 1
            elif (
                number and not kept and self.ends_before is None and self._keeps_bailing_at(number)
            ):
                spot = self.spots[number - 1]
                if self.lessons.end_before(spot, check):
                    self.ends_before = spot
                    self.native.outgrown = 1
            if self.native.outgrown:
                self.lessons.ask()
        return check.value

    def _keeps_bailing_at(self, number: int) -> bool:
        """Whether so many launches bail at an instruction that plain Python had better run it."""
        assert self.native is not None
        hits = self.native.hits
        count, since = self._bailed_at.get(number, (0, hits))
        if hits - since > SURE * SELDOM:
            count, since = 0, hits
        self._bailed_at[number] = count + 1, since
        return count + 1 >= SURE and hits - since <= SELDOM * count

    @property
    def is_outgrown(self) -> bool:
        """Whether it has made room for another capture, so that no limit counts it."""
        return self.native is not None and bool(self.native.outgrown)

    def resume(self) -> None:
        """The capture for which it has made room gave no entry beside it: it serves again."""
        if self.ends_before is not None and self.native is not None:
            self.native.outgrown = 0

    def give_way(self) -> None:
        """A segment serves its calls, too: it is tried now and then, in case that it bails seldom.

        A kernel with loops in it costs little beside the loops of plain Python.
        """
        native = self.native
        if native is None or self.ends_before is None or native.outgrown or native.has_others:
            return
        if not any(node.op in (FOR, LOOP) for node in self.captured.graph.nodes()):
            native.has_others, native.bails_in_row = 1, MAX_BAILS_IN_ROW

    def _pays_to_attribute(self) -> bool:
        """Whether a second kernel, which may take seconds to compile, has a chance to be used."""
        nodes = sum(1 for _ in self.captured.graph.nodes())
        patience = min((nodes // SMALL) ** 2, MAX_BAILS_IN_ROW - 1)
        bails = sum(self.bails.values())
        return self.native is not None and bails > patience and self.may_attribute()

    @property
    def _may_warn(self) -> bool:
        """Whether a block of np.errstate in it asks for warnings."""
        located = (node.location for node in self.captured.graph.nodes())
        return any(location is not None and location.modes.warned for location in located)

    def may_attribute(self) -> bool:
        """Whether flags mean nothing worse than warnings here: a kernel may run to its end."""
        modes = np.geterr().values()
        if any(mode not in ("ignore", "warn") for mode in modes):
            return False
        return not any(
            action == "error" and issubclass(RuntimeWarning, category)
            for action, _, category, _, _ in warnings.filters
        )

    def warn(self, kernel: Entry, log: list[tuple[int, int]]) -> None:
        """Issues the warnings that eager would have issued for these (node, flags) of a kernel."""
        parts = self.parts if kernel is self.native else self.attributing
        assert parts is not None
        for number, flags in log:
            issue(logged(parts.located[number]), flags)

    # ---- making ----------------------------------------------------------------------------------

    def compile_parts(self, attribute: bool) -> Parts:
        """Runs the backend; both variants start from the same slots and objects."""
        program = self.program
        plan = Plan(
            self.captured.graph,
            self.payloads,
            [program.slot(source) for source in self.captured.sources],
            program.slot,
            program.n_slots,
            len(program.code),
            list(program.objects),
            self.options.cache,
            self.options.compiles_later and not is_at_once(),
            spots=self.spots,
        )
        began = thread_time()
        parts = compile_plan(load_backend(self.options.backend), plan, attribute)
        self.seconds += thread_time() - began
        parts.objects = tuple(plan.objects)
        return parts

    def new_native(self, parts: Parts, attribute: bool = False) -> Entry:
        entry = native_entry(
            parts,
            self.captured.graph,
            n_live=self.n_live,
            owner=self,
            options=self.key,
            guards=self.program.packed(),
            n_guards=len(self.program.code),
        )
        if self.options.verify and self.options.backend != REFERENCE:
            entry.set_check(self._check(attribute), self.program.n_slots)
            set_trials(False)  # who asks for checks wants all launches, not those that pay
        elif is_looked_into():
            self.measure_pace(entry)
        share(entry, self.options, parts.parallel, parts.small)
        if self.exit_numbers:
            entry.set_exit_numbers(self.exit_numbers)
        return entry

    def _check(self, attribute: bool) -> Callable[[Entry, tuple[object, ...]], None]:
        """Compares the kernel with NumPy before each launch."""
        from ..backends.verify import Check

        slots = [self.program.slot(source) for source in self.captured.sources]
        backend = load_backend(self.options.backend)
        return Check(self.captured.graph, slots, backend, attribute)

    def measured_once(self) -> None:
        """Its function is explained: see `measure_pace`."""
        if self.native is not None and not self.options.verify:
            self.measure_pace(self.native)

    def measure_pace(self, entry: Entry) -> None:
        """Its next launch, in a call that is explained, finds out how long NumPy takes for it."""
        from ..backends.verify.pace import Pace

        slots = [self.program.slot(source) for source in self.captured.sources]
        self.pace = Pace(self.captured.graph, slots, is_looked_into)
        entry.set_check(self.pace, self.program.n_slots)

    def number_exits(self, numbers: tuple[int, ...]) -> None:
        """For each exit of the graph, which exit of the stub it is."""
        self.exit_numbers = numbers
        if self.native is not None:
            self.native.set_exit_numbers(numbers)

    @property
    def goes_round(self) -> frozenset[int]:
        """Ends of loops that it may leave in the middle."""
        return self.captured.goes_round

    @property
    def ends_at(self) -> int | None:
        """The instruction at which it breaks; None where it ends otherwise."""
        ended_by = self.captured.ended_by
        return None if ended_by is None else ended_by.index

    @property
    def kernel_text(self) -> str:
        """What is compiled; "" where the backend has no texts."""
        return self.parts.text

    def came_from(self) -> tuple[str, str]:
        """Where the code of its kernel came from, and what was not as it should be."""
        return ("", "") if self.parts.came_from is None else self.parts.came_from()

    def graph_text(self, stage: str = "compiled") -> str:
        """The graph that was compiled, or the "captured" one, before the backend's passes."""
        compiled = self.parts.graph if stage == "compiled" else None
        return print_graph(compiled or self.captured.graph)

    def guards_text(self) -> str:
        """One line a guard."""
        return "\n".join(str(guard) for guard in self.captured.guards)


def logged(node: Node) -> Logged:
    """A node whose flags are kept apart, as its warnings need it."""
    where = node.location
    assert where is not None
    place = (where.filename, where.line, where.module)
    return Logged(_numpy_name(node), *place, where.modes.warned, where.namespace)


def _numpy_name(node: Node) -> str:
    """What NumPy calls the op in its warnings."""
    if node.op.kind in (Kind.REDUCE, Kind.SCAN):
        return node.op.name  # the name of the ufunc's method
    ufunc = node.attrs.get("within") or node.attrs.get("ufunc")
    if ufunc is not None:
        return str(ufunc.__name__)
    if node.op is OPERATOR:
        types = [value.type for value in node.inputs if isinstance(value.type, ScalarType)]
        return warned_name(node.attrs["function"].__name__, types)
    return node.op.name
