"""Slice 6: code that nobody decorated, caught by the frame hook."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally

from framejit import capture, jit
from framejit.frontends.undecorated.caught import hooked_managers
from framejit.jit import native


def noisy(x: Any) -> Any:
    y = x * 2 + 1
    print("noisy")
    return y * y - x


def quiet(x: Any) -> Any:
    return np.exp(x) * 2 + x


def outer(x: Any) -> Any:
    a = x + 1
    b = noisy(a)
    return b * a + quiet(b * 0)


def loop(x: Any) -> Any:
    total = x * 0
    for k in range(4):
        total = total + quiet(x + k)
        print(k)
    return total


def entries_of(name: str) -> int:
    return sum(len(m.entries) for m in hooked_managers() if m.function.__name__ == name)


def test_callee_of_a_break(capsys: Any) -> None:
    """A call that breaks is a break of the caller; its own frame gets segments."""
    x = np.linspace(0, 1, 9)
    expected = outer(x)
    shown = capsys.readouterr().out
    jitted = jit(outer)
    for _ in range(3):
        assert jitted(x).tobytes() == expected.tobytes()
        assert capsys.readouterr().out == shown
    assert_normally(entries_of("noisy"), 2)
    assert not native.hook_state()["installed"]


@jit(compile="now")
def tells(x: Any) -> Any:
    y = x * 2 + 1
    print("tells")
    return y * y - x


def test_decorated_callee_of_a_break(capsys: Any) -> None:
    """A decorated function that runs as plain Python is not taken for an undecorated one."""

    def told(x: Any) -> Any:
        return tells(x * 2) * 3 - x

    x = np.linspace(0, 1, 9)
    expected = told(x)
    jitted, before = jit(told, compile="now"), native.set_trials(1)
    for _ in range(60):
        assert jitted(x).tobytes() == expected.tobytes()
    native.set_trials(before)
    capsys.readouterr()
    assert_normally([m for m in hooked_managers() if m.function.__name__ == "tells"], [])


def test_capture_block(capsys: Any) -> None:
    """`with capture()` compiles what runs inside it, and nothing afterwards."""
    x = np.linspace(0, 1, 9)
    expected = loop(x)
    with capture():
        for _ in range(3):
            assert loop(x).tobytes() == expected.tobytes()
    assert_normally(entries_of("loop") > 0)
    assert not native.hook_state()["installed"]
    capsys.readouterr()


def test_exceptions_pass_through() -> None:
    """An exception leaves the block with the user's frames only."""

    def fails(x: Any) -> Any:
        y = x * 2 + 1
        raise ValueError(str(y[0]))

    frames = []
    for _ in range(3):
        try:
            with capture():
                fails(np.ones(3))
        except ValueError as error:
            link = error.__traceback__
            names = []
            while link is not None:
                names.append(link.tb_frame.f_code.co_name)
                link = link.tb_next
            frames.append(names)
    assert frames == [["test_exceptions_pass_through", "fails"]] * 3


def of_a_closure(x: Any) -> Any:
    y = x * 2

    def inner(v: Any) -> Any:
        w = v * x + 1
        print("between")
        return w - x

    return inner(y) + 1


def of_defaults(x: Any) -> Any:
    def inner(v: Any, w: Any = x, *, k: Any = [x]) -> Any:  # noqa: B006
        return v * w - k[0]

    print(inner.__name__)
    return inner(x * 2) + 1


@pytest.mark.parametrize("outer", [of_a_closure, of_defaults])
def test_what_a_function_holds_dies_with_it(outer: Any) -> None:
    """A function made by each call is not kept until a garbage collection."""
    jitted = jit(outer)
    gc.collect()
    gc.disable()
    try:
        alive = []
        for _ in range(4):
            x = np.ones(5)
            reference = weakref.ref(x)
            jitted(x)
            del x
            alive.append(reference() is not None)
    finally:
        gc.enable()

    assert alive == [False] * 4
