"""NumPy's and SciPy's own tests, as they are installed with them, with their functions captured.

    python tests/campaigns/library_suites [--module PATTERN ...] [--mode NAME ...] [--whose WHO]
        [--backend NAME] [--tests EXPRESSION] [--jobs N] [--seconds S] [--timeout S] [--texts]
        [--bits]

Each file (a pattern as `scipy/signal/tests/test_w*.py`, or a package as `numpy/polynomial`) runs in
a process of its own, without framejit and in the modes; what fails in a mode and not without
framejit is named, and the exit code is 1. Captured are the functions of the tests, of the two
libraries, or both. The version is that of the interpreter that runs this. Needs pytest, and
hypothesis for some files. With --bits what the tests hand to NumPy's assertions has to be the same
bit for bit, too, where two runs without framejit agree on it.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

import numpy as np
import scipy

sys.path.insert(0, str(Path(__file__).parents[1]))

from cpython.running import MODES, Answer, answer_of, wait

HOME: Final = Path(np.__file__).parents[1]
PLAIN: Final = "plain"
EMPTY_HOOK: Final = "passthrough"
PLAIN_AGAIN: Final = "plain again"
UNHOOKED: Final = {PLAIN: "", PLAIN_AGAIN: "", EMPTY_HOOK: "none"}
"""Modes in which nothing is captured, and what the plugin is told there."""
LIBRARIES: Final = ("numpy", "scipy")
LEFT_OUT: Final = {
    "f2py": "it runs compilers",
    "test_cython.py": "it runs compilers",
    "*limited_api*": "it runs compilers",
    "*array_interface*": "it runs compilers",
    "*mem_policy*": "it runs compilers",
    "test_import_cycles*": "it starts a process for each module of SciPy",
    "typing": "it runs mypy",
}
"""Folders and files that are not run, and why."""
KNOWN: Final = {
    "*::TestReplaceLoopBySignature::*": "it exchanges the C loop of a ufunc, by a private function",
    "*::TestBincount::test_dtype_reference_leaks": "it counts references to a dtype; a capture "
    "keeps those of the arrays that it was made for",
    "*::TestIndexing::test_small_regressions": "it counts references to a dtype, too",
    "*::TestCreation::test_tracemalloc": "it sums up what is allocated meanwhile by anybody",
    "*::TestClip::test_clip_property": "Hypothesis draws constants of loaded modules, too: other "
    "ones where framejit is imported, and so under the empty hook as well",
    "*::TestArray2String::test_any_text": "as the one before",
    "*::TestCumulativeSimpson::test_cumulative_simpson_against_simpson*": "as the one before",
    "*::TestLeaks::test_frompyfunc_leaks*": "it counts references to a function; guards of what "
    "was captured have one",
}
"""Patterns of tests that may differ, and why that is no fault."""
COLUMNS: Final = ("functions", "segments", "fused", "opaque", "hits", "bails")
"""Columns of the table: counts of captured functions and their segments."""


def modules(patterns: list[str]) -> list[str]:
    """The files that are run, in order; a pattern may be a folder, and none means all."""
    files = [file for name in LIBRARIES for file in sorted(HOME.glob(f"{name}/**/tests/test_*.py"))]
    found = [
        name
        for name in (file.relative_to(HOME).as_posix() for file in files)
        if not any(fnmatch.fnmatch(part, out) for part in Path(name).parts for out in LEFT_OUT)
    ]
    if not patterns:
        return found
    wanted = [one for pattern in patterns for one in (pattern, f"{pattern.rstrip('/')}/*")]
    return [name for name in found if any(fnmatch.fnmatch(name, one) for one in wanted)]


@dataclass(frozen=True)
class Way:
    """The settings under which files are run."""

    backend: str
    whose: str
    tests: str
    seconds: float
    timeout: float
    bits: bool


def run(module: str, mode: str, way: Way) -> Answer:
    """One file in one mode."""
    with tempfile.TemporaryDirectory(prefix="framejit-library-") as folder:
        result, log = Path(folder, "result.json"), Path(folder, "log")
        path = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {
            **os.environ,
            "FRAMEJIT_COMPILE": "now",
            "PYTHONPATH": os.pathsep.join(path),
            "FRAMEJIT_BACKEND": way.backend,
            "FRAMEJIT_DEBUG": MODES[PLAIN if mode == PLAIN_AGAIN else mode],
            "PYTHONHASHSEED": "0",
            "LIBRARY_SUITES_RESULT": str(result),
            "LIBRARY_SUITES_HOOKED": {PLAIN: "", PLAIN_AGAIN: "", EMPTY_HOOK: "none"}.get(
                mode, way.whose
            ),
            "LIBRARY_SUITES_SECONDS": str(way.seconds),
            "LIBRARY_SUITES_BITS": "1" if way.bits else "",
        }
        command = [sys.executable, "-X", "faulthandler", "-m", "pytest", "-q", "-p", "plugin"]
        command += ["-p", "no:cacheprovider", f"--rootdir={HOME}", "--tb=short", str(HOME / module)]
        command += ["-k", way.tests] if way.tests else []
        started = time.monotonic()
        with log.open("w") as output:
            code = wait(command, environment, Path(folder), output, way.timeout)
        seconds = round(time.monotonic() - started, 1)
        return answer_of(module, mode, result, log, code, seconds)


def differences(base: Answer, answer: Answer) -> dict[str, str]:
    """Return results worse than without framejit, test -> text; errors of the engine count too."""
    found = {f"engine error {k}": text for k, text in enumerate(answer.engine_errors)}
    if answer.crash and not base.crash:
        return {**found, answer.module: answer.crash}
    for test, expected in base.outcomes.items():
        missing = expected if answer.counts["cut"] else "missing"
        actual = answer.outcomes.get(test, missing)
        if actual != expected and expected != "failed":
            found[test] = f"{actual}\n{answer.texts.get(test, '')}"
    return found


def other_bits(base: Answer, again: Answer, answer: Answer) -> dict[str, str]:
    """Tests that hand something else to NumPy's assertions than two runs without framejit do."""
    found = {}
    for test, expected in base.counts.get("handed", {}).items():
        actual = answer.counts.get("handed", {}).get(test)
        steady = expected == again.counts.get("handed", {}).get(test)
        if actual is not None and actual != expected and steady:
            pairs = zip_longest(expected, actual, fillvalue="nothing")
            count, (one, other) = next((k, p) for k, p in enumerate(pairs) if p[0] != p[1])
            found[test] = f"other bits in assertion {count}: {other} for {one}"
    return found


def why_known(test: str) -> str | None:
    """Return the reason for which a difference is no fault; None if it is one."""
    return next((why for name, why in KNOWN.items() if fnmatch.fnmatchcase(test, name)), None)


@dataclass
class Table:
    """The results: a line for each file and mode, printed as soon as it is known."""

    texts: bool
    totals: Counter[str]

    def heading(self) -> None:
        """Print the names of the columns."""
        names = ("tests", "ran", "fail", "differ", "s alone", "s", *COLUMNS)
        print(f"{'':62}" + "".join(f"{name:>10}" for name in names), flush=True)

    def row(self, base: Answer, again: Answer, answer: Answer) -> None:
        """One file in one mode."""
        found = {**other_bits(base, again, answer), **differences(base, answer)}
        numbers: list[object] = [len(base.outcomes), len(answer.outcomes), len(base.failed)]
        numbers += [len(found), base.seconds, answer.seconds]
        numbers += [answer.counts.get(name, "-") for name in COLUMNS]
        name = f"{answer.mode} {answer.module}"
        print(f"{name:62}" + "".join(f"{number:>10}" for number in numbers), flush=True)
        self.totals.update({"tests": len(answer.outcomes)})
        self.totals.update({name: answer.counts.get(name, 0) for name in COLUMNS})
        for test, text in found.items():
            why = why_known(test)
            self.totals["FAILED" if why is None else "known"] += 1
            shown = text if self.texts else text[-300:].strip().replace("\n", " | ")
            print(f"  {'known' if why else 'FAILED'} {test}: {why or shown}", flush=True)


def options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", nargs="+", default=[], metavar="PATTERN")
    parser.add_argument("--mode", nargs="+", default=["capture"], choices=sorted(MODES))
    parser.add_argument("--backend", default="numpy", choices=("numpy", "numba"))
    parser.add_argument("--whose", default="both", choices=("tests", "library", "both"))
    parser.add_argument("--tests", default="", metavar="EXPRESSION", help="as pytest's -k")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--seconds", type=float, default=900, help="no test of a file is begun after them"
    )
    parser.add_argument("--timeout", type=float, default=1800, help="of one file in one mode")
    parser.add_argument("--bits", action="store_true", help="compare what assertions get")
    parser.add_argument("--texts", action="store_true", help="print what the failed tests say")
    return parser.parse_args()


def main() -> int:
    """Runs, prints, and gives the exit code."""
    chosen = options()
    limits = chosen.seconds, chosen.timeout
    way = Way(chosen.backend, chosen.whose, chosen.tests, *limits, chosen.bits)
    plain = (PLAIN, PLAIN_AGAIN) if way.bits else (PLAIN,)
    table = Table(chosen.texts, Counter())
    table.heading()
    with ThreadPoolExecutor(chosen.jobs) as pool:
        running = {
            module: {mode: pool.submit(run, module, mode, way) for mode in (*plain, *chosen.mode)}
            for module in modules(chosen.module)
        }
        for by_mode in running.values():
            base, again = by_mode[plain[0]].result(), by_mode[plain[-1]].result()
            for mode in chosen.mode:
                table.row(base, again, by_mode[mode].result())
    versions = f"NumPy {np.__version__}, SciPy {scipy.__version__}"
    print(f"Python {sys.version.split()[0]}, {versions}, {way.backend}: {dict(table.totals)}")
    return int(table.totals["FAILED"] > 0 or not table.totals["tests"])


if __name__ == "__main__":
    sys.exit(main())
