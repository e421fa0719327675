"""Long loops run without the GIL: whatever others do, eager could have answered so."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import framejit
from framejit.jit.native import parallel_counts, share_everywhere
from framejit.jit.threads import EVERYWHERE

pytestmark = pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")
"""NumPy 2.5 warns of calls that these tests make 100,000 times, and pytest keeps each warning."""

LARGE = np.linspace(-3.0, 3.0, 400_000)


def dear(x: Any) -> Any:
    return np.exp(-x * x) * np.sin(x) + np.tanh(x)


def two_steps(x: Any) -> Any:
    y = x * 2.0
    z = y.sum() + x
    return y, z


def in_place(x: Any) -> Any:
    x += 1.0
    return x.sum()


@pytest.fixture(params=[1, 2], autouse=True)
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    """So many; loops are released whatever they take."""
    share_everywhere(True)
    yield request.param
    share_everywhere(EVERYWHERE)


def _jitted(function: Callable[..., Any], threads: int, *examples: Any) -> Any:
    made = framejit.jit(function, threads=threads, compile="now")
    made(*examples), made(*examples)
    before = parallel_counts()["released"]
    made(*examples)
    assert parallel_counts()["released"] > before
    return made


@contextmanager
def _beside(work: Callable[[], object]) -> Iterator[list[Exception]]:
    """Does something over and over in another thread; what it raised."""
    stop, raised = threading.Event(), list[Exception]()

    def run() -> None:
        while not stop.is_set():
            try:
                work()
            except ValueError as error:
                raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield raised
    finally:
        stop.set()
        thread.join()


def _for(seconds: float) -> Iterator[None]:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        yield


def test_others_run_meanwhile(threads: int) -> None:
    """A thread that sets an item sees the launch go on, and the launch does not wait for it."""
    jitted = _jitted(dear, threads, LARGE)
    expected, times = dear(LARGE).tobytes(), list[float]()
    with _beside(lambda: times.append(time.perf_counter())):
        begun = time.perf_counter()
        for _ in range(5):
            assert jitted(LARGE).tobytes() == expected
        ended = time.perf_counter()
    assert any(begun < each < ended for each in times)


def test_another_shape(threads: int) -> None:
    """Each operation meets one of the two."""
    x = LARGE.copy().reshape(4, -1)
    jitted = _jitted(two_steps, threads, x)
    shapes, total = [(4, 100_000), (1000, 400)], (LARGE * 2.0).sum()

    def exchange() -> None:
        x.shape = shapes[x.shape == shapes[0]]

    with _beside(exchange):
        for _ in _for(1.0):
            y, z = jitted(x)
            assert {y.shape, z.shape} <= {*shapes}
            assert np.array_equal(y.ravel(), LARGE * 2.0)
            assert np.allclose(z.ravel(), LARGE + total)


def test_what_may_not_be_written(threads: int) -> None:
    """Eager raises where it meets that; what has been written then counts."""
    x = np.zeros(100_000)
    jitted = _jitted(in_place, threads, x)
    iterations, refused = x[0], 0
    with _beside(lambda: x.setflags(write=not x.flags.writeable)):
        for _ in _for(1.0):
            try:
                jitted(x)
                iterations += 1
            except ValueError:
                refused += 1
            assert x[0] == x[-1] == iterations
    assert refused


@pytest.mark.parametrize("size", [1, 1_000_000])
def test_memory_that_would_move(size: int, threads: int) -> None:
    """NumPy refuses while the loop runs, or the next call sees another length."""
    x = LARGE.copy()
    jitted = _jitted(dear, threads, x)

    def exchange() -> None:
        x.resize(size if len(x) == len(LARGE) else len(LARGE), refcheck=False)

    with _beside(exchange):
        for _ in _for(1.0):
            assert len(jitted(x)) in (len(LARGE), size)
    assert sys.getrefcount(x) < 10


def test_memory_that_is_exported(threads: int) -> None:
    x = LARGE.copy()
    jitted, expected = _jitted(dear, threads, x), dear(x).tobytes()
    with _beside(lambda: memoryview(x)[:10]):
        for _ in _for(0.3):
            assert jitted(x).tobytes() == expected


def test_what_a_kernel_relies_on(threads: int) -> None:
    """Names that others bind anew count from the next operation on at the latest."""
    x = LARGE

    def scaled() -> Any:
        return x * 2.0

    jitted = _jitted(scaled, threads)
    other = -x

    def exchange() -> None:
        nonlocal x
        x = other if x is LARGE else LARGE

    allowed = {(LARGE * 2.0).tobytes(), (other * 2.0).tobytes()}
    with _beside(exchange):
        for _ in _for(0.5):
            assert jitted().tobytes() in allowed


def test_user_threads(threads: int) -> None:
    """A thread that finds the pool taken works alone, beside the others."""
    jitted = _jitted(dear, threads, LARGE)
    expected, wrong = dear(LARGE).tobytes(), list[int]()

    def work() -> None:
        wrong.extend(1 for _ in _for(2.0) if jitted(LARGE).tobytes() != expected)

    several = [threading.Thread(target=work) for _ in range(8)]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert not wrong


def test_code_that_comes_meanwhile(threads: int) -> None:
    """Kernels are written to memory while others run."""
    jitted = _jitted(dear, threads, LARGE)
    expected, scale = dear(LARGE).tobytes(), iter(range(1_000_000))

    def compile_another() -> None:
        namespace: dict[str, Any] = {}
        exec(f"def f(x): return x * {next(scale)} + {'x * ' * (next(scale) % 7)} 1", namespace)
        made = framejit.jit(namespace["f"], compile="now", cache=False)
        made(np.arange(5.0)), made(np.arange(5.0))

    with _beside(compile_another):
        for _ in _for(3.0):
            assert jitted(LARGE).tobytes() == expected


def test_interrupts(threads: int) -> None:
    """Ctrl-C leaves what eager could have left."""
    x = np.zeros(300_000)
    jitted = _jitted(in_place, threads, x)
    iterations, caught = x[0], 0
    main = threading.get_ident()

    def interrupt() -> None:
        time.sleep(0.01)
        signal.pthread_kill(main, signal.SIGUSR1)

    def handler(number: int, frame: Any) -> None:
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)  # nothing else is to be interrupted
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    try:
        with _beside(interrupt):
            for _ in _for(1.0):
                try:
                    signal.signal(signal.SIGUSR1, handler)
                    jitted(x)
                    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
                except KeyboardInterrupt:
                    caught += 1
                assert x[0] == x[-1]
                assert x[0] in (iterations, iterations + 1)
                iterations = x[0]
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert caught


def test_exceptions_of_other_threads(threads: int) -> None:
    jitted = _jitted(dear, threads, LARGE)
    caught, ended = list[int](), threading.Event()

    def work() -> None:
        try:
            while True:
                jitted(LARGE)
        except TimeoutError:
            caught.append(1)
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.1)
    ident = ctypes.c_ulong(thread.ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(TimeoutError))
    assert ended.wait(30)
    thread.join()
    assert caught


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forks_beside_a_launch(threads: int) -> None:
    """The child has neither the thread nor its workers; it computes all the same."""
    jitted = _jitted(dear, threads, LARGE)
    expected = dear(LARGE).tobytes()
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            jitted(LARGE)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                signal.alarm(60)
                os._exit(0 if jitted(LARGE).tobytes() == expected else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        thread.join()


class Counter:
    def __init__(self) -> None:
        self.n, self.x = 0, np.zeros(100_000)

    def step(self) -> None:
        self.n += 1
        self.x += 1.0


def test_an_order_that_others_could_see(threads: int) -> None:
    """An attribute is stored at the end of the kernel: nobody runs before, who would see `x`."""
    counter = Counter()
    step = framejit.jit(Counter.step, threads=threads, compile="now")
    step(counter), step(counter)
    before = parallel_counts()["released"]
    seen = list[tuple[float, int]]()
    with _beside(lambda: seen.append((counter.x[0], counter.n))):
        for _ in _for(0.3):
            step(counter)
    assert parallel_counts()["released"] == before
    assert all(x <= n for x, n in seen)


def waits_for_a_shape(x: Any, y: Any) -> Any:
    n = 0
    while x.shape[0] == 4:
        n += 1
        y += 1.0
    return n > 0, y[0] == n


def test_a_loop_that_waits_for_another_thread(threads: int) -> None:
    """The last call, when all is compiled, waits in a kernel."""
    x, y = np.zeros((4, 3)), np.zeros(50_000)
    jitted = framejit.jit(waits_for_a_shape, threads=threads, compile="now")
    for _ in range(4):
        x.shape = (4, 3)
        y[:] = 0.0
        timer = threading.Timer(0.5, lambda: setattr(x, "shape", (3, 4)))
        timer.start()
        waited, counted = jitted(x, y)
        timer.join()
    assert waited
    assert counted
