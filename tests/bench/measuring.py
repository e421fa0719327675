"""One workload at one size: every peer in turn, round by round, with the results looked at."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Any

import numpy as np
from bench.peers import PEERS
from bench.workloads import Function, Workload
from compare import differences, portrait

ROUND = 2e-3
"""Seconds that a round of one peer lasts at least."""
ROUNDS = 15
REST = 0.05
"""Seconds before a round of a program with BLAS: threads of the peer before go on spinning for so
long, and a product of NumPy's that waits for its share of them takes many times its time."""
LIMIT = 2.0
"""Seconds that one peer may take for its rounds at one size; three rounds it takes anyway."""
TOLERANCE = {"float64": 1e-6, "float32": 1e-3}
"""Largest difference from NumPy relative to the greatest element; beyond it an answer is wrong."""


@dataclass(frozen=True, slots=True)
class Time:
    """The measurements of one peer."""

    workload: str
    size: int
    dtype: str
    peer: str
    seconds: float
    """Median of the rounds, for one call."""
    spread: float
    """From the first to the third quartile, as a part of the median."""
    first: float
    """Seconds of the first call: what is compiled is compiled there."""
    answer: str
    """"same bits", "close", "another dtype" or "WRONG"."""
    blas: bool


@dataclass(slots=True)
class _Side:
    name: str
    function: Function
    arguments: Sequence[Any]
    first: float
    answer: str
    rounds: list[float]


def measure(workload: Workload, size: int, dtype: str, names: Sequence[str]) -> list[Time]:
    """The times of the peers that can run a workload; the others are left out."""
    arguments = workload.arguments(size, dtype)
    expected = workload.function(*deepcopy(arguments))
    sides = [
        side
        for name in names
        if (side := _begun(workload, name, deepcopy(arguments), expected, dtype)) is not None
    ]
    calls = _calls_of_a_round(sides[0])
    begun = perf_counter()
    for turn in range(ROUNDS):
        for side in sides:
            if workload.blas:
                sleep(REST)
            side.rounds.append(_seconds(side, calls))
        if turn >= 2 and perf_counter() - begun > LIMIT * len(sides):
            break
    return [
        Time(
            workload.name,
            size,
            dtype,
            side.name,
            median(side.rounds),
            _spread(side.rounds),
            side.first,
            side.answer,
            workload.blas,
        )
        for side in sides
    ]


def _begun(
    workload: Workload, name: str, arguments: Sequence[Any], expected: Any, dtype: str
) -> _Side | None:
    """A peer after its first calls; None if it cannot run the workload."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function = PEERS[name](workload, arguments)
            if function is None:
                return None
            start = perf_counter()
            result = function(*arguments)
            first = perf_counter() - start
            answer = _answer(expected, result, dtype)
            fresh = deepcopy(arguments)
            for _ in range(3):
                function(*fresh)
        except Exception:
            if name in {"numpy", "framejit", "framejit alone"}:
                raise
            return None
    return _Side(name, function, fresh, first, answer, [])


def _answer(expected: Any, result: Any, dtype: str) -> str:
    if not differences(portrait(result=expected), portrait(result=result)):
        return "same bits"
    wanted = expected if isinstance(expected, tuple) else (expected,)
    given = result if isinstance(result, tuple) else (result,)
    for one, other in zip(wanted, given, strict=True):
        one, other = np.asarray(one), np.asarray(other)
        scale = float(np.max(np.abs(one), initial=0.0))
        if one.shape != other.shape or not np.allclose(
            one, other, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype] * scale
        ):
            return "WRONG"
        if one.dtype != other.dtype:
            return "another dtype"
    return "close"


def _calls_of_a_round(side: _Side) -> int:
    """As many as NumPy needs for a round that a clock can tell."""
    calls = 1
    while _seconds(side, calls) * calls < ROUND:
        calls *= 2
    return calls


def _seconds(side: _Side, calls: int) -> float:
    function, arguments = side.function, side.arguments
    start = perf_counter()
    for _ in range(calls):
        function(*arguments)
    return (perf_counter() - start) / calls


def _spread(rounds: Sequence[float]) -> float:
    low, middle, high = quantiles(rounds, n=4)
    return (high - low) / middle
