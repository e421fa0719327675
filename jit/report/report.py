"""The object that `explain(f)(...)` gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from .records import (
    BreakRecord,
    Facts,
    FailureRecord,
    RecompileRecord,
    SegmentRecord,
    SkipRecord,
)
from .report_sums import Captured, captured
from .text import report_text

FORMAT = 1
"""Of the JSON; grows when a field changes its meaning."""


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

    def to_text(self, *, verbose: bool = False) -> str:
        """What `print` shows; with `verbose` all of it, where that would be long."""
        return report_text(self.facts, verbose=verbose)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        facts = self.facts
        return (
            f"<framejit.Report of {facts.place.function}: {len(facts.segments)} segments, "
            f"{len(facts.breaks)} breaks; print() shows it>"
        )
