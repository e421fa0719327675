"""The report of an undecorated program: `capture()` and `python -m framejit run`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict

from .layout import count, table, times, wrapped
from .records import Facts, Place, ProgramFacts, SkipRecord
from .report import FORMAT
from .report_sums import captured
from .text import LIBRARY, report_text

INSIDE = "framejit"
"""The rule of framejit's own frames, which the text only counts."""


class ProgramReport:
    """The report on an undecorated program; `print(report)` shows it.

    Attributes
    ----------
    functions : tuple of Facts
        The functions of which something was compiled.
    skipped : tuple of SkipRecord
        Code that was reached and ran as plain Python.
    """

    __slots__ = ("_collect",)

    def __init__(self, collect: Callable[[], ProgramFacts]) -> None:
        self._collect = collect

    @property
    def functions(self) -> tuple[Facts, ...]:
        """The functions of which something was compiled, as `explain` reports them."""
        return self._collect().functions

    @property
    def skipped(self) -> tuple[SkipRecord, ...]:
        """Code that was reached and ran as plain Python: place, rule and number of frames."""
        return self._collect().skipped

    def to_json(self) -> str:
        """Return everything as JSON text; docs/report.md documents the format."""
        import json  # takes a millisecond to import

        facts = self._collect()
        functions = [{"captured": asdict(captured(one)), **asdict(one)} for one in facts.functions]
        skipped = [asdict(one) for one in facts.skipped]
        others = ("processes", "inside", "outside", "keeps_freed", "commands")
        body = {
            "functions": functions,
            "skipped": skipped,
            **{name: getattr(facts, name) for name in others},
        }
        return json.dumps({"format": FORMAT, **body}, indent=2)

    def to_text(self, *, verbose: bool = False) -> str:
        """Return the text that `print` shows.

        Parameters
        ----------
        verbose : bool
            Show everything, also where that is long.
        """
        return program_text(self._collect(), verbose=verbose)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        facts = self._collect()
        return (
            f"<framejit.ProgramReport: {count(_n_captured(facts), 'function')} captured, "
            f"{_n_plain(facts)} left to plain Python; print() shows it>"
        )


_TOLD = 0.1
"""Least CPU seconds of commands that the text tells of."""


def program_text(facts: ProgramFacts, *, verbose: bool = False) -> str:
    """Return the text of a program's report; long functions are shortened unless `verbose`."""
    parts = [
        _head(facts),
        *_functions(facts, verbose=verbose),
        _own(facts),
        _libraries(facts, verbose=verbose),
    ]
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part)


def _head(facts: ProgramFacts) -> Iterator[str]:
    yield (
        f"{count(_n_captured(facts), 'function')} captured; "
        f"{count(_n_plain(facts), 'function')} of yours left to plain Python"
        + (f"; in {facts.processes} processes" if facts.processes > 1 else "")
    )
    if facts.inside or facts.outside:
        yield (
            f"framejit took {facts.inside:.2f} s of CPU time inside the program, "
            f"{facts.outside:.2f} s in processes of its own"
        )
    if facts.keeps_freed:
        yield (
            "memory that the program frees stays in its heap for its next arrays, up to 64 MiB; "
            "FRAMEJIT_KEEP_FREED=0 gives it back"
        )
    if facts.commands >= _TOLD:
        yield (
            f"commands that the program started took {facts.commands:.1f} s of CPU time, and are "
            "not in this report: a Python among them runs without framejit unless its command says "
            "`-m framejit run`"
        )


def _n_captured(facts: ProgramFacts) -> int:
    """Without decorated functions that came to nothing."""
    return sum(1 for one in facts.functions if one.segments)


def _functions(facts: ProgramFacts, *, verbose: bool) -> Iterator[list[str]]:
    """Yield the report of each function; only of the first of those made of one code object."""
    places: dict[Place, list[Facts]] = {}
    for one in facts.functions:
        places.setdefault(one.place, []).append(one)
    for same in places.values():
        text = [report_text(same[0], verbose=verbose)]
        if len(same) > 1:
            text.append(f"\n  and {count(len(same) - 1, 'more function')} made of the same code")
        yield text


def _plain(facts: ProgramFacts) -> list[SkipRecord]:
    return [one for one in facts.skipped if one.rule not in (LIBRARY, INSIDE)]


def _n_plain(facts: ProgramFacts) -> int:
    """Return the number of the user's functions that ran as plain Python."""
    return len({one.place for one in _plain(facts) if one.place.file})


def _own(facts: ProgramFacts) -> Iterator[str]:
    """Yield a line for each place and rule of the user's code."""
    shown: str | None = None
    for one in _plain(facts):
        if shown is None:
            yield "left to plain Python"
        if one.place.file != shown and one.place.file:
            yield f"  {one.place.file}"
        shown = one.place.file
        where = f"line {one.place.line}, {one.place.function}: " if one.place.file else ""
        yield from wrapped(
            f"{where}{one.reason} [{one.rule}, {times(one.count)}]", "    ", "      "
        )


def _libraries(facts: ProgramFacts, *, verbose: bool) -> Iterator[str]:
    """Yield one line for all packages; with `verbose` a line for each."""
    packages: dict[str, list[SkipRecord]] = {}
    for one in facts.skipped:
        if one.rule == LIBRARY:
            packages.setdefault(one.reason.removeprefix("it belongs to "), []).append(one)
    if not packages:
        return
    if not verbose:
        functions = count(sum(map(len, packages.values())), "function")
        yield from wrapped(
            f"{functions} of libraries left alone: {', '.join(sorted(packages))}", ""
        )
        return
    yield "libraries, which are left alone"
    rows = [("", "functions", "seen")]
    for name, records in sorted(packages.items()):
        rows.append((name, str(len(records)), str(sum(one.count for one in records))))
    yield from table(rows, "<>>")
