"""Makes entries from captured segments."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakMethod

from ...guards.program import GuardProgram
from ...guards.sources import Source
from ...jit.config import Options
from ...jit.ir.graph import Live, Recipe, parts
from ...jit.native import GUARD_OPS
from ...jit.pipeline import Parts, TooLong
from ..capture.outcome import Captured
from .capture_budget import FEWEST_NODES
from .entry import CacheEntry

if TYPE_CHECKING:
    from .owner import Owner


def make_entry(owner: Owner, entry: CacheEntry, *, always: bool = False) -> CacheEntry | None:
    """Complete a draft; None if nothing in it would be fused, so that nothing is gained.

    With `always` the entry is made in any case (hostile mode). The owner notes errors of a
    background compile. Its lessons learn from bails: when a later capture can avoid them, this
    entry declines from then on.
    """
    if entry.parts.fused == 0 and not always:
        return None
    entry.native = entry.new_native(entry.parts)
    entry.on_failure = WeakMethod(owner.note_failure)
    entry.lessons = owner.lessons
    entry.site = owner.site
    if entry.parts.unfinished is not None:
        entry.job = entry.begin(entry.parts.unfinished, entry.native)
    return entry


def draft_entry(
    captured: Captured, n_live: int, payloads: list[Recipe], options: Options, key: Options
) -> CacheEntry:
    """Run the backend on a captured segment, without making a native entry yet.

    The caller of the entry passes `n_live` live-ins. `payloads` has the recipe for each exit.
    """
    program = GuardProgram(GUARD_OPS, n_live)
    for guard in captured.guards:
        program.add(guard)
    for source in captured.sources:
        program.slot(source)
    for payload in payloads:
        for source in _live_sources(payload):
            program.slot(source)
    entry = CacheEntry(captured, program, payloads, n_live, options, key)
    entry.parts = entry.compile_parts(attribute=False)
    return entry


def finished_entry(draft: CacheEntry, parts: Parts, options: Options) -> CacheEntry:
    """Return an entry that runs the kernel of a draft; `parts` are complete."""
    entry = CacheEntry(
        draft.captured, draft.program, draft.payloads, draft.n_live, options, draft.key, parts
    )
    entry.native = entry.new_native(parts)
    return entry


def _live_sources(recipe: Recipe) -> list[Source]:
    if isinstance(recipe, Live):
        return [recipe.source]
    return [source for part in parts(recipe) for source in _live_sources(part)]


def shorten(owner: Owner, captured: Captured, error: TooLong, at: int) -> bool:
    """Make later captures smaller; return False if they are too small already."""
    nodes = sum(1 for _ in captured.graph.nodes())
    fewer = nodes * error.most * 3 // (error.lines * 4)
    if owner.most_nodes is not None:
        fewer = min(fewer, owner.most_nodes * 3 // 4)
    shorter = fewer >= FEWEST_NODES
    if shorter:
        owner.most_nodes = fewer
    owner.journal.skipped("text" if shorter else "too-long", at, error.lines)
    return shorter
