"""Records of what framejit did to a function, the Report made of them, and its texts.

The frontend makes `Facts`, with one frozen record for each event. They become text for a terminal
(`text.py`) and JSON; another format is one more function of `Facts`.
"""

from .program import ProgramReport
from .records import (
    BreakRecord,
    Facts,
    FailureRecord,
    Place,
    ProgramFacts,
    RecompileRecord,
    SegmentRecord,
    SkipRecord,
    Spending,
)
from .report import Report
from .report_sums import Captured

__all__ = [
    "BreakRecord",
    "Captured",
    "Facts",
    "FailureRecord",
    "Place",
    "ProgramFacts",
    "ProgramReport",
    "RecompileRecord",
    "Report",
    "SegmentRecord",
    "SkipRecord",
    "Spending",
]
