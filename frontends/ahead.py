"""Compiles the segments of a trace, and makes a function that runs these kernels only."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..jit.ir.graph import Recipe
from ..jit.native import Dispatcher
from ..jit.pipeline import Parts
from .runtime.at_work import at_work
from .runtime.entry import CacheEntry
from .runtime.exploring import add_resumed
from .runtime.new_entries import draft_entry, finished_entry
from .runtime.segments import SegmentedCode
from .runtime.stub_exits import add_exits
from .support import COPIED

if TYPE_CHECKING:
    from .runtime.capture_points import CapturePoint
    from .runtime.function import Manager
    from .stages import Traced, TracedSegment


def drafts_of(traced: Traced) -> tuple[CacheEntry, ...]:
    """Return each segment lowered by its backend; machine code is made later where possible."""
    options = traced._options.replace({"compile": "auto"})
    drafts = []
    with at_work("lower"):
        code = _code_of(traced._manager_class(traced._function, traced._overrides))
        for segment in traced.segments:
            _, payloads, _ = _exits_of(code, segment)
            drafts.append(
                draft_entry(segment.captured, segment.n_live, payloads, options, traced._key)
            )
    return tuple(drafts)


def finished_parts(drafts: Sequence[CacheEntry]) -> tuple[Parts, ...]:
    """Return the drafts' parts with machine code."""
    with at_work("compile"):
        return tuple(_finished(one.parts) for one in drafts)


def _finished(parts: Parts) -> Parts:
    if parts.unfinished is None:
        return parts
    kernel, keepalive = parts.unfinished.finish()
    return replace(parts, kernel=kernel, keepalive=keepalive, unfinished=None)


def dispatcher_of(
    traced: Traced, drafts: Sequence[CacheEntry], parts: Sequence[Parts]
) -> Dispatcher:
    """Return a callable like the jitted function that has these kernels and captures nothing."""
    with at_work("compile"):
        manager = traced._manager_class(
            traced._function, traced._overrides, frozen=True, timing=None
        )
        manager.dispatcher = dispatcher = Dispatcher(traced._function, manager)
        functools.update_wrapper(dispatcher, traced._function, COPIED)
        dispatcher._untimed = 1
        manager.segmented = code = _code_of(manager)
        options = traced._options.replace({"compile": "now"})
        for segment, draft, made in zip(traced.segments, drafts, parts, strict=True):
            numbers, _, point = _exits_of(code, segment)
            entry = finished_entry(draft, made, options)
            entry.number_exits(numbers)
            manager.entries.append(entry)
            if segment.whole:
                manager.whole.append(entry)
                assert entry.native is not None
                dispatcher._add(entry.native)
                if point is not None:
                    point.resumes = True
            elif point is not None:
                point.entries.append(entry)
        dispatcher._closed = not manager.whole
        _install(code)
    return dispatcher


def _install(code: SegmentedCode) -> None:
    """Make the dispatcher run the code with stubs, if there are any."""
    code.rewrite()
    for point in code.points.values():
        if point.segment is not None and not point.entries:
            point.segment.closed = True  # it only lets bails of the whole call continue


def _code_of(manager: Manager) -> SegmentedCode:
    return SegmentedCode(manager, manager.function, manager.flow)


def _exits_of(
    code: SegmentedCode, segment: TracedSegment
) -> tuple[tuple[int, ...], list[Recipe], CapturePoint | None]:
    """Return (exit numbers of a segment, payloads of the exits, point whose stub has the exits)."""
    captured = segment.captured
    if not segment.whole:
        point = code.point(segment.at)
        assert point is not None
        return (*add_exits(point, captured.graph), point)
    returns = captured.returns
    if len(returns) == len(captured.graph.exits):
        return (0,) * len(returns), list(returns.values()), None
    numbers, others, point = add_resumed(code, captured.graph)
    left = iter(others)
    payloads = [returns[k] if k in returns else next(left) for k in range(len(numbers))]
    return numbers, payloads, point
