"""Functions of one and two statements against eager NumPy, in the steady state.

    python tests/bench/statement_table.py [--below RATIO] [--sizes N ...] [--dtypes D ...] [NAME]

One line for each function: how many times as fast as eager it is, by dtype and size. Both sides are
timed in turns, on the same arrays, the best of some rounds each. With `--below` only what is slower
is shown, and the exit code is 1 if there was any.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
from statements import FUNCTIONS

from framejit import jit

SIZES = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
DTYPES = ("float64", "int64", "bool")
ROUNDS = 9
SECONDS = 0.004
"""Limit for one side in a round; at least one call is made."""
CALLS = 400
"""Before anything is measured; fewer where they take more than half a second."""


def arguments(function: Any, n: int, dtype: str) -> dict[str, Any]:
    """Return arguments for the parameters of the function, of n items."""
    rng = np.random.default_rng(0)
    k = max(2, round(n**0.5) // 2)
    held = {
        "a": np.sort(rng.random(n) * 2).astype(dtype),
        "b": rng.integers(0, 3, n).astype(dtype),
        "c": {"float64": 1.0, "int64": 1, "bool": True}[dtype],
        "m": rng.random(n) < 0.3,
        "n": rng.random(n) < 0.3,
        "rows": rng.integers(0, 2, (k, n // k)).astype(dtype),
        "l": [float(x) for x in range(min(n, 1000))],
        "places": rng.integers(0, n, n),
    }
    return {name: held[name] for name in inspect.signature(function).parameters}


def ratio(function: Any, n: int, dtype: str) -> float | None:
    """Return the speed relative to eager; None for calls that NumPy refuses."""
    given = list(arguments(function, n, dtype).values())
    jitted = jit(function, compile="now")
    try:
        function(*given)
    except TypeError:
        return None
    began = perf_counter()
    for _ in range(CALLS):
        jitted(*given)
        if perf_counter() - began > 0.5:
            break
    once = _time(function, given, 1)
    calls = max(1, int(SECONDS / max(once, 1e-9)))
    best = [np.inf, np.inf]
    for _ in range(ROUNDS):
        for side, one in enumerate((function, jitted)):
            best[side] = min(best[side], _time(one, given, calls))
    return best[0] / best[1]


def _time(function: Any, given: list[Any], calls: int) -> float:
    began = perf_counter()
    for _ in range(calls):
        function(*given)
    return (perf_counter() - began) / calls


def lines(names: list[str], sizes: list[int], dtypes: list[str]) -> Iterator[tuple[str, list[Any]]]:
    """(name and dtype, ratios by size) as they are measured."""
    for name in names:
        for dtype in dtypes:
            found = [ratio(FUNCTIONS[name], n, dtype) for n in sizes]
            if any(one is not None for one in found):
                yield f"{name} {dtype}", found


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=[*FUNCTIONS])
    parser.add_argument("--below", type=float)
    parser.add_argument("--sizes", nargs="+", type=int, default=[*SIZES])
    parser.add_argument("--dtypes", nargs="+", default=[*DTYPES])
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    slower = 0
    print(f"{'':32}" + "".join(f"{n:>10,}" for n in chosen.sizes))
    for name, found in lines(chosen.names, chosen.sizes, chosen.dtypes):
        is_slower = chosen.below and any(one and one < chosen.below for one in found)
        slower += bool(is_slower)
        if is_slower or chosen.below is None:
            texts = (f"{'-':>10}" if one is None else f"{one:10.2f}" for one in found)
            print(f"{name:32}" + "".join(texts), flush=True)
    print(f"{slower} are slower" if chosen.below else "")
    return int(slower > 0)


if __name__ == "__main__":
    with contextlib.suppress(AttributeError):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    raise SystemExit(main())
