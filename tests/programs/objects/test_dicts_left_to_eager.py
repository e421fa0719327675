"""Dicts of run-time keys that stop the capture or bail: missing keys, keys of other kinds."""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np
import pytest
from oracle import check

RNG = np.random.default_rng(0)


X = RNG.normal(size=40)


def a_missing_key(x: Any) -> Any:
    y = x * 2
    last: dict[int, int] = {}
    for k in range(len(x)):
        last[k * 3 % 7] = k
    try:
        for k in range(9):
            y[k] += last[k]
    except KeyError as error:
        return y, last, error.args
    return None


def counted_by_exceptions(x: Any) -> Any:
    count: dict[int, int] = {}
    for v in x:
        try:
            count[int(v * 2)] += 1
        except KeyError:
            count[int(v * 2)] = 1
    return count


def an_exception_half_way(x: Any) -> Any:
    y = x.copy()
    quotients: dict[int, int] = {}
    try:
        for k in range(-5, 5):
            quotients[k] = 100 // k
            y[k] = k
    except ZeroDivisionError:
        return y, quotients
    return None


def keys_of_both_kinds(x: Any) -> Any:
    count: dict[Any, int] = {}
    for k in range(len(x)):
        count[k % 5] = k
        count[np.int64(k % 7)] = k
    return count, 3 in count, 3.0 in count, "a" in count, (3,) in count, True in count


def looked_up_in_other_ways(x: Any) -> Any:
    count: dict[Any, int] = {}
    for k in range(len(x)):
        count[k * k % 11] = k
    found = [count.get(np.int64(k)) for k in range(12)]
    return found, count.get(2.0), count.get("a"), count.get(None, 7), np.int64(4) in count


def keys_of_other_kinds(x: Any) -> Any:
    names: dict[Any, Any] = {}
    numbers: dict[Any, Any] = {}
    mixed: dict[Any, Any] = {"n": 0}
    for k in range(len(x)):
        names["a" if x[k] > 0 else "b"] = k
        numbers[x[k] * 2] = k
        mixed[k] = k
        mixed["n"] += 1
        mixed[k > 3] = k
    return names, numbers, mixed


def changed_in_other_ways(x: Any) -> Any:
    y = x * 2
    held = {}
    for k in range(len(x)):
        held[k * 7 % 13] = k
    del held[3]
    one = held.pop(5)
    none = held.pop(77, None)
    last = held.popitem()
    held.update({4: 5, 99: 1})
    copied = held.copy()
    held |= {1: 0}
    both = held | copied
    same = held == copied, held == both
    copied.clear()
    return held, one, none, last, copied, both, same, y


def changed_while_gone_through(x: Any) -> Any:
    held = {}
    for k in range(len(x)):
        held[k % 5] = k
    try:
        for k in held:
            held[k + 100] = 0
    except RuntimeError as error:
        return held, error.args, x * 2
    return None


def grown_after_the_iterator_was_made(x: Any) -> Any:
    held = {}
    for k in range(len(x)):
        held[k % 5] = k
    iterator = iter(held)
    numbered = enumerate(held.items())
    for _ in range(3):
        for k in zip(held, held.values(), strict=True):
            x[0] += k[0]
    for k in range(len(x)):
        held[k % 7] = k
    try:
        for k in iterator:
            held[k] = -1
    except RuntimeError as error:
        return held, error.args, list(held)
    return list(numbered)


def shown_on_the_way(x: Any) -> Any:
    held: dict[int, Any] = {}
    for k in range(len(x)):
        held[k % 5] = x[k]
        if k == 7:
            print(held)
    return held, list(held.values()), list(held.items()), dict(held), tuple(held)


def reached_by_two_names(x: Any) -> Any:
    held: dict[int, int] = {}
    other = held
    both = [held, (other, 1)]
    for k in range(len(x)):
        held[k % 5] = k
        other[k % 3] = -k
    return held, other, both, other is held, held.items(), held.keys()


def values_are_objects(x: Any) -> Any:
    held: dict[int, Any] = {}
    best = x[0]
    for k in range(len(x)):
        held[k % 5] = x[k]
        if x[k] > best:
            best = x[k]
            held[7] = best
            held[k % 2 + 8] = best
    return held, best, held[7] is best, held[7] is held[8]


def values_of_other_kinds(x: Any) -> Any:
    rows: dict[int, Any] = {}
    lists: dict[int, Any] = {}
    mixed: dict[int, Any] = {}
    pairs: dict[int, Any] = {}
    for k in range(len(x)):
        rows[k % 3] = x[k : k + 2] * 2
        lists.setdefault(k % 3, []).append(x[k])
        mixed[k % 4] = None if x[k] > 1 else k if x[k] > 0 else x[k]
        pairs[k % 5] = (k, x[k])
    return rows, lists, mixed, pairs


def large_keys(x: Any) -> Any:
    held = {1: 0}
    for k in range(len(x)):
        held[2**62 + k] = k
        held[-(2**63) + k] = k
        held[-1] = k
        held[-2] = k
    held[3**k] = 5
    return held, 2**64 in held, x * 2


def both_from_branches(x: Any) -> Any:
    held: dict[int, int] = {}
    if x[0] > 0:
        held = {5: 1}
    for k in range(len(x)):
        held[k % 4] = held.get(k % 4, 0) + k
    return held


def matched_and_unpacked(x: Any) -> Any:
    held = {1: 2}
    for k in range(len(x)):
        held[k % 4] = k
    first, *rest = held
    match held:
        case {1: one}:
            rest.append(one)
    return first, rest, [*held], {**held}, any(held), sum(held), bool(held), max(held, key=held.get)


@pytest.mark.parametrize(
    "program",
    [
        a_missing_key,
        an_exception_half_way,
        both_from_branches,
        changed_in_other_ways,
        changed_while_gone_through,
        counted_by_exceptions,
        grown_after_the_iterator_was_made,
        keys_of_both_kinds,
        keys_of_other_kinds,
        large_keys,
        looked_up_in_other_ways,
        matched_and_unpacked,
        reached_by_two_names,
        shown_on_the_way,
        values_are_objects,
        values_of_other_kinds,
    ],
)
def test_what_else_dicts_do_is_as_in_eager(program: Any) -> None:
    check(program, X)


def test_a_capture_that_does_not_settle_ends() -> None:
    """The greatest key is a tuple that the dict holds, too: captures began anew for ten seconds."""

    def program(x: Any) -> Any:
        kept = x + 1
        count: dict[Any, int] = {}
        for n in range(9):
            count[n % 3, n % 2] = count.get((n % 2, 1), 0) + 1
        best = max(count, key=count.get)  # type: ignore[arg-type]
        x[0] = n
        return kept, best, count

    begun = process_time()
    check(program, X, backends=["numpy"])

    assert process_time() - begun < 8
