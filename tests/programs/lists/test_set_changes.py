"""Sets of ints that lose items, or are changed by others: `discard`, `remove`, `|=`, `&=`, `^=`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
RNG = np.random.default_rng(0)
FEW = RNG.integers(-6, 6, 40)
MANY = RNG.integers(-(2**62), 2**62, 300)
FAR_APART = np.arange(200) * 2**40
X = RNG.normal(size=12)


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,))
def window(x: Any) -> Any:
    """Lengths of the runs without a repeated number."""
    held: set[int] = set()
    begin, longest = 0, 0
    for k in range(len(x)):
        v = int(x[k])
        while v in held:
            held.discard(int(x[begin]))
            begin += 1
        held.add(v)
        longest = max(longest, len(held))
    return longest


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,))
def left_over(x: Any) -> Any:
    """Numbers that come an odd number of times, in the order of eager's set."""
    odd: set[int] = set()
    for v in x.tolist():
        if v in odd:
            odd.remove(v)
        else:
            odd.add(v)
    return odd, len(odd), bool(odd)


@PROGRAMS.runs((20,), (7,))
def flooded(n: int) -> Any:
    """Cells that are reached from the first one, without those that are taken away again."""
    board = np.zeros((n, n))
    edge = {(0, 0)}
    seen = {(0, 0)}
    for k in range(3 * n):
        cell = (k % n, k * k % n)
        edge.discard((cell[1], cell[0]))
        if cell not in seen:
            seen.add(cell)
            edge.add(cell)
            board[cell] += len(edge)
    return board, edge, len(seen)


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,))
def removed_in_a_second_loop(x: Any) -> Any:
    seen = set()
    for v in x:
        seen.add(int(v))
    full = len(seen)
    for k in range(0, len(x), 3):
        seen.discard(int(x[k]))
    return full, seen, sorted(seen), 3 in seen


@PROGRAMS.runs((FEW, FEW[:5]), (MANY, MANY[::2]), (FAR_APART, FAR_APART[::3]))
def merged(x: Any, y: Any) -> Any:
    one, other = set(), set()
    for v in x:
        one.add(int(v))
    for v in y:
        other.add(int(v) // 2)
    more = one
    one |= other
    one.discard(int(x[0]))
    return one, other, more is one, len(more)


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,))
def merged_one_by_one(x: Any) -> Any:
    seen: set[int] = set()
    for v in x.tolist():
        seen |= {v // 3}
        seen -= {v}
    return seen, len(seen)


@PROGRAMS.runs((FEW, FEW[:5]), (MANY, MANY[::2]), (FAR_APART, FAR_APART[::3]))
def subtracted(x: Any, y: Any) -> Any:
    one, other = set(x.tolist()), set(y.tolist())
    one -= other
    one.update(other)
    one.difference_update({int(x[0]), int(x[1])})
    copy = set(other)
    return one, copy, one & other, one - copy


@PROGRAMS.runs((FEW, FEW[:5]), (MANY, MANY[::2]), (FAR_APART, FAR_APART[::3]), (FEW, FEW[:0]))
def kept(x: Any, y: Any) -> Any:
    one, other = set(x.tolist()), set(y.tolist())
    one &= other
    count = len(one)
    other.intersection_update({int(x[0]), int(x[1]), 3})
    one.add(70)
    return one, other, count


@PROGRAMS.runs((FEW, FEW[:5]), (MANY, MANY[::2]), (FAR_APART, FAR_APART[::3]), (FEW, FEW[:0]))
def toggled(x: Any, y: Any) -> Any:
    one, other = set(x.tolist()), set(y.tolist())
    between = one ^ other
    one ^= other
    same = one == between
    other.symmetric_difference_update({int(x[0]), 3})
    one.add(70)
    return one, other, between, same, len(one)


@PROGRAMS.runs((FEW,), (MANY,))
def copied(x: Any) -> Any:
    seen = set(x.tolist())
    more = seen.copy()
    more.add(70)
    return seen, more, len(more)


@PROGRAMS.runs((6,), (15,))
def lights_out(n: int) -> Any:
    """Lamps that are on after each cell of a diagonal was pressed."""
    lit: set[tuple[int, int]] = set()
    for k in range(2 * n):
        row, column = k % n, 3 * k % n
        lit ^= {(row, column), (row + 1, column), (row - 1, column), (row, column + 1)}
    return len(lit), sum(row * column for row, column in sorted(lit))


@PROGRAMS.runs((FEW,), (MANY,), (FAR_APART,))
def candidates(x: Any) -> Any:
    """Numbers that are in each of several windows."""
    common = set(x[:20].tolist())
    for k in range(4):
        common &= set(x[k : k + 20].tolist())
    return common, len(common)


@PROGRAMS.runs((FEW, {1, 2, 50}), (MANY, {1}), (FAR_APART, set(range(100))), (FEW, set()))
def removed_from_outside(x: Any, held: set[int]) -> Any:
    for v in x.tolist():
        held.add(v)
        held.discard(v - 1)
        held.discard(v + 50)
    return len(held)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_sets_that_change_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


@pytest.mark.parametrize("x", [FEW, MANY, FAR_APART, np.arange(60) % 32 * 8])
@pytest.mark.parametrize(
    "program", [left_over, removed_in_a_second_loop, merged_one_by_one, flooded, candidates]
)
def test_the_order_is_that_of_eager(program: Any, x: Any) -> None:
    """Empty places that removed items leave decide where later ones go."""
    check(program, 9 if program is flooded else x, use=_in_order)


@pytest.mark.parametrize("program", [merged, subtracted, kept, toggled])
@pytest.mark.parametrize("step", [1, 2, 7])
def test_the_order_of_two_sets_is_that_of_eager(program: Any, step: int) -> None:
    check(program, FAR_APART, FAR_APART[::step] + step, use=_in_order)


def _in_order(result: Any) -> Any:
    return [list(one) if isinstance(one, set) else one for one in result]


def in_order(x: Any, held: set[int]) -> Any:
    return removed_from_outside(x, held), list(held)


def missing(x: Any) -> Any:
    seen = {1, 2}
    found = []
    for k in range(len(x)):
        try:
            seen.remove(k)
        except KeyError as error:
            found.append(error.args)
    return seen, found, x * 2


def missing_at_the_end(x: Any) -> Any:
    seen = set(range(len(x)))
    for k in range(len(x) + 1):
        x[min(k, 3)] += 1
        seen.remove(k)
    return seen


def the_very_tuples(x: Any) -> Any:
    seen = set()
    for k in range(len(x)):
        seen.add((k % 5, k % 3))
        seen.discard((k % 2, k % 3))
    ordered = sorted(seen)
    return seen, ordered, [one is other for one in seen for other in ordered if one == other]


def with_itself(x: Any) -> Any:
    seen: set[int] = set()
    for k in range(len(x)):
        seen.add(k * 7 % 5)
    seen |= seen
    count = len(seen)
    seen.update(seen)
    seen -= seen
    return seen, count, x * 2


def very_tuples_of_two(x: Any) -> Any:
    """The sizes of two sets decide from which of them an equal tuple stays."""
    one, other = set(), set()
    listed = []
    for k in range(len(x)):
        cell = (k % 5, k % 3)
        one.add(cell)
        listed.append(cell)
        other.add((k % 4, k % 2))
        if k % 3 == 0:
            other.add(cell)
    one &= other
    other ^= {listed[0], (9, 9)}
    same = [each is cell for each in one for cell in listed]
    return one, other, same, [each is cell for each in other for cell in sorted(one)]


def kept_with_itself(x: Any) -> Any:
    seen = set()
    for k in range(len(x)):
        seen.add(k * 7 % 5)
    seen &= seen
    count = len(seen)
    seen ^= seen
    return seen, count, x * 2


def of_what_is_no_set(x: Any) -> Any:
    seen = set()
    for k in range(len(x)):
        seen.add(k % 5)
    seen.intersection_update([1, 2, 3, 3])
    seen.symmetric_difference_update([3, 4])
    try:
        seen &= [1]  # type: ignore[arg-type]
    except TypeError as error:
        return seen, str(error)
    return None


def of_other_kinds(x: Any) -> Any:
    seen: set[Any] = set()
    for k in range(len(x)):
        seen.add(k)
        seen.discard(np.int64(k // 2))
        seen.discard(k / 2)
        seen.discard("a")
        seen.discard((k, 1))
    return seen, x * 2


def of_sets_with_a_past(x: Any) -> Any:
    one, other = set(), set()
    for k in range(len(x)):
        one.add(k * 37 % 101)
        other.add(k * 31 % 103)
        other.discard(k)
    one |= other
    other -= one
    more = one | other
    one.update(more)
    return list(one), list(other), list(more), x * 2


def of_branches(x: Any) -> Any:
    seen = {3, 5, 7}
    if x[0] > 0:
        seen.discard(5)
    else:
        seen.add(8)
    if x[1] > 0:
        seen |= {9, 5}
    return list(seen), len(seen), x * 2


def left_early(x: Any) -> Any:
    seen = set()
    for k in range(len(x)):
        seen.add(k % 5)
        seen.discard(k % 3)
        if x[k] > 1:
            return list(seen), k
    return list(seen), None


def shown_on_the_way(x: Any) -> Any:
    seen = set()
    for k in range(len(x)):
        seen.add(k % 5)
        seen.discard(k % 3)
        if k == 7:
            print(list(seen))
    return list(seen)


def held_twice(x: Any) -> Any:
    seen = set()
    pair = [seen, seen]
    for k in range(len(x)):
        pair[k % 2].add(k)
        pair[1 - k % 2].discard(k - 3)
    return pair, pair[0] is seen, list(seen)


@pytest.mark.parametrize(
    "program",
    [
        missing,
        missing_at_the_end,
        the_very_tuples,
        with_itself,
        very_tuples_of_two,
        kept_with_itself,
        of_what_is_no_set,
        of_other_kinds,
        of_sets_with_a_past,
        of_branches,
        left_early,
        shown_on_the_way,
        held_twice,
    ],
)
def test_what_else_is_done_is_as_in_eager(program: Any) -> None:
    check(program, X)
    check(program, -X)


@pytest.mark.parametrize("held", [{100}, {1, 2, 3}, set(), {1.5}, {"a", 2}, {(1, 2)}])
@pytest.mark.parametrize("x", [FEW, MANY, FAR_APART])
def test_sets_from_outside_are_gone_through_as_in_eager(x: Any, held: set[Any]) -> None:
    check(in_order, x, held)
