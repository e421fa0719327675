"""Threads, tasks, forks, spawned processes and subinterpreters, as programs use them."""

from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally

from framejit import capture, jit
from framejit.frontends.report.last_words import facts_of

THREADS = 8
X = np.arange(6.0)


@pytest.fixture
def _switch_often() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


# ---- threads -----------------------------------------------------------------------------------


def whole(x: Any, k: int) -> Any:
    return (x * k + 1).sum(axis=0)


def breaking(x: Any, k: int) -> Any:
    for n in range(2):
        x = x * k + n
        print(end="")
    return x - 1


def raising(x: Any, k: int) -> Any:
    y = x * 2
    if k % 2:
        raise KeyError(k, y.shape)
    return y[k + 100]


def generating(x: Any, k: int) -> Any:
    def steps() -> Any:
        for n in range(3):
            yield x * n + k

    return list(steps())


def answer(f: Callable[..., Any], *args: Any) -> tuple[str, str]:
    try:
        return "returned", repr(f(*args))
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.usefixtures("_switch_often")
@pytest.mark.parametrize("way", ["numba", "numpy", "capture"])
@pytest.mark.parametrize("function", [whole, breaking, raising, generating])
def test_eight_threads_at_once(function: Any, way: str) -> None:
    """The first calls of all, of many shapes, then more: answers and errors are eager's."""
    given = [(np.ones((k + 1,) * (k % 3 + 1), "f4" if k % 2 else "f8"), k) for k in range(THREADS)]
    expected = [answer(function, *args) for args in given]
    for _ in range(3):
        jitted = function if way == "capture" else jit(function, backend=way)
        barrier = threading.Barrier(THREADS)

        def work(k: int, jitted: Any = jitted, barrier: Any = barrier) -> list[Any]:
            barrier.wait(60)
            if way == "capture":
                with capture():
                    return [answer(jitted, *given[n % THREADS]) for n in range(k, k + 20)]
            return [answer(jitted, *given[n % THREADS]) for n in range(k, k + 20)]

        with ThreadPoolExecutor(THREADS) as pool:
            found = list(pool.map(work, range(THREADS)))
        for k, results in enumerate(found):
            assert results == [expected[n % THREADS] for n in range(k, k + 20)]


@pytest.mark.usefixtures("_switch_often")
def test_facts_while_others_capture() -> None:
    """Facts of a function grow while they are read: recompiles, capture points, breaks."""
    jitted = jit(breaking, backend="numpy")
    done = threading.Event()

    def read() -> list[int]:
        found = []
        while not done.is_set():
            found.append(len(facts_of(jitted._manager).recompiles))
        return found

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        for k in range(300):
            jitted(np.ones((1,) * (k % 30 + 1)), k)
        done.set()
        for one in readers:
            assert one.result(60) == sorted(one.result())
    assert_normally(len(facts_of(jitted._manager).recompiles) > 5)


# ---- tasks -------------------------------------------------------------------------------------

WHO: contextvars.ContextVar[str] = contextvars.ContextVar("WHO", default="nobody")


async def tasks(decorate: Callable[[Any], Any]) -> list[Any]:
    """Tasks that take turns inside decorated coroutines and asynchronous generators."""
    log: list[Any] = []

    @decorate
    async def work(name: str, x: Any) -> Any:
        WHO.set(name)
        for k in range(3):
            x = x * 2 + k
            log.append((WHO.get(), k, float(x[1])))
            await asyncio.sleep(0)
        return x + 1

    @decorate
    async def numbers(x: Any) -> AsyncIterator[Any]:
        try:
            for k in range(4):
                yield x * k
                await asyncio.sleep(0)
        finally:
            log.append("closed")

    @decorate
    async def collected(x: Any) -> Any:
        total = x * 0
        async for one in numbers(x):
            total = total + one
            if one[1] > 2:
                break
        squares = [y * y async for y in numbers(x)]
        return total, squares

    @decorate
    async def late(x: Any) -> Any:
        y = x * 2
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            log.append(("cancelled", float((y + 1).sum())))
            raise
        return y

    names = [f"task {k}" for k in range(5)]
    results = await asyncio.gather(*(work(name, X + k) for k, name in enumerate(names)))
    results += await collected(X)
    waiting = asyncio.create_task(late(X))
    await asyncio.sleep(0)
    waiting.cancel()
    results += await asyncio.gather(waiting, return_exceptions=True)
    results.append(await asyncio.to_thread(decorate(lambda x: x * 3), X))
    return [*map(repr, results), *map(repr, log), WHO.get()]


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_tasks(backend: str) -> None:
    """Coroutines, asynchronous generators, context variables, cancelling: as in eager."""
    expected = asyncio.run(tasks(lambda f: f))

    async def under_capture() -> list[Any]:
        with capture():
            return await tasks(lambda f: f)

    for _ in range(2):
        assert asyncio.run(tasks(jit(backend=backend))) == expected
        assert asyncio.run(under_capture()) == expected


# ---- processes ---------------------------------------------------------------------------------

START = """
import os, sys, threading, warnings
import numpy as np
warnings.simplefilter("ignore", DeprecationWarning)
from framejit import jit, capture
@jit
def f(x): return x * 2 + 1
@jit
def broken(x):
    y = x * 2
    print(end="")
    return y - 1
X = np.arange(3.0)
WANTED = [(X * 2 + 1).tolist(), (X * 2 - 1).tolist()]
def both(_=None): return [f(X).tolist(), broken(X).tolist()]
def fresh(k): return jit(lambda x: x * k + 1)(X).tolist()
"""

PROGRAMS = {
    "fork": """
both(), both()
for deep in range(3):
    pid = os.fork()
    if pid == 0:
        good = both() == WANTED and fresh(5) == (X * 5 + 1).tolist()
        good = good and f.stats()["failures"] == 0 and f(np.ones((2, 2))).shape == (2, 2)
        with capture():
            good = good and (lambda x: x * 7)(X).tolist() == (X * 7).tolist()
        os._exit(0 if good else 1)
    print(os.waitpid(pid, 0)[1])
print(both() == WANTED, fresh(6) == (X * 6 + 1).tolist())
""",
    "fork inside a call": """
@jit
def forks(x):
    y = x * 2
    pid = os.fork()
    z = y + 1
    return pid, z
for _ in range(3):
    pid, z = forks(X)
    if pid == 0:
        os._exit(0 if z.tolist() == WANTED[0] and both() == WANTED else 1)
    print(os.waitpid(pid, 0)[1], z.tolist() == WANTED[0])
""",
    "fork while others call and capture": """
stop = threading.Event()
def others(k):
    while not stop.is_set():
        both(), fresh(k)
threads = [threading.Thread(target=others, args=(k,)) for k in range(4)]
for one in threads: one.start()
for _ in range(8):
    pid = os.fork()
    if pid == 0:
        os._exit(0 if both() == WANTED and fresh(9) == (X * 9 + 1).tolist() else 1)
    print(os.waitpid(pid, 0)[1])
stop.set()
for one in threads: one.join()
""",
    "fork under capture": """
def plain(x): return x * 3 + 1
with capture():
    plain(X), plain(X)
    pid = os.fork()
    good = plain(X).tolist() == (X * 3 + 1).tolist() and both() == WANTED
    if pid == 0: os._exit(0 if good else 1)
    print(os.waitpid(pid, 0)[1], good)
""",
}

POOLS = """
import multiprocessing, concurrent.futures
if __name__ == "__main__":
    both()
    how = sys.argv[1]
    context = multiprocessing.get_context(how)
    with context.Pool(2) as pool:
        print(pool.map(both, range(4)) == [WANTED] * 4)
        print(pool.map(f, [X, X])[1].tolist() == WANTED[0])
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        print(list(pool.map(both, range(4))) == [WANTED] * 4)
        print(pool.submit(broken, X).result().tolist() == WANTED[1])
        print(pool.submit(fresh, 4).result() == (X * 4 + 1).tolist())
"""


def output(*command: str, timeout: float = 120) -> str:
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False, timeout=timeout
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(
    ("program", "backend"),
    [
        ("fork", "numba"),
        *((program, "numpy") for program in PROGRAMS),
        ("fork while others call and capture", "numba"),
    ],
)
def test_forks(program: str, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Captured code serves the child, which captures anew, even if other threads run."""
    monkeypatch.setenv("FRAMEJIT_BACKEND", backend)
    printed = output("-c", START + PROGRAMS[program])

    assert printed
    assert set(printed.split()) <= {"0", "True"}


@pytest.mark.parametrize("how", ["fork", "spawn", "forkserver"])
def test_pools(how: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Decorated functions are sent to workers by name, and jitted there."""
    monkeypatch.setenv("FRAMEJIT_BACKEND", "numpy")
    script = tmp_path / "script.py"
    script.write_text(START + POOLS)

    assert output(str(script), how).split() == ["True"] * 5


# ---- subinterpreters -----------------------------------------------------------------------------

INSIDE = """
import sys, warnings
warnings.simplefilter("ignore", UserWarning)
try:
    import numpy as np
    x = np.arange(3.0)
except ImportError:
    np, x = None, 3
import framejit
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    f = framejit.jit(lambda x: x * 2 + 1)
results = [f(x) for _ in range(3)]
assert str(results[2]) == ("[1. 3. 5.]" if np else "7"), results
assert "subinterpreters are not supported" in str(caught[0].message), caught
assert f.stats()["captures"] == 0
report = framejit.explain(f)(x)
assert "subinterpreters are not supported" in str(report), report
with framejit.capture() as block: f(x)
if np: assert "subinterpreters are not supported" in str(block.report)
with framejit.config(backend="numpy"), framejit.disable(): f(x)
sys.stdout.write("fine\\n"); sys.stdout.flush()
"""

OUTSIDE = """
import sys
inside = {inside!r}
if {before}:
    import numpy as np
    from framejit import jit, capture
    f = jit(lambda x: x * 2)
    block = capture()
    if {watched}: block.__enter__()
    f(np.ones(3)), f(np.ones(3))
try: import _interpreters as interpreters
except ImportError: import _xxsubinterpreters as interpreters
legacy = ("legacy",) if sys.version_info >= (3, 13) else ()
options = {{}} if sys.version_info >= (3, 13) else {{"isolated": False}}
for make in (interpreters.create, lambda: interpreters.create(*legacy, **options)):
    made = make()
    failed = interpreters.run_string(made, inside)
    if failed: print(failed)
    interpreters.destroy(made)
if {before}:
    f(np.ones(3))
    assert f.stats()["hits"] == 3
    if {watched}: block.__exit__(None, None, None)
"""


@pytest.mark.counts("hits in another process")
@pytest.mark.parametrize(("before", "watched"), [(False, False), (True, False), (True, True)])
def test_subinterpreters(before: bool, watched: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eager there, and the reason is told; the main interpreter does not notice.

    NumPy itself allows one interpreter of a process to import it, and none with a GIL of its own.
    """
    monkeypatch.setenv("FRAMEJIT_BACKEND", "numpy")
    program = OUTSIDE.format(inside=INSIDE, before=before, watched=watched)

    assert output("-W", "ignore", "-c", program) == "fine\n" * 2
