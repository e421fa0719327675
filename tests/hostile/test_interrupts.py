"""Exceptions that handlers raise, or threads send, while framejit works reach the program."""

from __future__ import annotations

import ctypes
import signal
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from framejit import jit
from framejit.backends.numpy import backend as reference
from framejit.frontends.runtime import function as manager
from framejit.frontends.runtime import whole_calls
from framejit.jit.interrupts import meant_for_program

pytestmark = pytest.mark.counts("captures and launches")


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
    place = (whole_calls, "capture") if at == "capture" else (whole_calls, "make_entry")
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
        ringing(reference.Run, "block", patched)
        with pytest.raises(TimeoutError, match="the alarm"):
            f(np.ones(3))

    np.testing.assert_array_equal(f(np.ones(3)), 3.0)


class SentError(Exception):
    """An exception that another thread sends."""


SENDING = """
def sending(*args, **kwargs):
    thread = ctypes.c_ulong(threading.get_ident())
    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(SentError))
    return real(*args, **kwargs)
"""
"""In a module of framejit's; the exception is raised by one of the next instructions."""


@pytest.mark.parametrize("at", ["capture", "launch"])
def test_an_exception_that_a_thread_sends(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    f = jit(lambda x: x * 2 + 1, backend="numpy")
    if at == "launch":
        f(np.ones(3))
    module, name = (whole_calls, "capture") if at == "capture" else (reference, "filtered")
    names = {"__name__": "framejit.sending", "ctypes": ctypes, "threading": threading}
    names |= {"SentError": SentError, "real": getattr(module, name)}
    exec(SENDING, names)
    with monkeypatch.context() as patched:
        patched.setattr(module, name, names["sending"])
        with pytest.raises(SentError):
            f(np.ones(3))

    assert f.stats()["failures"] == 0
    np.testing.assert_array_equal(f(np.ones(3)), 3.0)


def test_other_errors_are_no_handlers() -> None:
    """The same exception from anywhere else is framejit's own, or the program's."""

    def broken() -> None:
        raise TimeoutError("not the alarm")

    with pytest.raises(TimeoutError) as caught:
        broken()
    assert meant_for_program(caught.value) is None
    for raised in (
        RuntimeWarning,
        ZeroDivisionError,
        np.exceptions.AxisError,
        np.linalg.LinAlgError,
    ):
        names = {"__name__": "framejit.raising", "raised": raised}
        exec("def raising():\n    raise raised('of our own')", names)
        with pytest.raises(raised) as found:
            names["raising"]()
        assert meant_for_program(found.value) is None
    with pytest.raises(TimeoutError) as caught:
        signal.raise_signal(signal.SIGALRM)
    assert meant_for_program(caught.value) is caught.value
