"""Lists from outside of few items, whose loops are unrolled unless that would be too long."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check
from whole import Programs, check_whole

from framejit import explain, jit

PROGRAMS = Programs()
RNG = np.random.default_rng(5)
CELLS = [(int(i), int(j)) for i, j in RNG.integers(0, 6, (24, 2))]
STEPS = ((0, 1), (1, 0))


@PROGRAMS.runs((CELLS,), ([*CELLS, *CELLS[:8]],))
def numbered(cells: list[tuple[int, int]]) -> Any:
    number = {cell: k for k, cell in enumerate(cells)}
    return number, len(number)


@PROGRAMS.runs((CELLS,))
def neighbours(cells: list[tuple[int, int]]) -> Any:
    number = {cell: k for k, cell in enumerate(cells)}
    found = 0
    for k, (i, j) in enumerate(cells):
        for di, dj in STEPS:
            if (i + di, j + dj) in number:
                found += k * number[i + di, j + dj]
    return found


@PROGRAMS.runs((CELLS, CELLS[::-1]), ([(3, 1)] * 30, CELLS))
def first_seen(cells: list[tuple[int, int]], others: list[tuple[int, int]]) -> Any:
    seen = set()
    new = 0
    for k, (one, other) in enumerate(zip(cells, others, strict=False)):
        if one not in seen:
            seen.add(one)
            new += k
        if other in seen:
            new -= 1
    return new, len(seen)


@PROGRAMS.runs((tuple(CELLS),), ((*CELLS, *CELLS[:6]),), (((3, 1),) * 30,))
def of_a_tuple(cells: tuple[tuple[int, int], ...]) -> Any:
    number = {cell: k for k, cell in enumerate(cells)}
    found = 0
    for i, j in cells:
        found += number.get((i + 1, j), 0) * 7 + number[i, j]
    return len(number), found


@PROGRAMS.runs((tuple(CELLS), 1), ((*CELLS, *CELLS[:6]), 2))
def sums_of_a_tuple(cells: tuple[tuple[int, int], ...], step: int) -> Any:
    seen = set()
    for i, j in cells:
        for k, m in cells:
            seen.add((i + k, j + m * step))
    return len(seen), sorted(seen)[:3]


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_tuples_that_are_keys_are_read_in_a_loop(program: Any, args: Any) -> None:
    """Each look-up is a hundred operations: unrolled, they were captured in vain for seconds."""
    check_whole(program, args)


def with_the_very_keys(cells: tuple[tuple[int, int], ...]) -> Any:
    number = {cell: k for k, cell in enumerate(cells)}
    return number, [one is other for one, other in zip(number, cells, strict=False)]


def of_two_lengths(cells: tuple[tuple[int, ...], ...]) -> Any:
    return {cell[:2]: k for k, cell in enumerate(cells)}


def of_two_kinds(cells: list[tuple[Any, int]], x: Any) -> Any:
    number = {}
    y = x * 2
    for k, cell in enumerate(cells):
        number[cell] = k
    return number, y


def test_items_that_cannot_be_handed_over() -> None:
    """Tuples of several lengths: unrolling the loop stops as soon as its size is foreseen."""
    check(with_the_very_keys, tuple(CELLS))
    cells = tuple((*cell, 0)[: 2 + k % 2] for k, cell in enumerate(CELLS))
    jitted = jit(of_two_lengths, backend="numpy", compile="now")

    check(of_two_lengths, cells)
    report = explain(jitted)(cells)

    codes = {one.code for one in report.breaks}
    # From 3.12 on the comprehension is part of the function, and its dict one that lives on.
    possible = {"FJ403"} if sys.version_info < (3, 12) else {"FJ403", "FJ303"}
    assert_normally(bool(codes) and codes <= possible)


def test_items_of_several_kinds() -> None:
    mixed = [(cell[0] if k % 2 else str(cell[0]), cell[1]) for k, cell in enumerate(CELLS)]

    check(of_two_kinds, mixed, np.arange(4.0))


def test_other_lengths_and_kinds_at_later_calls() -> None:
    jitted = jit(numbered, compile="now")
    texts = [(str(i), j) for i, j in CELLS]

    for cells in (CELLS, CELLS[:3], [], texts, [(2**70, 1)], [(1, 2, 3)] * 9, CELLS * 20, CELLS):
        assert jitted(cells) == numbered(cells)
