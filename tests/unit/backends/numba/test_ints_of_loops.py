"""Checks of a kernel in loops: ints that may leave 64 bits, indices, and threads that wait."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import framejit

pytestmark = [pytest.mark.counts("what a kernel is made of")]


def text_of(program: Callable[..., Any], *args: Any) -> str:
    """Call a jitted function and return the text of its kernel."""
    jitted = framejit.jit(program, backend="numba")
    assert repr(jitted(*args)) == repr(program(*args))
    return jitted.inspect("numba")


def looks(program: Callable[..., Any], *args: Any) -> int:
    """Return the number of checks for 64 bits in the text of its kernel."""
    return len(re.findall(r"(add|sub|mul)_overflows|wrong \|=", text_of(program, *args)))


def test_no_overflow() -> None:
    """However they go on, from a small number, by small steps, in branches and in inner loops."""

    def counts(n: Any, x: Any) -> Any:
        up, down, both = 0, 100, 7
        for i in range(n):
            up += 1
            if i % 3:
                down -= 2
            else:
                both = up + 5
            k = i
            while k > 0:
                k -= 1
                both += 3
        return up, down, both, 2 * up - down

    assert looks(counts, 5, 0) == 0


@pytest.mark.parametrize("start", [1, 2**41])
def test_what_is_no_counter(start: int) -> None:
    """Numbers from outside, sums that are fed back, products."""

    def from_outside(n: Any, k: Any) -> Any:
        for _ in range(n):
            k += 1
        return k

    def doubles(n: Any, k: Any) -> Any:
        a = 1
        for _ in range(n):
            a = a + a
        return a, k

    def steps_of_unknown_size(n: Any, k: Any) -> Any:
        a = 0
        for _ in range(n):
            a += k
        return a

    assert (looks(from_outside, 5, start) > 0) == (start > 2**40)
    for program in (doubles, steps_of_unknown_size):
        assert looks(program, 5, start) > 0


def test_numbers_from_outside() -> None:
    """A number that was small at capture may be big later: eager answers, then a new kernel."""

    def counts(n: Any, k: Any) -> Any:
        for _ in range(n):
            k += 1
        return k

    jitted = framejit.jit(counts, backend="numba")
    for start in (5, 2**35, *[2**45] * 20, 2**63 - 3, -(2**63), 7):
        assert jitted(9, start) == counts(9, start)
    before = jitted.stats()
    for start in (2**45, 2**50, -(2**44)):
        assert jitted(9, start) == counts(9, start)
    after = jitted.stats()
    assert after["hits"] - before["hits"] == 3
    assert after["bails"] == before["bails"]


def test_arrays_of_counters() -> None:
    """Counts in an array that the kernel has made are exact, through views of it too."""

    def histogram(x: Any) -> Any:
        counts = np.zeros((2, 4), dtype=np.int64)
        row = counts[1]
        for k in range(len(x)):
            row[x[k]] += 1
            counts[0, x[k]] = row[x[k]] + 2
        return counts

    def doubled(x: Any) -> Any:
        counts = np.zeros(4, dtype=np.int64)
        for k in range(len(x)):
            counts[x[k]] += counts[0]
        return counts

    def filled_from_outside(x: Any) -> Any:
        counts = np.zeros(4, dtype=np.int64)
        counts[:] = x
        for k in range(4):
            counts[k] += 1
        return counts

    def written_by_a_call(x: Any) -> Any:
        counts = np.zeros(4, dtype=np.int64)
        counts[x > 2] = 9
        for k in range(4):
            counts[k] += 1
        return counts

    x = np.array([0, 1, 3, 3])
    assert looks(histogram, x) == 0
    for program in (doubled, filled_from_outside, written_by_a_call):
        assert looks(program, x) > 0


def test_types_of_less_than_64_bits() -> None:
    """They have limits of their own, but are small numbers to count on from."""

    def small(x: Any) -> Any:
        total = 0
        for k in range(len(x)):
            total = int(x[k]) + 1
        return total

    assert looks(small, np.array([3, 4], dtype=np.int8)) == 0


# ---- bounded and natural numbers -----------------------------------------------------------------


def test_bounded_numbers() -> None:
    """A remainder by a constant is less than that, and so are values derived from it."""

    def generator(seed: Any, n: Any) -> Any:
        state, total = seed, 0
        for _ in range(n):
            state = (state * 1103515245 + 12345) % 2147483648
            total += (state >> 16) % 7
        return state, total

    def too_big(seed: Any, n: Any) -> Any:
        state = seed
        for _ in range(n):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**61
        return state

    assert looks(generator, 5, 9) == 0
    assert looks(generator, 2**33, 9) > 0
    assert looks(too_big, 1, 3) > 0


def test_quotients_by_natural_numbers() -> None:
    """The sign of the divisor is known, that of the dividend need not be."""

    def by_naturals(n: Any) -> Any:
        total = 0
        for k in range(1, n):
            total += (5 - k) % k + (5 - k) // k + k % (k + 2)
        return total

    def by_anything(n: Any, d: Any) -> Any:
        total = 0
        for k in range(1, n):
            total += k % d + k // (d - k)
        return total

    text = text_of(by_naturals, 9)
    assert text.count("natural_rest(") == 2
    assert text.count("natural_quotient(") == 1
    assert "natural_" not in text_of(by_anything, 9, 20)


def test_indices_that_need_no_wrap() -> None:
    """Counted from zero up, down to zero, or asked for by a `while` or a branch."""

    def sorts(x: Any) -> Any:
        x = x.copy()
        for i in range(1, len(x)):
            j = i - 1
            while j >= 0 and x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
                j -= 1
        return x

    def where_asked(x: Any, n: Any) -> Any:
        s = 0.0
        for k in range(n - 3, n + 3):
            if k > 0:
                s = s + x[k] * x[k - 1]
            if k >= 0:
                s = s + x[k]
            s = s - x[k]
        return s

    def from_the_end(x: Any) -> Any:
        s = 0.0
        for k in range(3):
            s = s + x[-k]
        return s

    x = np.array([3.0, 1.0, 2.0])
    wraps = re.compile(r"\bk\w* \+= s\d")
    assert not wraps.search(text_of(sorts, x))
    assert len(wraps.findall(text_of(where_asked, x, 0))) == 2  # `x[k - 1]` and the last one
    assert wraps.search(text_of(from_the_end, x))


# ---- looks ---------------------------------------------------------------------------------------


def _one(x: Any, n: Any) -> Any:
    s = 0.0
    for k in range(n):
        s += x[k]
    return s


def _three(x: Any, n: Any) -> Any:
    s = 0.0
    for a in range(n):
        for b in range(n):
            for c in range(n):
                s += x[a] * x[b] - x[c]
    return s


def _four(x: Any, n: Any) -> Any:
    s = 0.0
    for a in range(n):
        for b in range(n):
            for c in range(n):
                for d in range(n):
                    s += x[a] * x[b] - x[c] * x[d]
    return s


def _ended_by_a_counter(x: Any, n: Any) -> Any:
    s = 0.0
    for a in range(n):
        k = a
        while k > 0 and x[k] > 0.5:
            s += x[k]
            k -= 1
    return s


def _ended_by_data(x: Any, n: Any) -> Any:
    s = 0.0
    for a in range(n):
        t = x[a] + 9
        while t > 1:
            t = t / 2
            s += t
    return s


def test_who_looks_up() -> None:
    """The outermost loop, loops of unknown length, and those around two others."""
    x = np.linspace(0.0, 1.0, 5)
    for program, polls in (
        (_one, 1),
        (_three, 1),
        (_four, 2),
        (_ended_by_a_counter, 1),
        (_ended_by_data, 2),
    ):
        text = text_of(program, x, 5)
        versions = 1 + text.count("# with a look at each index")
        assert text.count("poll(w") <= polls * versions, program.__name__
        assert "poll(w" in text
