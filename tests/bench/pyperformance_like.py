"""Measures `python -m framejit run` on programs without arrays: whole processes, in turn.

    python tests/bench/pyperformance_like.py [--rounds N] [--numpy] [PROGRAM ...]

Prints for each program of `plain/` the best wall time and the best CPU time (of the program and of
all processes that it leaves) of a plain run, and the ratios of those under framejit. With `--numpy`
the programs import NumPy first: functions are then looked at, and found to have no arrays. The
answers are compared.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory

from process_costs import Cost, adopt_orphans, cost

PROGRAMS = Path(__file__).with_name("plain")
FUTURE = "from __future__ import annotations\n"
UNDER = ("-m", "framejit", "run")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=7, help="of both, for each program")
    parser.add_argument("--numpy", action="store_true", help="the programs import NumPy first")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="only these")
    asked = parser.parse_args()
    adopt_orphans()
    names = asked.programs or sorted(path.stem for path in PROGRAMS.glob("*.py"))
    jit = ", its JIT on" if os.environ.get("PYTHON_JIT") == "1" else ""
    print(f"CPython {platform.python_version()}{jit}, {asked.rounds} rounds, best of them")
    print(f"{'program':<12}{'wall s':>9}{'ratio':>7}{'CPU s':>9}{'ratio':>7}")
    ratios: list[tuple[float, float]] = []
    for name in names:
        text = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
        if asked.numpy:
            text = text.replace(FUTURE, f"{FUTURE}\nimport numpy\n", 1)
        plain, under = measured(text, asked.rounds)
        ratios.append((under[0] / plain[0], under[1] / plain[1]))
        wall, cpu = ratios[-1]
        print(f"{name:<12}{plain[0]:>9.3f}{wall:>7.3f}{plain[1]:>9.3f}{cpu:>7.3f}", flush=True)
    wall, cpu = (prod(column) ** (1 / len(ratios)) for column in zip(*ratios, strict=True))
    print(f"{'mean':<12}{'':>9}{wall:>7.3f}{'':>9}{cpu:>7.3f}")


def measured(text: str, rounds: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the least seconds of wall and CPU time, plain and under framejit.

    Raises:
        RuntimeError: a run has failed, or the answers differ.
    """
    costs: tuple[list[Cost], list[Cost]] = ([], [])
    with TemporaryDirectory() as folder:
        Path(folder, "program.py").write_text(text, encoding="utf-8")
        environment = {**os.environ, "FRAMEJIT_CACHE_DIR": os.path.join(folder, "cache")}
        for _ in range(rounds):
            for side, options in zip(costs, ((), UNDER), strict=True):
                command = [sys.executable, *options, "program.py"]
                side.append(cost(command, environment, Path(folder)))
    if len({one.output for side in costs for one in side}) != 1:
        raise RuntimeError("the answers differ")
    plain, under = ((min(c.wall for c in side), min(c.cpu for c in side)) for side in costs)
    return plain, under


if __name__ == "__main__":
    main()
