"""Whole programs that nobody decorated: `python -m framejit run` against `python`, in turn.

    python tests/bench/programs_table.py [--rounds N] [--programs NAME ...] [--decorated]
                                         [--json FILE] [--check]

One line for each program in tests/bench/programs: the time of plain Python, and what the first,
second, fifth and eighth run with a cache folder that was empty at first take of it: wall time, and
CPU time of all processes. Less than 1 is faster. Of several rounds the best counts, since what else
the machine does can only add. The output and the bits of the results are compared with plain
Python's.

BLAS has as many threads as the environment gives it. With OPENBLAS_NUM_THREADS=1 a run that is
sampled has the only second thread, which lets glibc's `malloc` take locks.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import geometric_mean

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from bench.process_costs import adopt_orphans, cost
from whole_programs import WholeProgram, load

ROUNDS = 5
RUNS = 8
"""With one cache folder; the first finds it empty."""
FIFTH = "run 5"
SLACK = 0.040
"""Seconds that a run may take longer, however short the program is."""
FIRST_WALL, FIRST_CPU, SECOND_WALL = 1.05, 1.5, 1.02
"""Times of plain Python that the first and second run may take."""
FIFTH_SPEED = 1.2
"""The geometric mean of the speeds at the fifth run is at least this."""
LOST = 1.15
"""The better one of the last two runs (each other run may capture) takes at most this part of the
best run before: what was gained once stays."""
DECORATED = ("@jit 1", "@jit 2")
TOLD = ("run 1", "run 2", FIFTH, f"run {RUNS}")


@dataclass(slots=True)
class Side:
    """All rounds of one way to run a program."""

    walls: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)
    outlived: int = 0
    same: bool = True
    """False if the output or the bits of the results differed from plain Python's."""

    @property
    def wall(self) -> float:
        """Seconds, the best of the rounds."""
        return min(self.walls)

    @property
    def cpu(self) -> float:
        """Seconds of all processes, the best of the rounds."""
        return min(self.cpus)

    @property
    def spread(self) -> float:
        """From the best to the worst round, as a part of the best."""
        return max(self.walls) / self.wall - 1.0


Sides = dict[str, Side]


def failures(sides: Sides) -> list[str]:
    """The limits that a program does not keep."""
    plain, first, second = sides["plain"], sides["run 1"], sides["run 2"]
    found = [f"{name} WRONG" for name, side in sides.items() if not side.same]
    if first.wall > max(FIRST_WALL * plain.wall, plain.wall + SLACK):
        found.append("run 1 wall")
    if first.cpu > FIRST_CPU * plain.cpu:
        found.append("run 1 CPU")
    if second.wall > max(SECOND_WALL * plain.wall, plain.wall + SLACK):
        found.append("run 2 wall")
    *before, last_but_one, last = (sides[f"run {number}"].wall for number in range(1, RUNS + 1))
    if min(last_but_one, last) > max(LOST * min(before), min(before) + SLACK):
        found.append("a gain is lost")
    return found


def speed(lines: Sequence[Sides], name: str, *, of_cpu: bool = False) -> float:
    """Geometric mean over programs of plain Python's time over that of a side."""
    if of_cpu:
        return geometric_mean([sides["plain"].cpu / sides[name].cpu for sides in lines])
    return geometric_mean([sides["plain"].wall / sides[name].wall for sides in lines])


def row(name: str, sides: Sides) -> str:
    """One line of the table."""
    plain = sides["plain"]
    parts = [f"{name:18} {plain.wall * 1e3:7.0f} {plain.cpu * 1e3:6.0f}"]
    for other in (*TOLD, *(one for one in DECORATED if one in sides)):
        side = sides[other]
        parts.append(
            f"{side.wall * 1e3:7.0f} {side.wall / plain.wall:5.2f} {side.cpu / plain.cpu:5.2f}"
        )
    worst = max(side.spread for side in sides.values())
    return " | ".join(parts) + f" | {worst:4.0%} {', '.join(failures(sides)) or 'ok'}"


def head(with_decorated: bool) -> str:
    """The names of the columns."""
    names = (*TOLD, *(DECORATED if with_decorated else ()))
    columns = " | ".join(f"{name:>7}  wall   CPU" for name in names)
    return f"{'':18} {'ms':>7} {'CPU':>6} | {columns} | spread"


def summary(lines: dict[str, Sides]) -> str:
    """Return the lines under the table: means, and how many programs are beyond a limit."""
    every = list(lines.values())
    failed = sum(bool(failures(sides)) for sides in every)
    told = []
    for name in (*TOLD, *(one for one in DECORATED if one in every[0])):
        faster = sum(sides[name].wall < sides["plain"].wall for sides in every)
        told.append(
            f"{name}: {speed(every, name):.2f} of plain Python's speed by wall, "
            f"{speed(every, name, of_cpu=True):.2f} by CPU, {faster} of {len(every)} faster"
        )
    fifth = speed(every, FIFTH)
    enough = "ok" if fifth >= FIFTH_SPEED else "FAIL"
    told.append(f"{failed} of {len(every)} programs beyond a limit")
    told.append(f"speed at {FIFTH} {fifth:.2f}, at least {FIFTH_SPEED}: {enough}")
    return "\n".join(told)


def passes(lines: dict[str, Sides]) -> bool:
    """True if all limits are kept."""
    every = list(lines.values())
    fast = speed(every, FIFTH) >= FIFTH_SPEED
    return fast and not any(failures(sides) for sides in every)


# ---- measuring ---------------------------------------------------------------------------------


def measure(program: WholeProgram, rounds: int, with_decorated: bool) -> Sides:
    """All sides of a program, in turn."""
    sides: Sides = {}
    ours = ["-m", "framejit", "run"]
    hot = [str(Path(__file__).with_name("run_decorated.py"))]
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="framejit-programs-") as name:
            folder = Path(name)
            expected = _once(sides, "plain", [], program, folder / "none", None)
            for number in range(1, RUNS + 1):
                _once(sides, f"run {number}", ours, program, folder / "run", expected)
            for side in DECORATED if with_decorated else ():
                _once(sides, side, hot, program, folder / "jit", expected)
    return sides


def _once(
    sides: Sides,
    name: str,
    way: list[str],
    program: WholeProgram,
    cache: Path,
    expected: tuple[bytes, str] | None,
) -> tuple[bytes, str]:
    """Runs a program in one way: what it wrote."""
    side = sides.setdefault(name, Side())
    saved = cache.parent / "results.npz"
    command = [sys.executable, *way, str(program.path), "--save", str(saved)]
    found = cost(command, environment(cache), cache.parent)
    side.walls.append(found.wall)
    side.cpus.append(found.cpu)
    side.outlived = max(side.outlived, found.outlived)
    written = found.output, hashlib.sha256(saved.read_bytes()).hexdigest()
    saved.unlink()
    side.same = side.same and expected in (None, written)
    return written


def environment(cache: Path) -> dict[str, str]:
    """The variables of this process, with no option of framejit set but the cache folder.

    Python may write bytecode: compiling the modules of framejit is more than half of their import,
    and nobody pays for it whose package was installed by pip.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FRAMEJIT_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**kept, "PYTHONHASHSEED": "0", "FRAMEJIT_CACHE_DIR": str(cache)}


def _warm_up(program: WholeProgram) -> None:
    """Lets Python write the bytecode of all modules, which the first run would pay for."""
    with tempfile.TemporaryDirectory(prefix="framejit-programs-") as name:
        folder = Path(name)
        for way in ([], ["-m", "framejit", "run"]):
            command = [sys.executable, *way, str(program.path), *program.small]
            cost(command, environment(folder / "cache"), folder)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    programs = load()
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--programs", nargs="+", choices=sorted(programs), default=sorted(programs))
    parser.add_argument(
        "--decorated",
        action="store_true",
        help="two runs with @jit on the functions in HOT as well",
    )
    parser.add_argument("--json", type=Path, help="write the figures there as well")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a limit is not kept")
    options = parser.parse_args()
    adopt_orphans()
    _warm_up(programs["particle_filter"])
    print(head(options.decorated), flush=True)
    lines: dict[str, Sides] = {}
    for name in options.programs:
        lines[name] = measure(programs[name], options.rounds, options.decorated)
        print(row(name, lines[name]), flush=True)
        if options.json:
            written = {
                name: {side: asdict(figures) for side, figures in sides.items()}
                for name, sides in lines.items()
            }
            options.json.write_text(json.dumps(written, indent=1))
    print(summary(lines))
    if options.check and not passes(lines):
        sys.exit(1)


if __name__ == "__main__":
    main()
