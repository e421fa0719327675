"""Memory that stays of functions that were compiled, called and dropped; the price of loading.

    python tests/bench/kernel_memory.py [--count N]

Two processes, one behind the other, meet the same N functions, each with a kernel of its own: the
first compiles them in the process and puts them on disk, the second finds them there. Printed is
the memory that a process has alone (Private in /proc/self/smaps_rollup), after N functions less
after the first 50, and the CPU time of each; then, for the loader alone, the time of the first
kernel of a process and of each further one. The exit code is 1 where more than LIMIT stays.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

LIMIT = 20.0
"""MiB."""
FIRST = 50


def private() -> float:
    """MiB that this process has alone."""
    gc.collect()
    with open("/proc/self/smaps_rollup", encoding="ascii") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Private_")) / 1024


def throw_away(numbers: range) -> None:
    """Compiles a function for each number, calls it and drops it."""
    import numpy as np

    from framejit import jit

    x = np.arange(8.0)
    for number in numbers:
        scope: dict[str, object] = {}
        exec(f"def f(x): return x * {number}.5 + {number}", scope)
        function = jit(scope["f"], backend="numba", compile="now")
        function(x)
        assert function.stats()["captures"] == 1


def measure(count: int) -> tuple[float, float]:
    """MiB that stay, and milliseconds of CPU time for each function."""
    throw_away(range(FIRST))
    before, start = private(), time.process_time()
    throw_away(range(FIRST, FIRST + count))
    spent = (time.process_time() - start) / count * 1e3
    return private() - before, spent


def load_all(folder: str) -> tuple[float, float]:
    """Microseconds of the loader for the first entry of a folder, and for each further one."""
    from framejit.backends.numba.machine_code.stored import Stored
    from framejit.jit.addresses import ADDRESSES
    from framejit.jit.native import ObjectCode

    entries = [Stored.unpacked(path.read_bytes()) for path in Path(folder, "kernels").iterdir()]
    kept, times = [], []
    for entry in entries:
        assert entry is not None
        start = time.perf_counter()
        kept.append(ObjectCode(entry.code, entry.symbol, ADDRESSES))
        times.append((time.perf_counter() - start) * 1e6)
    return times[0], sorted(times[1:])[len(times) // 2]


def main() -> int:
    """Prints the measurements."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--inside", choices=("measure", "load"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside == "measure":
        print(json.dumps(measure(options.count)))
        return 0
    if options.inside == "load":
        print(json.dumps(load_all(os.environ["FRAMEJIT_CACHE_DIR"])))
        return 0
    most = 0.0
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "FRAMEJIT_CACHE_DIR": folder}

        def inside(what: str) -> tuple[float, float]:
            command = [sys.executable, __file__, "--inside", what, "--count", str(options.count)]
            done = subprocess.run(
                command, env=environment, check=True, stdout=subprocess.PIPE, text=True
            )
            first, second = json.loads(done.stdout)
            return first, second

        for title in ("compiled", "from disk"):
            stays, spent = inside("measure")
            most = max(most, stays)
            print(f"{title}: {stays:.1f} MiB stay of {options.count}; {spent:.2f} ms each")
        first, further = inside("load")
        print(f"loader: {first:.0f} us for the first kernel, {further:.0f} for each further one")
    return 1 if most > LIMIT * options.count / 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
