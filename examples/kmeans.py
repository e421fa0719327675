"""Groups points into clusters with Lloyd's algorithm."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from framejit import jit

Array = NDArray[np.float64]
Labels = NDArray[np.intp]


def nearest(points: Array, centres: Array) -> Labels:
    """For each point the number of the centre that is nearest to it."""
    offsets = points[:, None, :] - centres[None, :, :]
    return np.sum(offsets**2, axis=2).argmin(axis=1)


@jit(compile="now")
def lloyd(points: Array, centres: Array, steps: int) -> tuple[Array, Labels]:
    """Moves the centres to the means of their points until they stay where they are."""
    labels = nearest(points, centres)
    for _ in range(steps):
        moved = centres.copy()
        for k in range(len(centres)):
            members = points[labels == k]
            if len(members) > 0:
                moved[k] = members.mean(axis=0)
        shift = np.abs(moved - centres).max()
        centres = moved
        labels = nearest(points, centres)
        if shift < 1e-6:
            break
    return centres, labels


def problem(scale: float = 1.0) -> tuple[Array, Array, int]:
    """Points around eight places in four dimensions: (points, first centres, most steps)."""
    n = max(64, round(20_000 * scale))
    rng = np.random.default_rng(1957)
    places = rng.uniform(-10.0, 10.0, (8, 4))
    points = places[rng.integers(8, size=n)] + rng.normal(0.0, 2.0, (n, 4))
    return points, points[:8].copy(), 15


def main() -> int:
    """Groups the points eagerly and compiled; 0 when every bit is the same."""
    inputs = problem()
    eager = lloyd.__wrapped__(*inputs)
    compiled = lloyd(*inputs)
    same = all(a.tobytes() == b.tobytes() for a, b in zip(eager, compiled, strict=True))
    _, labels = compiled
    print(f"{len(labels):,} points, cluster sizes {np.bincount(labels).tolist()}")
    print(f"same bits: {'yes' if same else 'no'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
