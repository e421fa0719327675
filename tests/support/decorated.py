"""A module of decorated functions and classes, for tools that look at modules."""

import asyncio
from typing import Any

import numpy as np

from framejit import jit

FACTOR = 2


@jit
def doubled(x: np.ndarray, factor: "int" = 2, *, add: float = 0.0) -> np.ndarray:
    """Times two.

    >>> doubled(np.ones(2)).tolist()
    [2.0, 2.0]
    >>> doubled(np.ones(2), add=1).tolist()
    [3.0, 3.0]
    """
    return x * factor + add


@jit(backend="numpy")
def walked(x: Any) -> float:
    # Every line of it runs, but one.
    total = 0.0
    for k in range(3):
        if k == 1:
            x = x + 1
        elif k == 7:
            x = x - 1
        total = total + float(x.sum())
    y = x * FACTOR
    print(end="")
    return total + float(y[0])


@jit
def stepped(n):
    """A generator.

    >>> [x.tolist() for x in stepped(2)]
    [[0], [0, 1]]
    """
    for k in range(n):
        yield np.arange(k + 1)


@jit
async def waited(x):
    await asyncio.sleep(0)
    return x + 1


@jit
def failing(x):
    y = x * 2
    raise KeyError(float(y[0]))


class Box:
    """Holds something."""

    def __init__(self, x: Any) -> None:
        self.x = x

    @jit
    def twice(self) -> Any:
        """The doubled content.

        >>> Box(4).twice()
        8
        """
        return self.x * 2

    @classmethod
    @jit
    def made(cls, x):
        """One of x + 1."""
        return cls(x + 1)

    @jit
    @staticmethod
    def less(x):
        """One less."""
        return x - 1

    @property
    @jit
    def half(self):
        """The half."""
        return self.x / 2


def main():
    """All of it."""
    x = np.arange(4.0)
    results = [doubled(x, add=1.0), walked(x), *stepped(2), asyncio.run(waited(x))]
    results += [Box(x).twice(), Box.made(x).half, Box.less(x)]
    try:
        failing(x)
    except KeyError as error:
        results.append(error.args)
    return results
