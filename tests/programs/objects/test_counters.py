"""`Counter` and `defaultdict` of `collections` that the function makes, with keys of ints."""

from __future__ import annotations

import collections
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Programs, check_whole

PROGRAMS = Programs()
RNG = np.random.default_rng(0)
FEW = RNG.integers(-6, 6, 40)
MANY = RNG.integers(-(2**62), 2**62, 300)
X = RNG.normal(size=40)


@PROGRAMS.runs((FEW,), (MANY,))
def counted(x: Any) -> Any:
    count = Counter(x.tolist())
    total = 0
    for k, c in count.items():
        total += k % 7 * c
    return total, count, count.most_common(3), count.most_common(1), len(count), count[77]


@PROGRAMS.runs((FEW,), (MANY,))
def counted_one_by_one(x: Any) -> Any:
    count: Counter[int] = Counter()
    for v in x:
        count[int(v) % 10] += 1
    return count, 3 in count, count.get(4), count.get(99, -1), sorted(count), count.most_common()


@PROGRAMS.runs((FEW,), (FEW[:0],))
def of_missing_ints(x: Any) -> Any:
    count: defaultdict[int, int] = defaultdict(int)
    for v in x:
        count[int(v)] += 1
    return count


@PROGRAMS.runs(
    (FEW, X),
)
def of_missing_floats(keys: Any, x: Any) -> Any:
    sums: defaultdict[int, float] = collections.defaultdict(float)
    pairs: defaultdict[tuple[int, int], float] = collections.defaultdict(float)
    for k in range(len(keys)):
        sums[int(keys[k])] += float(x[k])
        pairs[int(keys[k]), k % 2] += float(x[k])
    largest = max(sums.values())
    return len(pairs), largest + 1, pairs[-100, 0], {k: v / 2 for k, v in sums.items()}


@PROGRAMS.runs((FEW,))
def of_a_constant(x: Any) -> Any:
    last: defaultdict[int, int] = defaultdict(lambda: -1)
    gaps = np.zeros(len(x), dtype=int)
    for k in range(len(x)):
        v = int(x[k])
        gaps[k] = k - last[v]
        last[v] = k
    return gaps, len(last)


@PROGRAMS.runs((FEW,), (MANY,))
def of_a_generator_that_reads_it(x: Any) -> Any:
    count: Counter[int] = Counter()
    for v in x:
        count[int(v)] += 1
    count.update(int(v) + count[1] for v in x)
    count.update(len(count) for _ in x)
    return count


@PROGRAMS.runs((FEW,))
def of_a_generator(x: Any) -> Any:
    count = Counter(int(v) // 2 for v in x)
    count.update(int(v) % 5 for v in x)
    return count, max(count.values()), sum(count.values()), max(count, key=count.get)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_counters_are_captured_whole(program: Any, args: Any) -> None:
    check_whole(program, args)


def of_other_things(x: Any) -> Any:
    y = x * 2
    lists: defaultdict[int, list[Any]] = defaultdict(list)
    nothing: defaultdict[int, Any] = defaultdict(None, {1: 2})
    for k in range(len(x)):
        lists[k % 3].append(x[k])
    words = Counter(["a", "b", "a", "c"])
    mixed = Counter([1, 1.0, True, "a", None])
    mixed[2] += 1
    return lists, nothing, words, mixed, Counter(a=3), Counter({1: 2}), Counter({1, 2}), y


def keys_of_both_kinds(x: Any) -> Any:
    count: Any = Counter()
    for k in range(len(x)):
        count[k % 5] += 1
        count[np.int64(k % 7)] += 1
    return count, count[3.0], count["a"], count[np.int64(4)]


def made_by_reading(x: Any) -> Any:
    held: defaultdict[int, int] = defaultdict(int)
    counts: Counter[int] = Counter()
    for k in range(len(x)):
        held[k % 4] + counts[k % 5]
    return held, counts, held.default_factory, 9 in held, held[9], 9 in held


def changed_while_gone_through(x: Any) -> Any:
    held: defaultdict[int, int] = defaultdict(int)
    for k in range(len(x)):
        held[k % 4] += k
    try:
        for k in held:
            held[k] += held[k + 1]
    except RuntimeError as error:
        return held, error.args, x * 2
    return held


def done_otherwise(x: Any) -> Any:
    one, other = Counter([1, 2, 2]), Counter()
    for k in range(len(x)):
        other[k % 3] += 1
    del other[0]
    one.subtract(other)
    both = one + other, one - other, one & other, one | other, one == other
    held: defaultdict[int, int] = defaultdict(int)
    for k in range(len(x)):
        held[k % 3] += 1
    held.pop(1)
    held.setdefault(7, 8)
    held.default_factory = None
    try:
        held[100]
    except KeyError:
        return one, other, both, list(other.elements()), held, held | {1: 2}, x * 2
    return None


def which_object_a_value_is(x: Any) -> Any:
    sums: defaultdict[int, Any] = defaultdict(float)
    for k in range(len(x)):
        sums[k % 5] += float(x[k])
        sums[7]
        sums[9]
    best = sums[3]
    return sums, best, sums[3] is best, sums[7] is sums[9], sums[7] is sums[7]


def of_which_class(x: Any) -> Any:
    count, held = Counter([1, 2]), defaultdict(int)
    for k in range(len(x)):
        count[k] += 1
        held[k] += 1
    kinds = isinstance(count, dict), isinstance(held, dict), type(count) is Counter
    return kinds, type(held) is defaultdict, hasattr(count, "most_common"), repr(held), x * 2


def grown_after_the_iterator_was_made(x: Any) -> Any:
    count: Counter[int] = Counter()
    for k in range(len(x)):
        count[k % 5] += 1
    numbered = enumerate(count)
    left = iter(count)
    for k in range(len(x)):
        count[k % 7] += 1
    try:
        for k, v in numbered:
            x[k] += v
    except RuntimeError as error:
        return count, error.args, x, left
    return None


def shown_on_the_way(x: Any) -> Any:
    held: defaultdict[int, int] = defaultdict(int)
    count: Counter[int] = Counter()
    for k in range(len(x)):
        held[k % 5] += 2
        count[k % 3] += 1
        if k == 7:
            print(held, count)
    return held, count, held.items(), count.keys()


def counts_what_goes_through_it(x: Any) -> Any:
    count: Counter[int] = Counter()
    for k in range(len(x)):
        count[k % 5] += 1
    count.update(k % 5 for k in count)
    try:
        count.update(k + 1 for k in count)
    except RuntimeError as error:
        return count, error.args, x * 2
    return None


def of_a_generator_that_reads_it_while_empty(x: Any) -> Any:
    count: Counter[int] = Counter()
    count.update(count[1] for _ in x)
    count.update(len(count) + k for k in range(5))
    return count


def of_a_generator_with_an_exception(x: Any) -> Any:
    count = Counter([1, 2])
    try:
        count.update(10 // (k - 3) for k in range(len(x)))
    except ZeroDivisionError:
        count[99] += 1
    return count, x * 2


def of_generators_of_other_keys(x: Any) -> Any:
    count: Counter[Any] = Counter()
    for k in range(len(x)):
        count[k % 7] += 1
    count.update(np.int64(k % 9) for k in range(len(x)))
    count.update(v > 0 for v in x.tolist())
    count.update((k, 1) for k in range(len(x)))
    return count


@pytest.mark.parametrize(
    "program",
    [
        changed_while_gone_through,
        counts_what_goes_through_it,
        done_otherwise,
        grown_after_the_iterator_was_made,
        keys_of_both_kinds,
        made_by_reading,
        of_a_generator_that_reads_it_while_empty,
        of_a_generator_with_an_exception,
        of_generators_of_other_keys,
        of_other_things,
        of_which_class,
        shown_on_the_way,
        which_object_a_value_is,
    ],
)
def test_what_else_counters_do_is_as_in_eager(program: Any) -> None:
    check(program, X)
