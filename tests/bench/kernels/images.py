"""Pixels."""

from __future__ import annotations

import numpy as np
from kernel_programs import kernel


@kernel(lambda rng, n: (rng.random((n, n)), rng.random((5, 5))), s=40, m=512)
def correlate_by_shifts(image, weights):
    n, m = image.shape
    out = np.zeros((n - 4, m - 4))
    for i in range(5):
        for j in range(5):
            out += weights[i, j] * image[i : n - 4 + i, j : m - 4 + j]
    return out


@kernel(lambda rng, n: (rng.integers(0, 256, (n, n, 3)).astype(np.uint8),), s=100, m=1000)
def grey_and_stretched(image):
    grey = image @ np.array([0.299, 0.587, 0.114])
    low, high = np.percentile(grey, [2, 98])
    return np.clip((grey - low) * (255.0 / (high - low)), 0, 255).astype(np.uint8)


@kernel(lambda rng, n, t: (rng.random((n, n)) > 0.7, t), s=(64, 20), m=(512, 40))
def game_of_life(board, steps):
    for _ in range(steps):
        count = sum(
            np.roll(np.roll(board.astype(np.int8), i, 0), j, 1)
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            if (i, j) != (0, 0)
        )
        board = (count == 3) | (board & (count == 2))
    return board
