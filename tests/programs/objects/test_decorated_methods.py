"""Decorated special methods: operators, items and calls find them as they find plain ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import Decorator, assert_counts, check_script

X = np.linspace(0.1, 1.0, 7)


def vector_class(jit: Decorator) -> Any:
    """Return a class each of whose methods is decorated."""

    class Vector:
        @jit
        def __init__(self, x: Any) -> None:
            self.x = x

        @jit
        def __add__(self, other: Any) -> Any:
            return Vector(self.x + other.x)

        @jit
        def __mul__(self, factor: Any) -> Any:
            return NotImplemented if factor is None else Vector(self.x * factor)

        @jit
        def __rmul__(self, factor: Any) -> Any:
            return Vector(factor * self.x)

        @jit
        def __neg__(self) -> Any:
            return Vector(-self.x)

        @jit
        def __getitem__(self, k: Any) -> Any:
            return self.x[k] * 2.0

        @jit
        def __setitem__(self, k: Any, value: Any) -> None:
            self.x[k] = value * 2.0

        @jit
        def __call__(self, y: Any) -> Any:
            return self.x * y + 1.0

        @jit
        def __len__(self) -> int:
            return len(self.x)

        @jit
        def __contains__(self, y: Any) -> Any:
            return bool(np.any(self.x == y))

        @jit
        def __eq__(self, other: object) -> Any:
            return isinstance(other, Vector) and bool(np.all(self.x == other.x))

        __hash__ = None  # type: ignore[assignment]

    class Longer(Vector):
        @jit
        def __add__(self, other: Any) -> Any:
            return super().__add__(other) * 2.0

    return Vector, Longer


def test_operators() -> None:
    """One kernel, and no break."""

    def script(jit: Decorator) -> Any:
        vector, longer = vector_class(jit)
        f = jit(lambda a, b: (2.0 * (a + b) * 3.0 + -a).x)
        one, other = vector(X), vector(X + 1.0)
        return [f(one, other), f(one, other), f(longer(X), one)]

    for made in check_script(script):
        assert_counts(made[-1:], breaks=0)


def test_items_calls_and_questions() -> None:
    """`[]`, `()`, `len`, `in` and `==` call the decorated methods, as in eager."""

    def script(jit: Decorator) -> Any:
        vector, _ = vector_class(jit)

        def program(a: Any, b: Any) -> Any:
            a[1] = 5.0
            return a[2] + a(X) * len(b), X[0] in a, a == b, a != b, a == 3

        f = jit(program)
        return [f(vector(X.copy()), vector(X + 1.0)) for _ in range(3)]

    check_script(script)


def test_methods_that_are_exchanged() -> None:
    """Guards look at what the class holds now."""

    def script(jit: Decorator) -> Any:
        vector, _ = vector_class(jit)
        f = jit(lambda a, b: (a + b).x * 2.0)
        one, other = vector(X), vector(X + 1.0)
        found = [f(one, other), f(one, other)]
        vector.__add__ = jit(lambda self, other: vector(self.x - other.x))
        found.append(f(one, other))
        vector.__add__ = lambda self, other: vector(self.x * other.x)
        return [*found, f(one, other), f(one, other)]

    check_script(script)


def test_a_method_that_declines() -> None:
    """`NotImplemented` becomes eager's exception."""

    def script(jit: Decorator) -> Any:
        vector, _ = vector_class(jit)
        f = jit(lambda a: (a * 2.0).x + (a * None).x)
        try:
            f(vector(X))
        except TypeError as error:
            return str(error)
        return None

    check_script(script)
