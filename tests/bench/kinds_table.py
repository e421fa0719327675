"""Counts captures and kernels where calls bring values of many kinds.

    python tests/bench/kinds_table.py [CASE ...]

Each case calls functions with numbers of other types, lists of other lengths, objects of other
classes, functions that are made anew, ... in a process of its own with an empty cache. The columns:
captures, kernels that were compiled, calls, how many of these were served by kernels, and the CPU
time of the process, which contains its imports. The bits are compared with those of plain Python.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

RNG = np.random.default_rng(0)
X = RNG.random(100)
WTE = RNG.random((50, 16))
WPE = RNG.random((50, 16))
Call = tuple[Any, tuple[Any, ...]]


def affine(x: Any, c: Any) -> Any:
    return (x * c + 1.5) * c - x


def rises(t: Any, end: Any, step: Any) -> Any:
    n = 0
    while t < end:
        t += step
        n += 1
    return t, n


class Damped:
    def __init__(self, rate: Any) -> None:
        self.rate = rate

    def step(self, x: Any) -> Any:
        return x - x * self.rate + 0.25


class Medium:
    """A field with coefficients that its subclasses give."""

    factor = 0.5

    def __init__(self, size: int) -> None:
        self.cells = np.linspace(0.0, 1.0, size)

    def update(self) -> Any:
        cells = self.cells
        cells[1:-1] += self.factor * (cells[2:] - 2.0 * cells[1:-1] + cells[:-2])
        return self.hook(cells * 2.0)

    def hook(self, cells: Any) -> Any:
        return cells + 1.0


SUBCLASSES = [type(f"Medium{k}", (Medium,), {}) for k in range(6)]
HOOKED = [
    type(f"Hooked{k}", (Medium,), {"hook": lambda self, cells: cells - 2.0 * self.factor})
    for k in range(4)
]


def embed(ids: Any) -> Any:
    return WTE[ids] + WPE[range(len(ids))]


def mean_of(numbers: Any) -> Any:
    a = np.array(numbers)
    return (a * a + a).sum() / len(numbers)


def made_anew(k: int) -> Any:
    def inner(x: Any) -> Any:
        return x * k + X

    return inner


def applied(f: Any, x: Any) -> Any:
    return f(x) * 2.0 + f(x + 1.0)


def softmax(x: Any) -> Any:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def attend(q: Any, k: Any, v: Any, mask: Any) -> Any:
    return softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask) @ v


def decode(ids: Any) -> Any:
    x = WTE[ids] + WPE[range(len(ids))]
    mask = (1 - np.tri(x.shape[0], dtype=x.dtype)) * -1e10
    x = x + attend(x, x, x, mask)
    x = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
    return x @ WTE.T


def weighted(numbers: Any) -> Any:
    total = X * 0.0
    for number in numbers:
        total = total + X * number
    return total


NUMBERS = (2, 2.5, np.float64(2.5), np.int64(3), np.float32(1.5), True, np.bool_(True))
NUMBERS = (*NUMBERS, np.array(2.5), np.array(3), np.uint8(3), np.array(1.5, "f4"), np.int32(7))


def numbers() -> Iterator[Call]:
    for c in NUMBERS:
        yield affine, (X, c)


def ints_and_floats() -> Iterator[Call]:
    for c in (2, 2.5, 3, 3.5):
        yield affine, (X, c)


def loops_of_numbers() -> Iterator[Call]:
    for t, end, step in ((0, 50.0, 0.5), (0.0, 50.0, 0.5), (0, 50, 0.5), (0.0, 50, 0.25)):
        yield rises, (t, end, step)


def attributes() -> Iterator[Call]:
    for rate in (1, 0.5, np.float64(0.5), np.array(0.5)):
        yield Damped.step, (Damped(rate), X)


def instances() -> Iterator[Call]:
    for _ in range(8):
        yield Medium.update, (Medium(40),)


def subclasses() -> Iterator[Call]:
    for kind in SUBCLASSES:
        yield Medium.update, (kind(40),)


def hooks() -> Iterator[Call]:
    for kind in HOOKED:
        yield Medium.update, (kind(40),)


def list_lengths() -> Iterator[Call]:
    for n in range(3, 11):
        yield embed, (list(range(n)),)


def lists_to_arrays() -> Iterator[Call]:
    for n in range(3, 11):
        yield mean_of, ([0.5 * k for k in range(n)],)


def walks_of_lists() -> Iterator[Call]:
    for n in range(3, 11):
        yield weighted, ([0.5 * k for k in range(n)],)


def functions_made_anew() -> Iterator[Call]:
    for k in range(16):
        yield made_anew(k), (0.5,)


def functions_given() -> Iterator[Call]:
    for k in range(16):
        yield applied, (lambda x, k=k: x * k + X, X)


def functions_with_closures() -> Iterator[Call]:
    for k in range(16):
        yield applied, (made_anew(k), X)


def decoder() -> Iterator[Call]:
    ids = [3, 1, 4]
    for _ in range(12):
        yield decode, (list(ids),)
        ids.append(int(np.argmax(decode(ids)[-1])) % 50)


CASES: dict[str, Callable[[], Iterator[Call]]] = {
    one.__name__: one
    for one in (
        numbers,
        ints_and_floats,
        loops_of_numbers,
        attributes,
        instances,
        subclasses,
        hooks,
        list_lengths,
        lists_to_arrays,
        walks_of_lists,
        functions_made_anew,
        functions_given,
        functions_with_closures,
        decoder,
    )
}


def same(one: Any, other: Any) -> bool:
    """True if two results have the same types and bits."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return all(map(same, one, other))
    a, b = np.asarray(one), np.asarray(other)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def measured(case: str) -> dict[str, float]:
    """Runs a case in this process."""
    import framejit

    wanted = [function(*args) for function, args in CASES[case]()]
    jitted: dict[Any, Any] = {}
    calls = served = captures = kernels = 0
    for (function, args), expected in zip(CASES[case](), wanted, strict=True):
        key = function.__code__
        inner = jitted.setdefault(key, framejit.jit(compile="now")(function))
        if inner.__wrapped__ is not function:
            inner = framejit.jit(compile="now")(function)
            jitted[function] = inner
        calls += 1
        assert same(inner(*args), expected), f"{case}: other bits"
    for one in jitted.values():
        stats = one.stats()
        served += stats["hits"]
        captures += stats["captures"]
        kernels += stats["compiled"]
    return {"captures": captures, "kernels": kernels, "calls": calls, "hits": served}


def row(case: str) -> dict[str, float]:
    """The figures of a case, in a process of its own."""
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "FRAMEJIT_CACHE_DIR": home, "FRAMEJIT_DEBUG": "strict"}
        before = os.times()
        done = subprocess.run(
            [sys.executable, __file__, "--one", case], env=env, capture_output=True, text=True
        )
        after = os.times()
        if done.returncode:
            raise SystemExit(done.stderr)
    spent = sum(after[2:4]) - sum(before[2:4])
    return {**json.loads(done.stdout), "cpu": spent}


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measured(sys.argv[2])))
        return
    names = sys.argv[1:] or list(CASES)
    print(f"{'case':26} {'captures':>8} {'kernels':>8} {'calls':>6} {'hits':>6} {'CPU s':>7}")
    began = time.perf_counter()
    for name in names:
        one = row(name)
        print(
            f"{name:26} {one['captures']:8.0f} {one['kernels']:8.0f} {one['calls']:6.0f} "
            f"{one['hits']:6.0f} {one['cpu']:7.2f}"
        )
    print(f"{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
