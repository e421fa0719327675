"""Loops against eager NumPy and numba.njit, interleaved, in one run.

    python tests/bench/loop_table.py [--json FILE] [--rounds N] [--processes N] [PROGRAM ...]

One line for each program: how many times as fast as eager it is, and as `numba.njit` of the same
source where numba takes it. Every result is compared with eager's, bit for bit.

Each process has its code and its arrays at other addresses, which is a tenth of the time of some
programs, on either side: what is told is the best of some processes, each of some rounds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import geometric_mean
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from compare import differences, portrait
from loop_programs import Program, load

from framejit import explain, jit

ROUNDS = 40
PROCESSES = 3
SLOWER = 0.95
"""Less than this of njit's speed counts as slower: what one run differs from the next."""


@dataclass(frozen=True, slots=True)
class Line:
    """The measurements of one program."""

    name: str
    family: str
    transcendental: bool
    eager: float
    """Seconds of eager."""
    ours: float
    njit: float | None
    """None where numba refuses the program."""
    first: float
    """Seconds of the first call: capture and compilation."""
    same: bool
    breaks: int
    bails: int

    @property
    def gain(self) -> float:
        """Speed over eager."""
        return self.eager / self.ours

    @property
    def over_njit(self) -> float | None:
        """Speed over njit."""
        return None if self.njit is None else self.njit / self.ours


def measure(program: Program, rounds: int) -> Line:
    """Times one program: the best of so many rounds, each with fresh arguments."""
    function = program.function
    jitted, compiled = jit(function, compile="now"), _njit(program)
    report, first = _first(jitted, program)
    best: dict[str, float] = {}
    same = True
    for turn in range(rounds):
        sides = {"ours": jitted, "njit": compiled, "eager": function if turn < 3 else None}
        results = {}
        for side, action in sides.items():
            if action is None:
                continue
            arguments = program.arguments()
            start = perf_counter()
            result = action(*arguments)
            best[side] = min(best.get(side, 1e9), perf_counter() - start)
            results[side] = portrait(result=result, args=arguments)
        if "eager" in results:
            same = same and not differences(results["eager"], results["ours"])
    return Line(
        program.name,
        program.family,
        program.transcendental,
        best["eager"],
        best["ours"],
        best.get("njit"),
        first,
        same,
        len(report.breaks),
        jitted.stats()["bails"],
    )


def best_of(one: Line, other: Line) -> Line:
    """The better times of two measurements; what was wrong in either is."""
    return replace(
        one,
        eager=min(one.eager, other.eager),
        ours=min(one.ours, other.ours),
        njit=None if one.njit is None or other.njit is None else min(one.njit, other.njit),
        same=one.same and other.same,
        breaks=max(one.breaks, other.breaks),
        bails=max(one.bails, other.bails),
    )


def measured_elsewhere(names: list[str], rounds: int) -> list[Line]:
    """Times programs in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder, "lines.json")
        command = [sys.executable, __file__, "--processes", "1", "--rounds", str(rounds)]
        subprocess.run(
            [*command, "--json", str(found), *names], check=True, stdout=subprocess.DEVNULL
        )
        return [Line(**fields) for fields in json.loads(found.read_text())]


def _first(jitted: Any, program: Program) -> tuple[Any, float]:
    arguments = program.arguments()
    start = perf_counter()
    report = explain(jitted)(*arguments)
    return report, perf_counter() - start


def _njit(program: Program) -> Any:
    """The program compiled by numba as it is, or None."""
    import numba

    compiled = numba.njit(program.function)
    try:
        compiled(*program.arguments())
    except Exception:
        return None
    return compiled


def summary(lines: list[Line]) -> str:
    """Return the totals of the table, as text."""
    peers = [line for line in lines if line.over_njit is not None and not line.transcendental]
    slower = [line.name for line in peers if (line.over_njit or 0.0) < SLOWER]
    parts = [
        f"{len(lines)} programs, {sum(line.same for line in lines)} with eager's bits, "
        f"{sum(line.breaks for line in lines)} breaks, {sum(line.bails for line in lines)} bails",
        f"speed over eager, geometric mean: {geometric_mean([line.gain for line in lines]):.1f}",
    ]
    if peers:
        over = geometric_mean([line.over_njit or 1.0 for line in peers])
        parts.append(
            f"over njit: {over:.2f}; slower than {SLOWER} of it: {len(slower)} of {len(peers)}"
        )
    return "\n".join(parts)


def row(line: Line) -> str:
    """One line of the table."""
    over = f"{line.over_njit:9.2f}" if line.over_njit is not None else "        -"
    wrong = "" if line.same and not line.breaks and not line.bails else "  NOT WHOLE"
    return (
        f"{line.family:15} {line.name:27} {line.eager * 1e3:9.2f} {line.ours * 1e3:9.4f} "
        f"{line.gain:9.1f} {over} {line.first:7.2f}{wrong}"
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    options = parser.parse_args()
    programs = load()
    warnings.simplefilter("ignore")
    print(f"{'':43}  eager ms   ours ms   x eager    x njit first s")
    names = options.programs or sorted(programs, key=lambda one: programs[one].family)
    others = [measured_elsewhere(names, options.rounds) for _ in range(options.processes - 1)]
    lines = []
    for place, name in enumerate(names):
        line = measure(programs[name], options.rounds)
        for other in others:
            line = best_of(line, other[place])
        lines.append(line)
        print(row(line), flush=True)
    print(summary(lines))
    if options.json:
        options.json.write_text(json.dumps([asdict(line) for line in lines], indent=1))


if __name__ == "__main__":
    main()
