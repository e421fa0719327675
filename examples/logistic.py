"""Trains a logistic regression by gradient descent and prints the loss on the way."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from framejit import jit

Array = NDArray[np.float64]


def sigmoid(x: Array) -> Array:
    """The logistic function."""
    return 1.0 / (1.0 + np.exp(-x))


@jit(compile="now")
def train(features: Array, labels: Array, rate: float, steps: int) -> tuple[Array, float]:
    """The weights and the bias after some steps of gradient descent."""
    weights = np.zeros(features.shape[1])
    bias = 0.0
    for step in range(steps):
        predicted = sigmoid(features @ weights + bias)
        if step % 100 == 0:
            likely = labels * np.log(predicted) + (1.0 - labels) * np.log(1.0 - predicted)
            print(f"step {step:4d}: loss {-likely.mean():.6f}")
        error = predicted - labels
        weights -= rate * (features.T @ error) / len(labels)
        bias -= rate * error.mean()
    return weights, bias


def problem(scale: float = 1.0) -> tuple[Array, Array, float, int]:
    """Noisy answers of a known model: (features, labels, learning rate, steps)."""
    n = max(50, round(20_000 * scale))
    rng = np.random.default_rng(1958)
    features = rng.normal(size=(n, 8))
    chance = sigmoid(features @ np.linspace(-2.0, 2.0, 8) + 0.5)
    labels = (rng.uniform(size=n) < chance).astype(np.float64)
    return features, labels, 0.5, 301


def main() -> int:
    """Trains eagerly and compiled; 0 when every bit is the same."""
    inputs = problem()
    eager_weights, eager_bias = train.__wrapped__(*inputs)
    weights, bias = train(*inputs)
    same = eager_weights.tobytes() == weights.tobytes() and eager_bias == bias
    print(f"{len(inputs[0]):,} samples: bias {bias:.4f}, weights {weights.round(3).tolist()}")
    print(f"same bits: {'yes' if same else 'no'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
