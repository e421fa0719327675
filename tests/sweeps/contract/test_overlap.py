"""Writes into memory that is read by the same statement, and by others through windows on it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from contract import BOTH, compare, given, table

PARTS = ("1:", "2:", ":-1", ":-2", "::2", "1::2", "::3", ":4", "::-1", "-2::-2", "8:1:-1", ":5:-2")
LENGTHS = {part: len(eval(f"range(11)[{part}]")) for part in PARTS}
PAIRS = [(a, b) for a in PARTS for b in PARTS if LENGTHS[a] == LENGTHS[b]]
PAIRS += [("::2", ":6"), (":6", "::2"), ("5:0:-1", "9:0:-2"), ("9:0:-2", "5:0:-1"), ("1:", "3:4")]
LINE = [f"x[{a}] {sign}= x[{b}]" for sign in ("", "+", "*", "-") for a, b in PAIRS]
TABLE = table("""
x[1:] = x[:-1]  x[:, 1:] += x[:, :-1]  x[::-1] = x  x[:, ::-1] += x  x[:3, :3] = x[:3, :3].T
x[:3, :3] += x[:3, :3].T  x[:3, 1:] -= x[:3, :3].T  x.T[1:] = x.T[:-1]  x[0] = x[1]
x[:, 0] = x[0, :3]
x[0], x[1] = x[1], x[0]  x[...] = x[0]  x[...] = x[:, :1]  x += x[0]  x -= x[:, 1:2]  x *= x
x[1:, 1:] = x[:-1, :-1]  x[:-1, :-1] += x[1:, 1:]  np.add(x[1:], x[:-1], out=x[1:])
np.add(x, x[::-1], out=x)  np.copyto(x[1:], x[:-1])  np.subtract(x.T[:3], x[:, :3], out=x.T[:3])
np.multiply(x, x[::-1, ::-1], out=x)  np.cumsum(x, axis=0, out=x)  np.sqrt(x[1:], out=x[:-1])
np.maximum(x[:, 1:], x[:, :-1], out=x[:, 1:])  y = x[1:]; x += 1; y *= 2; x[0] = y[0]
y = x.T; y[0] = 5; x[0] += y[:, 0][:4].sum()  y = x[:, 1]; x[:, 0] = y; y += x[:, 0]
y = x.reshape(-1); y[1:] = y[:-1]; x[0] += y[5]  y = x[::2]; y[...] = y[::-1]; x += x[1]
""")
TWO = table("""
x[...] = y  y[...] = x  x += y  y *= x  x[1:] = y[:-1]  x[:] = y[::-1]  np.add(x, y, out=x)
np.copyto(y, x)  x -= x[0] + y  np.multiply(x, y, out=y)  x[0] = 1; y[0] += x[0]; x[1] = y[1] * 2
""")
WINDOWS = ("0:8", "3:11", "0:16:2", "1:17:2", "16:0:-2", "12:4:-1", "8:16")


@pytest.mark.parametrize("k", range(3))
def test_one_axis(k: int) -> None:
    """Windows on one array, in steps of every kind."""
    x = (np.arange(1.0, 12), np.arange(22, dtype="i2")[::-2], np.arange(11) * 1j)[k]
    compare(LINE[k::3], [given(str(k), x=x)])


def test_two_axes() -> None:
    """A value in another order of memory than its target, too."""
    x = np.arange(1.0, 13).reshape(3, 4)
    compare(TABLE[::3], [given("C", x=x)], backends=BOTH)
    compare(TABLE, [given("C", x=x), given("F", x=np.asfortranarray(x))])
    compare(TABLE[1::2], [given("back", x=x[::-1, ::-1])])


def test_two_arguments() -> None:
    """Arguments that are windows on one memory, as the caller has it."""
    memory = np.arange(1.0, 21)
    pairs = itertools.product(WINDOWS, WINDOWS)
    cases = [
        given(f"{a} and {b}", x=eval(f"m[{a}]", {"m": memory}), y=eval(f"m[{b}]", {"m": memory}))
        for a, b in pairs
    ]
    compare(TWO, cases[::3])
    compare(TWO, [cases[16]], backends=BOTH)
