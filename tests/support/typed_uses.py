"""Uses of the public face as a type checker sees them: `.ci/run` has mypy look at this file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

from framejit import (
    Compiled,
    Lowered,
    Report,
    Traced,
    capture,
    config,
    disable,
    explain,
    jit,
)

Array = npt.NDArray[np.float64]


@jit
def scaled(x: Array, by: float = 2.0) -> Array:
    """Bare."""
    return x * by


@jit(backend="numpy", static=("k",), compile="now")
def power(x: Array, k: int) -> Array:
    """A function that is decorated with options."""
    made: Array = x**k
    return made


class Model:
    """A class with decorated methods of each kind."""

    def __init__(self) -> None:
        self.weights = np.ones(3)

    @jit
    def predict(self, x: Array) -> Array:
        """A method."""
        return self.weights * x

    @staticmethod
    @jit
    def loss(x: Array) -> float:
        """A static method."""
        return float(x.sum())

    @classmethod
    @jit
    def of(cls, x: Array) -> Model:
        """A class method."""
        model = cls()
        model.weights = x
        return model


def uses() -> None:
    """Each with the types that it gives."""
    x = np.ones(3)
    assert_type(scaled(x, by=3.0), Array)
    assert_type(power(x, 2), Array)
    assert_type(Model.of(x).predict(x), Array)
    assert_type(Model.loss(x), float)
    assert_type(scaled.stats(), dict[str, int])
    assert_type(scaled.inspect("graph"), str)
    plain: Callable[..., Array] = scaled.__wrapped__
    assert_type(plain(x), Array)
    report: Report = explain(scaled)(x)
    with config(backend="numpy"), disable():
        doubled = jit(lambda x: x * 2)
        result: Any = doubled(x)
    with capture() as block:
        plain(x)
    print(report, block.report, result)


def uses_of_stages() -> None:
    """The type of each stage."""
    x = np.ones(3)
    traced = scaled.trace(x, by=3.0)
    assert_type(traced, Traced)
    assert_type([one.reason for one in traced.untraced], list[str])
    lowered = traced.lower()
    assert_type(lowered, Lowered)
    assert_type(lowered.fusion[0].bytes_read, int | None)
    compiled = lowered.compile()
    assert_type(compiled, Compiled)
    assert_type(compiled.memory[0].arrays[0].role, str)
    assert_type(compiled.stats(), dict[str, int])
    assert_type(scaled.trace(x).lower().compile().kernels, tuple[str, ...])
    print(traced, lowered, compiled, compiled(x, by=3.0))


def wrong_uses() -> None:
    """Errors that a checker is to find; never called."""
    scaled("text", by=3.0)  # type: ignore[arg-type]
    scaled(np.ones(3), to=3.0)  # type: ignore[call-arg]
    jit(bakend="numpy")  # type: ignore[call-overload]
    scaled.inspect("tree")  # type: ignore[arg-type]
    scaled.trace("text")  # type: ignore[arg-type]
    scaled.trace(np.ones(3)).compile()  # type: ignore[attr-defined]
