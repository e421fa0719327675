"""Objects whose class is written in C and holds attributes as `object` does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from oracle import assert_counts, check

import framejit

X = np.arange(5.0)


def steps(state: Any, dt: Any) -> Any:
    state.v = state.v - state.k * state.x * dt
    state.x = state.x + state.v * dt
    state.steps += 1
    del state.old
    return state.x.sum()


def missing(state: Any, dt: Any) -> Any:
    y = state.x * dt
    return y + state.nothing


def test_simple_namespaces() -> None:
    """Attributes are read, set and deleted; eager raises for one that is missing."""

    def fresh() -> Any:
        return SimpleNamespace(x=X.copy(), v=X[::-1].copy(), k=2.0, steps=0, old=None)

    assert_counts(check(steps, fresh(), 0.5), breaks=0, bails=0)
    check(missing, fresh(), 0.5)
    jitted = framejit.jit(steps)
    state, other = fresh(), fresh()
    for _ in range(3):
        state.old = other.old = 1
        assert jitted(state, 0.5) == steps(other, 0.5)
    assert state.steps == other.steps == 3


class FaultError(ValueError):
    """An error with an array."""


def of_an_error(error: Any, x: Any) -> Any:
    error.residual = x * 2
    return error.residual + error.weight, len(error.args)


def test_exceptions() -> None:
    """An exception holds attributes like any object."""
    fault = FaultError("text")
    fault.weight = 3.0  # type: ignore[attr-defined]
    check(of_an_error, fault, X)
