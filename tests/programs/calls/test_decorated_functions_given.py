"""Decorated functions as values: those of one `def` share kernels, as plain functions do."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally, check_script

X = np.linspace(0.0, 1.0, 9)
USES: dict[str, Callable[[Any, Any], Any]] = {
    "call": lambda g, x: g(x) + 1.0,
    "identity": lambda g, x: (g is None, g is g, g(x)),
    "equality": lambda g, x: (g == np.sin, g == g, g(x)),
    "truth": lambda g, x: g(x) if g else x + 1.0,
    "callable": lambda g, x: g(x) if callable(g) else x + 1.0,
    "isinstance": lambda g, x: x * 2.0 if isinstance(g, FunctionType) else g(x),
    "hasattr": lambda g, x: (hasattr(g, "missing"), hasattr(g, "__name__"), g(x)),
    "name": lambda g, x: (g.__name__, g(x)),
    "key": lambda g, x: {g: 2.0}[g] * g(x),
    "among": lambda g, x: (g in (np.sin, np.cos), g(x)),
    "partial": lambda g, x: functools.partial(g)(x) * 2.0,
    "map": lambda g, x: list(map(g, (x, x + 1.0))),
    "reduce": lambda g, x: functools.reduce(lambda a, b: g(a) + b, (x, x, x)),
    "handed on": lambda g, x: (lambda y, h=g: h(y))(x) + (lambda y: g(y))(x),
    "items": lambda g, x: [g, np.sin][0](x) * 2.0,
    "given to NumPy": lambda g, x: np.apply_along_axis(g, 0, x) * 2.0,
    "keywords": lambda g, x: g(x=x, power=3) + g(x, 1.5),
    "too many": lambda g, x: (x + 1.0, g(x, 1.0, 2.0)),
}


def made(jit: Any, factor: Any) -> Any:
    def inner(x: Any, power: Any = 2) -> Any:
        return x * factor + power

    return jit(inner)


@pytest.mark.parametrize("name", USES)
def test_uses(name: str) -> None:
    """Functions that are made anew for each call."""

    def script(jit: Any) -> Any:
        inner = jit(USES[name])
        seen = []
        for factor in (2.0, 0.5, 3, 2.0):
            try:
                seen.append(inner(made(jit, factor), X))
            except TypeError as error:
                seen.append(str(error))
        return seen

    check_script(script)


def test_they_share_kernels() -> None:
    def script(jit: Any) -> Any:
        inner = jit(USES["call"])
        return [inner(made(jit, 0.5 * k), X) for k in range(6)]

    for jitted in check_script(script):
        assert_normally(jitted[0].stats()["captures"] == 1)


def test_it_is_handed_back_itself() -> None:
    def script(jit: Any) -> Any:
        inner = jit(lambda g, x: (g(x), g, [g]))
        seen = []
        for factor in (2.0, 0.5, 3.0):
            given = made(jit, factor)
            value, one, held = inner(given, X)
            seen.append((value, one is given, held[0] is given))
        return seen

    check_script(script)


def test_plain_and_decorated_ones_in_turns() -> None:
    def script(jit: Any) -> Any:
        def doubled(x: Any) -> Any:
            return x * 2.0

        def rooted(x: Any) -> Any:
            return np.sqrt(x)

        inner = jit(lambda g, x: g(x) + 1.0)
        given = (doubled, jit(doubled), rooted, jit(rooted), np.sqrt, jit(doubled), float)
        seen = []
        for one in (*given, *given):
            try:
                seen.append(inner(one, X))
            except TypeError as error:
                seen.append(str(error))
        return seen

    check_script(script)
