"""Numbers and tuples that are in lists and elsewhere, too: which of them are one object."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from oracle import assert_counts, check
from whole import Programs, check_whole

X = np.random.default_rng(0).normal(size=30)

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs((X,), (X[:1],))
def least_of_all(x: Any) -> Any:
    losses, best = [], 1e9
    for a in x:
        loss = a * a
        losses.append(loss)
        if loss < best:
            best = loss
    return best, losses


@runs((X,))
def least_by_min(x: Any) -> Any:
    losses, best = [], 1e9
    for a in x:
        loss = a * a
        losses.append(loss)
        best = min(best, loss)
    return best, losses


@runs((X,))
def best_so_far(x: Any) -> Any:
    best, history = float("inf"), []
    for a in x:
        loss = a * a
        if loss < best:
            best = loss
        history.append(best)
    return history


@runs((X,))
def kept_before_it_is_listed(x: Any) -> Any:
    losses, bests, best = [], [], float("inf")
    for a in x:
        loss = float(a * a)
        if loss < best:
            best = loss
        losses.append(loss)
        bests.append(best)
    return best, losses, bests


@runs((X, 0.25), (X, np.float64(0.5)), (X[:0], 0.25))
def last_of_all(x: Any, start: Any) -> Any:
    path, last = [start], start
    for a in x:
        now = last * 0.5 + a
        path.append(now)
        last = now
    return path, last, path[-1]


@runs((X, 0.5))
def one_from_outside(x: Any, most: float) -> Any:
    return [min(a, most) for a in x], most


@runs((X,))
def constants_by_branch(x: Any) -> Any:
    clipped = []
    for a in x:
        value = a if a > 0 else 0.0
        clipped.append(value)
    return clipped


@runs((X,))
def constants_by_max(x: Any) -> Any:
    clipped = []
    for a in x:
        clipped.append(max(0.0, a))
    return clipped


@runs((X,))
def in_two_lists(x: Any) -> Any:
    every, positive = [], []
    for a in x:
        twice = a * 2
        every.append(twice)
        if twice > 0:
            positive.append(twice)
    return every, positive


@runs((X,))
def held_again_and_again(x: Any) -> Any:
    held, last = [], x[0]
    for a in x:
        if a > 0:
            last = a
        held.append(last)
    return held


@runs((X,))
def left_early(x: Any) -> Any:
    seen: list[Any] = []
    for k in range(len(x)):
        a = x[k] * 1.5
        _note(seen, a)
        if k > 3 and a > 1.5:
            break
    return seen, a


def _note(seen: list[Any], value: Any) -> None:
    seen.append(value)


@runs((X,))
def in_a_ring(x: Any) -> Any:
    last = [0.0] * 5
    for k in range(len(x)):
        last[k % 5] = x[k]
    return last


@runs((X,))
def filled_by_and_by(x: Any) -> Any:
    values: list[Any] = [None] * 40
    for k in range(len(x)):
        values[k] = x[k] * 2
    return values


@runs((X,))
def pairs(x: Any) -> Any:
    found = []
    for k in range(len(x)):
        found.append((k, x[k] * 2))
    return found


class Point(NamedTuple):
    """A tuple of a class of its own."""

    k: int
    x: Any


@runs((X,))
def named_tuples(x: Any) -> Any:
    found = []
    for k in range(len(x)):
        found.append(Point(k, x[k] * 2))
    return found


@runs((X,))
def arrays_with_numbers(x: Any) -> Any:
    history = []
    for k in range(len(x)):
        y = x * k
        history.append((y.copy(), y.sum()))
    return history


@runs((X,))
def words(x: Any) -> Any:
    path = []
    for a in x:
        path.append("up" if a > 0 else "down")
    return path


@runs((X,))
def kinds_with_numbers(x: Any) -> Any:
    events = []
    for k in range(len(x)):
        if x[k] > 0:
            events.append(("up", k, x[k]))
        else:
            events.append(("down", k, None))
    return events


@runs((12,), (1,))
def walked_with_a_stack(n: int) -> Any:
    stack = [(0, 0)]
    seen = np.zeros((n, n), bool)
    count = 0
    while stack:
        row, column = stack.pop()
        if seen[row, column]:
            continue
        seen[row, column] = True
        count += 1
        if row + 1 < n:
            stack.append((row + 1, column))
        if column + 1 < n:
            stack.append((row, column + 1))
    return count, seen


@runs((X, (0, 1.5)), (X, (2, np.float64(0.5))))
def begun_with_an_argument(x: Any, start: Any) -> Any:
    stack = [start]
    total = 0.0
    for a in x:
        k, value = stack.pop()
        total += k * value
        stack.append((k + 1, a))
    return total


@runs((X,))
def read_again(x: Any) -> Any:
    points = []
    for k in range(len(x)):
        points.append((x[k], k))
    total = 0.0
    for a, k in points:
        total += a * k
    return total, len(points), points[3][0] > 0


class Model:
    """Keeps what it has seen."""

    def __init__(self) -> None:
        self.losses: list[float] = []
        self.best: Any = None

    def fit(self, x: Any) -> Any:
        for a in x:
            loss = self.loss(a)
            self.losses.append(loss)
            if self.best is None or loss < self.best:
                self.best = loss
        return self

    def loss(self, value: Any) -> float:
        return float(value * value)


@runs((X,))
def of_a_model(x: Any) -> Any:
    model = Model().fit(x)
    return model.best, model.losses


@runs((Model(), X))
def of_a_model_from_outside(model: Model, x: Any) -> Any:
    return model.fit(x).best


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Any, args: tuple[Any, ...]) -> None:
    check_whole(program, args)


def test_tuples_that_are_kept_elsewhere() -> None:
    """Equal tuples cannot be told apart: the loop runs as plain Python."""

    def program(x: Any) -> Any:
        best, history = (0, 0.0), []
        for k in range(len(x)):
            if x[k] > best[1]:
                best = (k, x[k])
            history.append(best)
        return history

    check(program, X)


def test_one_tuple_in_each_iteration() -> None:
    def program(x: Any, a: float) -> Any:
        pair, found = (a, 1), []
        for value in x:
            if value > 0:
                found.append(pair)
        return found, pair

    check(program, X, 0.5)


def test_ints_and_floats() -> None:
    """The first items, an int and a float, decide the dtype of the array of the list."""

    def begun(x: Any) -> Any:
        times = [0.0, 1]
        for a in x:
            times.append(times[-1] + a)
        return times, np.array(times)

    def empty(x: Any, bound: float) -> Any:
        values = []
        for a in x:
            if a > bound:
                values.append(a)
            else:
                values.append(1)
        return np.array(values)

    check(begun, X)
    check(empty, X, 0.0)
    check(empty, X, 9.0)


def test_a_list_that_grows_wider() -> None:
    """A second loop appends another kind."""

    def program(x: Any) -> Any:
        found = []
        for a in x:
            found.append(float(a))
        for a in x:
            found.append(a)
        return found

    check(program, X)


def test_the_same_list_from_two_captures() -> None:
    def program(x: Any, n: int) -> Any:
        values, last = [], 0.0
        for k in range(n):
            last = last + x[k]
            values.append(last)
        print(len(values))
        for k in range(n):
            last = last - x[k]
            values.append(last)
        return values, last

    jitted = check(program, X, 7)
    assert_counts(jitted, bails=0)


def the_largest_so_far(numbers: Any) -> Any:
    largest, kept = numbers[0], []
    for i in range(len(numbers)):
        if abs(numbers[i]) > abs(largest):
            largest = numbers[i]
        kept.append(largest)
    return kept, largest


@pytest.mark.parametrize("kind", [complex, np.complex128, np.complex64])
def test_complex_numbers(kind: Any) -> None:
    """Python's complex numbers keep their identity and their class, as NumPy's do."""
    check(the_largest_so_far, [kind(x + 1j) for x in (0.5, -1.0, 2.0, 0.125)])
