"""Items where ints say: a node of the kernel, for each place of the indices in a key."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from whole import check_whole

from framejit import jit

INTS = np.array([0, 1, -1, 2, 0, -3, 2])
TABLE = np.array([[0, 2, 1], [2, 0, -1]])
INDICES = {
    "line": INTS,
    "table": TABLE,
    "Fortran": np.asfortranarray(TABLE),
    "strided": np.repeat(INTS, 2)[::2],
    "backwards": INTS[::-1],
    "small": INTS.astype(np.int8),
    "unsigned": np.abs(INTS).astype(np.uint16),
    "one": INTS[:1],
    "none": INTS[:0],
}
DEEP = np.random.default_rng(7).normal(size=(3, 4, 5))
ARRAYS = {
    "C": DEEP,
    "Fortran": np.asfortranarray(DEEP),
    "turned": DEEP.transpose(1, 0, 2)[:3],
    "windows": np.random.default_rng(8).normal(size=(6, 8, 10))[::2, ::-2, 1::3],
    "halves": DEEP.astype(np.float16),
    "complex": DEEP * 1j,
    "bools": DEEP > 0,
}


def read(x: Any, i: Any) -> Any:
    return x[i] * 2


def read_second(x: Any, i: Any) -> Any:
    return x[:, i] + 1, x[..., i, :]


def read_last(x: Any, i: Any) -> Any:
    return x[..., i], x[1:, None, :, i]


def read_with_ints(x: Any, i: Any) -> Any:
    return x[1, :, i], x[i, 1:3, -1], x[-2, i]


def read_with_both(x: Any, i: Any) -> Any:
    return x[i, i], x[:, i, i], x[i, :, i], x[i, i, i]


def unlike(x: Any, i: Any) -> Any:
    return x[i[..., None], i[..., None, :]]


def by_list(x: Any, i: Any) -> Any:
    return x[[0, 2, -1]] + x[[1, 1, 1], :], i


PROGRAMS = (read, read_second, read_last, read_with_ints, read_with_both, unlike, by_list)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
def test_every_place_of_an_index(function: Any) -> None:
    """Values, strides and what a result is a window on are eager's."""
    check(function, ARRAYS["C"], INDICES["line"])
    check(function, ARRAYS["Fortran"], INDICES["table"])


@pytest.mark.parametrize("index", INDICES)
def test_every_index(index: str) -> None:
    for function in PROGRAMS:
        check(function, ARRAYS["turned"], INDICES[index], backends=["numpy"])
    check(read, DEEP[0, 0], INDICES[index])


@pytest.mark.parametrize("array", ARRAYS)
def test_every_memory(array: str) -> None:
    """Also of dtypes that kernels only move."""
    for function in (read_second, read_with_both):
        check_whole(function, (ARRAYS[array], INTS))


def test_indices_out_of_range() -> None:
    """NumPy's text, also where nothing would be read."""
    x, jitted = np.arange(12.0).reshape(4, 3), jit(read)
    for bad in (np.array([0, 4]), np.array([-5, 0]), np.array([2**62])):
        check(read, x, bad)
        check(read_second, x[:, :, None], bad)
        with pytest.raises(IndexError, match="out of bounds for axis 0 with size 4"):
            jitted(x, bad)
    check(read, np.empty((3, 0)), np.array([5]))
    check(unlike, np.empty((3, 3)), np.array([], int))


def test_other_sizes_use_the_same_kernel() -> None:
    jitted = jit(read)
    for n in (2, 5, 9):
        for m in (2, 7, 31):
            x, i = np.arange(n * 1.0), np.arange(m) % n

            expected = read(x, i)

            actual = jitted(x, i)
            assert expected.tobytes() == actual.tobytes()
    assert_counts([jitted], captures=1)


def summed(x: Any, edges: Any) -> Any:
    total = 0.0
    for k in range(edges.shape[0]):
        total += (x[edges[k]] ** 2).sum()
    return total


def test_rows_that_a_loop_gathers() -> None:
    check_whole(summed, (np.linspace(0, 1, 11), np.arange(30).reshape(10, 3) % 11))


def moved(x: Any, i: Any) -> Any:
    x[1:] = x[i]
    x[i] += 1
    return x


def test_what_is_read_is_written_to() -> None:
    """The copy is made before anything is written."""
    check(moved, np.arange(8.0), np.array([3, 3, 0, 7, 7, 1, 2]))


# ---- masks ---------------------------------------------------------------------------------------


def kept(x: Any, mask: Any) -> Any:
    return x[mask] * 2, x[mask].sum(), x[~mask]


def rows_kept(x: Any, mask: Any) -> Any:
    return x[mask] + 1, x[mask, 1:], x[mask, 0]


def columns_kept(x: Any, mask: Any) -> Any:
    return x[:, mask] + 1, x[1:, None, mask], x[..., mask]


def kept_beside(x: Any, mask: Any, i: Any) -> Any:
    return x[mask, i]


MASKS = (INTS > 0, INTS > -9, INTS > 9, INTS[::-1] > 0, np.repeat(INTS, 3)[::3] > 0)


@pytest.mark.parametrize("k", range(len(MASKS)))
def test_masks(k: int) -> None:
    """Masks choose some, all or no items, from memory with gaps and backwards."""
    lines, mask = np.random.default_rng(5).normal(size=(7, 7)), MASKS[k]
    backends = ["numba", "numpy"] if k < 3 else ["numpy"]
    for x in (lines[0], lines[:, 0], lines[0].astype(np.int8)[::-1]):
        check(kept, x, mask, backends=backends)
    check(kept, lines, lines > mask, backends=backends)
    check(kept, lines.T, lines > mask, backends=backends)
    check(rows_kept, lines, mask, backends=backends)
    check(columns_kept, lines.T, mask, backends=backends)


def test_masks_of_another_length() -> None:
    """NumPy's text: the mask has another length than its axis."""
    check(kept, np.arange(6.0), INTS > 0)
    check(rows_kept, np.ones((6, 3)), INTS > 0)
    check(kept_beside, np.ones((7, 3)), INTS > 0, INTS[:4])
    check(kept_beside, np.ones((7, 3)), INTS > 0, INTS[:3])


def clipped_in_turns(x: Any) -> Any:
    found = []
    for limit in (0.5, 0.2, -9.0, 9.0):
        found.append(x[x > limit].mean() if (x > limit).any() else limit)
        x = x[x <= limit] if (x <= limit).any() else x
    return found, x


def until_small(x: Any) -> Any:
    iterations = 0
    while x.size > 3:
        x = x[x > x.mean()]
        iterations += 1
    return x, iterations


def test_masks_in_loops() -> None:
    """Each iteration has another length."""
    check(clipped_in_turns, np.linspace(0, 1, 23))
    check(until_small, np.random.default_rng(3).normal(size=100))


# ---- writes --------------------------------------------------------------------------------------


def set_items(x: Any, i: Any, value: Any) -> Any:
    x[i] = value
    return x * 1


def added_to_items(x: Any, i: Any, value: Any) -> Any:
    x[i] += value
    return x


def set_parts(x: Any, i: Any, value: Any) -> Any:
    x[:, i] = value
    x[i, 1:3, -1] = value + 1
    x[1, :, i] = value + 2
    x[i, i] = value + 3
    return x


def set_in_own_memory(n: int, i: Any) -> Any:
    made = np.zeros(n)
    made[i] = i * 2
    made[made.astype(int) % 2] = -1
    return made


@pytest.mark.parametrize("index", INDICES)
def test_writes(index: str) -> None:
    """Numbers, and arrays of which the last counts that goes to a place."""
    i, backends = INDICES[index], ["numba", "numpy"] if index in ("line", "table") else ["numpy"]
    values = np.arange(1.0, 1 + i.size).reshape(i.shape)
    for function in (set_items, added_to_items):
        for x, value in ((np.ones(4), 5.0), (np.ones(8)[::2], values), (np.ones((3, 5)), 2)):
            check(function, x, i, value, backends=backends)
        check(function, np.ones((4, 3)).T, i, values[..., None], backends=backends)
        check(function, np.ones(4), i, values.T[::-1].T, backends=backends)
    check(set_parts, DEEP.copy(), i, 2.5, backends=backends)
    check(set_in_own_memory, 9, i, backends=backends)


def test_writes_by_what_is_written_to() -> None:
    """The indices, and what is written, are those of before."""

    def by_itself(x: Any, y: Any) -> Any:
        x[x] = 0
        y[:3] = y[[1, 2, 0]]
        y[[2, 3, 4]] = y[:3]
        return x, y

    check(by_itself, np.array([1, 2, 3, 0]), np.arange(6.0))
    x = np.arange(7.0)
    check(set_items, x, INTS, x[::-1])


def test_writes_out_of_range() -> None:
    """Nothing is written."""
    for bad in (np.array([0, 4]), np.array([-5, 0])):
        check(set_items, np.ones(4), bad, 2.0)
        check(added_to_items, np.ones((4, 2)), bad, 2.0)
    check(set_items, np.ones(4), np.array([0, 1]), np.ones(3))
    check(set_items, np.ones(4), np.array([0, 1]), np.ones((2, 2)))


def sieve(n: int) -> Any:
    prime = np.ones(n, bool)
    prime[:2] = False
    for k in range(2, n):
        if prime[k]:
            prime[np.arange(k * k, n, k)] = False
    return np.nonzero(prime)[0]


def test_writes_in_loops() -> None:
    check(sieve, 50)


def test_places_without_axes() -> None:
    """An item at an index that is an array without axes is a number."""

    def at_a_share(x: Any, q: Any) -> Any:
        place = np.asanyarray(np.floor((x.size - 1) * q).astype(np.intp))
        return x[place], np.take(x, place, axis=0) * 2, place

    for dtype in ("f8", "i1"):
        check(at_a_share, np.arange(5).astype(dtype), np.array(0.3))
        check(at_a_share, np.arange(5).astype(dtype), np.array(2.0), calls=3)
