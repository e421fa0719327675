"""NumPy's own tests, as they are installed with it, with every function of theirs captured.

    python tests/campaigns/numpy_suite [--module FILE ...] [--mode NAME ...] [--backend NAME]
                                       [--whole] [--jobs N] [--timeout SECONDS] [--texts]

Each file (as `lib/tests/test_function_base.py`) runs in a process of its own, without framejit and
in the modes; what fails in a mode and not without framejit is named, and the exit code is 1. With
--whole NumPy's own functions are captured as well. The version is that of the interpreter that runs
this. Needs pytest, and hypothesis for some files.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from cpython.running import MODES, Answer, answer_of, wait

HOME: Final = Path(np.__file__).parent
PLAIN: Final = "plain"
LEFT_OUT: Final = {
    "f2py": "it runs compilers",
    "*cython*": "it runs compilers",
    "*limited_api*": "it runs compilers",
    "*array_interface*": "it runs compilers",
    "*mem_policy*": "it runs compilers",
    "typing": "it runs mypy",
}
"""Folders and files that are not run, and why."""
KNOWN: Final = {
    "*::TestReplaceLoopBySignature::*": "it exchanges the C loop of a ufunc, by a private function",
}
"""Patterns of tests that may differ, and why that is no fault."""


def modules() -> list[str]:
    """The files that are run, in order."""
    found = (str(file.relative_to(HOME)) for file in sorted(HOME.glob("**/tests/test_*.py")))
    return [
        name
        for name in found
        if not any(fnmatch.fnmatch(part, out) for part in Path(name).parts for out in LEFT_OUT)
    ]


@dataclass(frozen=True)
class Way:
    """How files are run."""

    backend: str
    whole: bool
    timeout: float


def run(module: str, mode: str, way: Way) -> Answer:
    """One file in one mode."""
    with tempfile.TemporaryDirectory(prefix="framejit-numpy-") as folder:
        result, log = Path(folder, "result.json"), Path(folder, "log")
        path = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path),
            "FRAMEJIT_BACKEND": way.backend,
            "FRAMEJIT_DEBUG": MODES[mode],
            "PYTHONHASHSEED": "0",
            "NUMPY_SUITE_RESULT": str(result),
            "NUMPY_SUITE_HOOKED": "" if mode == PLAIN else "whole" if way.whole else "tests",
        }
        command = [sys.executable, "-X", "faulthandler", "-m", "pytest", "-q", "-p", "plugin"]
        command += ["-p", "no:cacheprovider", f"--rootdir={HOME}", "--tb=short", str(HOME / module)]
        started = time.monotonic()
        with log.open("w") as output:
            code = wait(command, environment, Path(folder), output, way.timeout)
        seconds = round(time.monotonic() - started, 1)
        return answer_of(module, mode, result, log, code, seconds)


def differences(base: Answer, answer: Answer) -> dict[str, str]:
    """What is worse than without framejit: test -> text; an error of the engine's is that, too."""
    found = {f"engine error {k}": text for k, text in enumerate(answer.engine_errors)}
    if answer.crash and not base.crash:
        return {**found, answer.module: answer.crash}
    for test, expected in base.outcomes.items():
        actual = answer.outcomes.get(test, "missing")
        if actual != expected and expected != "failed":
            found[test] = f"{actual}\n{answer.texts.get(test, '')}"
    return found


def why_known(test: str) -> str | None:
    """Why a difference is no fault; None when it is one."""
    return next((why for name, why in KNOWN.items() if fnmatch.fnmatchcase(test, name)), None)


def main() -> int:
    """Runs, prints, and gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", nargs="+", default=None, metavar="FILE")
    parser.add_argument("--mode", nargs="+", default=["capture"], choices=sorted(MODES))
    parser.add_argument("--backend", default="numpy", choices=("numpy", "numba"))
    parser.add_argument(
        "--whole", action="store_true", help="capture NumPy's own functions as well"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--timeout", type=float, default=1800, help="of one file in one mode")
    parser.add_argument("--texts", action="store_true", help="print what the failed tests say")
    chosen = parser.parse_args()
    way = Way(chosen.backend, chosen.whole, chosen.timeout)
    bad = tests = known = 0
    with ThreadPoolExecutor(chosen.jobs) as pool:
        running = {
            module: {mode: pool.submit(run, module, mode, way) for mode in (PLAIN, *chosen.mode)}
            for module in chosen.module or modules()
        }
        for module, by_mode in running.items():
            base = by_mode[PLAIN].result()
            tests += len(base.outcomes)
            for mode in chosen.mode:
                answer = by_mode[mode].result()
                found = differences(base, answer)
                times = f"{base.seconds:.0f} s, {answer.seconds:.0f} s"
                print(
                    f"{mode} {module}: {len(base.outcomes)} tests, {len(base.failed)} fail without "
                    f"framejit, {len(found)} differ; {times}; {answer.counts}",
                    flush=True,
                )
                for test, text in found.items():
                    why = why_known(test)
                    known += why is not None
                    bad += why is None
                    shown = text if chosen.texts else text[-300:].strip().replace("\n", " | ")
                    print(f"  {'known' if why else 'FAILED'} {test}: {why or shown}", flush=True)
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}: {tests} tests")
    print(f"{bad} fail that do not fail without framejit, {known} known")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
