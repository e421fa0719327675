"""Memory of large results that have died serves those to come, and nobody can tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import framejit
from framejit.jit.native import drop_memory, kept_memory

N = 300_000
LIMIT = 1 << 28
"""Bytes that are kept at most."""

pytestmark = pytest.mark.counts("that kernels make the results")


@pytest.fixture(autouse=True)
def nothing_kept() -> Any:
    drop_memory()
    yield
    drop_memory()


@pytest.fixture
def double() -> Any:
    jitted = framejit.jit(lambda x: x * 2 + 1)
    jitted(np.ones(N))
    drop_memory()
    return jitted


def test_the_next_result_stands_where_the_last_one_did(double: Any) -> None:
    """Only what nobody holds any more."""
    x = np.arange(float(N))
    first = double(x)
    place = first.ctypes.data
    second = double(x + 1)
    assert second.ctypes.data != place
    del first
    assert kept_memory() == 8 * N
    third = double(x - 1)
    assert third.ctypes.data == place
    assert kept_memory() == 0
    np.testing.assert_array_equal(second, (x + 1) * 2 + 1)
    np.testing.assert_array_equal(third, (x - 1) * 2 + 1)


def test_they_are_arrays_as_others_are(double: Any) -> None:
    """They own their memory, may be resized, and die as parts of others."""
    made = double(np.ones(N))
    assert made.base is None
    assert made.flags.owndata
    made.resize((2 * N,), refcheck=False)
    assert not made[N:].any()
    made.resize((10,), refcheck=False)
    np.testing.assert_array_equal(made, np.full(10, 3.0))
    del made
    assert kept_memory() == 0
    window = double(np.ones(N))[5:9]
    assert kept_memory() == 0
    np.testing.assert_array_equal(window, np.full(4, 3.0))
    del window
    assert kept_memory() == 8 * N


def test_small_results_are_left_to_others(double: Any) -> None:
    """A few kilobytes cost the system nothing."""
    double(np.ones(1000))
    assert kept_memory() == 0


def test_no_more_than_a_limit_is_kept(double: Any) -> None:
    """The memory that has been kept for longest goes first."""
    results = [double(np.ones(N + 1000 * k)) for k in range(20)]
    sizes = [made.nbytes for made in results]
    while results:
        results.pop()
        assert kept_memory() <= 8 * max(sizes)
    assert kept_memory() == sum(sizes[:8])
    large = double(np.ones(LIMIT // 8 - N - 1))
    del large
    assert kept_memory() == LIMIT - 8  # the one that was freed last is as large as N ones
    larger = double(np.ones(LIMIT // 8 + 1))
    del larger
    assert kept_memory() == LIMIT - 8
    drop_memory()
    assert kept_memory() == 0
