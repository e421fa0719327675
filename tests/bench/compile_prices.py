"""Measures the price of compiling, by stage, in milliseconds of CPU time.

    python tests/bench/compile_prices.py [--runs N] [--benches] [CASE ...]

Each case is a function that is captured and compiled in a process of its own, with an empty cache;
Numba is imported and has compiled another kernel before. Medians of some runs. `calls` is all that
the calls take, with the capture and the kernels' runs. `passes` are those over the graph, `text`
writes the text of the kernel, `lowering` makes LLVM's language of it, `LLVM` makes machine code of
that. The last column has the lines of that text for a line of the function. The last three cases
inline functions of libraries: there it is for each line that a node of the graph comes from.
With `--benches` there is one more line: all kernels of the tables of peers and of loops.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy as np
from bench.kinds_table import decoder

STAGES = {
    "capture": [("frontends.capture.capturing", "capture")],
    "passes": [("jit.pipeline", "optimise_captured"), ("jit.pipeline", "optimise_with")],
    "text": [("backends.numba.backend", "NumbaBackend.compile")],
    "lowering": [("backends.numba.machine_code.lowering", "lowered")],
    "LLVM": [("backends.numba.machine_code.codes", "_compiled")],
}
"""The functions of each stage, without what belongs to a stage that is called from there."""
COMPILE = ("passes", "text", "lowering", "LLVM")
ALL = "kernels of the benches"
X, Y = np.random.default_rng(0).random((2, 100))
GRID = np.random.default_rng(1).random((20, 30))


def total(x: Any) -> Any:
    return np.sum(x)


def softmax(x: Any) -> Any:
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def stencil(x: Any) -> Any:
    y = x.copy()
    for i in range(1, x.shape[0] - 1):
        for j in range(1, x.shape[1] - 1):
            y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
    return y


def loop(x: Any, y: Any) -> Any:
    best, place, total = -1.0, 0, 0.0
    for i in range(len(x)):
        d = x[i] * y[i] - total
        if d > best:
            best, place = d, i
        elif d < 0:
            total = total + d * d
        else:
            y[i] = total
    return best, place, total


def row_quantile(x: Any, q: Any) -> Any:
    return np.nanquantile(x, q)


def double_rolls(x: Any) -> Any:
    total = 0
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            total = total + np.roll(np.roll(x, i, 0), j, 1)
    return total


def fluid_step(h: Any, u: Any, v: Any) -> Any:
    """Shallow water, Lax-Friedrichs, with walls."""

    def mean(q: Any) -> Any:
        return 0.25 * (np.roll(q, 1, 0) + np.roll(q, -1, 0) + np.roll(q, 1, 1) + np.roll(q, -1, 1))

    def dx(q: Any) -> Any:
        return (np.roll(q, -1, 1) - np.roll(q, 1, 1)) * 0.5

    def dy(q: Any) -> Any:
        return (np.roll(q, -1, 0) - np.roll(q, 1, 0)) * 0.5

    uu, vv, uv = u * u / h + 4.9 * h * h, v * v / h + 4.9 * h * h, u * v / h
    speed = np.max(np.abs(u / h) + np.sqrt(9.8 * h))
    dt = 0.4 / speed
    new_h = mean(h) - dt * (dx(u) + dy(v))
    new_u = mean(u) - dt * (dx(uu) + dy(uv))
    new_v = mean(v) - dt * (dx(uv) + dy(vv))
    new_u[:, 0] = new_u[:, -1] = 0.0
    new_v[0, :] = new_v[-1, :] = 0.0
    return new_h, new_u, new_v


def prints(x: Any) -> Any:
    """Lists and prints in nested loops: most places are ways out."""
    rows, big, small = [], [], []
    total = 0.0
    for i in range(3):
        line = []
        for j in range(len(x)):
            v = x[j] * (i + 1)
            if v > 1.5:
                big.append(v)
                print("big", i, j, v)
            elif v > 0.5:
                small.append(v)
                line.append(j)
                print("small", i, v)
            else:
                line.append(-j)
                total = total + v
                if total > 3:
                    print("total", total)
                    total = 0.0
        rows.append(line)
        print("line", i, len(line))
    for v in big:
        total = total + v
        print(v, total)
    print(len(small), total)
    return rows, big, small, total


def _written(*lines: str, result: str = "y") -> Callable[[Any], Any]:
    text = "\n    ".join(["def written(x):", *lines, f"return {result}"])
    scope: dict[str, Any] = {"np": np}
    exec(text, scope)
    function: Callable[[Any], Any] = scope["written"]
    function.__doc__ = text
    return function


def _terms(term: str, count: int) -> Callable[[Any], Any]:
    return _written(*(f"{'y = y +' if i else 'y ='} {term.format(i=i + 1)}" for i in range(count)))


def _branches(count: int) -> Callable[[Any], Any]:
    branch = "if y[0] > {i}: y = y - {i}\n    else: y = y * 1.5"
    return _written("y = x", *(branch.format(i=i) for i in range(count)))


def _straight(count: int) -> Callable[[Any], Any]:
    forms = "y = y * 1.0001", "y = y + x", "y = y - 0.5", "y = np.sqrt(y * y + 1.0)", "z = y * x"
    return _written("y = x", *(forms[i % 5] for i in range(count * 5 // 7)), result="y, z")


CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "sum": (total, (X,)),
    "softmax": (softmax, (GRID,)),
    "stencil loop": (stencil, (GRID,)),
    "loop": (loop, (X, Y)),
    "10 terms arctan(x*i)": (_terms("np.arctan(x*{i})", 10), (X,)),
    "80 terms arctan(x*i)": (_terms("np.arctan(x*{i})", 80), (X,)),
    "100 terms sin(x*i)*c": (_terms("np.sin(x*{i})*0.{i}", 100), (X,)),
    "80 branches": (_branches(80), (X,)),
    "nine double rolls": (double_rolls, (GRID,)),
    "1000 straight nodes": (_straight(1000), (X,)),
    "prints in loops": (prints, (X[:8],)),
    "fluid step": (fluid_step, (GRID + 1, GRID, GRID.copy())),
}


Run = tuple[Callable[..., Any], tuple[Any, ...]]


def _benches() -> Iterator[Run]:
    from bench.workloads import load
    from loop_programs import load as load_loops

    for one in load().values():
        yield one.function, one.arguments(100, "float64")
    for one in load_loops().values():
        yield one.function, one.arguments()


def _filters() -> Iterator[Run]:
    """Three filters of SciPy's: real and complex zeros, poles of odd and even number."""
    from scipy import signal

    yield signal.zpk2sos, signal.butter(6, 0.2, output="zpk")
    yield signal.zpk2sos, signal.ellip(5, 1, 40, 0.3, output="zpk")
    yield signal.zpk2sos, signal.cheby1(4, 1, [0.2, 0.4], "bandpass", output="zpk")


def _rows() -> Iterator[Run]:
    row = np.where(X > 0.1, X, np.nan)
    for q in (0.25, 0.5, 0.9):
        yield row_quantile, (row, q)


SEVERAL: dict[str, Callable[[], Iterator[Run]]] = {
    "zpk2sos, three filters": _filters,
    "nanquantile of a row": _rows,
    "decoding, twelve lengths": decoder,
    ALL: _benches,
}
"""Cases of several calls."""


def measure(name: str) -> dict[str, Any]:
    """Return the seconds of each stage of one case in this process."""
    from bench.program_phases import Clock, replace_everywhere

    from framejit import jit

    warnings.simplefilter("ignore")
    runs = [*SEVERAL[name]()] if name in SEVERAL else [CASES[name]]
    import_module("framejit.backends.numba.machine_code.compiling")
    jit(lambda x: x + 1.0, compile="now")(X)
    clock = Clock()
    for stage, places in STAGES.items():
        for module, function in places:
            owner: Any = import_module(f"framejit.{module}")
            *outer, last = function.split(".")
            for one in outer:
                owner = getattr(owner, one)
            original = getattr(owner, last)
            timed = clock.timed(stage, original)
            setattr(owner, last, timed)
            replace_everywhere(original, timed)
    graphs = _graphs_of_kernels()
    jitted = {function: jit(function, compile="now") for function, _ in runs}
    with redirect_stdout(StringIO()), clock.phase("calls"):
        for function, arguments in runs:
            jitted[function](*arguments)
    texts = [one.inspect("numba") or "" for one in jitted.values()]
    inlining = name in SEVERAL and name != ALL
    source = sum(map(_places_of, graphs) if inlining else map(_lines_of, jitted))
    lines = sum(text.count("\n") for text in texts) / source
    clock.seconds["calls"] += sum(clock.seconds[stage] for stage in STAGES)
    return {**clock.seconds, "lines": lines, "kernels": clock.calls["LLVM"]}


def _lines_of(function: Callable[..., Any]) -> int:
    code = function.__code__
    text = function.__doc__ if code.co_filename == "<string>" else inspect.getsource(function)
    return max(1, len((text or "").splitlines()))


def _graphs_of_kernels() -> list[Any]:
    """Return a list that gets the graph of each kernel of which a text is written from now on."""
    backend: Any = import_module("framejit.backends.numba.backend").NumbaBackend
    found, write = [], backend.compile

    def noted(self: Any, plan: Any, attribute: bool = False) -> Any:
        found.append(plan.graph)
        return write(self, plan, attribute)

    backend.compile = noted
    return found


def _places_of(graph: Any) -> int:
    return len({(node.place.filename, node.place.line) for node in graph.nodes() if node.place})


def _run(name: str) -> dict[str, Any]:
    environment = {**os.environ, "FRAMEJIT_CACHE_DIR": "off"}
    command = [sys.executable, __file__, "--one", name]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    """Prints the table."""
    known = [*CASES, *(one for one in SEVERAL if one != ALL)]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(known))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--benches", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    columns = ("calls", "all", *COMPILE)
    print(
        f"{'CPU ms':24}" + "".join(f"{column:>9}" for column in columns) + "  kernels  lines/line"
    )
    for name in [*(options.cases or known), *([ALL] if options.benches else [])]:
        runs = [_run(name) for _ in range(options.runs if name != ALL else 1)]
        stages = {stage: median(run.get(stage, 0.0) for run in runs) for stage in COMPILE}
        calls = median(run["calls"] for run in runs)
        cells = [calls, sum(stages.values()), *stages.values()]
        numbers = "".join(f"{1e3 * cell:9.0f}" for cell in cells)
        print(f"{name:24}{numbers}{runs[0]['kernels']:9}{runs[0]['lines']:12.1f}", flush=True)


if __name__ == "__main__":
    main()
