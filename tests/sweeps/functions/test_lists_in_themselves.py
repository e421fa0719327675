"""A list that a program puts into itself, as an argument: what NumPy refuses is refused so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check

X = np.arange(3.0)


def refused(take: Any) -> Any:
    """A program that gives the exception, of a list that holds itself."""

    def program(x: Any) -> Any:
        b: list[Any] = [0.5]
        b[-1] = b
        try:
            return take(x, b), x * 2
        except (TypeError, ValueError, IndexError, RecursionError) as error:
            return str(error), x * 3

    return program


@pytest.mark.parametrize(
    "take",
    [
        lambda x, b: np.pad(b, 1, constant_values="t"),
        lambda x, b: np.sum(b),
        lambda x, b: np.mean([1.0, b]),
        lambda x, b: np.linalg.norm((b, 1)),
        lambda x, b: np.select([x > 0], [b], 0),
        lambda x, b: np.full(3, b),
        lambda x, b: np.einsum("i,i", x, b),
        lambda x, b: np.reshape(x, b),
        lambda x, b: np.transpose(x, b),
        lambda x, b: x.sum(axis=b),
        lambda x, b: np.broadcast_to(x, b),
        lambda x, b: np.split(x, b),
        lambda x, b: x[b],
        lambda x, b: x[b, 0],
        lambda x, b: x.reshape(*b),
        lambda x, b: np.add(x, b),
        lambda x, b: x + b,
        lambda x, b: np.where(b, x, 1),
        lambda x, b: str(b),
        lambda x, b: len(b) + (b[0] is b),
    ],
)
def test_a_list_in_itself(take: Any) -> None:
    check(refused(take), X, calls=2)
