"""Selects the tests of a run: the core suite, everything, or the files that are named.

    python -m pytest            the core suite, on all cores, within ten minutes of CPU time
    python -m pytest --long     what is too dear for it, and otherwise chosen in the same way
    python -m pytest --all      everything, on all cores; an interrupted run is taken up again
    python -m pytest PATH ...   all tests in these files and folders, in this process

The core suite has every test function of the repository but timings and the long ones, which stand
in `long_tests.txt`. Of a function with many cases it takes as many as `CASES` says, always the
same. Everything is compared on the numpy backend, and one test in `NUMBA_IN` on numba as well.
Under a hostile mode it is the tests in `HOSTILE_FOLDERS`.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from journal import fingerprint
from modes import HOSTILE

CASES: Final = {
    "tests": 4,
    "tests/hostile/tools": 2,
    "tests/programs/kept": 2,
    "tests/programs/lifetimes": 2,
    "tests/programs/python/test_programs.py": 10_000,
    "tests/sweeps": 1,
    "tests/sweeps/numpy_table": 60,
    "tests/sweeps/test_fuzzing.py": 12,
    "tests/unit/backends/numba": 1,
    "tests/unit/frontends/kept/test_archives.py": 1,
    "tests/unit/jit/native/test_lifetimes.py": 2,
}
"""The cases of each test function that are in the core suite; of a path the longest part counts."""
LONG: Final = frozenset(Path(__file__).with_name("long_tests.txt").read_text("utf-8").split())
"""Functions of which a case in the core suite would cost two seconds of CPU time or more."""
HOSTILE_CASES: Final = 2
HOSTILE_FOLDERS: Final = ("tests/hostile", "tests/programs", "tests/unit/frontends")
"""Tests that run jitted programs: they are the core suite under a hostile mode, in which it takes
`HOSTILE_CASES` of each function."""
NUMBA_IN: Final = 30
"""One in so many tests of the core suite that compare backends is compiled by numba."""

CORE, ALL, NAMED = "core", "all", "named"
DECIDED: Final = ("selection", "numba", "alone_lock", "fingerprint")
"""Options that workers are handed."""


def add_options(parser: pytest.Parser) -> None:
    """Options of the selection."""
    parser.addoption("--all", action="store_true", help="every test, on all cores")
    parser.addoption(
        "--long",
        action="store_true",
        help="the tests in long_tests.txt, as many as for the core suite",
    )
    parser.addoption(
        "--core", action="store_true", help="of the files that are named what the core suite takes"
    )
    parser.addoption(
        "--numba",
        choices=("all", "sample", "none"),
        help="the tests that are compared on numba as well as on numpy "
        "(a sample in the core suite, otherwise all)",
    )


def configure(config: pytest.Config) -> None:
    """Selects the tests of the run; without paths it has as many processes as there are cores.

    A worker of pytest-xdist is handed what its controller decided.
    """
    option = config.option
    if hasattr(config, "workerinput"):
        vars(option).update(config.workerinput["decided"])
        return
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    option.selection = ALL if option.all else NAMED if named and not option.core else CORE
    option.numba = option.numba or ("sample" if option.selection == CORE else "all")
    option.fingerprint = fingerprint(config.rootpath) if option.selection == ALL else ""
    option.alone_lock = os.path.join(tempfile.gettempdir(), f"framejit-alone-{os.getpid()}")
    alone = option.collectonly or option.usepdb or option.capture == "no"
    if not named and not alone and getattr(option, "numprocesses", 0) is None:
        option.numprocesses = len(os.sched_getaffinity(0))
        option.dist = "worksteal"


def _cases_of(path: str) -> int:
    """Return the number of cases of each function of a file that are in the core suite."""
    if HOSTILE:
        return HOSTILE_CASES
    return CASES[max((one for one in CASES if Path(path).is_relative_to(one)), key=len)]


def _order(item: pytest.Item) -> int:
    """A number that belongs to a test wherever its file is and whatever other tests there are."""
    return zlib.crc32(item.name.encode())


def _is_core(item: pytest.Item, path: str) -> bool:
    long = item.get_closest_marker("long") is not None
    if item.get_closest_marker("alone") or long != item.config.option.long:
        return False
    return not HOSTILE or any(Path(path).is_relative_to(one) for one in HOSTILE_FOLDERS)


def _has_some(path: Path, option: argparse.Namespace) -> bool:
    """False for a file or folder of which the core suite takes no test."""
    wanted = [HOSTILE_FOLDERS] if HOSTILE else []
    if option.long:
        wanted.append(tuple(one.partition("::")[0] for one in LONG))
    return all(
        any(path.is_relative_to(one) or Path(one).is_relative_to(path) for one in group)
        for group in wanted
    )


def core(config: pytest.Config, items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """The tests of the core suite among those that were collected."""
    functions: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        path = item.path.relative_to(config.rootpath).as_posix()
        if _is_core(item, path):
            functions[path, getattr(item, "originalname", None) or item.name].append(item)
    taken: set[pytest.Item] = set()
    for (path, _), cases in functions.items():
        taken.update(sorted(cases, key=_order)[: _cases_of(path)])
    return taken


class Selection:
    """The plugin: leaves out what a run does not take, and says so."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.counts: Counter[str] = Counter()

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Collect only files of which the run may take a test."""
        if self.config.option.selection != CORE:
            return None
        path = collection_path.relative_to(self.config.rootpath)
        return None if _has_some(path, self.config.option) else True

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Tests that measure time come last."""
        self.counts["all"] = len(items)
        for item in items:
            if self.config.rootpath / "tests" / "bench" in item.path.parents:
                item.add_marker("alone")
            if item.nodeid.partition("[")[0] in LONG:
                item.add_marker("long")
        if self.config.option.selection == CORE:
            taken = core(self.config, items)
            self.config.hook.pytest_deselected(items=[one for one in items if one not in taken])
            items[:] = [one for one in items if one in taken]
        self.counts["taken"] = len(items)
        items.sort(key=lambda item: item.get_closest_marker("alone") is not None)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """While a test measures time no other process of this run executes one."""
        if not hasattr(self.config, "workerinput"):
            return (yield)
        with open(self.config.option.alone_lock, "w") as lock:
            alone = item.get_closest_marker("alone") is not None
            fcntl.flock(lock, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
            return (yield)

    def is_compiled(self, item: pytest.Item) -> bool:
        """True if a test that compares backends has numba among them."""
        chosen = self.config.option.numba
        if item.get_closest_marker("on_numba"):
            return True
        return bool(chosen == "all" or (chosen == "sample" and _order(item) % NUMBA_IN == 0))

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Tells the oracle its backends."""
        import oracle

        oracle.BACKENDS[:] = ["numba", "numpy"] if self.is_compiled(item) else ["numpy"]

    def pytest_sessionfinish(self) -> None:
        """A worker hands its figures to the controller, which has collected nothing."""
        if hasattr(self.config, "workerinput"):
            self.config.workeroutput["selection"] = dict(self.counts)

    def pytest_unconfigure(self) -> None:
        """The controller takes the lock away."""
        if not hasattr(self.config, "workerinput"):
            Path(self.config.option.alone_lock).unlink(missing_ok=True)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Send a worker the options for its `configure`."""
        option = self.config.option
        node.workerinput["decided"] = {name: getattr(option, name) for name in DECIDED}

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take over the counts of a worker: each worker collects the same tests."""
        self.counts |= Counter(getattr(node, "workeroutput", {}).get("selection", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell the number of tests that are not in the core suite."""
        if self.config.option.selection == CORE and self.counts["all"]:
            terminalreporter.write_line(
                f"the core suite: {self.counts['taken']} of {self.counts['all']} tests; "
                "`python -m pytest --all` runs the others too"
            )
