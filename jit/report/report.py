"""The object that `explain(f)(...)` returns."""

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
"""Version of the JSON format; increases when a field changes its meaning."""


class Report:
    """The report on one function; `print(report)` shows it.

    Attributes
    ----------
    result : Any
        The result of the explained call.
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
        """The compiled segments, in program order."""
        return self.facts.segments

    @property
    def breaks(self) -> tuple[BreakRecord, ...]:
        """The graph breaks that the program reached, in program order."""
        return self.facts.breaks

    @property
    def skipped(self) -> tuple[SkipRecord, ...]:
        """Code that a rule left to eager."""
        return self.facts.skipped

    @property
    def recompiles(self) -> tuple[RecompileRecord, ...]:
        """Captures beyond the first of a place, with the guards that failed."""
        return self.facts.recompiles

    @property
    def failures(self) -> tuple[FailureRecord, ...]:
        """Internal errors of framejit with tracebacks; eager answered."""
        return self.facts.failures

    @property
    def captured(self) -> Captured:
        """Sums over the segments that ran."""
        return captured(self.facts)

    def to_json(self) -> str:
        """Return everything except the result as JSON text; docs/report.md documents the format."""
        import json  # takes a millisecond to import

        facts = self.facts
        body = {"format": FORMAT, "captured": asdict(captured(facts)), **asdict(facts)}
        return json.dumps(body, indent=2)

    def to_text(self, *, verbose: bool = False) -> str:
        """Return the text that `print` shows.

        Parameters
        ----------
        verbose : bool
            Show everything, also where that is long.
        """
        return report_text(self.facts, verbose=verbose)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        facts = self.facts
        return (
            f"<framejit.Report of {facts.place.function}: {len(facts.segments)} segments, "
            f"{len(facts.breaks)} breaks; print() shows it>"
        )
