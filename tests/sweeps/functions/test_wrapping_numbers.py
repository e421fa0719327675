"""NumPy's ints that leave their type where nobody is told: `np.errstate(over="ignore")`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Program, Programs, check_whole

PROGRAMS = Programs()
runs = PROGRAMS.runs
BYTES = np.arange(7, 40, dtype=np.uint8)
BLOCKS = np.arange(20, dtype=np.uint32).reshape(10, 2) * np.uint32(0x01234567)


@runs((BYTES,), (BYTES[:1],), (BYTES[:0],))
def fnv_of_bytes(data: Any) -> Any:
    hashed = np.uint64(0xCBF29CE484222325)
    prime = np.uint64(0x100000001B3)
    with np.errstate(over="ignore"):
        for byte in data:
            hashed = (hashed ^ np.uint64(byte)) * prime
    return hashed


@runs((BLOCKS, np.arange(4, dtype=np.uint32)))
def tea(blocks: Any, key: Any) -> Any:
    v0, v1 = blocks[:, 0].copy(), blocks[:, 1].copy()
    total = np.uint32(0)
    delta = np.uint32(0x9E3779B9)
    with np.errstate(over="ignore"):
        for _ in range(32):
            total = total + delta
            v0 += ((v1 << 4) + key[0]) ^ (v1 + total) ^ ((v1 >> 5) + key[1])
            v1 += ((v0 << 4) + key[2]) ^ (v0 + total) ^ ((v0 >> 5) + key[3])
    return np.stack([v0, v1], axis=1)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    """Each is one segment."""
    check_whole(program, args)


def wraps(x: Any, y: Any, iterations: int) -> Any:
    with np.errstate(over="ignore"):
        for _ in range(iterations):
            x = x + y
            y = y * x - x
            x = x ^ y
        z = x + 1
        return x, y, z, z > x, np.arange(5)[z & 3]


@pytest.mark.parametrize("char", "bBhHiIqQ")
@pytest.mark.parametrize("other", ["same", "b", "I", "q", "int"])
def test_ints_of_each_width(char: str, other: str) -> None:
    """Signed and not, with others and with Python's."""
    one = np.dtype(char).type
    two = int if other == "int" else np.dtype(char if other == "same" else other).type
    check(wraps, *((one(a), two(b), 9) for a, b in ((3, 7), (100, 77), (100, 0), (0, 1))))


def test_what_has_wrapped_is_no_index_to_trust() -> None:
    """A number that only grows may be negative all the same."""

    def program(x: Any, step: Any) -> Any:
        at = np.int64(0)
        total = 0.0
        with np.errstate(over="ignore"):
            for _ in range(4):
                at = at + step
                total += x[at % 5] + x[at // (2**61)]
        return total, at

    check(program, (np.arange(9.0), np.int64(2**61 + 1)), (np.arange(9.0), np.int64(2)))


def test_told_all_the_same() -> None:
    """A block inside says something else."""

    def program(x: Any) -> Any:
        with np.errstate(over="ignore"):
            x = x * np.int32(3)
            with np.errstate(over="warn"):
                return x * np.int32(3)

    for number in (5, 2**29, 2**31 - 1):
        check(program, (np.int32(number),))
