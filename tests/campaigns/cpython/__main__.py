"""CPython's own tests with every function going through the frame hook and capture.

    python tests/campaigns/cpython [--fast] [--module NAME ...] [--mode NAME ...] [--jobs N]
                                   [--json FILE] [--rounds N] [--timeout SECONDS] [--texts]

Each module runs in a process of its own under the empty hook ("passthrough") and in the modes; what
fails in a mode and not under the empty hook is named, and the exit code is 1. The version is that
of the interpreter that runs this. `modules.py` has the modules and the known differences.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from cpython.modules import FAST, FLOORS, LEFT_OUT, MODULES
from cpython.running import BASE, MODES, Answer, Difference, differences, run_all, totals


def options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", nargs="+", default=None, metavar="NAME")
    parser.add_argument(
        "--mode", nargs="+", default=["capture", "stub_everywhere"], choices=sorted(MODES)
    )
    parser.add_argument("--fast", action="store_true", help="only what the suite runs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rounds", type=int, default=2, help="how often each test runs")
    parser.add_argument("--timeout", type=float, default=2400, help="of one module in one mode")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    parser.add_argument("--texts", action="store_true", help="print what the failed tests say")
    return parser.parse_args()


def row(name: str, base: Answer, found: dict[str, list[Difference]]) -> str:
    """One line of the table."""
    numbers = [f"{len(base.outcomes):6}", f"{len(base.failed):6}"]
    numbers += [f"{sum(one.known is None for one in those):16}" for those in found.values()]
    return f"{name:28}" + "".join(numbers) + ("   CRASH under the empty hook" * bool(base.crash))


def shortfalls(mode: str, counted: Counter[str]) -> list[str]:
    """Each floor that a full run does not reach."""
    return [
        f"{mode}: {counted[name]} {name}, the floor is {floor}"
        for name, floor in FLOORS.get(mode, {}).items()
        if counted[name] < floor
    ]


def main() -> int:
    """Runs, prints, and gives the exit code."""
    chosen = options()
    started = time.monotonic()
    modules = chosen.module or (FAST if chosen.fast else MODULES)
    modes = [mode for mode in dict.fromkeys(chosen.mode) if mode != BASE]
    answers = run_all(modules, modes, chosen.jobs, chosen.rounds, chosen.timeout)
    found = {
        module: {mode: differences(those[BASE], those[mode]) for mode in modes}
        for module, those in answers.items()
    }
    print(f"{'module':28} tests failed" + "".join(f"{mode:>16}" for mode in modes))
    for module, those in answers.items():
        print(row(module, those[BASE], found[module]))
    every = [one for those in found.values() for listed in those.values() for one in listed]
    for test, reason in LEFT_OUT.items():
        if test.split(".")[1] in answers:
            print(f"left out {test}: {reason}")
    for one in every:
        shown = one.text if chosen.texts else one.text[-300:].strip().replace("\n", " | ")
        print(f"{'known' if one.known else 'FAILED'} {one.mode} {one.test}: {one.known or shown}")
    print(f"\nPython {sys.version.split()[0]}, {time.monotonic() - started:.0f} s")
    short = []
    for mode in [BASE, *modes]:
        counted = totals(those[mode] for those in answers.values())
        print(f"{mode}: " + ", ".join(f"{count} {name}" for name, count in counted.items()))
        if not chosen.module and not chosen.fast:
            short += shortfalls(mode, counted)
    print("".join(f"TOO FEW: {line}\n" for line in short), end="")
    new = [one for one in every if one.known is None]
    print(f"{len(new)} failures beyond the empty hook, {len(every) - len(new)} known")
    if chosen.json:
        write(chosen.json, answers, every)
    return 1 if new or short else 0


def write(path: Path, answers: dict[str, dict[str, Answer]], every: list[Difference]) -> None:
    """Everything, for whoever compares versions."""
    content = {
        "python": sys.version.split()[0],
        "answers": [dataclasses.asdict(a) for those in answers.values() for a in those.values()],
        "differences": [dataclasses.asdict(one) for one in every],
    }
    path.write_text(json.dumps(content, indent=1))


if __name__ == "__main__":
    sys.exit(main())
