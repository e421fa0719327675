"""Heat spreads over a square plate: explicit finite differences, updated in place."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from framejit import jit

Array = NDArray[np.float64]


@jit(compile="now")
def diffuse(u: Array, steps: int, number: float) -> Array:
    """Advances the temperatures `u` in place; `number` is diffusivity * dt / dx**2."""
    for _ in range(steps):
        u[1:-1, 1:-1] += number * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        # No heat leaves through the left and the right side; the other two are held.
        u[:, 0] = u[:, 1]
        u[:, -1] = u[:, -2]
    return u


def problem(scale: float = 1.0) -> tuple[Array, int, float]:
    """A cold plate with one hot edge and a hot spot: (temperatures, steps, number)."""
    n = max(8, round(512 * scale**0.5))
    u = np.zeros((n, n))
    u[0] = 100.0
    u[n // 3 : n // 2, n // 3 : n // 2] = 60.0
    return u, 100, 0.24


def main() -> int:
    """Heats two equal plates, one eagerly and one compiled; 0 when every bit is the same."""
    eager = diffuse.__wrapped__(*problem())
    compiled = diffuse(*problem())
    same = eager.tobytes() == compiled.tobytes()
    print(f"{compiled.shape[0]} x {compiled.shape[1]} plate: mean {compiled.mean():.4f} degrees")
    print(f"same bits: {'yes' if same else 'no'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
