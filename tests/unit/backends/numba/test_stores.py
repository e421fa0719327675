"""Writes of arrays: orders of memory, and overlap as NumPy has it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from oracle import assert_counts, check
from samples import namespace
from sweep import every_other, in_order, numbers

import framejit


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_value_in_another_order_of_memory(order: tuple[int, int]) -> None:
    """The target's order leads the loops; the value's own may be another one."""

    def write(x, y, mask):
        x[...] = y
        x[:3, :3] = x[:3, :3].T
        x[:3, 1:4] += x[:3, :3].T
        x[mask] = 0.5
        return x

    x, y = in_order(numbers((3, 4), "f8"), order), numbers((3, 4), "f8", 1)
    for value in (y, every_other(np.asfortranarray(y))):
        check(write, x, value, y > 0.5, backends=["numba"])


def test_overlap_along_one_axis() -> None:
    """NumPy makes no copy of items that step in the direction of the target, and so nor do we."""
    parts = ("1:8", "0:7", "::2", "8:1:-1", "9:2:-1")
    length = {part: len(eval(f"range(11)[{part}]")) for part in parts}
    pairs = [(a, b) for a, b in itertools.product(parts, parts) if length[a] == length[b]]
    pairs += [("::2", ":6"), (":6", "::2"), ("5:0:-1", "9:0:-2"), ("9:0:-2", "5:0:-1")]
    lines = [f"    x[{k}, {a}] = x[{k}, {b}]" for k, (a, b) in enumerate(pairs)]
    function = namespace("\n".join(["def move(x):", *lines, "    return x"]))["move"]
    plain = np.tile(np.arange(11.0), (len(pairs), 1))

    jitted = check(function, plain, backends=["numba"])
    assert_counts(jitted, hits=2)


def test_overlap_of_two_arguments() -> None:
    """Windows on one memory that come in as two arguments."""
    jitted = framejit.jit(lambda x, y: np.copyto(x, y), backend="numba")
    parts = [slice(0, 8), slice(3, 11), slice(0, 16, 2), slice(16, 0, -2), slice(12, 4, -1)]
    for part, other in itertools.product(parts, parts):
        expected, memory = np.arange(20.0), np.arange(20.0)
        np.copyto(expected[part], expected[other])
        jitted(memory[part], memory[other])
        assert memory.tolist() == expected.tolist(), (part, other)
    assert jitted.stats()["failures"] == 0
