"""A pytest plugin: the tests of NumPy and SciPy with their functions going through capture.

The runner says by environment where the outcomes go, whose functions are captured, and when the
tests have to be done.
"""

from __future__ import annotations

import json
import os
import time
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from handed import Handed

HOMES = tuple(
    os.path.join(os.path.dirname(os.path.dirname(np.__file__)), name, "")
    for name in ("numpy", "scipy")
)
RESULT = Path(os.environ.pop("LIBRARY_SUITES_RESULT"))
HOOKED = os.environ.pop("LIBRARY_SUITES_HOOKED")
"""Whose functions are captured: those of the "tests", of the "library", of "both", "none" (the hook
is on and does nothing), or "" for no hook at all."""
SECONDS = float(os.environ.pop("LIBRARY_SUITES_SECONDS"))
BITS = bool(os.environ.pop("LIBRARY_SUITES_BITS", ""))
"""True if the arguments of NumPy's assertions are noted."""
MAX_FUNCTIONS = 200
"""Made of one code object: those after them would show nothing new."""
TESTS = f"{os.sep}tests{os.sep}"

_begun = time.monotonic()
_outcomes: dict[str, str] = {}
_texts: dict[str, str] = {}
_engine_errors: list[str] = []
_seen: Any = None
_handed = Handed()


def why_left_alone(function: FunctionType) -> str | None:
    """Nothing but NumPy and SciPy goes through, or their tests."""
    file = function.__code__.co_filename
    if not file.startswith(HOMES):
        return "library"
    whose = "tests" if TESTS in file else "library"
    return None if HOOKED in (whose, "both") else "library"


def pytest_configure() -> None:
    """Turns the hook on for everything that pytest runs."""
    global _seen
    if BITS:
        _handed.watch()
    if not HOOKED:
        return
    # Nothing may be imported during a test.
    import_module(f"framejit.backends.{os.environ['FRAMEJIT_BACKEND']}")
    from framejit.frontends import api
    from framejit.frontends.runtime import function
    from framejit.frontends.undecorated import hook, seen
    from framejit.jit import native

    if HOOKED == "none":
        native.hook_set_callbacks(None, None)
        native.hook_enable()
        return
    # Numba imports the rest of itself and SciPy's BLAS at the first kernel, and that may not happen
    # while a module of NumPy's is half imported. Our own first kernel may come from the disk.
    if os.environ["FRAMEJIT_BACKEND"] == "numba":
        import_module("numba").njit(lambda: 1)()
    api.jit(lambda x: x + 1)(np.ones(3))
    made = function.Failure

    def failure(where: str, text: str) -> Any:
        _engine_errors.append(f"{where}: {text}")
        return made(where, text)

    function.Failure = failure  # type: ignore[misc,assignment]
    hook.why_left_alone = why_left_alone
    hook.MAX_FUNCTIONS = MAX_FUNCTIONS
    _seen = seen.Seen()
    hook.enter()


def pytest_runtest_logstart(nodeid: str) -> None:
    """The file tells a crash's reader which test it was."""
    RESULT.with_suffix(".progress").write_text(nodeid)
    if BITS:
        _handed.begin(nodeid)


def pytest_runtest_logfinish() -> None:
    """The last that a test leaves behind."""
    if BITS:
        _handed.end()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """The worst outcome of set-up, call and tear-down."""
    if report.when == "call" or report.outcome != "passed":
        outcome = {"passed": "ok", "skipped": "skipped", "failed": "failed"}[report.outcome]
        if _outcomes.get(report.nodeid) != "failed":
            _outcomes[report.nodeid] = outcome
    if report.outcome == "failed":
        _texts[report.nodeid] = str(report.longrepr)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Ends the run when its time is over."""
    if time.monotonic() - _begun > SECONDS:
        item.session.shouldstop = "its time is over"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Writes down what came of it."""
    counts: dict[str, Any] = {}
    if HOOKED:
        from framejit.jit import native

        native.hook_disable()
        state = native.hook_state()
        counts = {"rewritten frames": state["rewritten"], **native.hostile_counts()}
        counts |= captured()
    answer = {
        "outcomes": _outcomes,
        "texts": _texts,
        "counts": {**counts, "cut": bool(session.shouldstop), "handed": _handed.by_test},
        "engine errors": _engine_errors,
    }
    RESULT.write_text(json.dumps(answer))


def captured() -> dict[str, int]:
    """Count the work of segments: a run in which they computed nothing would show nothing."""
    if _seen is None:
        return {}
    _seen.close()
    functions = _seen.facts().functions
    segments = [one for known in functions for one in known.segments]
    return {
        "functions": len({known.place for known in functions}),
        "segments": len(segments),
        "fused": sum(one.fused for one in segments),
        "opaque": sum(one.opaque for one in segments),
        "hits": sum(one.hits for one in segments),
        "bails": sum(sum(one.bails.values()) for one in segments),
    }
