"""A function and its three stages."""

from __future__ import annotations

import numpy as np

import framejit

CALLS = []


X = np.linspace(0.0, 1.0, 100)


def scaled(x, k=2.0):
    CALLS.append("scaled")
    return x


def simple(x, k=2.0):
    return np.negative(-x) * 1.0 + k


def broken(x, y):
    residual = x - y
    print("residual:", residual.shape)
    return np.exp(-0.5 * residual**2)


def staged(function, backend="numpy", args=(X,), **options):
    """The three stages of a function."""
    traced = framejit.jit(function, backend=backend, **options).trace(*args)
    lowered = traced.lower()
    return traced, lowered, lowered.compile()


def compiled_for(*args):
    """For the oracle: what compiles a function for these arguments, before it is called."""
    return lambda function, backend: staged(function, backend, args)[2]._function
