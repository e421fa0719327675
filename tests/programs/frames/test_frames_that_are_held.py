"""Frames that somebody still holds when their call is over: their locals are those of its end."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check_script

X = np.arange(4.0)


def shown(frame: Any, *left_out: str) -> dict[str, Any]:
    return {name: one for name, one in sorted(frame.f_locals.items()) if name not in left_out}


def taken_by_itself(jit: Any) -> Any:
    @jit
    def f(x: Any, n: int) -> Any:
        t = x * 2
        frame = sys._getframe()
        u = t * n
        return u + 1, frame

    return [shown(f(X, 2)[1], "frame") for _ in range(3)]


def taken_by_a_callee(jit: Any) -> Any:
    frames = []

    def keep() -> None:
        frames.append(sys._getframe(1))

    @jit
    def f(x: Any, n: int) -> Any:
        t = x * 2
        keep()
        for i in range(n):
            t = t + i
        if n > 2:
            v = t.sum()
            return v + 1
        w = t * n
        return w + 1

    made = [f(X, 3), f(X, 2), f(X, 3), f(X, 2)]
    return made, [shown(frame) for frame in frames]


def of_an_exception(jit: Any) -> Any:
    errors = []

    @jit
    def f(x: Any, n: int) -> Any:
        try:
            t = x[n]
        except IndexError as error:
            errors.append(error)
            t = x.sum()
        u = t * n
        return u + 1

    made = [f(X, 9), f(X, 9), f(X, 2)]
    return made, [shown(error.__traceback__.tb_frame) for error in errors]


def looked_into_later(jit: Any) -> Any:
    """By what the callee gives, as tools that compare two frames do."""

    def caller() -> Any:
        return sys._getframe(1)

    @jit
    def f(x: Any) -> Any:
        t = x * 2
        before = caller()
        u = t + 1
        after = caller()
        same = before is after
        v = u * 2
        return v, after, same

    made = [f(X) for _ in range(3)]
    return [(v, same, shown(frame, "before", "after")) for v, frame, same in made]


@pytest.mark.parametrize(
    "script", [taken_by_itself, taken_by_a_callee, of_an_exception, looked_into_later]
)
def test_held(script: Any) -> None:
    check_script(script)


def test_a_frame_that_nobody_holds_any_more() -> None:
    """A callee that looks at its caller and lets go of it costs nothing."""

    def script(jit: Any) -> Any:
        def look() -> str:
            return sys._getframe(1).f_code.co_name

        @jit
        def f(x: Any) -> Any:
            t = x * 2
            name = look()
            u = t + 1
            return u * t, name

        return [f(X) for _ in range(4)]

    for made in check_script(script):
        assert_counts(made, hits=0, captures=2, segments=2, eager_calls=0)
