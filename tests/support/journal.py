"""`python -m pytest --all`: a progress line, and a journal from which an interrupted run goes on.

The journal has the tests that passed, and what they were run with: the files of the checkout, the
Python, the libraries and the environment. Where one of these is another, everything is run anew.
A run that comes to its end removes the journal.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import sys
import time
from pathlib import Path
from typing import Final

import pytest

SECONDS: Final = 15
"""Seconds between two lines of progress."""
SUFFIXES: Final = frozenset({".py", ".pyi", ".c", ".h", ".so", ".toml", ".txt", ".md", ".json"})
LIBRARIES: Final = ("numpy", "numba", "llvmlite", "scipy", "bytecode", "pytest")


def fingerprint(root: Path) -> str:
    """Return a digest of everything on which the outcome of a test depends."""
    found = hashlib.sha256()
    versions = [importlib.metadata.version(name) for name in LIBRARIES]
    framejit = sorted(item for item in os.environ.items() if item[0] == "FRAMEJIT_DEBUG")
    found.update(repr((sys.version, versions, framejit)).encode())
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if path.suffix not in SUFFIXES or parts[0] in {"build", "dist"} or not path.is_file():
            continue
        if not any(part.startswith(".") or part == "__pycache__" for part in parts):
            found.update(repr((parts, path.read_bytes())).encode())
    return found.hexdigest()


class Journal:
    """The file with the tests that have passed in a run that has not come to its end yet."""

    def __init__(self, path: Path, print_of_all: str) -> None:
        self.path = path
        self.first = print_of_all + "\n"
        self.passed: frozenset[str] = frozenset()
        if path.exists():
            first, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True) or [""]
            if first == self.first:
                whole = (line for line in lines if line.endswith("\n"))
                self.passed = frozenset(line.removesuffix("\n") for line in whole)

    def begin(self) -> None:
        """Opens the file, with what it has if that still holds."""
        self.path.parent.mkdir(exist_ok=True)
        lines = [self.first, *(f"{one}\n" for one in sorted(self.passed))]
        self.path.write_text("".join(lines), encoding="utf-8")

    def add(self, test: str) -> None:
        """One more has passed."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{test}\n")


class Progress:
    """The plugin of a run of everything."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.worker = hasattr(config, "workerinput")
        path = config.rootpath / ".pytest_cache" / "framejit-all.txt"
        self.journal = Journal(path, config.option.fingerprint)
        if not self.worker:
            self.journal.begin()
        self.began = self.told = 0.0
        self.total = self.done = self.failed = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leaves out what passed before the run was interrupted."""
        passed = self.journal.passed
        self.config.hook.pytest_deselected(items=[one for one in items if one.nodeid in passed])
        items[:] = [one for one in items if one.nodeid not in passed]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Begin with the number of tests that there are to run."""
        self._begin(len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        """The same in the controller."""
        self._begin(len(ids))

    def _begin(self, total: int) -> None:
        self.total = total or self.total
        self.began = self.told = time.monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dots; what fails is told as ever."""
        if report.failed:
            return None
        category = "" if report.passed and report.when != "call" else report.outcome
        return None if hasattr(report, "wasxfail") else (category, "", "")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has been run: the journal has it if it passed, and now and then a line is told."""
        if self.worker:
            return
        self.failed += report.failed
        if report.when == "call" and report.passed:
            self.journal.add(report.nodeid)
        if report.when == "teardown":
            self.done += 1
            if time.monotonic() - self.told >= SECONDS:
                self.told = time.monotonic()
                self._tell()

    def _tell(self) -> None:
        minutes = (time.monotonic() - self.began) / 60
        left = minutes * (self.total - self.done) / self.done
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        reporter.write_line(
            f"{self.done} of {self.total} ({100 * self.done // self.total} %), "
            f"{self.failed} failed, {minutes:.0f} min, about {left:.0f} min left"
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """A run that came to its end leaves no journal."""
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if not self.worker and ended and self.done == self.total:
            self.journal.path.unlink(missing_ok=True)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell the number of tests in the journal, which were not run again."""
        if self.journal.passed:
            terminalreporter.write_line(
                f"{len(self.journal.passed)} tests had passed before this run was interrupted, on "
                "the same files, and were not run again"
            )
