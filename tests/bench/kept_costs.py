"""Measures the cost, to a process, of functions that an earlier one has captured and compiled.

    python tests/bench/kept_costs.py [--rounds N]

One process fills a cache; each further one imports NumPy, then framejit, and calls sixteen
functions of five lines, eight of twenty, eight with a loop and eight with two graph breaks, hence
three segments, each of which it finds on disk. Printed are milliseconds of CPU time of its main
thread, medians: from behind `import numpy` to the end of the first call, and for each further
function, without what plain Python takes. The exit code is 1 where the first takes more than FIRST,
or the others, in the mean of a kind, more than FURTHER.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import mean, median
from time import thread_time
from types import ModuleType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

FIRST, FURTHER = 40.0, 5.0
"""Milliseconds."""
SHORT = """
def f{k}(x, y):
    a = np.exp(x * {k}.5) + y
    b = np.sqrt(a * a + 1.0)
    c = np.where(b > y, a, b - {k})
    d = c.sum(axis=0) / (1.0 + np.abs(y).max())
    return d[None, :] * c + np.arange({k} + x.shape[1])[:x.shape[1]]
"""
LOOP = """
def f{k}(x, y):
    total, kept = 0.0, []
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > y[i, j] - {k}.0:
                total += x[i, j] * {k}.5
        kept.append(total)
    return np.array(kept), total
"""
BREAKS = """
def f{k}(x, y):
    a = np.exp(x * {k}.5) + y
    str(np.array([{k}]))
    b = np.sqrt(a * a + 1.0)
    str(np.array([{k}]))
    return np.where(b > y, a, b - {k})
"""
LINE = """    {a} = np.tanh({b} * {n}.25 + {k}) - {b}.mean(axis=1, keepdims=True)
"""


def _long(k: int) -> str:
    names = ["x", *"abcdefghijklmnopqr"]
    lines = (LINE.format(a=names[n + 1], b=names[n], n=n, k=k) for n in range(18))
    return f"\ndef f{k}(x, y):\n{''.join(lines)}    return r + y\n"


KINDS = {
    "of five lines": [SHORT.format(k=k) for k in range(16)],
    "of twenty lines": [_long(k) for k in range(16, 24)],
    "with a loop": [LOOP.format(k=k) for k in range(24, 32)],
    "with two breaks": [BREAKS.format(k=k) for k in range(32, 40)],
}


def functions(folder: str) -> list[list[Any]]:
    """Return the functions of each kind, from a module on disk."""
    sys.path.insert(0, folder)
    module: ModuleType = __import__("kept_functions")
    numbers = iter(range(sum(map(len, KINDS.values()))))
    return [[getattr(module, f"f{next(numbers)}") for _ in kind] for kind in KINDS.values()]


def measure(folder: str, *, is_plain: bool) -> list[list[float]]:
    """Return the milliseconds of the first call of each function, by kind."""
    import numpy as np

    x = np.random.default_rng(0).random((30, 40))
    y = x * 2.0
    began = thread_time()
    if not is_plain:
        from framejit import jit, wait_for_compiles
    found, alive, times = functions(folder), [], []
    for kind in found:
        times.append([])
        for function in kind:
            alive.append(function if is_plain else jit(function))
            alive[-1](x, y)
            times[-1].append(1e3 * (thread_time() - began))
            began = thread_time()
    if not is_plain:
        wait_for_compiles()
    return times


def main() -> int:
    """Print the measurements."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--inside", choices=("plain", "jit"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(measure(options.folder, is_plain=options.inside == "plain")))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        source = "import numpy as np\n" + "".join("".join(kind) for kind in KINDS.values())
        Path(folder, "kept_functions.py").write_text(source)
        environment = {**os.environ, "FRAMEJIT_CACHE_DIR": f"{folder}/cache"}
        environment["FRAMEJIT_COMPILE"] = "now"

        def inside(what: str) -> list[list[float]]:
            command = [sys.executable, __file__, "--inside", what, "--folder", folder]
            done = subprocess.run(command, env=environment, check=True, capture_output=True)
            times: list[list[float]] = json.loads(done.stdout)
            return times

        inside("jit")
        plain, kept = [], []
        for _ in range(options.rounds):
            plain.append(inside("plain"))
            kept.append(inside("jit"))
    first = median(one[0][0] for one in kept) - median(one[0][0] for one in plain)
    print(f"first: {first:.1f} ms, framejit's import included")
    most = 0.0
    for k, title in enumerate(KINDS):
        further = [mean(one[k][1:]) for one in kept]
        took = median(further) - median(mean(one[k][1:]) for one in plain)
        begin = median(one[k][0] for one in kept) - median(one[k][0] for one in plain)
        print(f"each further one {title}: {took:.2f} ms; the first of them: {begin:.1f}")
        most = max(most, took)
    return int(first > FIRST or most > FURTHER)


if __name__ == "__main__":
    sys.exit(main())
