"""Counts of captures of each program, as tables of text: one file a family, one line a program.

A line holds for every Python that the program runs on; where these differ, each has its own.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from framejit.frontends.report.facts import facts
from framejit.frontends.report.points import capture_points
from framejit.jit.ir.ops import Kind

TABLES = Path(__file__).parent / "counts"
HERE = "{}.{}".format(*sys.version_info)
"""This Python."""
_WITHOUT_WORK = (Kind.SCALAR, Kind.CONTROL, Kind.OPAQUE)

Table = dict[str, dict[str, str]]
"""Program -> Python version -> its counts."""


def counts_of(jitted: Any) -> str:
    """Segments, nodes of their graphs with and without a loop of their own, breaks by code.

    Of the graphs, so that no kernel has to be compiled.
    """
    manager = getattr(jitted, "__func__", jitted)._manager
    known = facts(manager, manager.dispatcher)
    kinds = [node.op.kind for entry in manager.entries for node in entry.captured.graph.nodes()]
    codes = Counter(record.code for record in known.breaks)
    breaks = [code if n == 1 else f"{code}*{n}" for code, n in sorted(codes.items())]
    words = [
        f"segments {len(capture_points(manager)):2}",
        f"entries {len(manager.entries):2}",
        f"nodes {sum(kind not in _WITHOUT_WORK for kind in kinds):2}",
        f"opaque {kinds.count(Kind.OPAQUE):2}",
        f"breaks {codes.total():2} {' '.join(breaks)}",
    ]
    return "  ".join(words).rstrip()


def read(family: str) -> Table:
    """The table of a family; empty when there is none yet."""
    table: Table = {}
    file = TABLES / f"{family}.txt"
    if not file.exists():
        return table
    for line in file.read_text(encoding="utf-8").splitlines():
        head, _, counts = line.partition("  segments ")
        name, *versions = head.split()
        for version in versions:
            table.setdefault(name, {})[version] = f"segments {counts}"
    return table


def write(family: str, table: Table, order: list[str]) -> None:
    """Writes the table of a family; programs that are no more are left out."""
    lines = []
    width = max(map(len, order))
    for name in order:
        known = table.get(name, {})
        alike: dict[str, list[str]] = {}
        for version in sorted(known):
            alike.setdefault(known[version], []).append(version)
        for counts, versions in alike.items():
            lines.append(f"{name:{width}}  {' '.join(versions):14}  {counts}\n")
    (TABLES / f"{family}.txt").write_text("".join(lines), encoding="utf-8")
