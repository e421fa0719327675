"""Loops that threads share: the same bits, whoever does what, and the flags of all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check

import framejit
from framejit.jit.config import DEFAULT
from framejit.jit.cores import cores
from framejit.jit.native import parallel_counts, share_everywhere
from framejit.jit.threads import EVERYWHERE, _default, threads_of

RNG = np.random.default_rng(5)
WIDE = RNG.normal(size=(200, 300))
LONG = RNG.normal(size=70_003)
SHORT_LINES = RNG.normal(size=(20_000, 3))
DEEP = RNG.normal(size=(30, 40, 50))


def chain(x: Any) -> Any:
    return (x * x + 1.0) / (np.abs(x) + 0.5) - x


def loops_of_numpy(x: Any) -> Any:
    return np.exp(-x * x) * np.sin(x) + np.tanh(x)


def in_one_loop(x: Any) -> Any:
    return np.where(x > 0.5, x * 2.0, -x), x < x * x


def rows(x: Any) -> Any:
    y = x - x.mean(axis=-1, keepdims=True)
    return (y * y).sum(axis=-1), y.max(axis=-1), np.argmax(y, axis=-1)


def columns(x: Any) -> Any:
    return (x * 2.0).sum(axis=0), x.sum(axis=0), x.min(axis=0)


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def totals(x: Any) -> Any:
    return (x * x + 1.0).sum(), x.sum(), x.mean(), x.std(), (x > 0).sum(), x.max()


def broadcast(x: Any) -> Any:
    return (x - x[0]) * x[..., :1] + x.T.sum()


def casts(x: Any) -> Any:
    return (x * 100.0).astype(np.int64), x.astype(np.float32) * 2, (x * 50).astype(np.int8)


def ints(x: Any) -> Any:
    n = (x * 1000).astype(np.int64)
    return n.sum(), n.sum(axis=0), (n * n - 3) // 7, (n % 5 == 0).sum(axis=-1)


def windows(x: Any) -> Any:
    return x[1:-1] * 2.0 - x[2:] - x[:-2], x[::-1] + 1.0, x[::2] * x[::2]


def in_place(x: Any) -> Any:
    y = x * 1.0
    y += x * 2.0
    y[1:] *= 3.0
    np.multiply(y, x, out=y)
    return y


def single(x: Any) -> Any:
    x = x.astype(np.float32)
    return np.exp(x), (x * x).sum(), x.sum(axis=0), np.sqrt(np.abs(x)) * 3


def gathers(x: Any) -> Any:
    order = np.arange(len(x))[::-1] // 2
    return x[order], np.take(x, order, axis=0) * 2.0, x[order - len(x)]


def sorts(x: Any) -> Any:
    return np.sort(x, axis=-1), np.argsort(x, axis=-1), np.sort(x, axis=0)


def searches(x: Any) -> Any:
    line = np.linspace(-2.0, 2.0, 101)
    return np.searchsorted(line, x), np.digitize(x, line), np.searchsorted(line, x, "right")


def scans(x: Any) -> Any:
    n = (x * 100.0).astype(np.int64)
    line = x.ravel()
    more = np.maximum.accumulate(x, axis=-1), np.cumprod(x[..., :3], axis=-1), n.cumsum(axis=-1)
    return np.cumsum(x, axis=0), np.cumsum(x, axis=-1), line.cumsum(), *more


def places(x: Any) -> Any:
    line = x.ravel()
    equal = np.round(line)
    return (
        *(np.argmax(x, axis=0), np.argmin(x, axis=-1), np.argmax(line), np.argmin(line[::3])),
        *(np.argmax(equal), np.argmin(equal), np.argmax(line > 1.0), np.argmin(line[::-1])),
    )


def masks(x: Any) -> Any:
    line = x.ravel()
    few, many = x > 2.5, x < 1.0
    return x[few], x[many], line[::2][(line < 0.5)[::2]], np.nonzero(line > 2.0), x[x > 99.0]


def products(x: Any) -> Any:
    lines = x.reshape(-1, x.shape[-1])
    square = lines[:20, :3].T @ lines[:20, :3]
    return lines @ lines[:7].T, np.linalg.inv(square), lines[0] @ lines[-1]


def extremes(x: Any) -> Any:
    line, single = x.ravel(), x.astype(np.float32)
    n = (line * 100.0).astype(np.int64)
    return (
        *((line * 2.0).max(), np.abs(line).min(), (n // 3).max(), (single * 3 - 1).max()),
        *((x * 2.0).max(axis=0), np.abs(x).min(axis=-1), (line - 1.0).sum()),
    )


PROGRAMS = [
    *(scans, places, masks, products, gathers, sorts, searches, extremes),
    *(chain, loops_of_numpy, in_one_loop, rows, columns, softmax, totals, broadcast, casts),
    *(ints, windows, in_place, single),
]
ARRAYS = {"wide": WIDE, "long": LONG, "short lines": SHORT_LINES, "deep": DEEP}
ARRAYS |= {"columns": np.asfortranarray(WIDE), "gaps": np.repeat(WIDE, 2, axis=1)[:, ::2]}


@pytest.fixture(params=[2, 3, 7])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    """So many, and all loops are shared."""
    share_everywhere(True)
    yield request.param
    share_everywhere(EVERYWHERE)


def _jit_with(threads: int) -> Callable[..., Any]:
    def jit(function: Any, backend: str) -> Any:
        return framejit.jit(function, backend=backend, threads=threads, compile="now")

    return jit


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_bits(program: Any, name: str, threads: int) -> None:
    before = parallel_counts()["shared"]
    check(program, ARRAYS[name], calls=3, backends=["numba"], jit=_jit_with(threads))
    if program is chain:
        assert parallel_counts()["shared"] > before


@pytest.mark.parametrize(
    ("program", "least"),
    [(places, 8), (masks, 12), (scans, 6), (gathers, 5), (sorts, 2), (totals, 5), (extremes, 1)],
)
def test_loops_are_shared(program: Any, least: int) -> None:
    """None of them stays in the kernel since its text hands a variable on."""
    jitted = framejit.jit(program, compile="now", threads=2, cache=False)
    jitted(LONG), jitted(LONG)
    before = parallel_counts()["loops"]
    jitted(LONG)
    assert parallel_counts()["loops"] >= before + least


@pytest.mark.parametrize("program", PROGRAMS)
def test_few_iterations(program: Any) -> None:
    """One long line is no work for several threads where they share lines only."""
    share_everywhere(False)
    x = RNG.normal(size=(1, 150_000))
    check(program, x, calls=3, backends=["numba"], jit=_jit_with(2))
    check(program, x.T.copy(), calls=3, backends=["numba"], jit=_jit_with(2))


SPECIAL = np.array([0.0, -0.0, np.nan, -np.nan, np.inf, -np.inf, 1e308, 5e-324, -1.0])


@pytest.mark.parametrize(
    "program",
    [
        *(chain, totals, rows, columns, in_one_loop, softmax, windows, scans, places, masks),
        extremes,
    ],
)
def test_special_numbers(program: Any, threads: int) -> None:
    """Each warning that eager gives, and the bits of results from NaN and zeros."""
    x = RNG.choice(SPECIAL, size=(150, 301))
    check(program, x, backends=["numba"], jit=_jit_with(threads))


@pytest.mark.parametrize("items", [(0.0, 0.0), (-0.0, 0.0), (np.nan, 0.0), (-np.nan, np.nan)])
@pytest.mark.parametrize("places", [(0, 69_999), (30_000, 30_001), (69_000, 5)])
def test_extremes_that_meet_in_parts(
    items: tuple[float, float], places: tuple[int, int], threads: int
) -> None:
    """Zeros and NaNs of several kinds are in parts that different threads look at."""
    x = -np.abs(LONG[:70_000]) - 1.0
    x[[*places]] = items
    program = extremes_of_lines
    check(program, x, calls=3, backends=["numba"], jit=_jit_with(threads))
    check(program, np.abs(x).reshape(7, -1), calls=3, backends=["numba"], jit=_jit_with(threads))


def extremes_of_lines(x: Any) -> Any:
    y = x * 2.0
    return y.max(axis=-1), (-x).min(axis=-1), (x * 2.0 - x).max(axis=0)


@pytest.mark.parametrize("where", [0, 33_000, 59_999])
def test_one_flag_anywhere(where: int, threads: int) -> None:
    """A worker raises it, or the thread of the launch."""
    x = WIDE.copy().ravel()
    x[where] = 0.0
    check(lambda x: 1.0 / x, x, backends=["numba"], jit=_jit_with(threads))


def test_casts_that_do_not_hold(threads: int) -> None:
    """NaN as an int is the processor's business: eager answers."""
    x = LONG.copy()
    x[60_000] = np.nan
    check(casts, x, backends=["numba"], jit=_jit_with(threads))


def test_threads_of_options(threads: int) -> None:
    """One thread shares nothing, whatever others do; a value that is wrong is told of."""
    jitted = framejit.jit(chain, threads=1, compile="now")
    jitted(WIDE), jitted(WIDE)
    before = parallel_counts()["shared"]
    jitted(WIDE)
    assert parallel_counts()["shared"] == before
    with pytest.raises(framejit.FramejitError, match="'threads' must be 0 or more, not -1"):
        framejit.jit(chain, threads=-1)
    with pytest.raises(framejit.FramejitError, match="'threads' must be an int, not '2'"):
        framejit.jit(chain, threads="2")


@pytest.mark.skipif(EVERYWHERE, reason="three threads in this mode")
@pytest.mark.parametrize(("text", "most"), [("1", 1), ("1,4", 1), ("0", None), ("x", None)])
def test_threads_of_the_environment(
    text: str, most: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables that limit the threads of all libraries limit ours, too."""
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    _default.cache_clear()
    assert threads_of(DEFAULT) == (most or max(1, int(cores())))
    _default.cache_clear()


def test_many_threads_of_the_program(threads: int) -> None:
    """A thread that finds the pool taken works alone."""
    jitted = framejit.jit(chain, threads=threads, compile="now")
    jitted(WIDE), jitted(WIDE)
    expected, wrong = chain(WIDE).tobytes(), []

    def work() -> None:
        wrong.extend(1 for _ in range(50) if jitted(WIDE).tobytes() != expected)

    several = [threading.Thread(target=work) for _ in range(8)]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork(threads: int) -> None:
    """Both processes have workers of their own."""
    jitted = framejit.jit(chain, threads=threads, compile="now")
    jitted(WIDE), jitted(WIDE)
    expected = chain(WIDE).tobytes()
    for _ in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads of pytest-xdist
            child = os.fork()
        if child == 0:
            signal.alarm(60)
            before = parallel_counts()["shared"]
            same = jitted(WIDE).tobytes() == expected
            os._exit(0 if same and parallel_counts()["shared"] > before else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert jitted(WIDE).tobytes() == expected


PROGRAM = """
    import os, signal, sys, threading
    import numpy as np
    import framejit

    @framejit.jit(compile="now", threads=3)
    def f(x):
        return np.sqrt(x * x + 1.0) / (x + 2.0)

    x = np.arange(1e6)
    for _ in range(20):
        f(x)
    {end}
"""


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ("sys.exit(3)", 3),
        ("os._exit(4)", 4),
        ("signal.raise_signal(signal.SIGTERM)", -signal.SIGTERM),
        ("threading.Thread(target=lambda: [f(x) for _ in range(20)]).start()", 0),
        ("threading.Thread(target=lambda: [f(x) for _ in range(999)], daemon=True).start()", 0),
    ],
)
def test_the_end_of_the_process(end: str, status: int) -> None:
    """Workers are in nobody's way."""
    program = textwrap.dedent(PROGRAM.format(end=end))
    done = subprocess.run([sys.executable, "-c", program], timeout=120, check=False)
    assert done.returncode == status


FORK = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    child = os.fork()
    if child == 0:
        os._exit(0)
os.waitpid(child, 0)
print([str(one.message) for one in told])
"""


@pytest.mark.skipif(sys.version_info < (3, 12), reason="CPython 3.12 and later warn of threads")
@pytest.mark.parametrize(("before", "warned"), [("", 0), ("threading.Timer(9, f).start()", 1)])
def test_there_are_no_workers_while_a_process_becomes_two(before: str, warned: int) -> None:
    """CPython, which warns of a thread of the program's own, sees none."""
    program = textwrap.dedent(PROGRAM.format(end=before)) + FORK + "os._exit(0)"
    done = subprocess.run(
        [sys.executable, "-u", "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout.count("use of fork() may lead to deadlocks in the child") == warned


def _two_arrays(x: Any) -> Any:
    return x * 2.0 + 1.0, (x - 1.0) * x


def test_arrays_that_get_large() -> None:
    """A kernel of small arrays gives way to one whose loops are shared, once it has much to do."""
    jitted = framejit.jit(_two_arrays, threads=2, compile="now")
    small, large = np.arange(5.0), np.arange(4e6)
    jitted(small), jitted(small), jitted(large)
    before, captures = parallel_counts()["loops"], jitted.stats()["captures"]
    for _ in range(40):
        jitted(large)
    assert_normally(parallel_counts()["loops"] > before)
    assert_normally(jitted.stats()["captures"] == captures + 1)
    assert_same(jitted, large)
    assert_same(jitted, small)
    assert jitted.stats()["captures"] <= captures + 1


def assert_same(jitted: Any, x: Any) -> None:
    for one, other in zip(jitted(x), jitted.__wrapped__(x), strict=True):
        assert one.tobytes() == other.tobytes()
