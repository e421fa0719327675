"""What every test runs under: strict errors, no hidden failure, timings alone on the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

pytest.register_assert_rewrite("oracle", "samples")
assert "framejit.jit.config" not in sys.modules, "the options are read at import: too late to set"

_ASKED = [word for word in os.environ.get("FRAMEJIT_DEBUG", "").split(",") if word]
HOSTILE = [word for word in _ASKED if word.endswith("_everywhere")]
"""The hostile modes in force."""
os.environ["FRAMEJIT_DEBUG"] = ",".join(dict.fromkeys([*_ASKED, "strict"]))

# Taken out of the environment: framejit warns about FRAMEJIT_ names that it does not know.
INSTALLED = os.environ.pop("FRAMEJIT_TEST_INSTALLED", "") == "1"
"""The package under test must be the installed one."""
LOCK = os.environ.pop("FRAMEJIT_TEST_LOCK", "")
"""A file that test sessions running at the same time share; see `_lock`."""
_held: list[IO[str]] = []


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "alone: measures time; no other session may run meanwhile")
    _lock(shared=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Timings come last, and not at all under a hostile mode, which makes everything slow."""
    bench = Path(__file__).parent / "bench"
    for item in items:
        if bench in item.path.parents:
            item.add_marker("alone")
        if HOSTILE and item.get_closest_marker("alone"):
            item.add_marker(pytest.mark.skip(reason="a timing, under a hostile mode"))
    items.sort(key=lambda item: item.get_closest_marker("alone") is not None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("alone") and not HOSTILE:
        _lock(shared=False)


def pytest_unconfigure() -> None:
    for file in _held:
        file.close()


def _lock(shared: bool) -> None:
    """Takes the session's lock.

    Each session holds it shared until its first timing, then waits until it has it for itself: so
    versions are tested in parallel and timings are not disturbed.
    """
    if not LOCK or (_held and shared):
        return
    import fcntl

    if not _held:
        _held.append(Path(LOCK).open("a"))  # noqa: SIM115 (closed with the session)
    fcntl.flock(_held[0], fcntl.LOCK_SH if shared else fcntl.LOCK_EX)


@pytest.fixture
def installed() -> bool:
    """Whether the package under test must be the installed one."""
    return INSTALLED


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


def hostile_summary() -> str:
    """What the session ran under, in a line."""
    return f"FRAMEJIT_DEBUG={os.environ['FRAMEJIT_DEBUG']}, hostile: {', '.join(HOSTILE) or 'no'}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(hostile_summary())
