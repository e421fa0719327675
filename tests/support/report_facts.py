"""The records of a report that has one of each kind."""

from __future__ import annotations

from dataclasses import replace

from framejit.jit.report import (
    BreakRecord,
    Facts,
    FailureRecord,
    Place,
    RecompileRecord,
    SegmentRecord,
    SkipRecord,
)

HOME = Place("prog.py", 10, "heat")
SEGMENT = SegmentRecord(
    place=Place("prog.py", 11, "heat"),
    last_line=13,
    fused=3,
    opaque=1,
    hits=9,
    bails={"flags": 2, "check": 1},
    checks={"as an index is out of bounds": 1},
    ends="FJ201",
    ends_line=14,
    types=("argument `x`: float64[n]", "argument `n`: int"),
    passes={"folded": 2, "common": 1},
    notes=("a note",),
)
BREAK = BreakRecord(
    "FJ201",
    "this function cannot go into a graph",
    "call of `print`",
    "print after the loop",
    Place("prog.py", 14, "heat"),
    "print(x)",
    9,
)
FACTS = Facts(
    place=HOME,
    backend="numba",
    calls=3,
    frameless=1,
    segments=(SEGMENT, replace(SEGMENT, ends="return", hits=0, bails={})),
    breaks=(BREAK, replace(BREAK, code="FJ101", detail="a dict display", count=2, exact=False)),
    skipped=(SkipRecord("cache-limit", "16 entries are kept for one place", HOME, 4),),
    recompiles=(RecompileRecord(HOME, "argument `x`: dtype was float64, now float32"),),
    failures=(FailureRecord("FJ901", "heat", "Traceback ...\nZeroDivisionError\n"),),
)
