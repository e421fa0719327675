"""`python -m framejit demo`: runs the example programs eagerly and compiled and prints a table."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ...backends.registry import EAGER, backend_names
from ...jit.frozen import dataclass
from ...jit.report import Place
from ..support import CHECKED, why_unsupported
from .side_by_side import Measurement, measure

PACKAGE = __package__.split(".")[0]
EXAMPLES = f"{PACKAGE}.examples"
"""The package of the example programs. They use the public API as a user does; no subpackage
imports it."""
WIDTH = 100
QUICK_SCALE = 0.01
SECONDS, QUICK_SECONDS = 2.0, 0.3
"""Seconds of timed calls per program."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: its heading and the width of its cells."""

    heading: str
    cell: Callable[[Measurement], str]


COLUMNS = (
    Column("captured", lambda m: f"{m.captured:.0%}"),
    Column("breaks", lambda m: str(len(m.facts.breaks))),
    Column("  eager", lambda m: _milliseconds(m.eager_ms)),
    Column("  first", lambda m: _milliseconds(m.first_ms)),
    Column("  later", lambda m: _milliseconds(m.later_ms)),
    Column("  ratio", lambda m: f"{m.ratio:.2f}x"),
    Column("same bits", lambda m: "NO" if m.differences else "yes"),
)
LEGEND = """\
captured: operations that kernels compute themselves; the others are calls of NumPy's, or plain
Python.  breaks: places where Python takes over.
eager, first, later: milliseconds of an eager call, of the first compiled call (which captures
and compiles), and of the calls after it (medians).  ratio: eager / later.
same bits: results, arguments, output and warnings are eager's, bit for bit."""


def main(arguments: Sequence[str]) -> int:
    """Print the table; return 1 if bits differ or framejit had an internal error."""
    parser = argparse.ArgumentParser(
        prog="python -m framejit demo",
        description="Runs the example programs eagerly and compiled, and compares.",
    )
    parser.add_argument("--quick", action="store_true", help="small problems, few calls")
    parser.add_argument(
        "--backend",
        choices=[name for name in backend_names() if name != EAGER],
        default=CHECKED.backend,
        help="what computes the graphs (default: %(default)s)",
    )
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="only these (default: all)")
    chosen = parser.parse_args(arguments)
    if reason := why_unsupported():
        print(f"nothing to compare: everything runs eagerly here: {reason}", file=sys.stderr)
        return 1
    known: dict[str, tuple[str, str]] = import_module(EXAMPLES).PROGRAMS
    for name in chosen.programs:
        if name not in known:
            parser.error(f"unknown program {name!r}: use one of {', '.join(known)}")
    return _run({name: known[name] for name in chosen.programs or known}, chosen)


def environment(backend: str) -> str:
    """Return the versions and the processor in one line."""
    libraries = ", ".join(f"{title} {version(title.lower())}" for title in ("NumPy", "Numba"))
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{_processor()}, {os.cpu_count()} CPUs"
    ours = import_module(PACKAGE).__version__
    return f"framejit {ours} ({backend}) on {python}, {libraries}; {machine}"


def _run(programs: dict[str, tuple[str, str]], chosen: argparse.Namespace) -> int:
    scale, seconds = (QUICK_SCALE, QUICK_SECONDS) if chosen.quick else (1.0, SECONDS)
    width = max(len(title) for _, title in programs.values())
    print(environment(chosen.backend), end="\n\n")
    print("  ".join([" " * width, *(column.heading for column in COLUMNS)]))
    measured = {}
    for module_name, (name, title) in programs.items():
        print(f"{title:<{width}}", end="  ", flush=True)
        module = import_module(f"{EXAMPLES}.{module_name}")
        function = getattr(module, name).__wrapped__
        one = measure(function, partial(module.problem, scale), chosen.backend, seconds)
        print("  ".join(f"{column.cell(one):>{len(column.heading)}}" for column in COLUMNS))
        measured[title] = one
    print(f"\n{LEGEND}")
    for line in _remarks(measured):
        print(line)
    return int(any(one.differences or one.facts.failures for one in measured.values()))


def _remarks(measured: dict[str, Measurement]) -> list[str]:
    """Return lines on graph breaks, skips, differences and internal errors."""
    left, wrong = [], []
    for title, one in measured.items():
        left += [_line(found.place, found.code, found.detail) for found in one.facts.breaks]
        left += [_line(found.place, found.rule, found.reason) for found in one.facts.skipped]
        if one.differences:
            wrong.append(f"  {title}: not eager's: {', '.join(one.differences)}")
        errors = Counter(one.traceback.rstrip().rpartition("\n")[2] for one in one.facts.failures)
        wrong += [f"  {title}: internal error, {n}x: {text}" for text, n in errors.items()]
    return [
        *(["", "What ran as plain Python:", *left] if left else []),
        *(["", "WRONG (FRAMEJIT_DEBUG=strict raises internal errors):", *wrong] if wrong else []),
    ]


def _line(place: Place, why: str, words: str) -> str:
    head = f"  {Path(place.file).name + ':' + str(place.line):<20}{why:<14}"
    return textwrap.fill(words, WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def _milliseconds(value: float) -> str:
    digits = 3 if value < 1 else 1 if value < 1000 else 0
    return f"{value:.{digits}f}"


def _processor() -> str:
    """Return the processor's name as far as the system reports it."""
    info: dict[str, Any] = {}
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            info.setdefault(key.strip(), value.strip())
    return info.get("model name") or platform.processor() or platform.machine()
