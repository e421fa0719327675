"""Classifies a batch of samples with a small neural network: three dense layers."""

from __future__ import annotations

import sys
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from framejit import jit

Array = NDArray[np.float64]
Layer = tuple[Array, Array]


def softmax(scores: Array) -> Array:
    """Scores to probabilities, each row of its own; shifted so that no exponential overflows."""
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


@jit(compile="now")
def forward(samples: Array, layers: list[Layer]) -> Array:
    """The probability of each class for each sample, shape (samples, classes)."""
    (w1, b1), (w2, b2), (w3, b3) = layers
    hidden = np.maximum(samples @ w1 + b1, 0.0)
    hidden = np.tanh(hidden @ w2 + b2)
    return softmax(hidden @ w3 + b3)


def problem(scale: float = 1.0) -> tuple[Array, list[Layer]]:
    """Random samples and weights of the usual size: (samples, layers)."""
    n = max(16, round(10_000 * scale))
    rng = np.random.default_rng(1986)
    sizes = (16, 64, 64, 10)
    layers = [
        (rng.normal(0.0, inputs**-0.5, (inputs, outputs)), rng.normal(0.0, 0.1, outputs))
        for inputs, outputs in pairwise(sizes)
    ]
    return rng.normal(size=(n, sizes[0])), layers


def main() -> int:
    """Classifies eagerly and compiled; 0 when every bit is the same."""
    inputs = problem()
    eager = forward.__wrapped__(*inputs)
    compiled = forward(*inputs)
    same = eager.tobytes() == compiled.tobytes()
    print(f"{len(compiled):,} samples, per class {np.bincount(compiled.argmax(axis=1)).tolist()}")
    print(f"same bits: {'yes' if same else 'no'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
