"""A pytest plugin: NumPy's tests with every function of theirs going through capture.

The runner says by environment where the outcomes go and whether the hook is on at all.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

HOME = os.path.dirname(np.__file__)
RESULT = Path(os.environ.pop("NUMPY_SUITE_RESULT"))
HOOKED = os.environ.pop("NUMPY_SUITE_HOOKED")
"""Whose functions are captured: those of the "tests", of the "whole" library, nobody's ("")."""
MAX_FUNCTIONS = 200
"""Made of one code object: those after them would show nothing new."""

_outcomes: dict[str, str] = {}
_texts: dict[str, str] = {}
_engine_errors: list[str] = []


def why_left_alone(function: FunctionType) -> str | None:
    """Nothing but NumPy's tests, or NumPy, goes through."""
    file = function.__code__.co_filename
    chosen = HOOKED == "whole" or f"{os.sep}tests{os.sep}" in file
    return None if chosen and file.startswith(HOME) else "library"


def pytest_configure() -> None:
    """Turns the hook on for everything that pytest runs."""
    if not HOOKED:
        return
    # Nothing may be imported during a test.
    import_module(f"framejit.backends.{os.environ['FRAMEJIT_BACKEND']}")
    from framejit.frontends import api, function  # noqa: F401
    from framejit.frontends.undecorated import hook
    from framejit.jit import native

    made = function.Failure

    def failure(where: str, text: str) -> Any:
        _engine_errors.append(f"{where}: {text}")
        return made(where, text)

    function.Failure = failure  # type: ignore[misc,assignment]
    hook.why_left_alone = why_left_alone
    hook.MAX_FUNCTIONS = MAX_FUNCTIONS
    hook.install()
    native.hook_enable()


def pytest_runtest_logstart(nodeid: str) -> None:
    """The file tells a crash's reader which test it was."""
    RESULT.with_suffix(".progress").write_text(nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """The worst outcome of set-up, call and tear-down."""
    if report.when == "call" or report.outcome != "passed":
        outcome = {"passed": "ok", "skipped": "skipped", "failed": "failed"}[report.outcome]
        if _outcomes.get(report.nodeid) != "failed":
            _outcomes[report.nodeid] = outcome
    if report.outcome == "failed":
        _texts[report.nodeid] = str(report.longrepr)


def pytest_sessionfinish() -> None:
    """Writes down what came of it."""
    counts: dict[str, Any] = {}
    if HOOKED:
        from framejit.jit import native

        native.hook_disable()
        state = native.hook_state()
        counts = {"rewritten frames": state["rewritten"], **native.hostile_counts()}
    answer = {
        "outcomes": _outcomes,
        "texts": _texts,
        "counts": counts,
        "engine errors": _engine_errors,
    }
    RESULT.write_text(json.dumps(answer))
