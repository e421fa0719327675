"""Measures the CPU time of the phases of a whole program under `python -m framejit run`.

    python tests/bench/program_phases.py [--runs N] [--json FILE] [--programs NAME ...]

Each program runs N times (2) with one cache folder, and once as plain Python. A line for each run:
seconds of the thread that runs the program, in each phase without the phases below it. "program" is
what is left: the user's code, its kernels, guards and trials; "plain" the same of plain Python. So
"program" over "plain" says if kernels gain or lose, and everything else is the cost of capturing.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from time import thread_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

ENGINE, NUMBA = "import framejit", "import numba"
PHASES = {
    "rewrite": [
        ("frontends.undecorated.inplace", "adopt"),
        ("frontends.runtime.function", "Manager.guarded_capture"),
    ],
    "capture": [("frontends.capture.capturing", "capture")],
    "passes": [("jit.pipeline", "optimise_captured"), ("jit.pipeline", "optimise_with")],
    "text": [("backends.numba.backend", "NumbaBackend.compile")],
    "disk": [
        ("backends.numba.machine_code.stored", "find"),
        ("backends.numba.machine_code.stored", "keep"),
    ],
    "compile": [("backends.numba.backend", "_compiled")],
}
"""The functions that are timed for each phase, by the module that defines them."""
LOOK = "look"
COLUMNS = ("plain", "program", ENGINE, LOOK, *PHASES, NUMBA)
COUNTS = ("capture", "compile", "disk")


class Clock:
    """Seconds and calls of each phase, without those of phases within it."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.calls: Counter[str] = Counter()
        self._within = [0.0]

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Attribute the time of the block to this phase."""
        start = thread_time()
        self.calls[name] += 1
        self._within.append(0.0)
        try:
            yield
        finally:
            spent = thread_time() - start
            self.seconds[name] += spent - self._within.pop()
            self._within[-1] += spent

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, as a part of a phase."""

        def call(*args: Any, **kwargs: Any) -> Any:
            if name == "compile" and "numba" not in sys.modules:
                with self.phase(NUMBA):
                    import_module("framejit.backends.numba.machine_code.compiling")
            with self.phase(name):
                return function(*args, **kwargs)

        return call


def replace_everywhere(original: object, other: object) -> None:
    """Puts a function in the place of another in all modules of framejit that name it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("framejit"):
            for key, value in list(vars(module).items()):
                if value is original:
                    setattr(module, key, other)


def watch(clock: Clock) -> None:
    """Times the functions of all phases from now on."""
    for phase, places in PHASES.items():
        for home, name in places:
            owner: Any = import_module(f"framejit.{home}")
            *outer, last = name.split(".")
            for one in outer:
                owner = getattr(owner, one)
            original = getattr(owner, last)
            timed = clock.timed(phase, original)
            if outer:
                setattr(owner, last, timed)
            else:
                replace_everywhere(original, timed)


def run_watched(words: list[str]) -> None:
    """Runs a program as `python -m framejit run` does; the times go to the file in words[0]."""
    from framejit.frontends.commands import run
    from framejit.frontends.undecorated import arrivals, entrance

    clock = Clock()
    adopt: Any = arrivals._adopt

    def adopted(function: Any) -> bool:
        """Loads what captures with the first function, as the program would, and times it."""
        if clock.calls[ENGINE] == 1:
            with clock.phase(ENGINE):
                import_module("framejit.frontends.undecorated.inplace")
                import_module("framejit.backends.numba.backend")
            watch(clock)
        return bool(adopt(function))

    arrivals._adopt = adopted
    entrance.start = clock.timed(ENGINE, entrance.start)
    arrivals.arrived = clock.timed(LOOK, arrivals.arrived)
    entrance.prepare(None)
    begun = thread_time()
    atexit.register(_write, Path(words[0]), clock, begun, os.getpid())
    run.run(words[1:], thread_time())


def _write(file: Path, clock: Clock, begun: float, process: int) -> None:
    if os.getpid() == process:
        whole = thread_time() - begun
        seconds = {**clock.seconds, "program": whole - sum(clock.seconds.values())}
        file.write_text(json.dumps({"seconds": seconds, "calls": clock.calls}))


# ---- the table ---------------------------------------------------------------------------------


def plain_seconds(program: Any, environment: dict[str, str], folder: Path) -> float:
    """CPU time of plain Python from the program's first line on."""
    code = (
        "import atexit, runpy, sys, time\n"
        "begun = time.thread_time()\n"
        "atexit.register(lambda: open(sys.argv[-1], 'w').write(str(time.thread_time() - begun)))\n"
        "sys.argv = sys.argv[1:]\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    told = folder / "plain"
    command = [sys.executable, "-c", code, str(program.path), "--save", str(told)]
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, cwd=folder, check=True)
    return float(told.read_text())


def measure(program: Any, runs: int) -> list[dict[str, Any]]:
    """The phases of some runs with one cache folder."""
    from bench.programs_table import environment

    found = []
    with tempfile.TemporaryDirectory(prefix="framejit-phases-") as name:
        folder = Path(name)
        variables = environment(folder / "cache")
        plain = plain_seconds(program, variables, folder)
        for _ in range(runs):
            told = folder / "told.json"
            command = [sys.executable, __file__, "--watched", str(told), str(program.path)]
            subprocess.run(
                command, env=variables, stdout=subprocess.DEVNULL, cwd=folder, check=True
            )
            line = json.loads(told.read_text())
            line["seconds"]["plain"] = plain
            found.append(line)
    return found


def row(name: str, line: dict[str, Any]) -> str:
    """One line of the table."""
    seconds = " ".join(f"{line['seconds'].get(column, 0.0):8.2f}" for column in COLUMNS)
    counts = " ".join(f"{line['calls'].get(column, 0):7d}" for column in COUNTS)
    return f"{name:20} {seconds} {counts}"


def main() -> None:
    """Prints the table."""
    if sys.argv[1:2] == ["--watched"]:
        run_watched(sys.argv[2:])
        return
    from whole_programs import load

    programs = load()
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--programs", nargs="+", choices=sorted(programs), default=sorted(programs))
    options = parser.parse_args()
    names = " ".join(f"{column.removeprefix('import '):>8}" for column in COLUMNS)
    counts = " ".join(f"{'n ' + column[:5]:>7}" for column in COUNTS)
    print(f"{'CPU seconds':20} {names} {counts}", flush=True)
    written = {}
    for name in options.programs:
        written[name] = measure(programs[name], options.runs)
        for number, line in enumerate(written[name], 1):
            print(row(f"{name} {number}", line), flush=True)
        if options.json:
            options.json.write_text(json.dumps(written, indent=1))


if __name__ == "__main__":
    main()
