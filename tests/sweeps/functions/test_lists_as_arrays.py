"""Functions that make an array of a list first: `np.max([a, b], axis=0)`, `np.maximum.reduce`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from whole import Program, Programs, check_whole

A = np.linspace(0.0, 1.0, 8)
B, C = A[::-1].copy(), A * 3 - 1
SETS = ((A, B, C), (A.astype("f4"), B, C), (A > 0.5, B > 0.1, C > 1), (A[:4], B[::2], C[:4]))

PROGRAMS = Programs()
runs = PROGRAMS.runs


@runs(*SETS)
def of_arrays(a: Any, b: Any, c: Any) -> Any:
    return (
        *(np.maximum.reduce([a, b, c]), np.max([a, b, c], axis=0), np.sum((a, b, c), axis=0)),
        *(np.mean([a, b], axis=0), np.any([a > b, b > c], axis=0), np.all((a > -9, b > -9))),
        *(np.logical_and.reduce([a > 0, b > 0, c > 0]), np.cumsum([a, b])),
    )


@runs(*SETS[:2])
def of_numbers(a: Any, b: Any, c: Any) -> Any:
    return (
        *(np.max([a[0], b[1], c[2]]), np.mean([a[0], 2.0]), np.sum([1, 2, 3]), np.sum([a[0], 1])),
        *(np.std([a[0], b[0]]), np.argmax([a[0], b[0]]), np.sort([a[0], b[1], c[2]])),
    )


@runs(*SETS[:2])
def of_what_a_loop_has_collected(a: Any, b: Any, c: Any) -> Any:
    found = []
    for k in range(len(a)):
        found.append(a[k] * b[k] + c[k])
    return np.mean(found), np.sum(found), np.max(found), len(found)


@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=PROGRAMS.names)
def test_captured_whole(program: Program, args: tuple[Any, ...]) -> None:
    """Each is one segment."""
    check_whole(program, args)


def test_what_eager_says() -> None:
    """Reductions of no numbers, and of arrays that make no table, raise as in eager."""

    def of_none(a: Any) -> Any:
        return np.sum([]), np.max([]) + a

    def of_other_lengths(a: Any) -> Any:
        return np.sum([a, a[:3]], axis=0)

    def of_a_list_from_outside(values: Any) -> Any:
        return np.mean(values), np.max(values)

    check(of_none, A)
    check(of_other_lengths, A)
    check(of_a_list_from_outside, [1.0, 2.5, A[1]])


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
    """A list that contains itself is refused as by NumPy."""
    check(refused(take), np.arange(3.0), calls=2)
