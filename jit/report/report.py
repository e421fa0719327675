"""The object that `explain(f)(...)` gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ..frozen import dataclass
from .records import (
    BreakRecord,
    Facts,
    FailureRecord,
    RecompileRecord,
    SegmentRecord,
    SkipRecord,
)
from .text import report_text

FORMAT = 1
"""Of the JSON; grows when a field changes its meaning."""


@dataclass(frozen=True, slots=True)
class Captured:
    """What was captured and ran, in numbers."""

    segments: int
    """Those that ran."""
    fused: int
    """Operations in fused loops, over these segments."""
    opaque: int
    """Operations that call the real function from inside a segment."""
    whole: bool
    """Every call was answered by one kernel, without a Python frame."""
    share: float
    """Of the operations that ran: fused ones, against fused, opaque and those that broke."""


class Report:
    """What framejit did to one function; `print(report)` tells it.

    Attributes:
        result: what the call returned.
    """

    __slots__ = ("_collect", "result")

    def __init__(self, result: Any, collect: Callable[[], Facts]) -> None:
        self.result = result
        self._collect = collect

    @property
    def facts(self) -> Facts:
        """Everything below in one record."""
        return self._collect()

    @property
    def segments(self) -> tuple[SegmentRecord, ...]:
        """What was captured, in program order."""
        return self.facts.segments

    @property
    def breaks(self) -> tuple[BreakRecord, ...]:
        """The graph breaks that the program came to, in program order."""
        return self.facts.breaks

    @property
    def skipped(self) -> tuple[SkipRecord, ...]:
        """What was left to eager by a rule."""
        return self.facts.skipped

    @property
    def recompiles(self) -> tuple[RecompileRecord, ...]:
        """Guards that did not hold, so that something was captured again."""
        return self.facts.recompiles

    @property
    def failures(self) -> tuple[FailureRecord, ...]:
        """Errors of framejit's own, with tracebacks; eager answered."""
        return self.facts.failures

    @property
    def captured(self) -> Captured:
        """What was captured, in numbers."""
        return captured(self.facts)

    def to_json(self) -> str:
        """Everything but the result, as JSON text."""
        import json  # a millisecond of every process, else

        facts = self.facts
        body = {"format": FORMAT, "captured": asdict(captured(facts)), **asdict(facts)}
        return json.dumps(body, indent=2)

    def __str__(self) -> str:
        return report_text(self.facts)

    def __repr__(self) -> str:
        facts = self.facts
        return (
            f"<framejit.Report of {facts.place.function}: {len(facts.segments)} segments, "
            f"{len(facts.breaks)} breaks; print() shows it>"
        )


def captured(facts: Facts) -> Captured:
    """The sums over the segments that ran."""
    segments = [segment for segment in facts.segments if segment.launches]
    fused_ran = sum(segment.fused * segment.hits for segment in segments)
    opaque_ran = sum(segment.opaque * segment.hits for segment in segments)
    ran = fused_ran + opaque_ran + sum(one.count for one in facts.breaks)
    return Captured(
        segments=len(segments),
        fused=sum(segment.fused for segment in segments),
        opaque=sum(segment.opaque for segment in segments),
        whole=0 < facts.calls == facts.frameless,
        share=fused_ran / ran if ran else 0.0,
    )
