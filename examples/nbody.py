"""Moves a cloud of stars under their own gravity: every pair by broadcasting."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from framejit import jit

Array = NDArray[np.float64]

SOFTENING = 0.05
"""Keeps close encounters finite."""


def acceleration(position: Array, mass: Array) -> Array:
    """Return the acceleration of each body, in units where the gravitational constant is 1."""
    separation = position[None, :, :] - position[:, None, :]
    distance2 = np.sum(separation**2, axis=2) + SOFTENING**2
    strength = mass / (distance2 * np.sqrt(distance2))
    return np.sum(strength[:, :, None] * separation, axis=1)


@jit(compile="now")
def leapfrog(
    position: Array, velocity: Array, mass: Array, dt: float, steps: int
) -> tuple[Array, Array]:
    """Positions and velocities (bodies, 3) after some kick-drift-kick steps, moved in place."""
    force = acceleration(position, mass)
    for _ in range(steps):
        velocity += 0.5 * dt * force
        position += dt * velocity
        force = acceleration(position, mass)
        velocity += 0.5 * dt * force
    return position, velocity


def problem(scale: float = 1.0) -> tuple[Array, Array, Array, float, int]:
    """A ball of stars at rest: (positions, velocities, masses, time step, steps)."""
    n = max(4, round(500 * scale**0.5))
    rng = np.random.default_rng(1911)
    return rng.normal(size=(n, 3)), np.zeros((n, 3)), rng.uniform(0.5, 1.5, n) / n, 0.01, 5


def main() -> int:
    """Moves two equal clouds, one eagerly and one compiled; 0 when every bit is the same."""
    eager = leapfrog.__wrapped__(*problem())
    compiled = leapfrog(*problem())
    same = all(a.tobytes() == b.tobytes() for a, b in zip(eager, compiled, strict=True))
    position, velocity = compiled
    speed = np.sqrt(np.sum(velocity**2, axis=1))
    print(f"{len(position)} bodies: mean speed {speed.mean():.4f}, fastest {speed.max():.4f}")
    print(f"same bits: {'yes' if same else 'no'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
