"""Code behind a break is explored in the first call, with the changes that were made before it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit import jit

total: Any = None


class Held:
    """Something that outlives a call."""

    def __init__(self) -> None:
        self.items = [None]
        self.table: dict[str, Any] = {}


def of_an_attribute(held: Any, x: Any) -> Any:
    held.value = x * 2
    print(end="")
    return held.value + 1


def of_an_item(held: Any, x: Any) -> Any:
    held.items[0] = x * 2
    print(end="")
    return held.items[0] + 1


def of_a_key(held: Any, x: Any) -> Any:
    held.table["x"] = x * 2
    print(end="")
    return held.table["x"] + 1


def of_a_global(held: Any, x: Any) -> Any:
    global total
    total = x * 2
    print(end="")
    return total + 1


@pytest.mark.counts("launches")
@pytest.mark.parametrize("program", [of_an_attribute, of_an_item, of_a_key, of_a_global])
def test_the_first_call_knows_changes(program: Any) -> None:
    """Both segments run: the one behind the break was found with the value that was set."""
    held = Held()
    jitted = jit(program)
    assert jitted(held, np.ones(3)).tolist() == [3, 3, 3]
    assert jitted.stats()["launches"] == 2
