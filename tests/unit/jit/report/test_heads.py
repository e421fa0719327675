"""The head of a report: calls without a frame, and why nothing was compiled."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from framejit import disable, explain, jit

X = np.arange(4.0)
COUNTS = pytest.mark.counts("what the normal mode compiles")


@COUNTS
def test_a_kernel_that_is_left_in_the_middle() -> None:
    """Such a call has a frame; nothing else is said of it."""

    def stopping(x: Any) -> Any:
        for i in range(9):
            x = x * i + 1
            if i == 5:
                print(end="")
        return x

    jitted = jit(stopping)
    for _ in range(3):
        jitted(X)
    assert jitted.stats()["hits"] == 0
    assert jitted.stats()["eager_calls"] == 0
    assert "without a Python frame" not in str(explain(jitted)(X))


@COUNTS
@pytest.mark.parametrize("tool", [sys.settrace, sys.setprofile])
def test_why_nothing_was_compiled(tool: Any) -> None:
    """A tool that watches, or a block that switches all off."""
    before = sys.gettrace() if tool is sys.settrace else sys.getprofile()
    tool(lambda *_: None)
    try:
        watched = str(explain(lambda x: x * 2)(X))
    finally:
        tool(before)
    assert "a debugger, profiler or coverage tool is watching [off]" in watched
    with disable():
        assert "this is a block of disable() [off]" in str(explain(lambda x: x * 2)(X))
