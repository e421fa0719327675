"""Sharpens a colour photograph: a separable blur, an unsharp mask, and a gamma curve."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from framejit import jit

Image = NDArray[np.floating]


def blur(image: Image) -> Image:
    """A 5 x 5 binomial blur (1 4 6 4 1) of rows, then of columns; edges are repeated."""
    p = np.pad(image, ((2, 2), (2, 2), (0, 0)), mode="edge")
    rows = (p[:-4] + 4.0 * p[1:-3] + 6.0 * p[2:-2] + 4.0 * p[3:-1] + p[4:]) / 16.0
    smooth: Image = (
        rows[:, :-4] + 4.0 * rows[:, 1:-3] + 6.0 * rows[:, 2:-2] + 4.0 * rows[:, 3:-1] + rows[:, 4:]
    ) / 16.0
    return smooth


@jit(compile="now")
def enhance(image: Image, amount: float, gamma: float) -> Image:
    """The image (height, width, channels; 0 to 1) with sharper edges and other brightness."""
    sharp = image + amount * (image - blur(image))
    bright = np.clip(sharp, 0.0, 1.0) ** (1.0 / gamma)
    # Shadows keep some of the original, so that noise in them is not brought out.
    luminance = 0.299 * bright[..., 0] + 0.587 * bright[..., 1] + 0.114 * bright[..., 2]
    trust = np.minimum(luminance / 0.25, 1.0)[..., None]
    return trust * bright + (1.0 - trust) * image


def problem(scale: float = 1.0) -> tuple[Image, float, float]:
    """A picture of rings with noise: (image, amount of sharpening, gamma)."""
    height = max(8, round(480 * scale**0.5))
    width = height * 4 // 3
    rng = np.random.default_rng(1888)
    y, x = np.ogrid[-1.0 : 1.0 : height * 1j, -1.0 : 1.0 : width * 1j]
    rings = 0.5 + 0.4 * np.sin(40.0 * np.hypot(x, y))
    image = rings[..., None] * np.array([1.0, 0.8, 0.5]) + rng.normal(0.0, 0.02, (height, width, 3))
    return np.clip(image, 0.0, 1.0).astype(np.float32), 0.8, 2.2


def main() -> int:
    """Filters the picture eagerly and compiled; 0 when every bit is the same."""
    inputs = problem()
    eager = enhance.__wrapped__(*inputs)
    compiled = enhance(*inputs)
    same = eager.dtype == compiled.dtype and eager.tobytes() == compiled.tobytes()
    height, width, _ = compiled.shape
    print(f"{width} x {height} picture: mean {inputs[0].mean():.4f} -> {compiled.mean():.4f}")
    print(f"same bits: {'yes' if same else 'no'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
