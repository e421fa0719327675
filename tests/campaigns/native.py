"""Everything that tests/backends/numba/test_native.py samples, in full, for as long as one likes.

    python tests/campaigns/native.py SECONDS [SEED]

Combinations of ops, dtypes, layouts and lengths come in an order that the seed decides; what fails
is printed with the seed, and the exit code is 1.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

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


def jobs() -> list[Job]:
    """All of them."""
    made: list[Job] = []
    made += [_casts(source, layout) for source in REALS for layout in LAYOUTS]
    for (left, right), layouts in itertools.product(itertools.product(REALS, REALS), LAYOUT_PAIRS):
        made.append(_wheres(left, right, layouts))
        names = [name for name in NATIVE if ufunc_texts(left, right, [name])]
        for texts in _chunks(ufunc_texts(left, right, names)):
            made.append(_ufuncs(left, right, texts, layouts))
        rest = [text for text in ufunc_texts(left, right) if text[3:].split("(")[0] not in names]
        if left != right:
            rest = [text for text in rest if text.endswith("y)")]
        for texts in _chunks(rest):
            made.append(_ufuncs(left, right, texts, layouts))
    return made


def main(seconds: float, seed: int) -> int:
    """Runs jobs for so long; returns how many failed."""
    rng = random.Random(seed)
    todo = jobs()
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
    sys.exit(min(1, main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)))
