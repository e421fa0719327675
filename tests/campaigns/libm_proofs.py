"""Compares sines, exponentials and the like of kernels with NumPy's, bit by bit.

    python tests/campaigns/libm_proofs.py MILLIONS [SEED]

So many million points for each of them. They are uniform in their value, their exponent or all of
their bits, near multiples of pi/2, near the bounds of the computed range and of its reduction, near
one, and runs of neighbours where results change by less than their last place, so that every
rounding is met from both sides. Powers have one exponent a batch: a small fraction or any up to 64.
What differs is printed with the seed, and the exit code is 1.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy as np

import framejit
from framejit.backends.numba.clusters.faster import faster
from framejit.backends.numba.library import exponentials, libm_proofs, logarithms, sines

Array = np.ndarray[Any, Any]
BATCH = 1 << 18
OF_OTHERS = (exponentials.MOST, 708.3964185322641, logarithms.LEAST)
SHOWN = 5


def _signs(rng: np.random.Generator) -> Array:
    return rng.integers(0, 2, BATCH) * 2.0 - 1


def _values(rng: np.random.Generator) -> Array:
    return rng.uniform(-1, 1, BATCH) * 10.0 ** rng.integers(0, 7)


def _exponents(rng: np.random.Generator) -> Array:
    """All bits but the exponent's are random; that lies between 2**-30 and 2**30."""
    bits = rng.integers(0, 1 << 63, BATCH, dtype=np.int64)
    exponents = (bits >> 52) % 60 + 993
    made: Array = (bits & (1 << 52) - 1 | exponents << 52).view(np.float64)
    return made * _signs(rng)


def _bits(rng: np.random.Generator) -> Array:
    made: Array = rng.integers(-(1 << 63), 1 << 63, BATCH, dtype=np.int64).view(np.float64)
    return made


def _near(points: Array, rng: np.random.Generator, places: int = 16) -> Array:
    """Some units in the last place from these."""
    bits = points.view(np.int64) + rng.integers(-places, places + 1, points.size)
    made: Array = bits.view(np.float64)
    return made


def _multiples(rng: np.random.Generator) -> Array:
    many = rng.integers(1, 2 ** rng.integers(4, 27), BATCH)
    return _near(many * (np.pi / 2) * _signs(rng), rng)


def _changes_of_part(rng: np.random.Generator) -> Array:
    """Draw numbers around those at which the nearest multiple of pi/128 changes."""
    many = rng.integers(0, 2 ** rng.integers(4, 29), BATCH)
    return _near((many + 0.5) * (np.pi / 128) * _signs(rng), rng, 1 << rng.integers(1, 40))


def _bounds(rng: np.random.Generator) -> Array:
    bounds = rng.choice([sines.LEAST, sines.LOWEST, 1.0, sines.MOST, *OF_OTHERS], BATCH)
    return _near(bounds * _signs(rng), rng, 1 << 20)


def _flat(rng: np.random.Generator) -> Array:
    """Runs of 64 neighbours, at some distance from where a sine or a cosine is 1."""
    many = rng.integers(0, 2 ** rng.integers(1, 23), BATCH // 64)
    starts = many * (np.pi / 2) + 2.0 ** rng.uniform(-26, -2, BATCH // 64)
    return (starts.view(np.int64)[:, None] + np.arange(64)).view(np.float64).ravel()


def _parts_of_two(rng: np.random.Generator) -> Array:
    """Draw numbers around those at which the nearest multiple of ln(2)/128 changes."""
    many = rng.integers(0, 2 ** rng.integers(4, 18), BATCH)
    return _near((many + 0.5) * (np.log(2) / 128) * _signs(rng), rng, 1 << rng.integers(1, 40))


def _beside_one(rng: np.random.Generator) -> Array:
    """And where the inverses of a logarithm's table change."""
    edges = 1 + (rng.integers(-64, 64, BATCH) + rng.integers(0, 2) / 2) / 128
    return _near(edges, rng, 1 << rng.integers(1, 46))


def _exponents_of_powers(rng: np.random.Generator) -> Array:
    return rng.uniform(-750, 750, BATCH)


FAMILIES: tuple[Callable[[np.random.Generator], Array], ...] = (
    *(_values, _exponents, _bits, _multiples, _changes_of_part, _bounds, _flat),
    *(_parts_of_two, _beside_one, _exponents_of_powers),
)
LAYOUTS: tuple[Callable[[Array], Array], ...] = (
    lambda x: x,
    lambda x: x[::-1],
    lambda x: np.repeat(x, 2)[::2],
    lambda x: x.reshape(-1, 8),
    lambda x: x[1:],
)


def compared() -> list[np.ufunc]:
    """Return the functions that kernels compute."""
    return [ufunc for ufunc in (*libm_proofs.NAMES, np.tanh) if name_of(ufunc) is not None]


def name_of(ufunc: np.ufunc) -> str | None:
    """Return the library function that kernels call for the ufunc on doubles; None for its loop."""
    return faster(ufunc, libm_proofs.loop_of_doubles(ufunc))


def computing(ufunc: np.ufunc) -> Callable[..., Array]:
    """A kernel that computes it."""
    jitted = framejit.jit(lambda x, *more: ufunc(x, *more), backend="numba", compile="now")
    jitted(np.ones(9), *more_operands(ufunc, np.random.default_rng(0)))
    assert f"{name_of(ufunc)}(" in jitted.inspect("numba"), "it calls NumPy's loop"
    made: Callable[..., Array] = jitted
    return made


def more_operands(ufunc: np.ufunc, rng: np.random.Generator) -> list[float]:
    """An exponent, for powers."""
    simple = rng.integers(-128, 129) / rng.choice([1, 2, 3, 4, 5, 10])
    return [float(rng.choice([simple, rng.uniform(-64, 64)]))] * (ufunc.nin - 1)


def main(millions: float, seed: int = 0) -> int:
    """Compares; returns how many results differ."""
    rng = np.random.default_rng(seed)
    kernels = {ufunc: computing(ufunc) for ufunc in compared()}
    print("compared:", *(ufunc.__name__ for ufunc in kernels), flush=True)
    start, done, wrong = time.monotonic(), 0, 0
    with np.errstate(all="ignore"):
        while done < millions * 1e6:
            family = FAMILIES[done // BATCH % len(FAMILIES)]
            x = LAYOUTS[done // BATCH % len(LAYOUTS)](family(rng))
            for ufunc, kernel in kernels.items():
                more = more_operands(ufunc, rng)
                differ = ufunc(x, *more).view(np.int64) != kernel(x, *more).view(np.int64)
                if differ.any():
                    wrong += int(differ.sum())
                    points = [float(point).hex() for point in x[differ][:SHOWN]]
                    told = f"--- seed {seed}: {ufunc.__name__} of {points}, {more}"
                    print(f"{told}, {family.__name__}", flush=True)
            done += BATCH
    seconds = time.monotonic() - start
    print(f"seed {seed}: {done / 1e6:.0f} million points in {seconds:.0f} s, {wrong} differ")
    return wrong


if __name__ == "__main__":
    _, millions, *more = sys.argv
    sys.exit(min(1, main(float(millions), *map(int, more))))
