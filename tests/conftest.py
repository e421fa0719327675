"""Sets up every test: strict errors, no hidden failure, timings alone on the machine."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import modes
import pytest
import selection
from costs import Costs
from journal import Progress
from modes import HOSTILE

pytest.register_assert_rewrite("oracle", "samples", "equality")
assert "framejit.jit.config" not in sys.modules, "the options are read at import: too late to set"

_ASKED = [word for word in os.environ.get("FRAMEJIT_DEBUG", "").split(",") if word]
os.environ["FRAMEJIT_DEBUG"] = ",".join(dict.fromkeys([*_ASKED, "strict", "unproved"]))
os.environ.setdefault("FRAMEJIT_ENTRIES", "0")
"""Captures are the same each time; tests of entries on disk ask for them."""
os.environ.setdefault("FRAMEJIT_COMPILE", "now")
"""Captures, and their times, are the same each time then; tests of tiers ask for "auto"."""

_folder = tempfile.mkdtemp(prefix="framejit-tests-")
os.environ.setdefault("FRAMEJIT_CACHE_DIR", os.path.join(_folder, "framejit"))
os.environ["XDG_CACHE_HOME"] = _folder
"""Programs that tests start without our variables leave the user's folder alone too."""


def pytest_addoption(parser: pytest.Parser) -> None:
    selection.add_options(parser)
    parser.addoption(
        "--regenerate", action="store_true", help="write texts that are compared word for word anew"
    )
    parser.addoption(
        "--all-backends",
        action="store_true",
        help="each program of tests/programs/python on every backend, not only on numpy",
    )
    parser.addoption(
        "--installed",
        action="store_true",
        help="the package under test must be the one that pip installed",
    )
    parser.addoption(
        "--round-trips",
        action="store_true",
        help="each graph that is captured has to come back from its text, after each pass",
    )
    parser.addoption(
        "--costs",
        type=Path,
        metavar="FILE",
        help="append what each test costs (tests/support/costs.py)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Runs before pytest-xdist decides the number of processes."""
    selection.configure(config)


def pytest_configure(config: pytest.Config) -> None:
    for line in MARKERS:
        config.addinivalue_line("markers", line)
    config.pluginmanager.register(selection.Selection(config))
    if config.option.selection == selection.ALL:
        config.option.reportchars += "s"
        config.pluginmanager.register(Progress(config))
    if config.option.costs:
        config.pluginmanager.register(Costs(config.option.costs))
    if HOSTILE:
        config.pluginmanager.register(modes.Hostile(config))


MARKERS = (
    "alone: measures time; nothing else may run meanwhile",
    "long: in long_tests.txt, not in the core suite",
    "on_numba: about kernels; compiled in each run that has it",
    "counts(reason): about numbers that a hostile mode makes its own (segments, breaks, launches); "
    "left out there. A test that also compares answers uses oracle.assert_counts instead",
)


@pytest.fixture
def installed(pytestconfig: pytest.Config) -> bool:
    """True if the package under test must be the installed one."""
    return bool(pytestconfig.option.installed)


@pytest.fixture(params=["plain", "stubs"])
def plain_and_stubs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the session is, and with a stub before each instruction as well."""
    from framejit.jit.config import SETTINGS

    if request.param == "stubs":
        monkeypatch.setitem(SETTINGS, "debug", (*SETTINGS["debug"], "stub_everywhere"))


@pytest.fixture(autouse=True, scope="module")
def _collect_little() -> None:
    """Collections of a test walk through what its module made, not through all that came before."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _round_trips(pytestconfig: pytest.Config) -> Iterator[None]:
    """With `--round-trips`: an error in the middle of a capture fails its test."""
    if not pytestconfig.option.round_trips:
        yield
        return
    from reading_back import all_graphs_round_trip

    with all_graphs_round_trip():
        yield


@pytest.fixture(autouse=True)
def _no_internal_failure(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An error of framejit's own fails the test in which it happened, even if eager answered."""
    from framejit.frontends.runtime import function

    failures = []
    original: Callable[..., Any] = function.Failure

    def record(*args: Any, **kwargs: Any) -> Any:
        failures.append(original(*args, **kwargs))
        return failures[-1]

    monkeypatch.setattr(function, "Failure", record)
    yield
    assert not failures, "\n".join(f"{failure.where}:\n{failure.text}" for failure in failures)


def pytest_unconfigure() -> None:
    shutil.rmtree(_folder, ignore_errors=True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"FRAMEJIT_DEBUG={os.environ['FRAMEJIT_DEBUG']}")
