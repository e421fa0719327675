"""Sums over the records of a report."""

from __future__ import annotations

from ..frozen import dataclass
from .records import Facts


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
    opaque_share: float
    """The same of opaque ones."""


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
        opaque_share=opaque_ran / ran if ran else 0.0,
    )
