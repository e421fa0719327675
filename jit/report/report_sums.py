"""Sums over the records of a report."""

from __future__ import annotations

from ..frozen import dataclass
from .records import Facts


@dataclass(frozen=True, slots=True)
class Captured:
    """Sums over the segments that ran."""

    segments: int
    """Number of segments that ran."""
    fused: int
    """Number of operations in fused loops, in these segments."""
    opaque: int
    """Number of operations that call the real function inside a segment."""
    whole: bool
    """True if every call was answered by one kernel, without a Python frame."""
    share: float
    """Fused operations as a fraction of those that ran: fused, opaque and broken."""
    opaque_share: float
    """Opaque operations as a fraction of those that ran."""


def captured(facts: Facts) -> Captured:
    """Return the sums over the segments that ran."""
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
