"""Scientific kernels against eager NumPy, in the steady state.

    python tests/bench/kernel_table.py [--below RATIO] [--sizes S M] [KERNEL ...]

One line for each kernel and size: milliseconds of eager and of framejit, how many times as fast it
is, milliseconds of the first call, and what the numbers of framejit say. Kernels are called as a
program calls them, so that what is slower than plain Python has been found out before anything is
timed. Both sides are timed in turns, the best of some rounds each, on copies of the arguments,
and results and arguments are compared bit for bit. With `--below` only what is slower is shown, and
the exit code is 1 if there was any.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import warnings
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from compare import differences, portrait
from kernel_programs import Kernel, load

from framejit import jit

CALLS = 700
"""Calls made before anything is measured."""
WARM_SECONDS = 6.0
"""Seconds that these calls may take; 3 calls are made anyway."""
ROUNDS = 15
SECONDS = 3.0
"""Limit for all rounds together; at least three rounds are run."""
TOLD = ("captures", "breaks", "segments", "launches", "bails", "slower", "skipped", "failures")


@dataclass(frozen=True, slots=True)
class Line:
    """The measurements of one kernel at one size, in seconds."""

    eager: float
    ours: float
    first: float
    stats: dict[str, int]
    same: bool

    @property
    def gain(self) -> float:
        """Speed over eager."""
        return self.eager / self.ours


def measure(kernel: Kernel, size: str) -> Line:
    """Warms up, then times both sides in turns."""
    function = kernel.function
    jitted = jit(function, compile="now")
    arguments = kernel.arguments(size)
    first = _time(jitted, arguments)
    began = perf_counter()
    for call in range(CALLS):
        _time(jitted, arguments)
        if call >= 2 and perf_counter() - began > WARM_SECONDS:
            break
    same = _portrait(function, arguments) == _portrait(jitted, arguments)
    best = [float("inf")] * 2
    began = perf_counter()
    for turn in range(ROUNDS):
        for side, one in enumerate((function, jitted)):
            best[side] = min(best[side], _time(one, arguments))
        if turn >= 2 and perf_counter() - began > SECONDS:
            break
    return Line(best[0], best[1], first, jitted.stats(), same)


def _time(function: Any, arguments: tuple[Any, ...]) -> float:
    fresh = deepcopy(arguments)
    began = perf_counter()
    function(*fresh)
    return perf_counter() - began


def _portrait(function: Any, arguments: tuple[Any, ...]) -> Any:
    fresh = deepcopy(arguments)
    return _Same(portrait(result=function(*fresh), args=fresh))


@dataclass(frozen=True, eq=False)
class _Same:
    of: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and not differences(self.of, other.of)


def row(name: str, size: str, line: Line) -> str:
    """One line of the table."""
    told = " ".join(f"{key}={line.stats[key]}" for key in TOLD if line.stats[key])
    return (
        f"{name:25} {size} {line.eager * 1e3:9.2f} {line.ours * 1e3:9.3f} {line.gain:8.2f} "
        f"{line.first * 1e3:8.0f}  {'' if line.same else 'OTHER BITS '}{told}"
    )


def main() -> int:
    """Prints the table."""
    kernels = load()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="KERNEL", default=[*kernels])
    parser.add_argument("--below", type=float)
    parser.add_argument("--sizes", nargs="+", choices=["S", "M"], default=["S", "M"])
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    slower = 0
    print(f"{'':27}  eager ms   ours ms  x eager first ms")
    for name in chosen.names:
        for size in chosen.sizes:
            line = measure(kernels[name], size)
            is_slower = chosen.below is not None and line.gain < chosen.below
            slower += is_slower or not line.same
            if is_slower or chosen.below is None or not line.same:
                print(row(name, size, line), flush=True)
    print(f"{slower} are slower" if chosen.below else "")
    return int(slower > 0)


if __name__ == "__main__":
    # Threads of BLAS that share one processor take a hundred times as long.
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.argv])
    with contextlib.suppress(AttributeError):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    raise SystemExit(main())
