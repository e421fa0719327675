"""Measures first calls in milliseconds: `python tests/bench/compile_times.py [--runs N]`.

Each workload of the table of peers is called once, on a hundred elements. In a process with an
empty cache the first call also loads Numba; behind it stand those that only capture and compile. A
second process finds the machine code on disk, and others, for one workload, time a program
takes from `import numpy` to its first result. Medians of several runs; the table has each
workload's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from statistics import median
from time import perf_counter

HERE = Path(__file__).parent
TYPICAL = "ten_operations"
"""Called first in each process."""
WARM = """\
import numpy as np
x, y = np.random.default_rng(0).random((2, 100))
from time import perf_counter
start = perf_counter()
import framejit
@framejit.jit
def chain(x, y):
    a = x * y + 1.5
    b = a - x
    return np.sqrt((b * b + y) / (1.0 + a * a)) * x
chain(x, y)
print((perf_counter() - start) * 1e3, "numba" in __import__("sys").modules)
"""


def first_calls() -> dict[str, float]:
    """Milliseconds of the first call of each workload in this process, and of the import."""
    sys.path[:0] = [str(HERE.parent), str(HERE.parent / "support")]
    from bench.workloads import load

    workloads = load()
    start = perf_counter()
    import framejit

    took = {"import framejit": (perf_counter() - start) * 1e3}
    warnings.simplefilter("ignore")
    for name in sorted(workloads, key=lambda name: name != TYPICAL):
        jitted = framejit.jit(workloads[name].function, compile="now")
        arguments = workloads[name].arguments(100, "float64")
        start = perf_counter()
        jitted(*arguments)
        took[name] = (perf_counter() - start) * 1e3
    return took


def _run(folder: str, *command: str) -> str:
    environment = {**os.environ, "FRAMEJIT_CACHE_DIR": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def _calls(folder: str) -> dict[str, float]:
    found: dict[str, float] = json.loads(_run(folder, __file__, "--calls"))
    return found


def _row(name: str, cold: list[float], warm: list[float]) -> str:
    return f"{name:<28} {median(cold):8.0f} {median(warm):8.0f}"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="processes of each kind")
    parser.add_argument("--calls", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.calls:
        print(json.dumps(first_calls()))
        return
    cold, warm, starts = [], [], []
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(_calls(folder))
            warm.append(_calls(folder))
            _run(folder, "-c", WARM)
            milliseconds, numba = _run(folder, "-c", WARM).split()
            assert numba == "False", "numba was imported although the code is on disk"
            starts.append(float(milliseconds))
    print(f"{'first call, ms':<28} {'compiled':>8} {'on disk':>8}")
    for name in cold[0]:
        print(_row(name, [run[name] for run in cold], [run[name] for run in warm]))
    later = [[median([*run.values()][2:]) for run in runs] for runs in (cold, warm)]
    print(_row("median of all but the first", *later))
    print(f"import numpy to the result, on disk: {median(starts):.0f} ms")


if __name__ == "__main__":
    main()
