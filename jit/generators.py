"""NumPy's generators of random numbers: their state, kept and put back, and copies of them."""

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
"""What they draw their bits from; one of somebody else's need not have all its state in `state`."""


_METHODS = {
    id(found)
    for kind in KINDS
    for name, found in vars(kind).items()
    if type(found).__name__ == "cython_function_or_method" and not name.startswith("_")
}


def is_method(function: Any) -> bool:
    """Whether it is a public method of a generator's class, by its identity."""
    return id(function) in _METHODS


def makes_one(function: Any) -> bool:
    """Whether it is a function or class that makes a generator of a seed."""
    return function is random.default_rng or function is random.RandomState


_WARNS_LATE = frozenset(("multivariate_normal",))
"""Methods that raise or warn when they have drawn already."""


def warns_late(name: str) -> bool:
    """Whether the method of that name may have drawn when it raises or warns."""
    return name in _WARNS_LATE


def draws_silently(function: Any) -> bool:
    """Whether it is a method that issues no warning but where it always does."""
    return is_method(function) and not warns_late(function.__name__)


def throwaway(kind: type) -> Any:
    """A generator of that class that nobody else has."""
    return kind(random.PCG64(0) if kind is random.Generator else random.MT19937(0))


def keep(generator: Any) -> Callable[[], None]:
    """What puts a generator back into the state that it is in now.

    Raises:
        TypeError: it draws from bits of another kind than NumPy's.
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
    """All that decides about what it draws; a RandomState has more of it than its bits."""
    if type(generator) is random.RandomState:
        state: dict[str, Any] = generator.get_state(legacy=False)
        return state
    return dict(generator.bit_generator.state)


def is_same_state(one: Any, other: Any) -> bool:
    """Whether two states of one kind are equal."""
    if isinstance(one, dict):
        return all(is_same_state(one[key], other[key]) for key in one)
    return bool(np.all(one == other))


def copied(generator: Any) -> Any:
    """Another generator in the same state."""
    return copy.deepcopy(generator)
