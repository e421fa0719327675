"""The report of `python -m framejit run --report FILE`: of the program and its processes."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from ...jit.report import Place, ProgramFacts, ProgramReport, SkipRecord
from . import children

if TYPE_CHECKING:
    from .seen import Seen  # which imports NumPy


def write(file: str, seen: Seen | None, why_not: str | None, *, verbose: bool) -> None:
    """Write the report, or the reason why there is none; the file "-" is the standard error."""
    from ...jit.report.merging import merged_programs

    if seen is None or why_not is not None:
        facts = ProgramFacts(skipped=(SkipRecord("off", str(why_not), Place("", 0, "")),))
    else:
        seen.close()
        facts = seen.facts()
    others = [*children.left()]
    if others:
        facts = merged_programs(([facts] if seen is not None else []) + others)
    else:
        facts = replace(facts, commands=_spent_by_children())
    report = ProgramReport(lambda: facts)
    text = report.to_json() if file.endswith(".json") else report.to_text(verbose=verbose)
    if file == "-":
        print(text, file=sys.stderr)
        return
    try:
        with open(file, "w", encoding="utf-8") as out:
            print(text, file=out)
    except OSError as error:
        print(f"framejit run: the report cannot be written: {error}", file=sys.stderr)


def _spent_by_children() -> float:
    """Return the CPU seconds of ended child processes; none of them is framejit's own."""
    if sys.platform == "win32":
        return 0.0
    import resource  # Windows has none

    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime
