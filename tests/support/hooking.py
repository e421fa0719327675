"""Running a call with the frame hook on, for the tests of the hook."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from framejit.jit.native import _core

if _core.hook_state()["unsupported"] is not None:
    pytest.skip("frames cannot be hooked here", allow_module_level=True)

SKIP, HANDLE = _core.MARK_SKIP, _core.MARK_HANDLE


def hooked(
    call: Callable[[], Any],
    handle: Callable[..., Any] | None,
    *functions: Any,
    mark: int = HANDLE,
) -> Any:
    """Runs call() with these functions marked and everything else skipped."""
    for function in functions:
        _core.hook_mark(function.__code__, mark)
    _core.hook_set_callbacks(lambda _: SKIP, handle)
    _core.hook_enable()
    try:
        return call()
    finally:
        _core.hook_disable()


def defaulted(call: Callable[[], Any], reason: str) -> int:
    """Return the number of frames left to the interpreter for this reason in a hooked call()."""
    before = _core.hook_state()["defaulted"][reason]
    hooked(call, lambda *_: None)
    return int(_core.hook_state()["defaulted"][reason] - before)


def python(code: str, *options: str, timeout: float = 120) -> str:
    """Runs a program in a process of its own, in development mode, and returns what it printed."""
    command = [sys.executable, "-X", "dev", *options, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)

    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


handled_in_c = "handled".format
"""A handler without a Python frame of its own."""
