"""Items and lengths of lists from outside that are longer each time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts, check_script


class Optimizer:
    """An object that appends each step's result to a list."""

    def __init__(self) -> None:
        self.history: list[Any] = []
        self.windows: list[Any] = []
        self.x = np.linspace(0.5, 1.5, 4)

    def step(self, rate: float) -> Any:
        self.x = self.x - rate * self.x
        loss = float((self.x * self.x).sum())
        self.history.append(loss)
        return self.history[-1]

    def gain(self) -> Any:
        y = self.x * 2 + 1
        return y.sum() - self.history[-1]

    def count(self) -> Any:
        y = (self.x * 2 + 1).sum()
        self.history.append(y)
        return y / len(self.history)

    def last_two(self) -> Any:
        y = (self.x + 1).sum()
        self.history.append(y)
        return self.history[-1] - self.history[-2] + self.history[0], len(self.history)

    def keep(self) -> Any:
        window = self.x[1:]
        self.windows.append(window)
        self.windows[-1][0] += 0.5
        return self.windows[0] + self.windows[-1]

    def assign(self) -> Any:
        last = self.history[-1]
        self.history[-1] = (self.x * last).sum()
        self.history.append(last)
        return last, self.history[-1], self.history[-2]


Method = Callable[..., Any]


def _many_calls(jit: Callable[[Method], Method]) -> Any:
    step, gain, count, last_two, keep, assign = map(
        jit,
        (
            Optimizer.step,
            Optimizer.gain,
            Optimizer.count,
            Optimizer.last_two,
            Optimizer.keep,
            Optimizer.assign,
        ),
    )
    made, found = Optimizer(), []
    for _ in range(7):
        found += [step(made, 0.1), gain(made), count(made), last_two(made), keep(made)]
        found.append(assign(made))
    return found, made


def test_methods_that_are_called_again_and_again() -> None:
    for functions in check_script(_many_calls):
        for function in functions[:4]:
            assert_counts([function], captures=1, bails=0, breaks=0)


@pytest.mark.parametrize("index", [0, 1, -1, -2, -3])
def test_items_that_may_not_be_there(index: int) -> None:
    def script(jit: Callable[[Method], Method]) -> Any:
        def program(x: Any, items: list[Any]) -> Any:
            y = (x * 2).sum()
            items.append(y)
            return items[index] * y

        jitted, items, found = jit(program), [], []
        for _ in range(5):
            try:
                found.append(jitted(np.arange(3.0), items))
            except IndexError as error:
                found.append(str(error))
        return found, items

    check_script(script)


def test_the_list_is_another_one() -> None:
    def script(jit: Callable[[Method], Method]) -> Any:
        def program(x: Any, items: Any) -> Any:
            return (x * 2).sum() + items[-1]

        jitted = jit(program)
        x = np.arange(3.0)
        return [
            jitted(x, [1.0]),
            jitted(x, [1, 2]),
            jitted(x, (1.0, 2.5)),
            jitted(x, [np.float64(3), x]),
            jitted(x, [x, 1.5]),
        ]

    check_script(script)
