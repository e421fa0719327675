"""Programs that Hypothesis writes, compared with eager on each backend, for as long as one likes.

    python tests/campaigns/fuzz.py COUNT [SEED [BACKEND ...]] [--processes N] [--log FILE]
        [--calls TEXT ...]

Another seed draws other programs. Workers are started anew now and then: kernels stay in memory.
A program that differs is shrunk and printed as a script, and the exit code is 1; one that ends its
worker or hangs is printed as it was drawn. `--log` appends the numbers of this run to a file, and
prints the sums of all runs that stand there. `--calls`: of NumPy's functions only those with one of
the texts in their calls, and many of them.
"""

from __future__ import annotations

import argparse
import faulthandler
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("FRAMEJIT_DEBUG", "strict")
sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzzing import CALLS, FUSED, Fuzzer, Program

CHUNK = 250
"""Programs of one worker."""
STEP = 20
"""Programs between two lines of a worker."""
HANGS = 300
"""Seconds after which a program is taken to hang."""
SHRUNK = 20
"""Differences that are shrunk; the others are printed as they were drawn."""


def work(count: int, seed: str, backends: list[str], current: Path, shrinks: bool) -> None:
    """What a worker does: prints numbers and differences, each a line of JSON."""
    faulthandler.enable()

    def watch(program: Program) -> None:
        current.write_text(program.script(backends[-1]), encoding="utf-8")
        faulthandler.dump_traceback_later(HANGS, exit=True)

    fuzzer = Fuzzer(backends, shrinks=shrinks, watch=watch)
    told = 0
    for step in itertools.count():
        before = fuzzer.tally.programs, fuzzer.tally.fused
        if before[0] >= count:
            return
        tally = fuzzer.run(min(STEP, count - before[0]), f"{seed} {step}", collect=True)
        line = {
            "programs": tally.programs - before[0],
            "fused": tally.fused - before[1],
            "differing": tally.differing[told:],
        }
        told = len(tally.differing)
        print(json.dumps(line), flush=True)


@dataclass(slots=True)
class Campaign:
    """Hands out chunks of programs to workers, and adds up what they say."""

    count: int
    seed: str
    backends: list[str]
    programs: int = 0
    fused: int = 0
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
        """How many, how fast, how many with a kernel."""
        took = time.perf_counter() - self.start
        share = 100 * self.fused / max(self.programs, 1)
        return (
            f"{self.programs} programs with seed {self.seed}, {self.programs / took:.2f} a second, "
            f"{share:.1f} % with a kernel of {FUSED} operations or more, {self.differing} differ"
        )

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
            order = (str(count), seed, str(current), str(self.differing < SHRUNK), *self.backends)
            command = [sys.executable, __file__, "--worker", *order]
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
                done += self._add({"programs": 1, "fused": 0, "differing": [text]})
        return done

    def _add(self, line: dict[str, Any]) -> int:
        with self._lock:
            self.programs += line["programs"]
            self.fused += line["fused"]
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
        "programs": campaign.programs,
        "fused": campaign.fused,
        "differing": campaign.differing,
        "seconds": round(time.perf_counter() - campaign.start),
    }
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")
    runs = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    sums = {name: sum(run[name] for run in runs) for name in ("programs", "fused", "differing")}
    share = 100 * sums["fused"] / max(sums["programs"], 1)
    print(
        f"{len(runs)} runs in {log}: {sums['programs']} programs, {share:.1f} % with a kernel, "
        f"{sums['differing']} differ"
    )


def main() -> int:
    """Does what the command line says."""
    if sys.argv[1:2] == ["--worker"]:
        count, seed, current, shrinks, *backends = sys.argv[2:]
        work(int(count), seed, backends, Path(current), shrinks == "True")
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("seed", nargs="?", default="0")
    parser.add_argument("backends", nargs="*", metavar="backend", default=["numpy", "numba"])
    parser.add_argument("--processes", type=int, default=1, metavar="N")
    parser.add_argument("--log", type=Path, metavar="FILE")
    parser.add_argument("--calls", nargs="+", default=[], metavar="TEXT")
    chosen = parser.parse_args()
    if chosen.calls:
        os.environ[CALLS] = "\n".join(chosen.calls)  # workers read it
    campaign = Campaign(chosen.count, chosen.seed, chosen.backends or ["numpy", "numba"])
    campaign.run(chosen.processes)
    print(campaign.summary())
    if chosen.log:
        append_to_log(campaign, chosen.log)
    return 1 if campaign.differing else 0


if __name__ == "__main__":
    sys.exit(main())
