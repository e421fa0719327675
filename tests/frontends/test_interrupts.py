"""What a signal handler raises while framejit is at work belongs to the program."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from modes import HOSTILE

from framejit import jit
from framejit.backends.numpy import backend as reference
from framejit.frontends import function as manager
from framejit.jit.interrupts import raised_by_handler

pytestmark = pytest.mark.skipif(bool(HOSTILE), reason="it asks for captures and launches")


@pytest.fixture(autouse=True)
def alarm(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A handler that raises, and framejit as users have it: its own errors are not raised."""

    def ring(number: int, frame: Any) -> None:
        raise TimeoutError("the alarm")

    monkeypatch.setattr(manager, "debug_mode", lambda mode: False)
    before = signal.signal(signal.SIGALRM, ring)
    yield
    signal.signal(signal.SIGALRM, before)


def ringing(target: Any, name: str, monkeypatch: pytest.MonkeyPatch, wrap: bool = False) -> None:
    """From now on the alarm rings when this is called; `wrap`: another error is made of it."""

    def rings(*args: Any, **kwargs: Any) -> Any:
        try:
            signal.raise_signal(signal.SIGALRM)
        except TimeoutError as error:
            if wrap:
                raise RuntimeError("while lowering") from error
            raise

    monkeypatch.setattr(target, name, rings)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("at", ["capture", "compile"])
def test_in_the_middle_of_a_capture(at: str, wrap: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Timeouts are no failures of the compiler, which may catch and wrap them."""
    f = jit(lambda x: x * 2 + 1, backend="numpy")
    place = (manager, "capture") if at == "capture" else (manager, "make_entry")
    with monkeypatch.context() as patched:
        ringing(*place, patched, wrap)
        with pytest.raises(TimeoutError, match="the alarm"):
            f(np.ones(3))

    assert f.stats()["failures"] == 0
    np.testing.assert_array_equal(f(np.ones(3)), 3.0)
    assert f.stats()["captures"] >= 1


def test_in_the_middle_of_a_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the reference backend, which is Python code."""
    f = jit(lambda x: x * 2 + 1, backend="numpy")
    f(np.ones(3))
    with monkeypatch.context() as patched:
        ringing(reference._Run, "block", patched)
        with pytest.raises(TimeoutError, match="the alarm"):
            f(np.ones(3))

    np.testing.assert_array_equal(f(np.ones(3)), 3.0)


def test_other_errors_are_no_handlers() -> None:
    """The same exception from anywhere else is framejit's own, or the program's."""

    def broken() -> None:
        raise TimeoutError("not the alarm")

    with pytest.raises(TimeoutError) as caught:
        broken()
    assert raised_by_handler(caught.value) is None
    with pytest.raises(TimeoutError) as caught:
        signal.raise_signal(signal.SIGALRM)
    assert raised_by_handler(caught.value) is caught.value
