"""Loops that threads share, inside loops of the program whose numbers change, and with far ends."""

# ruff: noqa: F821, F841, B007 (unbound variables are tested)

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from sharing import sharing_everywhere

import framejit
from framejit.backends.numba.nodes.shared_loops import MOST_NOTES

X = np.linspace(1.0, 2.0, 301)


@pytest.fixture(autouse=True)
def shared(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Threads share all loops that can be shared, in odd chunks."""
    with sharing_everywhere(monkeypatch), framejit.config(threads=3):
        yield


def unbound_at_first(x: Any, out: Any) -> Any:
    for t in range(3):
        if t > 0:
            for i in range(len(x)):
                out[i] += last * x[i]
        last = t * 2.5 + 1
    return out


def none_at_first(x: Any, out: Any) -> Any:
    best = None
    for t in range(3):
        if best is not None:
            for i in range(len(x)):
                out[i] += best * x[i]
        best = t * 2.5
    return out


def in_a_while(x: Any, out: Any) -> Any:
    t = 0
    while t < 3:
        if t > 0:
            for i in range(len(x)):
                out[i] += c * x[i]
        c = t + 1
        t += 1
    return out


def an_inner_index(x: Any, out: Any) -> Any:
    for t in range(3):
        if t > 0:
            for i in range(len(x)):
                out[i] += j * x[i]
        for j in range(t, t + 2):
            pass
    return out


def a_bool(x: Any, out: Any) -> Any:
    for t in range(3):
        if t > 0:
            for i in range(len(x)):
                out[i] += x[i] if last else 0.5
        last = t % 2 == 0
    return out


def an_item(x: Any, out: Any) -> Any:
    for t in range(4):
        if t > 0:
            for i in range(len(x)):
                out[i] += last * x[i]
        last = x[t + 7]
    return out


PROGRAMS = [unbound_at_first, none_at_first, in_a_while, an_inner_index, a_bool, an_item]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_the_loop_around_assigns_at_its_end(program: Any) -> None:
    """Before its first assignment a number has a placeholder, which is no constant."""
    check(program, X, np.zeros(len(X)), backends=["numba"], calls=3)


def made(start: str, head: str, update: str) -> Any:
    """Returns a program whose inner loop reads what the outer one assigns at its end."""
    lines = [
        "def program(x, out):",
        *([f"    last = {start}"] if start else []),
        "    t = 0",
        f"    {head}:",
        f"        if {'last is not None' if start else 't > 0'}:",
        "            for i in range(len(x)):",
        "                out[i] += last * x[i]",
        f"        last = {update}",
        *(["        t += 1"] if head.startswith("while") else []),
        "    return out",
    ]
    space: dict[str, Any] = {"np": np}
    exec("\n".join(lines), space)
    return space["program"]


UPDATES = ("t * 2.5 + 1", "t + 1", "t % 2 == 0", "x[t + 7]", "np.float32(t) + 1", "out[2] * 0.5")


@pytest.mark.parametrize("update", UPDATES)
@pytest.mark.parametrize("head", ["for t in range(3)", "while t < 3"])
@pytest.mark.parametrize("start", ["", "None", "0", "-0.0"])
def test_each_start_and_update(start: str, head: str, update: str) -> None:
    program = made(start, head, update)
    jitted = framejit.jit(program, backend="numba", compile="now")
    for _ in range(3):
        assert jitted(X, X * 0.5).tobytes() == program(X, X * 0.5).tobytes()


def with_notes(count: int) -> Any:
    names = [f"f{k}" for k in range(count)]
    lines = [
        "def many(x, idx, out):",
        f"    {' = '.join(names)} = 0",
        "    for i in range(len(x)):",
        "        out[i] = x[idx[i]]",
        *(f"        if x[i] > {1 + k / count}: {name} = 1" for k, name in enumerate(names)),
        f"    return out, {', '.join(names)}",
    ]
    space: dict[str, Any] = {}
    exec("\n".join(lines), space)
    return space["many"]


@pytest.mark.parametrize("count", [1, MOST_NOTES, MOST_NOTES + 1, MOST_NOTES + 12])
def test_many_notes(count: int) -> None:
    """More than fit into what a chunk returns keep the loop in order."""
    program = with_notes(count)
    jitted = framejit.jit(program, backend="numba", compile="now")
    places = np.arange(len(X))
    for _ in range(3):
        found = jitted(X, places, np.zeros(len(X)))
    expected = program(X, places, np.zeros(len(X)))
    assert found[0].tobytes() == expected[0].tobytes()
    assert found[1:] == expected[1:]
    assert jitted.stats()["bails"] == 0


def steps(x: Any, low: int, high: int, step: int) -> Any:
    found = 0
    for i in range(low, high, step):
        if i > 5 and x[0] > 0:
            found = 1
    return found


def around(x: Any, low: int, high: int, step: int) -> Any:
    found = 0
    for _ in range(low, high, step):
        for k in range(len(x)):
            if x[k] > 1.5:
                found = 1
    return found


FAR = [
    (-(2**63), 2**63 - 1, 2**62),
    (2**62, -(2**62) - 2**61, -(2**61)),
    (0, 2**62 + 1, 2**62),
    (1, -(2**63), 1),
    (-5, 2**63 - 1, 2**62),
]


@pytest.mark.parametrize("program", [steps, around])
@pytest.mark.parametrize("ends", FAR)
def test_ends_that_are_far_apart(program: Any, ends: tuple[int, int, int]) -> None:
    """Their distance does not fit into 64 bits, or the end of the last step does not."""
    jitted = framejit.jit(program, backend="numba", compile="now")
    for values in ((0, 9, 1), ends, ends, (0, 9, 1)):
        assert jitted(X, *values) == program(X, *values)
