"""Counts how long the points of the plane stay near zero: the Mandelbrot set."""

from __future__ import annotations

import sys
import warnings

import numpy as np
from numpy.typing import NDArray

from framejit import jit

Array = NDArray[np.float64]
Counts = NDArray[np.int64]


@jit(compile="now")
def escape_counts(real: Array, imag: Array, steps: int) -> Counts:
    """For each c = real + imag*i, in how many of the steps z -> z*z + c stays within |z| <= 2.

    Points that have escaped are iterated on with all others, as array programs do: their squares
    overflow, and NumPy warns about it.
    """
    x = np.zeros_like(real)
    y = np.zeros_like(imag)
    counts = np.zeros(real.shape, dtype=np.int64)
    for _ in range(steps):
        xx = x * x
        yy = y * y
        counts = np.where(xx + yy <= 4.0, counts + 1, counts)
        y = 2.0 * x * y + imag
        x = xx - yy + real
    return counts


def problem(scale: float = 1.0) -> tuple[Array, Array, int]:
    """The well-known view of the set: (real parts, imaginary parts, steps)."""
    height = max(6, round(300 * scale**0.5))
    width = height * 3 // 2
    real, imag = np.meshgrid(np.linspace(-2.0, 1.0, width), np.linspace(-1.0, 1.0, height))
    return real, imag, 50


def main() -> int:
    """Counts eagerly and compiled; 0 when every bit is the same."""
    view = problem()
    warnings.filterwarnings("ignore", category=RuntimeWarning)
    eager = escape_counts.__wrapped__(*view)
    compiled = escape_counts(*view)
    same = eager.tobytes() == compiled.tobytes()
    for row in compiled[::20, ::7]:
        print("".join(" .:-=+*#%@"[min(count // 5, 9)] for count in row))
    print(f"same bits: {'yes' if same else 'no'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
