"""Runs one program eagerly and compiled: compares the bits and measures the time of a call."""

from __future__ import annotations

import builtins
import contextlib
import io
import math
import time
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from ...jit.frozen import dataclass
from ...jit.report import BreakRecord, Facts
from ..api import explain, jit

Problem = Callable[[], tuple[Any, ...]]
"""Makes the arguments: equal ones each time, in newly allocated memory."""
WARM_UP = 4
"""Compiled calls that are compared before the timed ones; each may still compile a kernel."""
FEWEST, MOST = 9, 51
"""Minimum and maximum number of timed calls per kind."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything observable of one call."""

    result: Any
    arguments: tuple[Any, ...]
    """The arguments after the call."""
    printed: str
    warned: list[tuple[type, str, str, int]]
    error: str
    ms: float

    def differences(self, expected: Seen) -> list[str]:
        """Return the names of the observations that differ between two calls."""
        parts = {
            "result": same_bits(self.result, expected.result),
            "arguments": same_bits(self.arguments, expected.arguments),
            "output": self.printed == expected.printed,
            "warnings": self.warned == expected.warned,
            "exception": self.error == expected.error,
        }
        return [name for name, same in parts.items() if not same]


@dataclass(frozen=True, slots=True)
class Measurement:
    """Both sides of one program."""

    differences: list[str]
    """Observations that differ from eager, and the call in which they do; empty if all bits agree.
    """
    eager_ms: float
    first_ms: float
    """Time of the first compiled call, with capture and compilation."""
    later_ms: float
    facts: Facts
    """The report's facts on the function."""

    @property
    def ratio(self) -> float:
        """The speedup over eager."""
        return self.eager_ms / self.later_ms

    @property
    def captured(self) -> float:
        """Fraction of the array operations in the program's text that run in kernels.

        The rest are operations that call the real function inside a segment, and statements with
        arrays that run as plain Python.
        """
        segments = {(one.place, one.ends_line): one for one in self.facts.segments}.values()
        fused = sum(segment.fused for segment in segments)
        opaque = sum(segment.opaque for segment in segments)
        eager = sum(map(is_array_statement, self.facts.breaks))
        eager += sum(one.rule == "nothing-fused" for one in self.facts.skipped)
        return fused / max(1, fused + opaque + eager)


def measure(
    function: Callable[..., Any], problem: Problem, backend: str, seconds: float
) -> Measurement:
    """Run a plain function eagerly and compiled by `backend`, for about this many seconds."""
    jitted = jit(function, backend=backend, compile="now")
    watch(function, problem())  # the first call of a process pays for page faults and imports
    expected = watch(function, problem())
    compiled = [watch(jitted, problem()) for _ in range(1 + WARM_UP)]
    differences = [
        f"{part} of call {number}"
        for number, call in enumerate(compiled, 1)
        for part in call.differences(expected)
    ]
    spent = (expected.ms + compiled[-1].ms) / 1e3
    times = []
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(record=True):
        warnings.simplefilter("default")
        for _ in range(max(FEWEST, min(MOST, round(seconds / spent)))):
            times.append((timed(function, problem()), timed(jitted, problem())))
        report = explain(jitted)(*problem())
    return Measurement(
        differences,
        median(eager for eager, _ in times),
        compiled[0].ms,
        median(later for _, later in times),
        report.facts,
    )


def timed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Return the milliseconds of one call."""
    start = time.perf_counter()
    function(*arguments)
    return (time.perf_counter() - start) * 1e3


def watch(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Seen:
    """Call the function and record all observations, with every warning shown."""
    result, error, printed = None, "", io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = time.perf_counter()
        try:
            result = function(*arguments)
        except Exception as raised:
            error = repr(raised)
        ms = (time.perf_counter() - start) * 1e3
    warned = [(w.category, str(w.message), w.filename, w.lineno) for w in caught]
    return Seen(result, arguments, printed.getvalue(), warned, error, ms)


def same_bits(a: Any, b: Any) -> bool:
    """True if types, dtypes, shapes, strides and bits are equal; all NaNs are equal."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple | list):
        return len(a) == len(b) and all(map(same_bits, a, b))
    if isinstance(a, np.ndarray | np.generic):
        if (a.dtype, a.shape, a.strides) != (b.dtype, b.shape, b.strides):
            return False
        return a.tobytes() == b.tobytes() or _same_but_for_nans(np.asarray(a), np.asarray(b))
    if isinstance(a, float):
        return a.hex() == b.hex() or (math.isnan(a) and math.isnan(b))
    return bool(a == b)


def _same_but_for_nans(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    if a.dtype.kind == "c":
        return _same_but_for_nans(a.real, b.real) and _same_but_for_nans(a.imag, b.imag)
    if a.dtype.kind != "f":
        return False
    numbers = ~np.isnan(a)
    return np.array_equal(numbers, ~np.isnan(b)) and a[numbers].tobytes() == b[numbers].tobytes()


def is_array_statement(break_: BreakRecord) -> bool:
    """True if array code may run eagerly at this break.

    Breaks at control flow and other Python instructions (FJ1, FJ4), and in builtins, are none of
    it.
    """
    name = break_.detail.partition("call of `")[2].rstrip("`")
    return break_.code[2] in "235" and not (name and hasattr(builtins, name))
