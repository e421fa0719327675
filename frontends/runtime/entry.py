"""Cache entries: the Python side of what C runs for a captured segment."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from time import thread_time
from typing import TYPE_CHECKING

import numpy as np

from ...backends.registry import REFERENCE, load_backend
from ...guards.program import GuardProgram
from ...jit.checks import Check, decode_check
from ...jit.config import Options
from ...jit.entries import native_entry
from ...jit.filters import filtered
from ...jit.ir.graph import Node, Recipe, Spot
from ...jit.ir.ops import ELEMENT
from ...jit.ir.scalar_math import warned_name
from ...jit.ir.schema import Applies
from ...jit.ir.text import print_graph
from ...jit.ir.types import ScalarType
from ...jit.log import log
from ...jit.native import MAX_BAILS_IN_ROW, Entry, set_trials
from ...jit.pipeline import Parts, Plan, TooLong, compile_plan
from ...jit.threads import share
from ..capture.outcome import Captured
from ..tiers.at_once import is_at_once, is_explaining
from .awaited import AwaitsKernels
from .issuing import Logged, issue
from .lessons import Lessons

if TYPE_CHECKING:
    from ...backends.verify.pace import Pace

PATIENCE, LONG_PATIENCE = 32, 256
"""Launches before a kernel is timed against plain Python. A kernel that loops over single elements
is so much faster that one call of plain Python costs as much as many launches save."""
LONGEST = 50_000_000
"""Nanoseconds of such a launch above which plain Python is not tried, since it may take a hundred
times as long."""
SMALL = 80
"""A kernel with up to this many operations gets its attributing kernel at the first bail."""
SURE, SELDOM = 4, 8
"""Bails at one instruction after which captures end there, and maximum launches between two of
them."""


@dataclass(eq=False, slots=True)
class CacheEntry(AwaitsKernels):
    """The Python side of a native entry, for reports and slow paths."""

    captured: Captured
    program: GuardProgram
    payloads: list[Recipe]
    n_live: int
    options: Options
    key: Options
    """Options of the context in which the entry is valid."""
    parts: Parts = field(default_factory=Parts)
    bails: dict[str, int] = field(default_factory=dict)
    checks: dict[str, int] = field(default_factory=dict)
    """Counts of failed checks of its kernels, by their words."""
    spots: list[Spot] = field(default_factory=list)
    """Instructions at which its kernels bail, numbered from 1."""
    _bailed_at: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By instruction number: count of bails, and the entry's hits before the first of them."""
    made_room_for: Check | None = None
    """The failed check for which the next capture is more general."""
    ends_before: Spot | None = None
    """The instruction before which the next capture ends."""
    attributing: Parts | None = None
    """The attributing kernel's parts, once there is one."""
    _has_tried: bool = False
    """True if an attributing kernel was made, or would have been too long."""
    exit_numbers: tuple[int, ...] = ()
    seconds: float = 0.0
    """CPU seconds of compiles during which calls waited."""
    pace: Pace | None = None
    """Measures NumPy's time for the same work, if the function is explained."""
    lessons: Lessons | None = None

    @property
    def name(self) -> str:
        """Return function and line where it begins, for messages."""
        located = [node.location for node in self.captured.graph.nodes() if node.location]
        return f"{located[0].function}, {located[0].filename}:{located[0].line}" if located else "?"

    def weigh(self) -> None:
        """Have calls timed against plain Python from time to time, as it serves whole calls."""
        if self.native is not None and self.options.backend != REFERENCE:
            ops = {node.op for node in self.captured.graph.nodes()}
            one_by_one = ELEMENT in ops and any(op.loops for op in ops)
            self.native.patience = LONG_PATIENCE if one_by_one else PATIENCE
            if one_by_one:
                self.native.longest = LONGEST

    def forget(self) -> None:
        """Release what it holds, as it cannot be called any more."""
        self.native = None
        self._waiting.clear()

    # ---- called by launch.c ----------------------------------------------------------------------

    def took_long(self) -> None:
        """Make the next capture haltable, as a launch was in a loop for long.

        Called by launch.c.
        """
        if self.lessons is not None and self.native is not None and not self.lessons.takes_long:
            self.lessons.takes_long = True
            self.made_room_for = Check.LONG
            self.native.outgrown = 1
            self.lessons.ask()

    def grew(self) -> None:
        """Recapture with loops that threads share, as its arrays have become large."""
        if self.lessons is not None and self.native is not None:
            self.made_room_for = Check.GREW
            self.native.outgrown = 1
            self.lessons.ask()

    def bailed(self, why: str, flags: int, check: int) -> None:
        """Record a bail and learn from it.

        Reasons: a "check" failed; eager would report "flags"; an exception for the program arrived
        as an "interrupt"; other code "changed" what the entry relies on; for either of these a loop
        was "halted" between iterations; one of these came after the first "checkpoint"; or a check
        or flag came so "late" in a loop that the kernel ran again and kept the finished iterations.
        `flags` are the reported ones; `check` encodes the failed check and its instruction, 0 if
        unknown.
        """
        self.bails[why] = self.bails.get(why, 0) + 1
        words = self._teach(check, kept=why == "late") if check else ""
        log("bails", "%s: a launch left for eager: %s%s", self.name, why, words and f", {words}")
        would_warn = flags or (why in ("check", "late") and self._may_warn)
        if would_warn and not self._has_tried and self._pays_to_attribute():
            self._attribute()

    def _attribute(self) -> None:
        """Compile the kernel that tells which operation raised a flag."""
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
        """Let the next capture avoid this bail, if one can; return the check in words.

        A kernel that keeps finished iterations is worth more than one that ends before the check.
        """
        check, number = decode_check(said)
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
        """True if launches bail at an instruction so often that plain Python should run it."""
        assert self.native is not None
        hits = self.native.hits
        count, since = self._bailed_at.get(number, (0, hits))
        if hits - since > SURE * SELDOM:
            count, since = 0, hits
        self._bailed_at[number] = count + 1, since
        return count + 1 >= SURE and hits - since <= SELDOM * count

    @property
    def is_outgrown(self) -> bool:
        """True if another capture is to replace it, so that limits do not count it."""
        return self.native is not None and bool(self.native.outgrown)

    def resume(self) -> None:
        """Serve again, because the capture that should have replaced it gave no entry."""
        if self.ends_before is not None and self.native is not None:
            self.native.outgrown = 0

    def give_way(self) -> None:
        """Let a segment serve its calls, and retry occasionally in case it bails rarely.

        A kernel with loops costs little compared with loops in plain Python.
        """
        native = self.native
        if native is None or self.ends_before is None or native.outgrown or native.has_others:
            return
        if not any(node.op.loops for node in self.captured.graph.nodes()):
            native.has_others, native.bails_in_row = 1, MAX_BAILS_IN_ROW

    def _pays_to_attribute(self) -> bool:
        """True if an attributing kernel, which may take seconds to compile, will likely be used."""
        nodes = sum(1 for _ in self.captured.graph.nodes())
        patience = min((nodes // SMALL) ** 2, MAX_BAILS_IN_ROW - 1)
        bails = sum(self.bails.values())
        return self.native is not None and bails > patience and self.may_attribute()

    @property
    def _may_warn(self) -> bool:
        """True if an np.errstate block in it asks for warnings."""
        located = (node.location for node in self.captured.graph.nodes())
        return any(location is not None and location.modes.warned for location in located)

    def may_attribute(self) -> bool:
        """True if flags lead to warnings at most, so that a kernel may run to its end."""
        modes = np.geterr().values()
        if any(mode not in ("ignore", "warn") for mode in modes):
            return False
        return not any(
            action == "error" and issubclass(RuntimeWarning, category)
            for action, _, category, _, _ in warnings.filters
        )

    def warn(self, kernel: Entry, log: list[tuple[int, int]]) -> None:
        """Issue the warnings that eager would have issued for logged (node, flags) of a kernel."""
        parts = self.parts if kernel is self.native else self.attributing
        assert parts is not None
        for number, flags in log:
            issue(logged(parts.located[number]), flags)

    # ---- making ----------------------------------------------------------------------------------

    def compile_parts(self, attribute: bool) -> Parts:
        """Run the backend; both kernels start from the same slots and objects."""
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
            may_be_one=self.captured.may_be_one,
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
            guards=(self.program.packed(), len(self.program.code)),
        )
        if self.options.verify and self.options.backend != REFERENCE:
            entry.set_check(self._check(attribute), self.program.n_slots)
            set_trials(False)  # checks are wanted for all launches, not just for those that pay
        elif is_explaining():
            self.measure_pace(entry)
        share(entry, self.options, parts.parallel, parts.small, parts.releases)
        if self.exit_numbers:
            entry.set_exit_numbers(self.exit_numbers)
        return entry

    def _check(self, attribute: bool) -> Callable[[Entry, tuple[object, ...]], None]:
        """Return the check that compares the kernel with NumPy before each launch."""
        from ...backends.verify import Check

        slots = [self.program.slot(source) for source in self.captured.sources]
        backend = load_backend(self.options.backend)
        return Check(self.captured.graph, slots, backend, attribute)

    def measured_once(self) -> None:
        """Let the next explained launch be measured, see `measure_pace`."""
        if self.native is not None and not self.options.verify:
            self.measure_pace(self.native)

    def measure_pace(self, entry: Entry) -> None:
        """Measure NumPy's time at the next launch of an explained call."""
        from ...backends.verify.pace import Pace

        slots = [self.program.slot(source) for source in self.captured.sources]
        self.pace = Pace(self.captured.graph, slots, is_explaining)
        entry.set_check(self.pace, self.program.n_slots)

    def number_exits(self, numbers: tuple[int, ...]) -> None:
        """Set, for each exit of the graph, its number among the stub's exits."""
        self.exit_numbers = numbers
        if self.native is not None:
            self.native.set_exit_numbers(numbers)

    @property
    def goes_round(self) -> frozenset[int]:
        """Return loop headers at which it may leave in mid-loop."""
        return self.captured.goes_round

    @property
    def ends_at(self) -> int | None:
        """Return the instruction at which it breaks, or None."""
        ended_by = self.captured.ended_by
        return None if ended_by is None else ended_by.index

    @property
    def kernel_text(self) -> str:
        """Return the kernel's text; "" if the backend has none."""
        return self.parts.text

    def came_from(self) -> tuple[str, str]:
        """Return the origin of the kernel's machine code, and a remark if something is amiss."""
        return ("", "") if self.parts.came_from is None else self.parts.came_from()

    def graph_text(self, stage: str = "compiled") -> str:
        """Return the compiled graph as text, or the "captured" one before the backend's passes."""
        compiled = self.parts.graph if stage == "compiled" else None
        return print_graph(compiled or self.captured.graph)

    def guards_text(self) -> str:
        """Return the guards, one per line."""
        return "\n".join(str(guard) for guard in self.captured.guards)


def logged(node: Node) -> Logged:
    """Return a node with separate flags as the data that its warnings need."""
    where = node.location
    assert where is not None
    place = (where.filename, where.line, where.module)
    return Logged(_numpy_name(node), *place, where.modes.warned, where.namespace)


def _numpy_name(node: Node) -> str:
    """Return the name that NumPy gives the op in warnings."""
    if node.op.by_method:
        return node.op.name
    ufunc = node.attrs.get("within") or node.attrs.get("ufunc")
    if ufunc is not None:
        return str(ufunc.__name__)
    if node.op.applies is Applies.NUMBERS:
        types = [value.type for value in node.inputs if isinstance(value.type, ScalarType)]
        return warned_name(node.attrs["function"], types)
    return node.op.name
