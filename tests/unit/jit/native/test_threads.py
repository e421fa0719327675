"""Threads that call the same functions while they are captured, changed and dropped."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from framejit import config, jit

THREADS = 8


@pytest.fixture(autouse=True)
def _switch_often() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def together(work: Callable[[int], Any], threads: int = THREADS) -> None:
    """Runs work(k) in as many threads, which start at the same moment; raises what one raised."""
    barrier = threading.Barrier(threads)
    errors: list[BaseException] = []

    def run(k: int) -> None:
        try:
            barrier.wait(60)
            work(k)
        except BaseException as error:
            errors.append(error)

    made = [threading.Thread(target=run, args=(k,)) for k in range(threads)]
    for thread in made:
        thread.start()
    for thread in made:
        thread.join(120)

    assert not any(thread.is_alive() for thread in made)
    if errors:
        raise errors[0]


def whole(x: Any, y: Any) -> Any:
    return x * y + 1


def broken(x: Any, y: Any) -> Any:
    z = x * y
    print(end="")
    for k in range(3):
        z = z + k
    return z - y


def star(*args: Any) -> Any:
    return args[0] * args[1] + 2


@pytest.mark.parametrize("backend", ["numba", "numpy"])
@pytest.mark.parametrize("function", [whole, broken, star])
def test_the_first_call_of_all(function: Any, backend: str) -> None:
    """All meet an empty cache: who does not capture runs eagerly, and every answer is right."""
    for _ in range(5):
        f = jit(function, backend=backend)

        def work(k: int, f: Any = f) -> None:
            for kind in ("f8", "f4", "i8", "f8"):
                x = np.arange(k, k + 6).astype(kind)
                for _ in range(5):
                    result = f(x, x)
                    assert (result == function(x, x)).all()
                    assert result.dtype == function(x, x).dtype

        together(work)
        if function is star:
            f(np.ones(3), np.ones(3))
        assert f.stats()["captures"] > 0
        assert f.stats()["failures"] == 0


def test_calls_and_collections() -> None:
    """Functions are made, called, dropped and collected by all at the same time."""
    x = np.arange(4.0)

    def work(k: int) -> None:
        for n in range(8):
            factor = float(10 * k + n)
            f = jit(lambda x, factor=factor: x * factor + 1, backend="numpy")
            assert (f(x) == x * factor + 1).all()
            assert (f(x) == x * factor + 1).all()
            del f
            gc.collect()

    together(work, 4)


def test_options_of_threads() -> None:
    """config() in one thread is none of the others' business."""
    f = jit(whole)
    x = np.arange(4.0)
    expected = whole(x, x).tolist()
    f(x, x)

    def work(k: int) -> None:
        backend = ("numba", "numpy", "eager")[k % 3]
        for _ in range(50):
            if k % 4 == 3:
                assert f(x, x).tolist() == expected
                continue
            with config(backend=backend):
                assert f(x, x).tolist() == expected

    together(work)


def test_defaults_and_globals_that_change() -> None:
    """Others call while one thread replaces what the function relies on: old or new, never else."""
    namespace: dict[str, Any] = {"K": np.full(3, 1.0)}
    exec("def f(x, y=1.0):\n    return x * y + K", namespace)
    plain = namespace["f"]
    f = jit(plain)
    x = np.ones(3)
    stop = threading.Event()

    def work(k: int) -> None:
        if k == 0:
            for n in range(2000):
                plain.__defaults__ = (float(n % 7),)
                namespace["K"] = np.full(3, 100.0 * (n % 5))
            stop.set()
            return
        while not stop.is_set():
            value = f(x)[0]
            assert value % 100 < 7
            assert value <= 406

    together(work, 4)
