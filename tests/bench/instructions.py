"""Counts the instructions of whole programs: plain, and under `python -m framejit run`.

    python tests/bench/instructions.py [--runs N] [--numpy] [--factor F] [--json FILE] PROGRAM ...

For machines whose times vary by more than what is to be seen: counts repeat to a few parts in
10,000. A PROGRAM is one of tests/bench/programs or tests/bench/plain; with `--numpy` those of
`plain/` import NumPy first. One line for each: the millions of instructions of plain Python's
process, and the ratios of the first runs with one cache folder that was empty at first. What copies
of the process take is counted apart, as a part of plain Python's; helpers, which have an
environment of their own, are not counted. System calls count as nothing.

Valgrind makes a program 50 to 100 times slower; its clocks are slowed down by as much
(slow_clocks.c), so that what is decided by time is decided as without it. Helpers are not slowed
down: their kernels come early.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from dataclasses import asdict, dataclass
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
FUTURE = "from __future__ import annotations\n"
COUNTED = re.compile(r"Collected : (\d+)")


@dataclass(frozen=True, slots=True)
class Count:
    """Instructions of one run."""

    own: int
    """In the process itself."""
    copies: int
    """In the copies that it made of itself."""
    output: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=2, help="with one cache folder (default: 2)")
    parser.add_argument("--numpy", action="store_true", help="programs of plain/ import NumPy")
    parser.add_argument("--factor", type=float, default=100.0, help="of the clocks (default: 100)")
    parser.add_argument("--json", type=Path, help="write the counts there as well")
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    asked = parser.parse_args()
    told: dict[str, list[Count]] = {}
    heads = "".join(f" | run {run}  copies" for run in range(1, asked.runs + 1))
    print(f"{'program':<18}{'millions':>9}{heads}")
    for name in asked.programs:
        told[name] = counted(name, asked.runs, asked.factor, with_numpy=asked.numpy)
        plain = told[name][0]
        parts = [f" | {c.own / plain.own:.3f} {c.copies / plain.own:7.3f}" for c in told[name][1:]]
        differs = "" if len({c.output for c in told[name]}) == 1 else "  THE ANSWERS DIFFER"
        print(f"{name:<18}{plain.own / 1e6:>9.0f}{''.join(parts)}{differs}", flush=True)
        if asked.json:
            asked.json.write_text(json.dumps({n: [*map(asdict, c)] for n, c in told.items()}))
    for run in range(1, asked.runs + 1):
        ratios = [counts[run].own / counts[0].own for counts in told.values()]
        print(f"run {run}: {prod(ratios) ** (1 / len(ratios)):.3f} in the geometric mean")


def counted(name: str, runs: int, factor: float, *, with_numpy: bool) -> list[Count]:
    """Return the counts of a plain run and of `runs` runs under framejit.

    Raises:
        RuntimeError: there is no such program, or a run has failed.
    """
    with TemporaryDirectory() as made:
        folder = Path(made)
        program = folder / f"{name}.py"
        program.write_text(_text(name, with_numpy=with_numpy), encoding="utf-8")
        clocks = folder / "slow_clocks.so"
        command = ["cc", "-O2", "-shared", "-fPIC", HERE / "slow_clocks.c", "-o", clocks, "-ldl"]
        subprocess.run(command, check=True)
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("FRAMEJIT_")},
            "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
            "LD_PRELOAD": str(clocks),
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            "SLOW_CLOCKS": str(factor),
        }
        ways = [(), *[("-m", "framejit", "run")] * runs]
        return [_count([*way, program.name], environment, folder) for way in ways]


def _text(name: str, *, with_numpy: bool) -> str:
    """Return the program's source."""
    for kind in ("programs", "plain"):
        path = HERE / kind / f"{name}.py"
        if path.exists():
            text = path.read_text(encoding="utf-8")
            imports = with_numpy and kind == "plain"
            return text.replace(FUTURE, f"{FUTURE}\nimport numpy\n", 1) if imports else text
    raise RuntimeError(f"no program {name!r} in {HERE / 'programs'} or {HERE / 'plain'}")


def _count(arguments: list[str], environment: dict[str, str], folder: Path) -> Count:
    """Run Python with such arguments under Valgrind; return the counts."""
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    logs = ["--log-file=counts.%p"]
    for old in folder.glob("counts.*"):
        old.unlink()
    process = subprocess.Popen(
        [*tool, *logs, sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    output, errors = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {process.returncode}:\n{errors}")
    counts = {path.suffix: _collected(path) for path in folder.glob("counts.*")}
    own = counts.pop(f".{process.pid}")
    return Count(own, sum(counts.values()), output)


def _collected(log: Path) -> int:
    """Return the number of instructions that a log of Valgrind's states; 0 if it was killed."""
    found = COUNTED.search(log.read_text(errors="replace"))
    return int(found[1]) if found else 0


if __name__ == "__main__":
    main()
