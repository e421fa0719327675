"""One function, called with lists of many lengths: one exact kernel, one for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check_script

TABLE = np.arange(60.0).reshape(20, 3)
PLACES = np.cos(TABLE)


def embed(ids: Any) -> Any:
    return TABLE[ids] + PLACES[range(len(ids))]


def mean(numbers: Any) -> Any:
    a = np.array(numbers)
    return (a * a + a).sum() / len(numbers)


def doubles(numbers: Any) -> Any:
    return np.asarray(numbers, dtype=np.float64) * 2.0


def beside(numbers: Any) -> Any:
    return np.arange(float(len(numbers))) * numbers


def changed(numbers: Any) -> Any:
    made = np.array(numbers)
    made[0] = 7
    numbers.append(3)
    return made, np.array(numbers) * 2, numbers


def handed_on(numbers: Any) -> Any:
    a = np.asarray(numbers)
    return a, a * 2, numbers


def walked(numbers: Any) -> Any:
    total = TABLE[0] * 0.0
    for one in numbers:
        total = total + TABLE[0] * one
    return total


def looked_at(numbers: Any) -> Any:
    return TABLE[numbers[0]] * numbers[-1], TABLE[: len(numbers)] + 1.0


def chosen(numbers: Any) -> Any:
    t = TABLE.copy()
    t[numbers] = 0.0
    t[numbers, 1] += 2.0
    return t, t[:, [0, 2]], t[numbers][:, 1]


PROGRAMS = (embed, mean, doubles, beside, changed, handed_on, walked, looked_at, chosen)
OTHERS: tuple[Any, ...] = (
    *([], [5], [1.5, 2.5], [1, 2.5], [True, False], [2**70, 1], [-1, -2, -3], [99], "ab"),
    *(
        [np.int64(1), np.int64(2)],
        [[1, 2], [3, 4]],
        (1, 2, 3),
        (4,),
        np.array([1, 2]),
        [None],
        None,
    ),
    *(list(range(19, -1, -1)), [0.5] * 20, [float("nan")], range(3), [1 + 2j], [1, "a"]),
)


def outcome(function: Any, argument: Any) -> Any:
    try:
        return function(argument)
    except Exception as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("function", PROGRAMS)
def test_all_lengths(function: Any) -> None:
    def script(jit: Any) -> Any:
        inner = jit(function)
        lists = [[k % 5 for k in range(n)] for n in (3, 4, 5, 2, 1, 7, 19)]
        return [outcome(inner, one) for one in (*lists, *map(copied, OTHERS), *lists[::-1])]

    check_script(script, filters=("always",))


def copied(argument: Any) -> Any:
    return argument.copy() if type(argument) is list else argument


@pytest.mark.parametrize("function", [embed, mean, beside])
def test_two_captures_serve_them(function: Any) -> None:
    def script(jit: Any) -> Any:
        inner = jit(function)
        return [inner(list(range(n))) for n in range(3, 15)]

    for jitted in check_script(script):
        assert_normally(jitted[0].stats()["captures"], 2)


def test_a_growing_sequence() -> None:
    def script(jit: Any) -> Any:
        def following(ids: Any) -> Any:
            x = TABLE[ids] + PLACES[range(len(ids))]
            scores = x @ x.T + (1 - np.tri(x.shape[0])) * -1e10
            e = np.exp(scores - scores.max(axis=-1, keepdims=True))
            x = e / e.sum(axis=-1, keepdims=True) @ x
            return x @ TABLE.T

        inner, ids = jit(following), [3, 1, 4]
        for _ in range(10):
            ids.append(int(np.argmax(inner(ids)[-1])) % 20)
        return ids

    for jitted in check_script(script):
        assert_normally(jitted[0].stats()["captures"] <= 3)


def test_lists_in_attributes_that_grow() -> None:
    def script(jit: Any) -> Any:
        class Log:
            def __init__(self) -> None:
                self.values: list[float] = []

            @jit
            def add(self, value: float) -> Any:
                before = np.array(self.values) if self.values else np.zeros(1)
                self.values.append(value)
                return before.sum() + value

        log = Log()
        return [log.add(0.5 * k) for k in range(12)], log.values

    check_script(script)


class Cache:
    """Keys of a decoder: one more at each step."""

    def __init__(self, keys: Any = ()) -> None:
        self.keys = [*keys]

    def step(self, k: Any) -> Any:
        self.keys.append((k * 2.0).reshape(2, 3))
        keys = np.stack(self.keys, axis=1)
        return (keys * keys).sum(axis=0) + 1.0

    def joined(self, k: Any) -> Any:
        self.keys.append(k + 1.0)
        return np.concatenate(self.keys) * 2.0, np.array(self.keys).sum(axis=0), len(self.keys)

    def read(self, k: Any) -> Any:
        return np.vstack(self.keys) * k[0], np.mean(self.keys, axis=0) + k[0]

    def changed(self, k: Any) -> Any:
        """Writes into the arrays show in the list, which holds these very arrays."""
        k += 1.0
        self.keys.append(k)
        before = np.stack(self.keys) * 1.0
        k *= 2.0
        after = np.stack(self.keys) * 1.0
        self.keys[0] = k
        return before, after, np.stack(self.keys)

    def popped(self, k: Any) -> Any:
        self.keys.append(k)
        first = self.keys.pop(0)
        return np.stack(self.keys) + 1.0, first * 2.0

    def walked(self, k: Any) -> Any:
        return sum(one * 2.0 for one in self.keys) + k


@pytest.mark.parametrize("name", [name for name in vars(Cache) if not name.startswith("_")])
def test_lists_of_arrays(name: str) -> None:
    function = getattr(Cache, name)

    def script(jit: Any) -> Any:
        inner = jit(function)
        x = np.arange(6.0)
        cache, seen = Cache([x * 0.5]), []

        def call(k: Any) -> None:
            try:
                seen.append(inner(cache, k))
            except Exception as error:
                seen.append((type(error).__name__, str(error)))
            seen.append([one.copy() if type(one) is np.ndarray else one for one in cache.keys])

        for n in range(12):
            call(x + n)
        call(cache.keys[-1])
        for other in (x.astype("f4"), x[::2], np.arange(6), x[:0], x * 1j, x[::-1], 2.0):
            cache.keys.append(other)
            call(x)
            cache.keys.pop()
            call(x)
        cache.keys = [x, x, x]
        call(x)
        call(x)
        return seen, cache.keys

    check_script(script, filters=("always",))


@pytest.mark.parametrize("name", ["step", "joined", "read"])
def test_two_captures_serve_lists_of_arrays(name: str) -> None:
    def script(jit: Any) -> Any:
        inner, x = jit(getattr(Cache, name)), np.arange(6.0)
        cache, seen = Cache([x.reshape(2, 3) if name == "step" else x]), []
        for n in range(10):
            seen.append(inner(cache, x + n))
            cache.keys.extend([] if name != "read" else [x + n])
        return seen

    for jitted in check_script(script):
        assert_normally(jitted[0].stats()["captures"] <= 2)


def test_arrays_with_an_array_of_another_kind_among_them() -> None:
    """NumPy would ask it; so does eager, at each call."""

    class Own(np.ndarray):
        def __array_function__(self, *given: Any, **keywords: Any) -> Any:
            return "asked"

    def script(jit: Any) -> Any:
        inner, x = jit(Cache.joined), np.arange(3.0)
        cache = Cache([x])
        seen = [inner(cache, x) for _ in range(4)]
        cache.keys.append(x.view(Own))
        try:
            seen.append(inner(cache, x))
        except Exception as error:
            seen.append(str(error))
        return seen

    check_script(script)
