"""Runs the modules in processes of their own and reports differences from the empty hook."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from cpython.modules import LEFT_OUT, why_known

_ADDRESS = re.compile(r"0x[0-9a-f]+|(?<=id=')[0-9]+")

CHILD: Final = Path(__file__).with_name("child.py")

MODES: Final = {
    "plain": "",
    "passthrough": "",
    "capture": "",
    "stub_everywhere": "stub_everywhere",
    "exit0_everywhere": "stub_everywhere,exit0_everywhere",
    "bail_everywhere": "stub_everywhere,bail_everywhere",
}
"""Each mode with its FRAMEJIT_DEBUG."""
BASE: Final = "passthrough"
"""The mode with which the others are compared."""
BAD: Final = ("failed", "error")


@dataclass(frozen=True)
class Answer:
    """The results of one module in one mode."""

    module: str
    mode: str
    outcomes: dict[str, str] = field(default_factory=dict)
    """Test id -> "ok", "skipped", "failed" or "error"."""
    texts: dict[str, str] = field(default_factory=dict)
    counts: dict[str, Any] = field(default_factory=dict)
    engine_errors: list[str] = field(default_factory=list)
    seconds: float = 0.0
    crash: str = ""
    """Cause of death and current test of a process that did not come to its end."""

    @property
    def failed(self) -> list[str]:
        """Ids of the tests that failed."""
        return [name for name, outcome in self.outcomes.items() if outcome in BAD]


def run(module: str, mode: str, rounds: int, timeout: float) -> Answer:
    """One module in one mode."""
    with tempfile.TemporaryDirectory(prefix="framejit-cpython-") as folder:
        target = Path(folder, "result.json")
        # Subtests are told apart by what they print of their arguments, sets among them.
        environment = {
            **os.environ,
            "FRAMEJIT_DEBUG": MODES[mode],
            "FRAMEJIT_COMPILE": "now",
            "PYTHONHASHSEED": "0",
        }
        command = [sys.executable, "-X", "faulthandler", str(CHILD)]
        command += [module, mode, str(target), str(rounds), ",".join(LEFT_OUT)]
        work = Path(folder, "work")
        work.mkdir()
        log = Path(folder, "log")
        started = time.monotonic()
        with log.open("w") as output:
            code = wait(command, environment, work, output, timeout)
        seconds = round(time.monotonic() - started, 1)
        return answer_of(module, mode, target, log, code, seconds)


def answer_of(module: str, mode: str, target: Path, log: Path, code: int, seconds: float) -> Answer:
    """Return the results that a process has written to `target`, or the way in which it ended."""
    if target.exists():
        known = json.loads(target.read_text())
        outcomes, texts = (_without_addresses(known[name]) for name in ("outcomes", "texts"))
        errors = known["engine errors"]
        return Answer(module, mode, outcomes, texts, known["counts"], errors, seconds)
    progress = target.with_suffix(".progress")
    where = progress.read_text() if progress.exists() else "no test"
    lines = log.read_text(errors="replace").splitlines()
    fatal = next((k for k, line in enumerate(lines) if "Fatal Python error" in line), len(lines))
    tail = "\n".join([*lines[fatal : fatal + 25], "...", *lines[-25:]])
    return Answer(module, mode, seconds=seconds, crash=f"{_ending(code)} in {where}\n{tail}")


def _without_addresses(by_test: dict[str, str]) -> dict[str, str]:
    """Ids of subtests tell where their arguments lie in memory."""
    return {_ADDRESS.sub("...", name): text for name, text in by_test.items()}


def wait(command: list[str], env: dict[str, str], cwd: Path, output: Any, timeout: float) -> int:
    """The exit code; the whole process group ends with it, or at the timeout."""
    process = subprocess.Popen(
        command,
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGABRT)  # faulthandler says where it stands
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return -1000


def _ending(code: int) -> str:
    if code == -1000:
        return "timeout"
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def run_all(
    modules: Iterable[str], modes: Iterable[str], jobs: int, rounds: int, timeout: float
) -> dict[str, dict[str, Answer]]:
    """Module -> mode -> answer; BASE is always among the modes."""
    wanted = list(dict.fromkeys((BASE, *modes)))
    answers: dict[str, dict[str, Answer]] = {module: {} for module in modules}
    with ThreadPoolExecutor(jobs) as pool:
        running = [
            pool.submit(run, module, mode, rounds, timeout) for module in answers for mode in wanted
        ]
        for one in as_completed(running):
            answer = one.result()
            answers[answer.module][answer.mode] = answer
            text = answer.crash.splitlines()[0] if answer.crash else f"{len(answer.failed)} failed"
            line = f"  {answer.mode} {answer.module}: {text}, {answer.seconds:.0f} s"
            print(line, file=sys.stderr, flush=True)
    return answers


@dataclass(frozen=True)
class Difference:
    """A test that does in a mode what it does not do under the empty hook."""

    module: str
    mode: str
    test: str
    text: str
    known: str | None
    """The reason when it is an accepted one."""


def differences(base: Answer, answer: Answer) -> list[Difference]:
    """Everything that is worse than in `base`; an error of framejit's own is one of them."""
    found = [("engine error", text) for text in answer.engine_errors]
    if answer.crash and not base.crash:
        found.append((answer.module, answer.crash))
    elif not answer.crash:
        for test, expected in base.outcomes.items():
            actual = answer.outcomes.get(test, "missing")
            if actual != expected and expected not in BAD and actual != "ok":
                found.append((test, f"{actual}\n{answer.texts.get(test, '')}"))
        for test in answer.failed:
            if test not in base.outcomes:
                found.append((test, answer.texts.get(test, "")))
    return [
        Difference(answer.module, answer.mode, test, text, why_known(test, answer.mode))
        for test, text in found
    ]


def totals(answers: Iterable[Answer]) -> Counter[str]:
    """The sums of the counts."""
    summed: Counter[str] = Counter()
    for answer in answers:
        summed["tests"] += len(answer.outcomes)
        summed.update({k: v for k, v in answer.counts.items() if isinstance(v, int)})
    return summed
