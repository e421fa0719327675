"""Programs in which the fuzzer (tests/fuzzing) found a difference from eager, each reduced."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import check, framejit_jit
from samples import captured


def swapped(a: Any, b: Any) -> Any:
    for _ in range(3):
        x = a + a + 1
        a, b = b, a
    return x


def bound_in_an_inner_loop(a: Any) -> Any:
    for _ in range(3):
        x = a
        for _ in a:
            y = a
    return x, y


def test_arrays_of_several_kinds_carried_by_a_loop() -> None:
    """What the first turn brings is one of the kinds that later turns were seen to bring."""
    captured(swapped, np.ones(3, "f4"), np.ones(3))
    captured(swapped, np.ones(3, "f4"), np.ones(4))
    captured(swapped, np.ones((3, 4)), np.asfortranarray(np.ones((3, 4))))


def test_arrays_that_swap_places_have_other_lengths_later() -> None:
    """A kernel made for arrays of one length finds two lengths, and leaves the call to eager."""
    made: dict[str, Any] = {}

    def same(function: Any, backend: str) -> Any:
        return made.setdefault(backend, framejit_jit(function, backend))

    for k, m in [(3, 3), (4, 4), (4, 3), (3, 0)]:
        check(swapped, np.ones(k, "f4"), np.ones(m), jit=same)


def test_an_array_that_only_an_inner_loop_binds() -> None:
    """In the first turn the variable is unbound, later it is the very array."""
    a = np.ones(3)
    check(bound_in_an_inner_loop, a)
    check(bound_in_an_inner_loop, a[:0])
