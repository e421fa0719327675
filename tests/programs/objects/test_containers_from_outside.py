"""Sets, dicts and deques from outside, whose keys or items only running tells.

They are arguments, attributes and globals; loops read them and change them.
"""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from oracle import Setup, check
from whole import Programs, check_whole

PROGRAMS = Programs()
RNG = np.random.default_rng(0)
N = RNG.integers(-6, 6, 40)
MANY = RNG.integers(-(2**62), 2**62, 200)
X = RNG.normal(size=30)
FEW = {int(v) for v in N[:5]}
WEIGHTS = {k: 0.5 + k for k in range(-3, 4)}
COSTS = {(i, j): 3 * i - j for i in range(-2, 3) for j in range(-3, 3)}
LARGE = {int(v): k for k, v in enumerate(MANY)}


# ---- sets ----------------------------------------------------------------------------------------


@PROGRAMS.runs((N, FEW), (MANY, {int(v) for v in MANY[::3]}), (N[:0], {1}), (N, {7}))
def members(x: Any, chosen: set[int]) -> Any:
    found = 0
    for v in x.tolist():
        if v in chosen:
            found += 1
        if v + 1 not in chosen:
            found += 100
    return found, len(chosen)


@PROGRAMS.runs((N,))
def members_of_a_global(x: Any) -> Any:
    return sum(1 for v in x.tolist() if v in FEW)


@PROGRAMS.runs((N, set()), (N, {1, 2, 40}), (MANY, {1}), (MANY, set(range(-100, 100))))
def added(x: Any, seen: set[int]) -> Any:
    new = 0
    for k in range(len(x)):
        v = int(x[k])
        if v not in seen:
            seen.add(v)
            new += v % 7
    return new, seen, len(seen)


@PROGRAMS.runs(({(0, 0)}, 5), ({(2, 1), (-1, 0)}, 8), (set(), 4))
def places(walls: set[tuple[int, int]], n: int) -> Any:
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if (i, j - 1) in walls:
                walls.add((i, j))
            elif (i - 1, j) in walls or (j, i) not in walls:
                out[i, j] = i - j
    return out, len(walls)


def in_order(x: Any, seen: set[int]) -> Any:
    return added(x, seen), list(seen)


def left_early(x: Any, seen: set[int]) -> Any:
    for v in x.tolist():
        if v in seen:
            return v, list(seen)
        seen.add(v)
    return None


def shown_on_the_way(x: Any, seen: set[int]) -> Any:
    for k in range(len(x)):
        seen.add(k % 7)
        if k == 9:
            print(sorted(seen))
    return list(seen)


def fails_on_the_way(x: Any, seen: set[int], counts: dict[int, int]) -> Any:
    for k in range(len(x)):
        seen.add(int(x[k]))
        counts[k] = len(seen)
        x[k + 1] += 1
    return seen


def two_names(x: Any, one: set[int], other: set[int]) -> Any:
    found = 0
    for v in x.tolist():
        one.add(v)
        if v in other:
            found += 1
    return found, one is other, list(one), list(other)


def twice_the_same(x: Any, one: set[int]) -> Any:
    return two_names(x, one, one)


def discarded(x: Any, seen: set[int]) -> Any:
    for v in x.tolist():
        seen.add(v)
        seen.discard(v - 1)
    return list(seen)


def of_numpys_ints(x: Any, seen: set[int]) -> Any:
    found = 0
    for v in x:
        if v in seen:
            found += 1
    for v in x:
        seen.add(v)
    return found, [type(v).__name__ for v in seen]


def of_other_things(x: Any, seen: set[int]) -> Any:
    found = 0
    for k in range(len(x)):
        found += 1.0 in seen
        found += "a" in seen
        found += True in seen
        found += k / 2 in seen
    return found


def handed_on(x: Any, seen: set[int]) -> Any:
    held = [seen]
    for v in x.tolist():
        seen.add(v)
    return held, held[0] is seen, seen, isinstance(seen, set), type(seen) is set


def bound_before(x: Any, seen: set[int]) -> Any:
    for k in range(len(x)):
        add = seen.add
        print(end="")
        add(k)
    return list(seen), add == seen.add


# ---- dicts ---------------------------------------------------------------------------------------


@PROGRAMS.runs((N,))
def looked_up(x: Any) -> Any:
    total = 0.0
    for k in range(len(x)):
        total += WEIGHTS.get(int(x[k]), 0.25)
    return total


@PROGRAMS.runs((N,), (N[:0],))
def looked_up_if_there(x: Any) -> Any:
    total = 0.0
    for v in x.tolist():
        if v in WEIGHTS:
            total += WEIGHTS[v]
    return total


@PROGRAMS.runs(
    (N, 2),
)
def costs(x: Any, j: int) -> Any:
    total = 0
    for k in range(len(x)):
        total += COSTS.get((int(x[k]), j), 1)
    return total


@PROGRAMS.runs((MANY,))
def of_far_keys(x: Any) -> Any:
    return sum(LARGE[v] for v in x.tolist())


@PROGRAMS.runs((N, {}), (N, {1: 2, 5: 3, -77: 1}), (MANY, dict.fromkeys(range(40), 1)))
def counted(x: Any, counts: dict[int, int]) -> Any:
    for k in range(len(x)):
        v = int(x[k])
        counts[v] = counts.get(v, 0) + 1
    return counts, list(counts.items()), len(counts)


@PROGRAMS.runs((N, {k: k / 7 for k in range(-6, 6)}))
def weighted(x: Any, weights: dict[int, float]) -> Any:
    for k in range(len(x)):
        weights[int(x[k])] *= 1.5
    return weights, sum(weights.values()) + 1


@PROGRAMS.runs(({(0, 0): 1}, 6), ({(2, 2): 5, (0, 1): 3}, 7))
def paths(table: dict[tuple[int, int], int], n: int) -> Any:
    for i in range(n):
        for j in range(n):
            if (i, j) not in table:
                table[i, j] = table.get((i - 1, j), 0) + table.get((i, j - 1), 0)
    return table[n - 1, n - 1], table, sum(table.values())


def items_of_paths(table: dict[tuple[int, int], int], n: int) -> Any:
    return paths(table, n), list(table.items()), list(table)


def missing(x: Any, weights: dict[int, float]) -> Any:
    total = 0.0
    for k in range(len(x)):
        total += weights[int(x[k])]
        x[k] = 0
    return total


def of_an_item(x: Any, weights: dict[int, float]) -> Any:
    last = None
    for k in range(len(x)):
        last = weights.get(int(x[k]), last)
    return last, any(last is one for one in weights.values())


def put_twice(x: Any, weights: dict[int, float]) -> Any:
    for k in range(len(x)):
        v = float(k) / 3
        weights[2 * k] = v
        weights[2 * k + 1] = v
    return all(weights[2 * k] is weights[2 * k + 1] for k in range(len(x)))


def moved(x: Any, weights: dict[int, float]) -> Any:
    for v in x.tolist():
        weights[v] = weights.get(v + 1, 0.5)
    return [id(one) == id(other) for one in weights.values() for other in weights.values()]


def of_an_argument(x: Any, weights: dict[int, float], w: float) -> Any:
    for v in x.tolist():
        weights[v] = w
    return [one is w for one in weights.values()]


def changed_before(x: Any, counts: dict[int, int]) -> Any:
    counts[3] = 30
    counts[100] = len(x)
    for v in x.tolist():
        counts[v] = counts.get(v, 0) + 1
    counts[4] = 7
    return list(counts.items())


def removed_afterwards(x: Any, counts: dict[int, int]) -> Any:
    for v in x.tolist():
        counts[v] = counts.get(v, 0) + 1
    del counts[int(x[0])]
    return list(counts.items()), counts.pop(12345, None)


def gone_through(x: Any, counts: dict[int, int]) -> Any:
    for v in x.tolist():
        counts[v] = counts.get(v, 0) + 1
    total = 0
    for key, value in counts.items():
        total += key * value
    return total, max(counts.values()), sorted(counts)


def of_objects(x: Any, counts: dict[Any, Any]) -> Any:
    for v in x.tolist():
        counts[v] = counts.get(v, 0) + 1
    return list(counts.items()), [type(one).__name__ for one in counts.values()]


@PROGRAMS.runs((N, {}), (N, {3: 1.5, 90: 2.5}))
def remembered(x: Any, memo: dict[int, float]) -> Any:
    total = 0.0
    for v in x.tolist():
        if v in memo:
            total += memo[v]
        else:
            memo[v] = v * 0.25
            total += 100.0
    return total + 0.5, len(memo)


@PROGRAMS.runs((N, {}), (N, dict(pairwise(N[:6]))))
def of_numpys_numbers(x: Any, counts: dict[Any, Any]) -> Any:
    total = 0
    for v in x:
        if v in counts:
            total += 1
        counts[v] = v * 2
    return total


def looked_into_first(x: Any, memo: dict[int, float]) -> Any:
    found = 0
    for v in x.tolist():
        found += v in memo
    keys = memo.keys()
    for v in x.tolist():
        if v not in memo:
            memo[v] = v * 0.25
    return found, len(keys), list(memo.items())


# ---- deques --------------------------------------------------------------------------------------


@PROGRAMS.runs((X, deque([1.0, 2.0])), (X, deque()), (X, deque([0.5] * 9)))
def windows(x: Any, window: deque[float]) -> Any:
    out = []
    for v in x.tolist():
        window.append(v * 0.5)
        if len(window) > 4:
            window.popleft()
        out.append(sum(window) / len(window))
    return np.array(out)


@PROGRAMS.runs((deque([1.0, 2.5, -3.0]), 0.5), (deque([1, 2, 3]), 1), (deque([1, 2], 5), 7))
def read_as_a_whole(window: deque[Any], total: Any) -> Any:
    for v in window:
        total += v
    return total, len(window), sum(window) + 1, max(window) + 1


@PROGRAMS.runs((X, deque(X[:3], 4)), (X, deque(maxlen=3)))
def of_numpys_floats(x: Any, window: deque[Any]) -> Any:
    out = np.zeros(len(x))
    for k, v in enumerate(x):
        window.append(v)
        out[k] = sum(window) / len(window)
    return out, window


@PROGRAMS.runs((N, deque([3, 1], 4)), (N, deque(maxlen=3)), (N, deque([2] * 7, 7)))
def of_a_greatest_length(x: Any, last: deque[int]) -> Any:
    total = 0
    for v in x.tolist():
        last.append(v)
        total += last[0] - last[-1] + len(last)
    return total, last, list(last)


@PROGRAMS.runs((deque([5, 3]), 4), (deque([1]), 30))
def worked_off(todo: deque[int], n: int) -> Any:
    done = 0
    while todo:
        k = todo.popleft()
        done += k
        if done < n:
            todo.append(k + 1)
            todo.appendleft(1)
    return done, len(todo)


def stays_the_same_object(x: Any, window: deque[float]) -> Any:
    before = list(window)
    for v in x.tolist():
        window.append(v)
        if len(window) > 4:
            window.popleft()
    return [any(one is other for other in before) for one in window], window


def handed_out(x: Any, window: deque[float]) -> Any:
    first = window[0]
    for v in x.tolist():
        window.append(v)
        first = window.popleft()
    return first, any(first is one for one in window)


def round_and_round(window: deque[float], n: int) -> Any:
    before = list(window)
    for _ in range(n):
        window.append(window.popleft())
    return [one is other for one in window for other in before]


def one_too_many(todo: deque[int], n: int) -> Any:
    total = 0
    for _ in range(n):
        total += todo.pop()
    return total


def changed_in_a_loop(window: deque[int]) -> Any:
    total = 0
    for v in window:
        total += v
        if total > 5:
            window.append(1)
    return total


def other_lengths(x: Any, one: deque[int], other: deque[int]) -> Any:
    for v in x.tolist():
        one.append(v)
        other.append(v)
    return list(one), list(other)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_they_are_captured_whole(program: Any, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


D = {k: k / 3 for k in range(-6, 7)}


@pytest.mark.parametrize(
    ("program", "args"),
    [
        (in_order, (N, {100})),
        (in_order, (MANY, {1, 2, 3})),
        (left_early, (N, {100})),
        (left_early, (np.arange(9), {8})),
        (shown_on_the_way, (X, {50, 1})),
        (fails_on_the_way, (N[:9], {1}, {1: 2})),
        (two_names, (N, {1, 2}, {2, 3})),
        (twice_the_same, (N, {1, 2})),
        (discarded, (N, {1, 2})),
        (of_numpys_ints, (N, {1, 2})),
        (of_other_things, (N, {1, 2})),
        (of_other_things, (N, {"a", 2, 1.5})),
        (handed_on, (N, {1, 2})),
        (bound_before, (N, {1, 2})),
        (members, (N, {1, 2.0, None})),
        (members, (N, {True, 2})),
        (members, (N, {2**70, 2})),
        (members, (N, frozenset({1, 2}))),
        (added, (N, {"a"})),
        (looked_into_first, (N, {})),
        (looked_into_first, (N, {1: 2.5})),
        (remembered, (N, {1: 2})),
        (of_numpys_numbers, (N, {1: 2})),
        (of_numpys_numbers, (N, dict.fromkeys(N, 2.5))),
        (of_numpys_floats, (X, deque([1.0], 3))),
        (of_numpys_floats, (X, deque(X[:2].astype("f4"), 3))),
        (items_of_paths, ({(0, 0): 1}, 6)),
        (missing, (N, WEIGHTS)),
        (missing, (N, D)),
        (of_an_item, (N, dict(D))),
        (put_twice, (N, dict(D))),
        (moved, (N, dict(D))),
        (of_an_argument, (N, dict(D), 2.5)),
        (changed_before, (N, {1: 2})),
        (removed_afterwards, (N, {1: 2})),
        (gone_through, (N, {1: 2})),
        (of_objects, (N, {1: True, 2: 5})),
        (of_objects, (N, {1: 1.5, 2: 5})),
        (of_objects, (N, {"a": 1, 2: 5})),
        (of_objects, (N, {1: 2**63, 2: 5})),
        (of_objects, (N, {True: 2, 2: 5})),
        (of_objects, (N, {1.0: 2, 2: 5})),
        (stays_the_same_object, (X[:3], deque([1.5, 2.5, 3.5]))),
        (handed_out, (X[:3], deque([1.5, 2.5, 3.5]))),
        (handed_out, (X[:2], deque([1.5, 2.5, 3.5]))),
        (round_and_round, (deque([1.5, 2.5, 3.5]), 4)),
        (one_too_many, (deque([1, 2, 3]), 5)),
        (changed_in_a_loop, (deque([1, 2, 3]),)),
        (changed_in_a_loop, (deque([1, 2]),)),
        (other_lengths, (N, deque([1], 3), deque([1], 4))),
        (windows, (X, deque([1, 2.5]))),
        (windows, (X, deque(["a"]))),
    ],
)
def test_what_else_is_done_is_as_in_eager(program: Any, args: tuple[Any, ...]) -> None:
    check(program, *args)


class Monitor:
    """An object that holds containers, and changes them at each call."""

    def __init__(self) -> None:
        self.seen: set[int] = set()
        self.memo: dict[int, int] = {}
        self.last: deque[float] = deque(maxlen=5)

    def feed(self, x: Any) -> Any:
        new, mean = 0, 0.0
        for k in range(len(x)):
            v = int(x[k])
            if v not in self.seen:
                self.seen.add(v)
                new += 1
            self.memo[v] = self.memo.get(v, 0) + k
            self.last.append(v / 3)
            mean += sum(self.last) / len(self.last)
        return new, mean, list(self.seen), list(self.memo.items()), list(self.last)


def _monitored() -> tuple[Any, ...]:
    monitor = Monitor()

    def feed(x: Any) -> Any:
        return monitor.feed(x)

    return feed, (N,)


@pytest.mark.counts("captures")
def test_contents_that_change_between_calls() -> None:
    """Each call finds what the one before has left; a kernel serves any contents."""
    jitted = check(setup=_monitored, calls=5)

    for function in jitted:
        assert function.stats()["captures"] <= 2


def _beside_who_holds_the_items() -> tuple[Any, ...]:
    held = [k / 7 for k in range(6)]
    window, weights = deque(held), dict(enumerate(held))

    def program(x: Any) -> Any:
        for k in range(3):
            window.append(k * 0.5)
            window.popleft()
            weights[k + 2] = weights[k] * 1.5
        both = [*window, *weights.values()]
        return x * 2, [one is other for one in both for other in held]

    return program, (X,)


def test_items_that_stay_are_the_objects_that_they_were() -> None:
    check(setup=_beside_who_holds_the_items, calls=2)


def _of_other_kinds() -> tuple[Any, ...]:
    held = SimpleNamespace(calls=0)
    kinds: list[set[Any]] = [{1, 2}, {"a"}, set(), {1.5}, {(1, 2)}, {3}, {2**65}]

    def program(x: Any) -> Any:
        chosen = kinds[held.calls % len(kinds)]
        held.calls += 1
        return searched(x, chosen)

    return program, (N,)


def searched(x: Any, chosen: set[Any]) -> Any:
    found = 0
    for v in x.tolist():
        if v in chosen:
            found += 1
    return found


def test_contents_of_other_kinds_at_later_calls() -> None:
    check(setup=_of_other_kinds, calls=9)


def _of_another_length() -> tuple[Any, ...]:
    held = SimpleNamespace(calls=0)
    lengths = [deque([1, 2], 2), deque([1, 2], 3), deque([1, 2]), deque(maxlen=2)]

    def program(x: Any) -> Any:
        last = lengths[held.calls % len(lengths)]
        held.calls += 1
        return of_a_greatest_length(x, last)

    return program, (N,)


def _with_a_name_that_is_the_other() -> tuple[Any, ...]:
    held = SimpleNamespace(calls=0)

    def program(x: Any) -> Any:
        held.calls += 1
        one = {1, 2}
        return two_names(x, one, one if held.calls in (2, 4) else {1, 2})

    return program, (N,)


@pytest.mark.parametrize("setup", [_of_another_length, _with_a_name_that_is_the_other])
def test_what_a_capture_relies_on(setup: Setup) -> None:
    """The greatest length of a deque, and that two names are of two objects."""
    check(setup=setup, calls=5)
