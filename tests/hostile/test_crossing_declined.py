"""Frames that stay in their code, because a tool or a handler looks at them."""

from __future__ import annotations

import sys
import traceback
from typing import Any

import numpy as np
import pytest
from crossing import crossings, program
from modes import HOSTILE

import framejit
from framejit.jit import native

X = np.linspace(0.5, 1.5, 7)


def test_a_traced_frame_stays() -> None:
    """Under settrace, whose events are eager's, the gate declines; afterwards it does not."""

    def events(f: Any) -> list[Any]:
        seen = []

        def trace(frame: Any, event: str, arg: Any) -> Any:
            if frame.f_code.co_name == "program":
                seen.append((event, frame.f_lineno))
                return trace
            return None

        sys.settrace(trace)
        try:
            f(X, 12)
        finally:
            sys.settrace(None)
        return seen

    with crossings() as made:
        f = made.jit(program, "numpy")
        assert events(f) == events(program)
        assert made.over == 0
        f(X, 12)
    assert made.over > 0


def test_a_profiled_frame_stays() -> None:
    """The function that is told hears of no call of ours."""

    def events(f: Any) -> list[Any]:
        seen = []

        def profile(frame: Any, event: str, arg: Any) -> None:
            if frame.f_code.co_name == "program":
                seen.append((event, getattr(arg, "__name__", None)))

        sys.setprofile(profile)
        try:
            f(X, 12, lambda k: None)
        finally:
            sys.setprofile(None)
        return seen

    with crossings() as made:
        assert events(made.jit(program, "numpy")) == events(program)
    assert made.over == 0


@pytest.mark.skipif(sys.version_info < (3, 12), reason="3.11 has no sys.monitoring")
def test_a_monitored_frame_stays() -> None:
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
    with crossings() as made:
        f = made.jit(program, "numpy")
        monitoring.use_tool_id(4, "somebody")
        try:
            f(X, 12)
        finally:
            monitoring.free_tool_id(4)
        assert made.over == 0


def test_under_the_frame_hook_a_frame_stays() -> None:
    """The interpreter inlines no call then, and reads the frame anew for none."""
    with crossings() as made:
        f = made.jit(program, "numpy")
        native.hook_mark(native.running_code(f), 1)
        with framejit.capture():
            assert f(X, 12).tobytes() == program(X, 12).tobytes()
        assert made.over == 0
        f(X, 12)
    assert made.over > 0


def test_a_tool_that_comes_while_the_frame_is_asked() -> None:
    """The request of the handler is dropped then."""
    with crossings() as made:

        def ask(*asked: Any) -> Any:
            found = made.crossed(*asked)
            if found is not None:
                sys.setprofile(lambda *_: None)
            return found

        native.set_crossed(ask)
        f = made.jit(program, "numpy")
        try:
            assert f(X, 12).tobytes() == program(X, 12).tobytes()
        finally:
            sys.setprofile(None)
        manager: Any = native.owned(f)
    assert HOSTILE or manager.entries == []


def test_a_frame_that_somebody_holds_stays() -> None:
    """Its traceback has offsets into the code that it runs; without it the frame goes over."""
    told = []

    def keeps(x: Any, n: int) -> Any:
        kept = None
        for k in range(n):
            x = x * 1.01 + k
            if k == 2:
                try:
                    raise KeyError(k)
                except KeyError as error:
                    kept = error
            if k == 9:
                told.append("".join(traceback.format_exception(kept)))
                kept = None
        return x

    with crossings(lambda header: 5) as made:
        f = made.jit(keeps, "numpy")
        assert f(X, 40).tobytes() == keeps(X, 40).tobytes()
    assert told[0] == told[1]
    assert made.over > 0
    assert made.visits.total() < 20
