"""Arguments of one kind, then of another, then in turns: kernels that bail at the same instruction.

The next capture ends before that instruction: plain Python runs it, and a kernel goes on with what
it gives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_counts, assert_normally, check_script

from framejit.jit.native import set_trials

X = np.linspace(0.5, 2.0, 64)
M = np.sin(np.arange(48.0)).reshape(8, 6)
CUBE = np.cos(np.arange(60.0)).reshape(3, 4, 5)
BYTES = bytes(np.arange(96, dtype=np.uint8))
Arguments = Callable[[], tuple[Any, ...]]
PROGRAMS: dict[str, tuple[Any, tuple[Arguments, Arguments]]] = {}
CALLS = 24
"""Number of calls of each kind, and then of both in turns."""


def of_kinds(one: Sequence[Any], other: Sequence[Any]) -> Callable[[Any], Any]:
    """Registers a program with two kinds of arguments."""

    def register(program: Any) -> Any:
        PROGRAMS[program.__name__] = program, (lambda: tuple(one), lambda: tuple(other))
        return program

    return register


@of_kinds(([1.0, -3.0, 2.0],), ([1.0, 2.0, 3.0],))
def dtype_of_a_result(p: Any) -> Any:
    return np.roots(p) + 1


@of_kinds((BYTES, 0), (BYTES, 3))
def alignment_of_a_result(data: Any, k: int) -> Any:
    x = np.frombuffer(data, np.int32, 10, k)
    return (x // 3 + 1).sum() * 2


@of_kinds((M, 3), (M, 1))
def order_of_windows(m: Any, n: int) -> Any:
    return m.T[:n].copy("K") * 2, m[:, :n].T + 1


@of_kinds((CUBE, 2), (CUBE, 1))
def order_of_axes(m: Any, n: int) -> Any:
    return np.einsum("ijk->kji", m[:n]) * 2


@of_kinds((M, 0.5), (M, 2.0))
def nothing_found(m: Any, t: float) -> Any:
    return np.argwhere(m > t) * 2


@of_kinds((np.arange(5),), (np.arange(5) - 2,))
def an_exception(k: Any) -> Any:
    try:
        counts = np.bincount(k) * 2
    except ValueError:
        counts = np.zeros(5)
    return counts + np.sqrt(k * k + 1.0)


@of_kinds((X, 7), (X, 2**62))
def an_int_that_gets_big(x: Any, seed: int) -> Any:
    h = seed
    for i in range(len(x)):
        h = (h * 31 + i) % 1000003
    return x + h


@of_kinds((X, 2), (X, 1))
def a_step_of_one(x: Any, n: int) -> Any:
    total = 0.0
    for k in range(n, 5):
        total += x[::k].sum()
    return total


def halves(start: int) -> Arguments:
    """Two arrays of one memory, the second of which begins there."""

    def make() -> tuple[Any, ...]:
        x = X.copy()
        return x[:20], x[start : start + 20]

    return make


def written_twice(x: Any, y: Any) -> Any:
    x += y * 2
    x *= y
    return x.sum()


def written_by_a_function(x: Any, y: Any) -> Any:
    np.exp(y, out=x)
    x -= y
    return x * 2


for overlapping in (written_twice, written_by_a_function):
    PROGRAMS[overlapping.__name__] = overlapping, (halves(40), halves(10))


@pytest.fixture
def without_trials() -> Any:
    """Plain Python would take over where it is faster."""
    before = set_trials(0)
    yield
    set_trials(before)


@pytest.mark.usefixtures("without_trials")
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", PROGRAMS)
def test_kinds_in_turns(name: str, first: int) -> None:
    """A few captures, and then kernels run at each call, or at each that does not raise."""
    program, kinds = PROGRAMS[name]
    order = [first] * CALLS + [1 - first] * CALLS + [0, 1] * CALLS

    def script(jit: Decorator) -> Any:
        f = jit(program)
        return [f(*kinds[k]()) for k in order]

    for (made,) in check_script(script, backends=["numba"]):
        before = made.stats()
        for k in order:
            made(*kinds[k]())
        after = made.stats()
        launches = (after["launches"] - before["launches"]) / len(order)
        expected = 0.5 if program is an_exception else 1

        assert_normally(before["captures"] <= 5)
        assert_normally(before["bails"] < 50)  # those of one kind, where loops are in the kernel
        assert_normally(after["captures"] == before["captures"])
        assert_normally(launches >= expected)


def power(x: Any, n: int) -> Any:
    return x * (n * n) + 1


@pytest.mark.usefixtures("without_trials")
def test_what_no_kernel_can_do_leaves_the_others_theirs() -> None:
    """Ints of more than 64 bits are plain Python's; after them the kernel is tried again."""

    def script(jit: Decorator) -> Any:
        f = jit(power)
        return [f(X, n) for n in [2**40] * 30 + [3] * 300]

    for (made,) in check_script(script, backends=["numba"]):
        assert_normally(made.stats()["launches"] > 150)


def unaligned() -> Any:
    memory = np.zeros(8 * 64 + 1, np.uint8)[1:].view(np.float64)
    memory[...] = X
    return memory


def rooted(x: Any, p: Any) -> Any:
    return np.roots(p) + x[:2]


@pytest.mark.usefixtures("without_trials")
def test_lessons_count_where_others_have_broken() -> None:
    """Nothing was captured any more from the entry of the function; for a lesson it is."""
    real, complex_ = [1.0, -3.0, 2.0], [1.0, 2.0, 3.0]

    def script(jit: Decorator) -> Any:
        f = jit(rooted)
        calls = [(X, real)] * 5 + [(unaligned(), real)] * 5 + [(X, complex_)] * 40
        return [f(*arguments) for arguments in calls]

    for (made,) in check_script(script, backends=["numba"]):
        assert_normally(made.stats()["launches"] >= 30)


def linear(x: Any) -> Any:
    return x * 2 + 1


@pytest.mark.usefixtures("without_trials")
def test_what_no_graph_holds_may_come_first() -> None:
    """After a while the point where such arrays came is asked once more."""

    def script(jit: Decorator) -> Any:
        f = jit(linear)
        return [f(x) for x in [unaligned()] * 20 + [X] * 400]

    for (made,) in check_script(script, backends=["numba"]):
        assert_counts([made], captures=2, segments=2)


@pytest.mark.usefixtures("without_trials")
def test_seldom_is_no_reason() -> None:
    """One bail in ten calls costs less than two kernels in place of one."""
    program, (plain, other) = PROGRAMS["dtype_of_a_result"]

    def script(jit: Decorator) -> Any:
        f = jit(program)
        return [f(*(other if k % 10 == 9 else plain)()) for k in range(200)]

    for (made,) in check_script(script, backends=["numba"]):
        assert_counts([made], captures=1, breaks=0, bails=20, hits=180)
