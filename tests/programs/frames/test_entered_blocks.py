"""A signal that waits when `__enter__` returns is handled where plain Python handles it."""

from __future__ import annotations

import _thread
import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from framejit import jit


class Interrupted:
    """Entering leaves SIGINT pending, without a Python frame in which it would be handled."""

    __enter__ = _thread.interrupt_main

    def __init__(self) -> None:
        self.left = False

    def __exit__(self, *error: object) -> None:
        self.left = True


@pytest.fixture(autouse=True)
def _handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def block(manager: Any, x: Any) -> Any:
    y = x * 2
    with manager:
        y = np.sqrt(y) + 1
        print(end="")
    return y * y


def in_a_block(manager: Any, x: Any) -> Any:
    with np.errstate(all="ignore"):
        y = x / 0
        with manager as entered:
            print(entered, end="")
            y = y + 1
    return y


def outcome(function: Any, x: Any) -> tuple[str, bool]:
    """The exception that comes out of a call, and True if the block was left in order."""
    manager = Interrupted()
    try:
        function(manager, x)
    except KeyboardInterrupt as error:
        return type(error).__name__, manager.left
    return "none", manager.left


@pytest.mark.parametrize("program", [block, in_a_block])
@pytest.mark.usefixtures("plain_and_stubs")
def test_a_signal_while_entering(program: Any) -> None:
    """Since 3.15 a block that was entered is left in order; before, the call of `__enter__` raises.

    3.15 looks for a CALL right behind LOAD_SPECIAL, so that nothing may stand between the two.
    """
    x = np.arange(4.0)
    expected = outcome(program, x)
    jitted = jit(program, backend="numpy")

    assert [outcome(jitted, x) for _ in range(3)] == [expected] * 3
