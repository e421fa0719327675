"""One program run eagerly and compiled: whether the bits are the same, and what a call costs."""

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
"""Makes the arguments: the same ones each time, in memory of their own."""
WARM_UP = 4
"""Compiled calls that are compared before the timed ones: kernels may be made in each of them."""
FEWEST, MOST = 9, 51
"""Timed calls of each kind."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What one call showed."""

    result: Any
    arguments: tuple[Any, ...]
    """As the call left them."""
    printed: str
    warned: list[tuple[type, str, str, int]]
    error: str
    ms: float

    def differences(self, expected: Seen) -> list[str]:
        """What a program can tell the two calls apart by."""
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
    """What was not eager's, and in which call: empty when all bits are the same."""
    eager_ms: float
    first_ms: float
    """The first compiled call: capture and compilation are in it."""
    later_ms: float
    facts: Facts
    """What became of the function."""

    @property
    def ratio(self) -> float:
        """How many times as fast as eager."""
        return self.eager_ms / self.later_ms

    @property
    def captured(self) -> float:
        """The share of the array operations in the program's text that run in kernels.

        Against them stand those that call the real function from inside a segment, and the
        statements with arrays that run as plain Python.
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
    """Runs a plain function eagerly and compiled by `backend`, for about so many seconds."""
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
    """Milliseconds of one call."""
    start = time.perf_counter()
    function(*arguments)
    return (time.perf_counter() - start) * 1e3


def watch(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Seen:
    """Calls it with every warning shown."""
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
    """Equal types, dtypes, shapes, strides and bits; a NaN equals any other NaN."""
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
    """Whether array code may run eagerly at this break.

    It does not at control flow and other instructions of Python (FJ1, FJ4), nor in builtins.
    """
    name = break_.detail.partition("call of `")[2].rstrip("`")
    return break_.code[2] in "235" and not (name and hasattr(builtins, name))
