"""NumPy's random generators: saving, restoring and copying their state."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy import random

KINDS = (random.Generator, random.RandomState)
"""Classes of generators."""
_BIT_GENERATORS = (
    random.PCG64,
    random.PCG64DXSM,
    random.MT19937,
    random.Philox,
    random.SFC64,
)
"""Bit generators of NumPy. Others may keep state outside of their attribute `state`."""


_METHODS = {
    id(found)
    for kind in KINDS
    for name, found in vars(kind).items()
    if type(found).__name__ == "cython_function_or_method" and not name.startswith("_")
}


def is_method(function: Any) -> bool:
    """True for a public method of a generator class, compared by identity."""
    return id(function) in _METHODS


def makes_one(function: Any) -> bool:
    """True for a function or class that makes a generator from a seed."""
    return function is random.default_rng or function is random.RandomState


_WARNS_LATE = frozenset(("multivariate_normal",))
"""Methods that may raise or warn after they have drawn."""


def warns_late(name: str) -> bool:
    """True if the method of that name may have drawn before it raises or warns."""
    return name in _WARNS_LATE


def draws_silently(function: Any) -> bool:
    """True for a method that never warns depending on what it draws."""
    return is_method(function) and not warns_late(function.__name__)


def throwaway(kind: type) -> Any:
    """Return a new generator of that class."""
    return kind(random.PCG64(0) if kind is random.Generator else random.MT19937(0))


def keep(generator: Any) -> Callable[[], None]:
    """Return a function that restores the generator's present state.

    Raises:
        TypeError: its bit generator is not one of NumPy's.
    """
    if type(generator) is random.RandomState:
        bits = generator._bit_generator
    else:
        bits = generator.bit_generator
    if type(bits) not in _BIT_GENERATORS:
        raise TypeError(f"a bit generator of type {type(bits).__name__}")
    before = state_of(generator)

    def put_back() -> None:
        if type(generator) is random.RandomState:
            generator.set_state(before)
        else:
            bits.state = before

    return put_back


def state_of(generator: Any) -> dict[str, Any]:
    """Return all state that determines future draws; a RandomState has more than its bits."""
    if type(generator) is random.RandomState:
        state: dict[str, Any] = generator.get_state(legacy=False)
        return state
    return dict(generator.bit_generator.state)


def is_same_state(one: Any, other: Any) -> bool:
    """True if two states of one class are equal."""
    if isinstance(one, dict):
        return all(is_same_state(one[key], other[key]) for key in one)
    return bool(np.all(one == other))


def copied(generator: Any) -> Any:
    """Return another generator in the same state."""
    return copy.deepcopy(generator)
