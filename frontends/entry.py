"""Cache entries: from a captured segment to what C runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..backends.registry import load_backend
from ..guards.program import GuardProgram
from ..guards.sources import Source
from ..jit.config import Options
from ..jit.ir.graph import Build, Call, Live, Recipe
from ..jit.ir.text import print_graph
from ..jit.native import GUARD_OPS, Entry
from ..jit.pipeline import Parts, Plan
from .machine.machine import Captured


@dataclass(slots=True)
class CacheEntry:
    """The Python side of a native entry: what the report and the slow paths need."""

    captured: Captured
    program: GuardProgram
    parts: Parts
    options: Options
    native: Entry | None = None
    graph_text: str = ""
    bails: dict[str, int] = field(default_factory=dict)

    # Called by launch.c.

    def bailed(self, why: str, flags: int) -> None:
        """A launch left for eager: because of a "check" or of reported floating point "flags"."""
        self.bails[why] = self.bails.get(why, 0) + 1

    def may_attribute(self) -> bool:
        """Whether the attributing kernel may run now."""
        return False

    def warn(self, log: list[tuple[int, int]]) -> None:
        """Issues the warnings that eager would have issued for these (node, flags)."""

    # For the report.

    @property
    def fused(self) -> int:
        """Nodes in fused loops."""
        return self.parts.fused

    def guards_text(self) -> str:
        """One line a guard."""
        return "\n".join(str(guard) for guard in self.captured.guards)


def make_entry(
    captured: Captured,
    n_live: int,
    payloads: list[Recipe],
    options: Options,
    key: Options,
) -> CacheEntry:
    """Compiles a captured segment.

    `n_live` live-ins are handed over by the caller; `payloads` says what each exit hands back.
    """
    program = GuardProgram(GUARD_OPS, n_live)
    for guard in captured.guards:
        program.add(guard)
    param_slots = [program.slot(source) for source in captured.sources]
    for payload in payloads:
        for source in _live_sources(payload):
            program.slot(source)
    graph_text = print_graph(captured.graph)
    plan = Plan(
        captured.graph, payloads, param_slots, program.slot, program.n_slots, program.objects
    )
    parts = load_backend(options.backend).compile(plan)
    entry = CacheEntry(captured, program, parts, options, graph_text=graph_text)
    entry.native = Entry(
        objects=tuple(program.objects),
        guards=program.packed() + parts.guards,
        n_guards=len(program.code),
        loads=parts.loads,
        n_loads=parts.n_loads,
        arrays=parts.arrays,
        calls=parts.calls,
        recipes=parts.recipes,
        steps=parts.steps,
        words=parts.words,
        n_live=n_live,
        n_slots=parts.n_slots,
        n_exits=len(payloads),
        scratch=parts.scratch,
        reports=parts.reports,
        kernel=parts.kernel,
        keepalive=parts.keepalive,
        python_kernel=parts.python_kernel,
        owner=entry,
        options=key,
    )
    return entry


def _live_sources(recipe: Recipe) -> list[Source]:
    match recipe:
        case Live(source):
            return [source]
        case Build(items=items) | Call(args=items):
            return [source for item in items for source in _live_sources(item)]
    return []

