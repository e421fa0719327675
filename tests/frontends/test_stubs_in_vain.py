"""Stubs that come to nothing call after call: the code goes on without them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit import jit


def broken(x: Any, seen: set[int]) -> Any:
    """Between the attribute and its call nothing can be captured."""
    y = x * 2.0 + 1.0
    seen.add(1)
    return y * y - x


@pytest.mark.counts("the stubs of the code")
def test_they_go() -> None:
    """With the same results before and after; what may be captured stays."""
    x, seen = np.arange(5.0), {1}
    jitted = jit(broken)

    jitted(x, seen)
    assert jitted.inspect("bytecode").count("not compiled") > 0
    results = [jitted(x, seen) for _ in range(600)]

    code = jitted.inspect("bytecode")
    assert "not compiled" not in code
    assert code.count("+---- segment") == 2
    assert all(np.array_equal(each, broken(x, seen)) for each in results)
    assert jitted.stats()["launches"] == 2 * 601
    assert np.array_equal(jitted(np.arange(7), seen), broken(np.arange(7), seen))  # captured anew
