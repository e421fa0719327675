"""Consumers use an item of an iterator before they ask for the next one, as eager does.

The generators here write into the array that they have given away, share state with the consumer
or with each other: what was drained ahead would read it too late.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import deque
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check
from yielding import running, views

X = np.array([7.0, 3.0])


LINE = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0] * 6)


TABLE = np.arange(12.0).reshape(4, 3)


def numbers(x: Any) -> Any:
    for i in range(3):
        x += i
        yield x[0]


# ---- what is added up, folded and compared -------------------------------------------------------


def added_up(x: Any) -> Any:
    return sum(running(x))


def added_to_the_same(x: Any) -> Any:
    return sum(running(x), x), sum(views(x), start=x * 2)


def multiplied(x: Any) -> Any:
    return math.prod(running(x)), math.prod(views(x), start=2.0)


def folded(x: Any) -> Any:
    first = functools.reduce(lambda a, b: a * 0.5 + b, running(x))
    return first, functools.reduce(operator.add, views(x), x)


def folded_while_it_changes(x: Any) -> Any:
    def step(a: Any, b: Any) -> Any:
        x[1] *= 2
        return a + b

    return functools.reduce(step, running(x)), x


def folded_in_place(x: Any) -> Any:
    lists = ([k, x * k] for k in range(3))
    return functools.reduce(operator.iadd, lists, [])


def mapped(x: Any) -> Any:
    def step(value: Any) -> Any:
        x[0] += 1
        return value + x

    return sum(map(step, [x, x * 2, x * 3])), sum(map(operator.add, running(x), numbers(x)))


def zipped(x: Any) -> Any:
    pairs = sum(a * b for a, b in zip(running(x), numbers(x), strict=True))
    return pairs, [a + b for a, b in zip(running(x), views(x), strict=False)], x


def over_what_grows(x: Any) -> Any:
    items = [x, x + 1]

    def step(value: Any) -> Any:
        if len(items) < 5:
            items.append(value * 2)
        return value

    return sum(map(step, items)), items


def of_attributes(x: Any) -> Any:
    holder = {"v": x}

    def given() -> Any:
        for _ in range(3):
            holder["v"] = holder["v"] + 1
            yield holder["v"]

    return sum(value * holder["v"] for value in given())


def greatest(x: Any) -> Any:
    return max(numbers(x)), min(numbers(x)), x


@pytest.mark.parametrize(
    "program",
    [
        added_up,
        added_to_the_same,
        multiplied,
        folded,
        folded_while_it_changes,
        folded_in_place,
        mapped,
        zipped,
        over_what_grows,
        of_attributes,
        greatest,
    ],
)
def test_reductions(program: Any) -> None:
    """Each item is used as it is when it comes."""
    assert_counts(check(program, X), captures=1, breaks=0)


# ---- what is kept --------------------------------------------------------------------------------


def kept(x: Any) -> Any:
    return list(running(x)), tuple(views(x)), [*running(x)], (*views(x), 1)


def copied(x: Any) -> Any:
    return np.stack([v.copy() for v in running(x)]), np.array(list(running(x))), x


def unpacked(x: Any) -> Any:
    a, b, c = running(x)
    d, *rest = running(x * 1)
    return a + 1, b, c, d, rest


def given_as_arguments(x: Any) -> Any:
    def of(*given: Any) -> Any:
        return sum(given)

    return of(*running(x)), of(*views(x), *views(x))


def extended_by_what_reads_it(x: Any) -> Any:
    items = [x]
    items.extend(x * len(items) for _ in range(3))
    items += (items[-1] * 2 for _ in range(2))
    return items


def extended_by_what_changes_it(x: Any) -> Any:
    items = [x]

    def given() -> Any:
        for k in range(3):
            items.append(x * k)
            yield x + k

    items.extend(given())
    return items


def extended_by_itself(x: Any) -> Any:
    items = [x, 1.0]
    items.extend(items)
    items += items
    items.extend(reversed(items))
    return items, x * len(items)


def pairs_of_a_dict(x: Any) -> Any:
    def given() -> Any:
        pair = [0, None]
        for k in range(3):
            pair[0], pair[1] = k, x * k
            yield pair

    return dict(given())


def updated_by_what_reads_it(x: Any) -> Any:
    known = {}

    def given() -> Any:
        for k in range(3):
            yield k, x * len(known)

    known.update(given(), last=x)
    known |= ((k, x * len(known)) for k in "ab")
    return known


@pytest.mark.parametrize(
    "program",
    [
        kept,
        copied,
        unpacked,
        given_as_arguments,
        extended_by_what_reads_it,
        extended_by_what_changes_it,
        extended_by_itself,
        pairs_of_a_dict,
        updated_by_what_reads_it,
    ],
)
def test_containers(program: Any) -> None:
    """A list or dict that is being filled is seen as it is by then."""
    assert_counts(check(program, X), captures=1, breaks=0)


# ---- what is no plain number, and what fails -----------------------------------------------------


def read_at_once(x: Any) -> Any:
    def given() -> Any:
        number = x[0, ...]
        for k in range(3):
            number[...] = k
            yield number

    return np.fromiter(given(), float), x


def read_at_once_in_a_loop(line: Any) -> Any:
    number = line[0, ...]

    def put(k: Any) -> Any:
        number[...] = k
        return number

    return np.fromiter((put(k) for k in line), float)


def rows_as_numbers(table: Any) -> Any:
    return np.fromiter(table, float)


def pairs_as_numbers(table: Any) -> Any:
    return np.fromiter(enumerate(table[0]), float)


def texts(x: Any) -> Any:
    try:
        return sum(["a", "b"], ""), x
    except TypeError as error:
        return str(error), x * 2


def fails_midway(x: Any) -> Any:
    def given() -> Any:
        for k in range(4):
            x[0] += 1
            if k == 2:
                raise ValueError(str(k))
            yield x

    items = given()
    try:
        return sum(items)
    except ValueError as error:
        return str(error), list(items), x * 2


def too_many(x: Any) -> Any:
    items = running(x)
    try:
        a, b = items
    except ValueError:
        return list(items), x
    return a, b


def does_not_fit(x: Any) -> Any:
    def given() -> Any:
        for k in range(4):
            x[0] += 1
            yield x if k < 2 else np.ones(3)

    items = given()
    try:
        return sum(items)
    except ValueError:
        return list(items), x * 2


def with_other_consumers(x: Any) -> Any:
    total = sum(itertools.chain(running(x), views(x)))
    made = list(itertools.accumulate(running(x)))
    text = "".join(str(v) for v in numbers(x))
    return total, made, text, deque(running(x)), math.fsum(numbers(x)), x


def with_keys(x: Any) -> Any:
    first = max(running(x), key=lambda v: -v[0])
    return first, sorted(running(x), key=lambda v: -v[0]), sorted(numbers(x)), x


@pytest.mark.parametrize(
    "program",
    [read_at_once, texts, fails_midway, too_many, does_not_fit, with_other_consumers, with_keys],
)
def test_what_is_not_captured(program: Any) -> None:
    """Eager does it: nothing of the iterator is used up by the attempt."""
    check(program, X)


def test_numbers_with_memory() -> None:
    """NumPy reads them one by one."""
    check(read_at_once_in_a_loop, LINE)
    check(rows_as_numbers, TABLE)
    check(pairs_as_numbers, TABLE)


# ---- loops over positions ------------------------------------------------------------------------


def test_a_namespace_without_a_name() -> None:
    """Functions made by `exec` have globals that no module names; `max` itself calls the key."""
    text = "def program(x): return max(enumerate(x), key=lambda pair: np.sum(pair)), x * 2"
    namespace: dict[str, Any] = {"np": np}
    exec(text, namespace)
    check(namespace["program"], LINE)
