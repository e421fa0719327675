"""dask's own tests of arrays under `python -m framejit run -m pytest`, against plain Python.

    python tests/campaigns/dask_suite.py [--seconds S] [--compile WHEN] [PATTERN ...]

dask is copied to a folder of its own, so that its functions are the program's and not those of an
installed library: they are captured, and what they call. Each file (a pattern as `test_over*`) runs
in a process by itself, without framejit and with it. A test that passes without and not with it is
named, and the exit code is 1. After S seconds (300) no other file is begun. The last line has the
numbers of tests that were compared, and of functions and files that were captured.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import dask

TESTS: Final = "dask/array/tests"
LEFT_OUT: Final = ("test_cupy_*", "test_xarray*", "test_sparse*")
"""Files that need what is not installed."""
TIMEOUT: Final = 900
WORDS: Final = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore")


def main() -> int:
    """1 if a test passes in eager alone."""
    chosen = _chosen()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="framejit-dask-") as folder:
        home = Path(folder)
        shutil.copytree(
            Path(dask.__file__).parent, home / "dask", ignore=shutil.ignore_patterns("*.pyc")
        )
        compared, captured, files, lost = 0, 0, 0, []
        for file in _files(home, chosen.patterns):
            if time.monotonic() - began > chosen.seconds:
                print(f"the time is over: {file} and later ones were not run")
                break
            plain = _outcomes(home, file, [])
            report = home / "report.json"
            words = ["-m", "framejit", "run", "--report", str(report)]
            ours = _outcomes(home, file, words, FRAMEJIT_COMPILE=chosen.compile)
            bad = [name for name, how in plain.items() if how == "passed" != ours.get(name)]
            n_captured = _captured(report)
            print(
                f"{file}: {len(plain)} tests, {n_captured} functions captured, {len(bad)} differ",
                flush=True,
            )
            for name in bad:
                print(f"    {name}: {ours.get(name, 'not run')}")
            compared, captured = compared + len(plain), captured + n_captured
            files += 1
            lost += bad
    print(f"{compared} tests of {files} files, {captured} functions captured; {len(lost)} differ")
    return int(bool(lost))


def _chosen() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--compile", choices=("now", "auto"), default="now")
    return parser.parse_args()


def _files(home: Path, patterns: list[str]) -> list[str]:
    names = sorted(path.stem for path in (home / TESTS).glob("test_*.py"))
    return [
        name
        for name in names
        if not any(fnmatch.fnmatch(name, out) for out in LEFT_OUT)
        and (not patterns or any(fnmatch.fnmatch(name, one) for one in patterns))
    ]


def _outcomes(home: Path, file: str, words: list[str], **environment: str) -> dict[str, str]:
    """Return the outcome of each test of a file; empty where the process did not end by itself."""
    results = home / "results.xml"
    results.unlink(missing_ok=True)
    command = [*words, "-m", "pytest", *WORDS, f"--junit-xml={results}", f"{TESTS}/{file}.py"]
    try:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=home,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
            env={**os.environ, "PYTHONPATH": str(home), **environment},
        )
    except subprocess.TimeoutExpired:
        return {}
    if not results.exists():
        print(f"{file}: no results; {done.stdout[-500:]} {done.stderr[-2000:]}")
        return {}
    found = {}
    for case in ElementTree.parse(results).iter("testcase"):
        kinds = [one.tag for one in case if one.tag in ("failure", "error", "skipped")]
        found[f"{case.get('classname')}::{case.get('name')}"] = kinds[0] if kinds else "passed"
    return found


def _captured(report: Path) -> int:
    """Functions of which something was compiled."""
    if not report.exists():
        return 0
    functions = json.loads(report.read_text())["functions"]
    report.unlink()
    return sum(1 for one in functions if one["segments"])


if __name__ == "__main__":
    sys.exit(main())
