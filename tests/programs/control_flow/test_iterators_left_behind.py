"""The rest of an iterator, and its other owners, after a consumer or a loop has stopped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from yielding import running, views

X = np.array([7.0, 3.0])


LINE = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0] * 6)


# ---- what is left of the iterator ----------------------------------------------------------------


def found_early(x: Any) -> Any:
    items = iter([1, 2, 3])
    found = 2 in items
    return found, list(items), x * 2


def found_in_a_generator(x: Any) -> Any:
    def given() -> Any:
        for k in range(4):
            x[0] += 1
            yield k

    return 1 in given(), 7 not in given(), x


def shared(x: Any) -> Any:
    items = iter([x, x * 2, x * 3, x * 4])
    return [a - b for a, b in zip(items, items, strict=True)]


def shorter(x: Any) -> Any:
    one, other = running(x), views(x)
    made = [u + v for u, v in zip(one, other, strict=False)]
    return made, list(one), list(other), x


def who_is_asked_when(x: Any) -> Any:
    asked = []

    def given(n: int) -> Any:
        for k in range(n):
            asked.append((n, k))
            yield x * k

    made = [a + b for a, b in zip(given(2), given(3), strict=False)]
    more = [a + b for a, b in zip(given(3), given(2), strict=False)]
    return made, more, asked


def two_that_share(x: Any) -> Any:
    def given(step: float) -> Any:
        nonlocal x
        for _ in range(3):
            x = x + step
            yield x * step

    return sum(u - v for u, v in zip(given(1), given(2), strict=True)), x


@pytest.mark.parametrize(
    "program",
    [found_early, found_in_a_generator, shared, shorter, who_is_asked_when, two_that_share],
)
def test_what_is_left(program: Any) -> None:
    """Nobody is asked for more than eager asks for."""
    assert_counts(check(program, X), captures=1, breaks=0)


def reversed_ranges(x: Any, n: int) -> Any:
    backward = reversed(range(n))
    total = 0.0
    for k in backward:
        total += x[k]
        if k == n - 2:
            break
    rest = 0.0
    for k in backward:
        rest += x[k]
    return total, rest


def reversed_ranges_twice(x: Any, n: int) -> Any:
    backward, known = reversed(range(n)), reversed(range(1, 9, 3))
    return sum(backward), sum(backward), list(known), list(known), x * 2


def reversed_range_once(x: Any, n: int) -> Any:
    total = 0.0
    for k in reversed(range(n)):
        total = total * 0.5 + x[k]
    for k in reversed(range(0, 40, 3)):
        total = total * 0.5 + x[k]
    return total


@pytest.mark.parametrize("n", [5, 40])
def test_reversed_ranges(n: int) -> None:
    """The iterator of a range goes on for whoever holds it."""
    check(reversed_ranges, LINE, n)
    check(reversed_ranges_twice, LINE, n)
    assert_counts(check(reversed_range_once, LINE, n), captures=1, breaks=0)


def values_replaced(x: Any, known: Any) -> Any:
    for key, value in known.items():
        known[key] = value + x
    total = x * 0
    for value in known.values():
        known["b"] = value * 5
        total = total + value
    return total


def keys_come_again(x: Any, known: Any) -> Any:
    try:
        for key in known:
            known[key] = known.pop(key) + 1
    except RuntimeError as error:
        return str(error)
    return x * 2


def grown_meanwhile(x: Any, known: Any) -> Any:
    try:
        known.update((key + "+", value * 2) for key, value in known.items())
    except RuntimeError as error:
        return str(error), x * 2
    return x


def an_iterator_over_another_dict(x: Any, known: Any) -> Any:
    keys = iter(known)
    known["c"] = 5.0
    return keys, x * 2


def test_dicts() -> None:
    """Their values may change below an iterator, their keys may not."""
    known = {"a": 1.0, "b": 2.0}
    assert_counts(check(values_replaced, X, known), captures=1, breaks=0)
    for program in (keys_come_again, grown_meanwhile):
        check(program, X, known)
        check(program, X, {"a": 1.0})

    def use(made: Any) -> Any:
        try:
            return list(made[0])
        except RuntimeError as error:
            return str(error)

    check(an_iterator_over_another_dict, X, known, use=use)


# ---- loops over positions ------------------------------------------------------------------------


def writes_ahead(line: Any) -> Any:
    def step(k: Any) -> Any:
        line[k + 1] += line[k]
        return line[k]

    return sum(step(k) for k in range(len(line) - 1)), line


def writes_behind(line: Any) -> Any:
    def step(value: Any) -> Any:
        line[-1] += value
        return value

    return max(map(step, line)), sum(step(value) for value in line), line


def changes_a_variable(line: Any) -> Any:
    factor = 1.0

    def step(value: Any) -> Any:
        nonlocal factor
        factor = factor + value
        return value * factor

    return sum(step(value) for value in line), factor


def rows_that_are_written_to(line: Any) -> Any:
    table = line.reshape(8, 6)

    def step(row: Any) -> Any:
        table[-1] += row
        return row

    return sum(step(row) for row in table), list(step(row) for row in table), table  # noqa: C400


@pytest.mark.parametrize(
    "program", [writes_ahead, writes_behind, changes_a_variable, rows_that_are_written_to]
)
def test_regions(program: Any) -> None:
    """The iterations of a region do the same."""
    assert_counts(check(program, LINE), captures=1, breaks=0)


def held_in_a_list(line: Any) -> Any:
    held = [iter(line)]
    return sum(v for v in held[0]), list(held[0])


def held_by_a_closure(line: Any) -> Any:
    items = iter(line)

    def total() -> Any:
        return sum(v for v in items)

    return total(), total()


def held_by_the_caller(line: Any) -> Any:
    def total(items: Any) -> Any:
        return sum(v for v in items)

    items = iter(line)
    return total(items), total(items)


def one_too_many_is_taken(line: Any) -> Any:
    items = iter(line)
    made = [u + v for u, v in zip(items, range(3), strict=False)]
    return made, next(items)


@pytest.mark.parametrize(
    "program", [held_in_a_list, held_by_a_closure, held_by_the_caller, one_too_many_is_taken]
)
def test_iterators_that_others_hold(program: Any) -> None:
    """A loop over positions leaves them where eager does."""
    check(program, LINE)
