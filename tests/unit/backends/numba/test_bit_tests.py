"""Branches on bits of numbers are not left to the prediction of the processor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

from framejit import jit
from framejit.backends.numba.machine_code.lowering import lowered

BITS = np.random.default_rng(3).integers(0, 2**40, 200)


def checksum(data: Any, poly: int) -> Any:
    crc = 0xFFFF
    for byte in data:
        crc ^= int(byte) & 0xFF
        for _ in range(8):
            crc = (crc >> 1) ^ poly if crc & 1 else crc >> 1
    return crc


def odd_ones(data: Any, least: int) -> Any:
    total = 0
    for number in data:
        if number % 2 == 1 and number > least:
            total += 1
        else:
            total -= 3
    return total


def steps_to_one(data: Any, most: int) -> Any:
    steps = 0
    for number in data:
        k = int(number) & 0xFFFF
        while k > 1 and steps < most:
            k = 3 * k + 1 if k % 2 else k // 2
            steps += 1
    return steps


def largest(data: Any, least: int) -> Any:
    for number in data:
        if number > least:
            least = int(number)
    return least


@pytest.mark.parametrize("program", [checksum, odd_ones, steps_to_one, largest])
def test_the_answers_are_eagers(program: Any) -> None:
    check(program, BITS, 9)
    check(program, BITS[:0], 9)
    check(program, -BITS, 9)


@pytest.mark.parametrize(
    ("program", "asks"), [(checksum, True), (steps_to_one, True), (largest, False)]
)
def test_conditions_on_bits_are_told(program: Any, asks: bool) -> None:
    jitted = jit(program)
    jitted(BITS, 9)
    assert ("unpredictable(" in jitted.inspect("numba")) == asks


@pytest.mark.parametrize("hint", ["unpredictable(w[1] & 1 != 0)", "w[1] & 1 != 0"])
def test_llvm_hears_of_it(hint: str) -> None:
    """Selects that it makes of such branches stay selects in loops."""
    text = f"""
def kernel(w):
    crc = w[0]
    for i in range(w[2]):
        if {hint.replace("w[1]", "crc")}:
            crc = crc >> 1 ^ w[1]
        else:
            crc = crc >> 1
    return crc
"""
    assert ("!unpredictable" in str(lowered(text).module)) == hint.startswith("unpredictable")
