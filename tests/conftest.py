"""What every test runs under: strict errors, no hidden failure, timings alone on the machine."""

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
from costs import Costs
from modes import HOSTILE

pytest.register_assert_rewrite("oracle", "samples", "equality")
assert "framejit.jit.config" not in sys.modules, "the options are read at import: too late to set"

_ASKED = [word for word in os.environ.get("FRAMEJIT_DEBUG", "").split(",") if word]
os.environ["FRAMEJIT_DEBUG"] = ",".join(dict.fromkeys([*_ASKED, "strict"]))

_folder = tempfile.mkdtemp(prefix="framejit-tests-")
os.environ.setdefault("FRAMEJIT_CACHE_DIR", os.path.join(_folder, "framejit"))
os.environ["XDG_CACHE_HOME"] = _folder
"""Programs that tests start without our variables leave the user's folder alone too."""

# Taken out of the environment: framejit warns about FRAMEJIT_ names that it does not know.
INSTALLED = os.environ.pop("FRAMEJIT_TEST_INSTALLED", "") == "1"
"""The package under test must be the installed one."""
SHARE = os.environ.pop("FRAMEJIT_TEST_SHARE", "") or "1/1"
"""k/n: n sessions divide the tests among them, and this one is the k-th; k/n:FOLDER,FOLDER: those
of some folders; k/n:FOLDER,FOLDER:numba: those that are taken compile with numba, whatever the next
variable says. Several of these stand behind each other, with ; between them."""
NUMBA = os.environ.pop("FRAMEJIT_TEST_NUMBA", "") or "1/1"
"""k/n: n sessions divide the tests that compile with numba; all run on the numpy backend."""
_left_out: list[pytest.Item] = []
_on_numba: set[pytest.Item] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate", action="store_true", help="write texts that are compared word for word anew"
    )
    parser.addoption(
        "--all-backends",
        action="store_true",
        help="each program of tests/ladder/python on every backend, not only on numpy",
    )
    parser.addoption(
        "--round-trips",
        action="store_true",
        help="each graph that is captured has to come back from its text, after each pass",
    )
    parser.addoption(
        "--costs", type=Path, metavar="FILE", help="append what each test costs (tests/costs.py)"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.costs:
        config.pluginmanager.register(Costs(config.option.costs))
    config.addinivalue_line("markers", "alone: measures time; nothing else may run meanwhile")
    config.addinivalue_line(
        "markers",
        "counts(reason): about numbers that a hostile mode makes its own (segments, breaks, hits); "
        "left out there. A test that also compares answers uses oracle.assert_counts instead",
    )


def _share(items: list[pytest.Item], numbers: str) -> set[pytest.Item]:
    """The k-th of n shares, as k/n says."""
    share, of = map(int, numbers.split("/"))
    return {item for k, item in enumerate(items) if k % of == share - 1}


def _take_share(config: pytest.Config, items: list[pytest.Item]) -> None:
    for part in SHARE.split(";"):
        numbers, _, rest = part.partition(":")
        homes_of, _, whole = rest.partition(":")
        homes = {config.rootpath / home for home in homes_of.split(",")}
        divided = [item for item in items if homes & {item.path, *item.path.parents}]
        others = {*divided} - _share(divided, numbers)
        if others:
            config.hook.pytest_deselected(items=[*others])
            items[:] = [item for item in items if item not in others]
        if whole:
            _on_numba.update({*divided} - others)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Timings come last, and not at all under a hostile mode, which makes everything slow.

    Nor do tests that count what the normal mode does.
    """
    _take_share(config, items)
    _on_numba.update(_share(items, NUMBA))
    bench = Path(__file__).parent / "bench"
    for item in items:
        if bench in item.path.parents:
            item.add_marker("alone")
        if HOSTILE and item.get_closest_marker("alone"):
            item.add_marker(pytest.mark.skip(reason="a timing, under a hostile mode"))
        count = item.get_closest_marker("counts")
        if HOSTILE and count:
            _left_out.append(item)
            item.add_marker(pytest.mark.skip(reason=f"counts: {count.args[0]}"))
    items.sort(key=lambda item: item.get_closest_marker("alone") is not None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    import oracle

    oracle.BACKENDS[:] = ["numba", "numpy"] if item in _on_numba else ["numpy"]


@pytest.fixture
def installed() -> bool:
    """Whether the package under test must be the installed one."""
    return INSTALLED


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
    from round_trips import all_graphs_round_trip

    with all_graphs_round_trip():
        yield


@pytest.fixture(autouse=True)
def _no_internal_failure(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An error of framejit's own fails the test in which it happened, even if eager answered."""
    from framejit.frontends import function

    failures = []
    original: Callable[..., Any] = function.Failure

    def record(*args: Any, **kwargs: Any) -> Any:
        failures.append(original(*args, **kwargs))
        return failures[-1]

    monkeypatch.setattr(function, "Failure", record)
    yield
    assert not failures, "\n".join(f"{failure.where}:\n{failure.text}" for failure in failures)


@pytest.fixture(autouse=True)
def _own_seed(request: pytest.FixtureRequest, _no_internal_failure: None) -> None:
    """Under a hostile mode each test forces the same, whatever ran before it."""
    if HOSTILE:
        modes.seed_test(request.node.nodeid)


def pytest_unconfigure() -> None:
    shutil.rmtree(_folder, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A hostile run that forced too little proves too little."""
    if HOSTILE and modes.shortfalls(modes.counts()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(f"FRAMEJIT_DEBUG={os.environ['FRAMEJIT_DEBUG']}")
    for line in modes.summary(len(_left_out)) if HOSTILE else ():
        terminalreporter.write_line(line)
