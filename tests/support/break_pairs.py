"""The programs of the registry of break codes, and how they are run."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from framejit import Report, config, explain, jit
from framejit.frontends.breaks.entry import Cause
from framejit.frontends.breaks.registry import BREAKS
from framejit.jit.report import BreakRecord

ENTRIES = [(row.code, entry) for row in BREAKS.values() for entry in (row, *row.causes)]
PAIRS = [
    (code, entry, pair)
    for code, entry in ENTRIES
    for pair in (entry.pair, entry.pair_in_loop if isinstance(entry, Cause) else None)
    if pair is not None
]
"""(code, entry or cause, pair) for each pair of programs."""
IDS = [
    "-".join(
        [
            code,
            *([one.name] if isinstance(one, Cause) else []),
            *(["in-loop"] if pair is not one.pair else []),
        ]
    )
    for code, one, pair in PAIRS
]


@dataclass
class Run:
    """The results of a script."""

    answer: Any = None
    printed: str = ""
    reports: list[Report] = field(default_factory=list)

    @property
    def breaks(self) -> list[BreakRecord]:
        """The breaks of all its calls."""
        return [found for report in self.reports for found in report.breaks]


def run(script: str, folder: Path, backend: str | None, *, later: bool = False) -> Run:
    """Runs a script; each call of a function that it decorates is explained, but in eager.

    With `later` the last call alone is, so that reports tell the outcome of those before.
    """
    done = Run()
    last: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []

    def explaining(function: Callable[..., Any]) -> Callable[..., Any]:
        compiled = jit(function, compile="now")

        def call(*args: Any) -> Any:
            last[:] = [(compiled, args)]
            if later:
                return compiled(*args)
            done.reports.append(explain(function)(*args))
            return done.reports[-1].result

        return call

    file = folder / f"{backend}.py"
    file.write_text(script, encoding="utf-8")
    names = {"np": np, "jit": (lambda f: f) if backend is None else explaining}
    names["__name__"] = "__main__"
    out = io.StringIO()
    sys.modules.pop("colorsys", None)  # which a script imports
    with contextlib.redirect_stdout(out), np.errstate(), config(backend=backend or "eager"):
        exec(compile(script, str(file), "exec"), names)
        done.reports += [explain(compiled)(*args) for compiled, args in last if later]
    done.answer, done.printed = names["answer"], out.getvalue()
    return done


@contextlib.contextmanager
def surroundings() -> Iterator[None]:
    """Scripts may set filters, seeds and where input comes from."""
    stdin, state = sys.stdin, random.getstate()
    with warnings.catch_warnings():
        yield
    sys.stdin = stdin
    random.setstate(state)
