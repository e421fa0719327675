"""Programs that a seed writes, compared with eager on each backend, for as long as one likes.

    python tests/campaigns/fuzz.py COUNT [SEED [BACKEND ...]] [--kind KIND] [--families NAME ...]
        [--lines N] [--often] [--processes N] [--log FILE] [--calls TEXT ...]

Another seed writes other programs; seed and number together say which. Workers are started anew
now and then: kernels stay in memory. A program that differs is made small and printed as a script,
and the exit code is 1; one that ends its worker or hangs is printed as it was written. A run by
rules that starts too few kernels, leaves too few of them, or has too few programs that are captured
whole (FLOORS) fails too: it shows little. `--log` appends the numbers of this run to a file, and
prints the sums of all runs that stand there. `--kind`: see fuzzing.KINDS; `--families`: of the
rules only these; `--lines`: programs by rules that are so long. `--often`: every loop polls after
each iteration and can be halted, so that an error late in a loop keeps those before. `--calls`: of
NumPy's functions in programs of arrays only those with such a text.
"""

from __future__ import annotations

import argparse
import faulthandler
import functools
import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("FRAMEJIT_DEBUG", "strict")
os.environ.setdefault("FRAMEJIT_COMPILE", "now")
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fuzzing import CALLS, FUSED, KINDS, Fuzzer, Program, program_by_rules
from halting import polled_often

CHUNK = 250
"""Programs of one worker."""
STEP = 20
"""Programs between two lines of a worker."""
HANGS = 300
"""Seconds after which a program is taken to hang."""
SHRUNK = 20
"""Differences that are made small; the others are printed as they were written."""
MEMORY = 8 << 30
"""Bytes that a worker may have: a program that makes too large arrays gets a MemoryError."""
FLOORS = {"launches": 1.0, "bails": 0.02, "whole": 0.3}
"""For each program, over a run of FLOORED programs by rules or more."""
FLOORED = 1_000
NUMBERS = ("programs", "fused", "whole", "launches", "bails")


def work(order: dict[str, Any], current: Path) -> None:
    """Run a worker, which prints numbers and differences, each as a line of JSON."""
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    count, backends = order["count"], order["backends"]
    write = KINDS[order["kind"]]
    if order["families"] or order["lines"]:
        only = tuple(order["families"])
        write = functools.partial(program_by_rules, only=only, lines=order["lines"])

    def watch(program: Program) -> None:
        current.write_text(program.script(backends[-1]), encoding="utf-8")
        faulthandler.dump_traceback_later(HANGS, exit=True)

    fuzzer = Fuzzer(write, backends, shrinks=order["shrinks"], watch=watch)
    with polled_often() if order["often"] else nullcontext():
        _tell_of_chunk(fuzzer, count, order["seed"])


def _tell_of_chunk(fuzzer: Fuzzer, count: int, chunk: str) -> None:
    tally = fuzzer.tally
    for step in itertools.count():
        before = {name: getattr(tally, name) for name in NUMBERS}
        told, kinds = len(tally.differing), Counter(tally.kinds)
        if tally.programs >= count:
            return
        seed = f"{chunk} {step}"
        fuzzer.run(min(STEP, count - tally.programs), seed, collect=True)
        line = {name: getattr(tally, name) - before[name] for name in NUMBERS}
        new = {"differing": tally.differing[told:], "kinds": tally.kinds - kinds}
        print(json.dumps({**line, **new}), flush=True)


@dataclass(slots=True)
class Campaign:
    """Hands out chunks of programs to workers, and adds up what they say."""

    count: int
    seed: str
    backends: list[str]
    kind: str = "rules"
    families: list[str] = field(default_factory=list)
    lines: int = 0
    often: bool = False
    numbers: Counter[str] = field(default_factory=Counter)
    """NUMBERS of all programs so far."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Differences by what differs."""
    differing: int = 0
    start: float = field(default_factory=time.perf_counter)
    _handed_out: int = 0
    _chunks: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _workers: set[subprocess.Popen[str]] = field(default_factory=set)
    _stopped: bool = False

    def run(self, processes: int) -> None:
        """All of it, or as much as there is until it is interrupted or terminated."""
        threads = [threading.Thread(target=self._feed) for _ in range(processes)]
        for thread in threads:
            thread.start()
        try:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            for thread in threads:
                thread.join()
        except KeyboardInterrupt:
            with self._lock:
                self._stopped, self.count = True, 0
                for worker in self._workers:
                    worker.terminate()
            for thread in threads:
                thread.join()

    def summary(self) -> str:
        """Return the number of programs, their rate and their outcomes, as text."""
        took = time.perf_counter() - self.start
        numbers = self.numbers
        programs = max(numbers["programs"], 1)
        kinds = ", ".join(f"{times} {kind}" for kind, times in self.kinds.most_common())
        return (
            f"{numbers['programs']} programs with seed {self.seed}, "
            f"{programs / took:.2f} a second, "
            f"{100 * numbers['whole'] / programs:.1f} % captured whole, "
            f"{100 * numbers['fused'] / programs:.1f} % with a kernel of {FUSED} operations, "
            f"{numbers['launches']} kernels launched, {numbers['bails']} bails, "
            f"{self.differing} differ{kinds and f' ({kinds})'}"
        )

    def shortfalls(self) -> list[str]:
        """Each floor that the numbers do not reach."""
        programs = self.numbers["programs"]
        if self.kind != "rules" or self.families or self.lines or programs < FLOORED:
            return []
        return [
            f"{self.numbers[name]} {name}, the floor is {floor * programs:.0f}"
            for name, floor in FLOORS.items()
            if self.numbers[name] < floor * programs
        ]

    def _feed(self) -> None:
        while True:
            with self._lock:
                count = min(CHUNK, self.count - self._handed_out)
                if count <= 0:
                    return
                self._handed_out += count
                self._chunks += 1
                seed = f"{self.seed} {self._chunks}"
            done = self._work(count, seed)
            with self._lock:
                self._handed_out -= count - done

    def _work(self, count: int, seed: str) -> int:
        """Runs one worker; how many programs it came to."""
        done = 0
        with tempfile.TemporaryDirectory() as folder:
            current, errors = Path(folder, "program.py"), Path(folder, "errors")
            order = {
                "count": count,
                "seed": seed,
                "kind": self.kind,
                "families": self.families,
                "lines": self.lines,
                "often": self.often,
                "backends": self.backends,
                "shrinks": self.differing < SHRUNK,
            }
            command = [sys.executable, __file__, "--worker", json.dumps(order), str(current)]
            with (
                errors.open("w") as heard,
                subprocess.Popen(command, stdout=subprocess.PIPE, stderr=heard, text=True) as child,
            ):
                assert child.stdout is not None
                self._workers.add(child)
                for line in child.stdout:
                    if line.startswith('{"programs"'):
                        done += self._add(json.loads(line))
            self._workers.discard(child)
            if child.returncode and not self._stopped:
                program = current.read_text(encoding="utf-8") if current.exists() else ""
                told = "".join(f"# {one}\n" for one in errors.read_text().splitlines()[-40:])
                text = f"{program}# the worker ended with code {child.returncode}\n{told}"
                ended = {"ended its worker": 1}
                done += self._add({"programs": 1, "differing": [text], "kinds": ended})
        return done

    def _add(self, line: dict[str, Any]) -> int:
        with self._lock:
            self.numbers.update({name: line.get(name, 0) for name in NUMBERS})
            self.kinds.update(line["kinds"])
            for text in line["differing"]:
                self.differing += 1
                print(f"# ---- difference {self.differing}\n{text}")
            print(self.summary(), flush=True)
        done: int = line["programs"]
        return done


def append_to_log(campaign: Campaign, log: Path) -> None:
    """Adds the numbers of this run, and prints the sums of all runs."""
    entry = {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "python": sys.version.split()[0],
        "seed": campaign.seed,
        "backends": campaign.backends,
        **({"calls": os.environ[CALLS].split("\n")} if CALLS in os.environ else {}),
        "kind": campaign.kind,
        **({"families": campaign.families} if campaign.families else {}),
        **({"lines": campaign.lines} if campaign.lines else {}),
        **({"often": True} if campaign.often else {}),
        **campaign.numbers,
        "differing": campaign.differing,
        "kinds": dict(campaign.kinds),
        "seconds": round(time.perf_counter() - campaign.start),
    }
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
    runs = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    sums = {name: sum(run.get(name, 0) for run in runs) for name in (*NUMBERS, "differing")}
    share = 100 * sums["fused"] / max(sums["programs"], 1)
    print(
        f"{len(runs)} runs in {log}: {sums['programs']} programs, {share:.1f} % with a kernel, "
        f"{sums['launches']} kernels launched, {sums['bails']} bails, {sums['differing']} differ"
    )


def main() -> int:
    """Does what the command line says."""
    if sys.argv[1:2] == ["--worker"]:
        work(json.loads(sys.argv[2]), Path(sys.argv[3]))
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("seed", nargs="?", default="0")
    parser.add_argument("backends", nargs="*", metavar="backend", default=["numpy", "numba"])
    parser.add_argument("--kind", choices=[*KINDS], default="rules")
    parser.add_argument("--families", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--lines", type=int, default=0, metavar="N")
    parser.add_argument("--often", action="store_true")
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    parser.add_argument("--log", type=Path, metavar="FILE")
    parser.add_argument("--calls", nargs="+", default=[], metavar="TEXT")
    chosen = parser.parse_args()
    if chosen.calls:
        os.environ[CALLS] = "\n".join(chosen.calls)  # workers read it
    backends = chosen.backends or ["numpy", "numba"]
    kind, families, lines, often = chosen.kind, chosen.families, chosen.lines, chosen.often
    campaign = Campaign(chosen.count, chosen.seed, backends, kind, families, lines, often)
    campaign.run(chosen.processes)
    print(campaign.summary())
    if chosen.log:
        append_to_log(campaign, chosen.log)
    for line in campaign.shortfalls():
        print(f"TOO FEW: {line}")
    return 1 if campaign.differing or campaign.shortfalls() else 0


if __name__ == "__main__":
    sys.exit(main())
