"""Results of any size and nesting are built by the recipe of an exit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracle import check
from samples import captured, namespace, sample


@pytest.mark.parametrize("depth", [1, 30, 63, 64])
def test_nested_results(depth: int) -> None:
    """Each tuple is the last item of the one around it: all items wait for the innermost one."""
    source = "def f(x):\n    y = x + 1\n    return " + "y, (" * depth + ")" * depth

    captured(namespace(source)["f"], sample("f8"))


def test_wide_results() -> None:
    """The longest display that one instruction builds."""
    source = "def f(x):\n    y = x + 1\n    return " + "y, " * 30

    captured(namespace(source)["f"], sample("f8"))


@pytest.mark.parametrize("count", [10, 70])
def test_many_locals_at_a_break(count: int) -> None:
    """All locals that are read behind a break are handed back, however many they are."""
    lines = [f"    a{k} = x + {k}" for k in range(count)]
    reads = " + ".join(f"a{k}" for k in range(count))
    source = "\n".join(["def f(x):", *lines, "    print('here')", f"    return {reads}"])

    check(namespace(source)["f"], sample("f8"), calls=3)


def test_containers_in_containers() -> None:
    """Containers of several kinds in each other."""

    def tables(x: Any) -> Any:
        y = x * 2
        return {"one": {"x": x, "y": y}, "two": [{"z": y + 1}, (y,)], "three": {}}

    check(tables, np.arange(5.0))
