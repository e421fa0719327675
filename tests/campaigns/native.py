"""Everything that tests/unit/backends/numba/test_native.py samples, in full, as long as one likes.

    python tests/campaigns/native.py SECONDS [SEED [WORD]]

Combinations of ops, dtypes, layouts and lengths come in an order that the seed decides; what fails
is printed with the seed, and the exit code is 1. With WORD only those run whose title has it:
"chains", "casts", "Python", "float_power".
"""

from __future__ import annotations

import contextlib
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy as np
from equality import (
    LAYOUT_PAIRS,
    LAYOUTS,
    REALS,
    Array,
    Batch,
    arranged,
    cast_texts,
    hostile,
    pairs,
    ufunc_texts,
)

from framejit.backends.numba.native import NATIVE

CHUNK = 12
"""Ops of one kernel: what they raise together hides less than with more."""
LENGTHS = (1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 511, 512, 513, 1024, 1025, 1537, 3000)
Job = tuple[str, Callable[[random.Random], None]]


def _chunks(texts: list[str]) -> Iterator[list[str]]:
    for first in range(0, len(texts), CHUNK):
        yield texts[first : first + CHUNK]


def _run(batch: Batch, layouts: tuple[str, str], x: Array, y: Array, rng: random.Random) -> None:
    """Some lengths, with the pairs in another order each time."""
    order = list(range(len(x)))
    for length in (3000, *rng.sample(LENGTHS, 5)):
        rng.shuffle(order)
        chosen = np.resize(order, length)
        batch.check(*arranged(layouts, x[chosen], y[chosen]))
    if layouts == ("contiguous", "contiguous"):
        batch.check_flags(x[order[:200]], y[order[:200]])


def _ufuncs(left: str, right: str, texts: list[str], layouts: tuple[str, str]) -> Job:
    def job(rng: random.Random) -> None:
        _run(Batch(texts), layouts, *pairs(left, right, 1200), rng)

    return f"{left} {right} {layouts} {texts}", job


def _casts(source: str, layout: str) -> Job:
    def job(rng: random.Random) -> None:
        values = hostile(source)
        batch = Batch(cast_texts(), "x")
        for length in (3000, *rng.sample(LENGTHS, 5)):
            batch.check(LAYOUTS[layout](np.resize(rng.sample(list(values), len(values)), length)))

    return f"casts of {source}, {layout}", job


def _wheres(left: str, right: str, layouts: tuple[str, str]) -> Job:
    def job(rng: random.Random) -> None:
        texts = ["np.where(x != y, x, y)", "np.where(x, y, x)", "np.where(x == 0, 1, y)"]
        _run(Batch(texts), layouts, *pairs(left, right, 1200), rng)

    return f"where {left} {right} {layouts}", job


def _scalars(left: str, right: str, texts: list[str], layout: str, python: bool) -> Job:
    def job(rng: random.Random) -> None:
        batch = Batch(texts)
        x, _ = pairs(left, right, 900)
        for scalar in rng.sample(list(hostile(right)), min(6, len(hostile(right)))):
            number = scalar.item() if python else scalar
            with contextlib.suppress(OverflowError):  # a Python int that the dtype cannot hold
                np.add(x[:1], number)
                batch.check(LAYOUTS[layout](x), number)

    return f"{left} {layout} with {'Python' if python else 'NumPy'} {right} {texts}", job


def _chains(left: str, right: str, layouts: tuple[str, str]) -> Job:
    def job(rng: random.Random) -> None:
        x, y = pairs(left, right, 1200)
        order = rng.sample(range(len(x)), len(x))
        names = [t for t in ufunc_texts(left, right) if t.endswith("y)")] or ["np.add(x, y)"]
        texts = []
        for _ in range(6):
            outer, inner, other = (rng.choice(names) for _ in range(3))
            nested = outer.replace("(x, y)", f"({inner}, {other})")
            with contextlib.suppress(TypeError), np.errstate(all="ignore"):
                eval(nested, {"np": np, "x": x[:2], "y": y[:2]})
                texts.append(nested)
        if texts:
            batch = Batch(texts)
            batch.check(*arranged(layouts, x, y))
            batch.check(*arranged(layouts, x[order], y[order]))

    return f"chains {left} {right} {layouts}", job


def jobs() -> list[Job]:
    """All of them."""
    made: list[Job] = []
    for left, right, layout in itertools.product(REALS, REALS, ("contiguous", "table", "one")):
        for texts in _chunks([t for t in ufunc_texts(left, right) if t.endswith("y)")]):
            made.append(_scalars(left, right, texts, layout, python=False))
            if right in ("?", "i8", "f8"):
                made.append(_scalars(left, right, texts, layout, python=True))
    made += [_casts(source, layout) for source in REALS for layout in LAYOUTS]
    for (left, right), layouts in itertools.product(itertools.product(REALS, REALS), LAYOUT_PAIRS):
        made.append(_wheres(left, right, layouts))
        made += [_chains(left, right, layouts)] * 2
        names = [name for name in NATIVE if ufunc_texts(left, right, [name])]
        for texts in _chunks(ufunc_texts(left, right, names)):
            made.append(_ufuncs(left, right, texts, layouts))
        rest = [text for text in ufunc_texts(left, right) if text[3:].split("(")[0] not in names]
        if left != right:
            rest = [text for text in rest if text.endswith("y)")]
        for texts in _chunks(rest):
            made.append(_ufuncs(left, right, texts, layouts))
    return made


def main(seconds: float, seed: int = 0, word: str = "") -> int:
    """Runs jobs for so long; returns how many failed."""
    rng = random.Random(seed)
    todo = [job for job in jobs() if word in job[0]]
    rng.shuffle(todo)
    end, failed, done = time.monotonic() + seconds, 0, 0
    for title, job in todo:
        if time.monotonic() > end:
            break
        done += 1
        try:
            job(rng)
        except Exception as error:
            failed += 1
            print(f"--- seed {seed}: {title}\n{type(error).__name__}: {error}\n", flush=True)
    print(f"seed {seed}: {done} of {len(todo)} combinations, {failed} failed")
    return failed


if __name__ == "__main__":
    _, seconds, *more = sys.argv
    sys.exit(min(1, main(float(seconds), *map(int, more[:1]), *more[1:2])))
