"""The most memory that arrays take at a time while a program runs: eagerly, and compiled.

    python tests/bench/memory_table.py [--size N] [--dtype NAME] [WORKLOAD ...]

What a call takes beyond its arguments, in megabytes, counted by tracemalloc, which NumPy tells of
the memory of each array; scratch memory of kernels, some kilobytes, is not in it. The exit code is
1 where a compiled program takes more than NumPy does.
"""

from __future__ import annotations

import argparse
import sys
import tracemalloc
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from bench.workloads import Workload, load

import framejit

SLACK = 1 << 14
"""Bytes of Python's own objects."""


def peak(function: object, workload: Workload, size: int, dtype: str) -> int:
    """Bytes beyond the arguments, once what is compiled and imported by the way is there."""
    assert callable(function)
    for _ in range(3):
        function(*workload.arguments(size, dtype))
    arguments = workload.arguments(size, dtype)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        result = function(*arguments)
        _, most = tracemalloc.get_traced_memory()
        del result
    finally:
        tracemalloc.stop()
    return most - before


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("workloads", nargs="*")
    parser.add_argument("--size", type=int, default=1_000_000)
    parser.add_argument("--dtype", default="float64")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    known = load()
    more = []
    print(f"{'workload':22} {'NumPy':>8} {'framejit':>8}")
    for workload in (known[name] for name in options.workloads or known):
        eager = peak(workload.function, workload, options.size, options.dtype)
        compiled = peak(
            framejit.jit(workload.function, compile="now"), workload, options.size, options.dtype
        )
        print(f"{workload.name:22} {eager / 1e6:8.2f} {compiled / 1e6:8.2f}", flush=True)
        if compiled > eager + SLACK:
            more.append(workload.name)
    print("more than NumPy:", ", ".join(more) or "none")
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
