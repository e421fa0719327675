"""compile="auto": eager answers until a thread has compiled the kernel."""

from __future__ import annotations

import gc
import signal
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from oracle import check

from framejit import config, explain, jit, wait_for_compiles
from framejit.backends.numba.machine_code import codes
from framejit.backends.numba.machine_code.objects import Code
from framejit.frontends.report.facts import facts
from framejit.frontends.runtime import call_budget, function
from framejit.frontends.runtime.function import Manager
from framejit.frontends.undecorated.seen import facts_of
from framejit.jit.background import WORKER
from framejit.jit.kernels import Pending
from framejit.jit.report import Report

SECONDS = 60.0
X = np.linspace(0.5, 2.0, 7)
pytestmark = pytest.mark.counts("who answered: kernels or plain Python")


class Compiler:
    """Numba's in this process, which may be held up."""

    def __init__(
        self,
        original: Callable[[str, bool], Code],
        ask: Callable[[str, bool], Pending | None] | None = None,
    ) -> None:
        """`ask`: that in the helper process as well."""
        self._original = original
        self._ask = ask
        self.opened = threading.Event()
        self.opened.set()
        self.begun = threading.Event()
        self.texts: list[str] = []
        self.error: Exception | None = None

    def __call__(self, text: str, cached: bool) -> Code:
        self.texts.append(text)
        self.begun.set()
        assert self.opened.wait(SECONDS)
        if self.error is not None:
            raise self.error
        return self._original(text, cached)

    def ask(self, text: str, cached: bool) -> Pending | None:
        """In the place of what asks the helper; it is there while no error is wanted."""
        if self._ask is None or self.error is not None:
            return None
        self.texts.append(text)
        self.begun.set()
        pending = self._ask(text, cached=False)  # else it may be on disk
        assert pending is not None
        return HeldUp(pending, self.opened)


class HeldUp:
    """A kernel that the helper makes, which comes when it may."""

    forgotten = False
    cpu = 0.0

    def __init__(self, pending: Pending, opened: threading.Event) -> None:
        self._pending = pending
        self._opened = opened

    def wait(self, timeout: float | None = None, stop: bytearray | None = None) -> bool:
        while not self._opened.wait(0.001):
            if timeout is not None or (stop is not None and stop[0]):
                return False
        return self._pending.wait(timeout, stop)

    def code(self) -> Any:
        code = self._pending.code()
        assert code is not None
        return code


@pytest.fixture(params=["helper", "thread"])
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Compiler]:
    """Whatever was compiled before is not known, in memory and on disk."""
    made = Compiler(codes._compiled, codes._ask if request.param == "helper" else None)
    monkeypatch.setattr(codes, "_compiled", made)
    monkeypatch.setattr(codes, "_ask", made.ask)
    monkeypatch.setattr(codes, "_codes", {})
    monkeypatch.setattr(codes.stored, "find", lambda text: None)
    yield made
    made.opened.set()
    assert WORKER.wait(SECONDS)
    WORKER.errors.clear()


@pytest.fixture(autouse=True)
def first_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls are captured from the first on, whatever the program has taken so far."""
    monkeypatch.setattr(Manager, "may_capture_now", lambda *_: True)
    monkeypatch.setattr(call_budget, "OVERDRAFT", inf)


@pytest.fixture
def held(compiler: Compiler) -> Compiler:
    """Nothing is compiled before it is opened."""
    compiler.opened.clear()
    return compiler


def later(function: Any, backend: str = "numba", **options: Any) -> Any:
    return jit(function, backend=backend, compile="auto", **options)


def told(jitted: Any) -> Report:
    """Return the facts of a function now; `explain` would wait for its kernels."""
    return Report(None, lambda: facts(jitted._manager, jitted))


# ---- answers -----------------------------------------------------------------------------------


def whole(x: Any, k: int) -> Any:
    return np.exp(x * k) + 1


def breaking(x: Any, k: int) -> Any:
    y = x * k + 1
    print("between", y.shape)
    for n in range(3):
        y = y / (n + k)
        print(n)
    return y.sum()


def looping(x: Any, k: int) -> Any:
    total = 0.0
    for n in range(len(x)):
        if x[n] > 1:
            total += x[n] * k
        x[n] = total
    return total, x


def warning(x: Any, k: int) -> Any:
    y = np.log(x - k)
    x[0] += 1
    return 1 / (y - y), x


def raising(x: Any, k: int) -> Any:
    x *= 2
    return x[k + 100], x


def calling(x: Any, k: int) -> Any:
    return whole(x, k) - looping(x + 1, k)[0]


PROGRAMS = [whole, breaking, looping, warning, raising, calling]


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers_before_it_is_ready(program: Any, held: Compiler) -> None:
    """Nothing is compiled at all."""
    check(program, X, 2, calls=4, jit=later, backends=["numba"])


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers_when_it_is_ready(program: Any, compiler: Compiler) -> None:
    """Each call finds what the ones before have asked for."""

    def wait(result: Any) -> Any:
        assert wait_for_compiles(SECONDS)
        return result

    check(program, X, 2, calls=5, jit=later, backends=["numba", "numpy"], use=wait)


@pytest.mark.parametrize("program", PROGRAMS)
def test_answers_while_it_becomes_ready(program: Any, compiler: Compiler) -> None:
    """The kernel may come at any time."""
    check(program, X, 2, calls=30, jit=later, backends=["numba"], filters=["always"])


def test_the_first_call_does_not_wait(held: Compiler) -> None:
    """Plain Python answers while the compiler is at work, and the kernel from then on."""
    f = later(whole)
    for _ in range(3):
        assert f(X, 2).tobytes() == whole(X, 2).tobytes()
    assert held.begun.wait(SECONDS)
    assert f.stats()["hits"] == 0
    assert not wait_for_compiles(0.01)
    held.opened.set()
    assert wait_for_compiles(SECONDS)
    assert f(X, 2).tobytes() == whole(X, 2).tobytes()

    stats = f.stats()
    assert (stats["hits"], stats["eager_calls"], stats["captures"]) == (1, 3, 1)
    assert len(held.texts) == 1


def test_segments_between_breaks(held: Compiler) -> None:
    """Each of them is asked for once; loops do not give up on them while they wait."""

    def f(x: Any, n: int) -> Any:
        for k in range(n):
            x = x * 2 - k
            print(end="")
        return x + 1

    g = later(f)
    assert g(X, 600).tobytes() == f(X, 600).tobytes()
    held.opened.set()
    assert wait_for_compiles(SECONDS)
    g(X, 600)
    before = g.stats()["launches"]
    g(X, 600)

    assert g.stats()["launches"] - before >= 600


def test_another_dtype_is_another_kernel(held: Compiler) -> None:
    """Guards decide which of those that wait is meant."""
    f = later(whole)
    for dtype in ("f8", "f4", "f8", "f4"):
        f(X.astype(dtype), 2)
    assert f.stats()["captures"] == 2
    held.opened.set()
    assert wait_for_compiles(SECONDS)

    assert f(X.astype("f4"), 2).dtype == "f4"
    assert f.stats()["hits"] == 1


def test_warnings_wait_too(compiler: Compiler) -> None:
    """The first bail asks for a kernel that keeps warnings apart; eager warns until it is there."""

    def f(x: Any) -> Any:
        return 1 / x

    g = later(f)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        g(np.zeros(3))
        assert wait_for_compiles(SECONDS)
        compiler.opened.clear()
        for _ in range(40):
            g(np.zeros(3))
        assert g.stats()["bails"] == 1
        compiler.opened.set()
        assert wait_for_compiles(SECONDS)
        hits = g.stats()["hits"]
        g(np.zeros(3))

    assert g.stats()["hits"] == hits + 1


# ---- options -----------------------------------------------------------------------------------


def test_the_option_of_a_context(held: Compiler) -> None:
    """As for other options: the context says it."""

    def f(x: Any) -> Any:
        return x * 3 - 4

    with config(compile="auto"):
        g = jit(f)
        g(X)
        assert held.begun.wait(SECONDS)
        (segment,) = told(g).segments
    assert segment.waits


def test_kernels_that_are_compared_with_numpy_are_compiled_now(compiler: Compiler) -> None:
    """Comparing takes longer than any compile."""
    f = later(whole, verify=True)
    f(X, 2)

    assert f.stats()["hits"] == 1


def test_other_backends_need_not_know(held: Compiler) -> None:
    """A backend may compile at once, as the one of NumPy does."""
    f = later(whole, "numpy")
    f(X, 2)

    assert f.stats()["hits"] == 1


# ---- reports -----------------------------------------------------------------------------------


def test_the_report_tells_of_it(held: Compiler) -> None:
    """It names compiles under way, then their time and the calls that plain Python served."""

    def f(x: Any) -> Any:
        return x * 5 - 6

    g = later(f)
    g(X)
    g(X)
    report = told(g)
    assert "plain Python answers while kernels are compiled" in str(report)
    (segment,) = report.segments
    assert segment.waits
    assert segment.notes[0].startswith("compiling in the background for ")
    assert segment.notes[0].endswith(" ms: plain Python answered 2 calls")
    held.opened.set()
    assert wait_for_compiles(SECONDS)

    g(X)
    (segment,) = told(g).segments
    assert not segment.waits
    assert segment.hits == 1
    assert segment.notes[0].startswith("compiled in the background in ")
    assert segment.notes[0].endswith(" plain Python answered 2 calls meanwhile")


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
