"""compile="auto": errors of the compiler, interrupts, what is kept alive, and threads."""

from __future__ import annotations

import gc
import signal
import sys
import time
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from held_up import SECONDS, Compiler, X, breaking, later, raising, whole

from framejit import explain, wait_for_compiles
from framejit.frontends.report.last_words import facts_of
from framejit.frontends.runtime import function
from framejit.jit.background import WORKER

pytestmark = pytest.mark.counts("who answered: kernels or plain Python")


# ---- errors and interrupts -----------------------------------------------------------------------


def test_an_error_of_the_compiler(compiler: Compiler, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written down, wait_for_compiles() and the next call raise it in strict mode."""
    monkeypatch.setattr(
        function, "Failure", lambda where, text: SimpleNamespace(where=where, text=text)
    )
    compiler.error = ZeroDivisionError("as a test")
    compiler.opened.clear()
    f = later(whole)
    f(X, 2)
    compiler.opened.set()
    with pytest.raises(ZeroDivisionError, match="as a test"):
        wait_for_compiles(SECONDS)
    with pytest.raises(ZeroDivisionError, match="as a test"):
        f(X, 2)
    assert f(X, 2).tobytes() == whole(X, 2).tobytes()

    report = explain(f)(X, 2)
    assert ["ZeroDivisionError: as a test" in one.traceback for one in report.failures] == [True]
    assert "could not be compiled" in str(report.segments[0].notes)
    assert len(compiler.texts) == 1


def test_waiting_is_interrupted(held: Compiler) -> None:
    """A signal handler's exception comes out of it, and nothing else is harmed."""

    def alarm(*_: object) -> None:
        raise TimeoutError("alarm")

    f = later(whole)
    f(X, 2)
    before = signal.signal(signal.SIGALRM, alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(TimeoutError, match="alarm"):
            wait_for_compiles(SECONDS)
    finally:
        signal.signal(signal.SIGALRM, before)
    held.opened.set()
    assert wait_for_compiles(SECONDS)
    f(X, 2)

    assert f.stats()["hits"] == 1


def test_how_long_to_wait() -> None:
    """Seconds, or None."""
    assert wait_for_compiles(SECONDS)
    with pytest.raises(TypeError, match="`timeout` must be seconds or None, not 'a'"):
        wait_for_compiles("a")  # type: ignore[arg-type]


# ---- lifetimes -----------------------------------------------------------------------------------


def test_what_waits_keeps_nothing_alive(held: Compiler) -> None:
    """Neither arguments nor what a closure holds; a function that dies is not compiled."""

    def made(factor: Any) -> Any:
        return later(lambda x: x * factor + 7)

    first = later(whole)
    first(X, 3)
    assert held.begun.wait(SECONDS)
    factor, x = np.full(7, 2.0), X.copy()
    factor_died, x_died = weakref.ref(factor), weakref.ref(x)
    f = made(factor)
    f(x)
    del x
    assert x_died() is None
    del f, factor
    gc.collect()
    assert factor_died() is None
    held.opened.set()
    assert wait_for_compiles(SECONDS)

    assert len(held.texts) == 1


def test_filters_of_warnings_are_left_alone(compiler: Compiler) -> None:
    """Numba exchanges them for each statement; a program that does so meanwhile loses nothing."""
    before = [*warnings.filters]
    f = [later(eval(f"lambda x: (x * {k} + x) / (x - {k}.5)")) for k in range(3, 15)]
    for one in f:
        one(X)
    lost = 0
    while not WORKER._is_idle():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            time.sleep(0)
            warnings.warn("said", UserWarning, stacklevel=1)
            lost += len(caught) != 1

    assert lost == 0
    assert warnings.filters == before


# ---- threads -------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", [whole, breaking, raising])
def test_eight_threads_at_once(program: Any, compiler: Compiler) -> None:
    """Calls, captures and compiles at the same time: answers are eager's."""

    def answer(f: Any, k: int) -> Any:
        try:
            return repr(f(np.ones(k + 1, "f4" if k % 2 else "f8"), k % 3 + 1))
        except Exception as error:
            return repr(error)

    expected = [answer(program, k) for k in range(8)]
    f = later(program)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = pool.map(lambda k: [answer(f, (k + n) % 8) for n in range(60)], range(8))
            for k, answers in enumerate(found):
                assert answers == [expected[(k + n) % 8] for n in range(60)]
    finally:
        sys.setswitchinterval(interval)
    assert wait_for_compiles(SECONDS)
    assert facts_of(f._manager).failures == ()
