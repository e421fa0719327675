"""Objects that were read of an inlined function are let go of with the capture."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np

from framejit import jit


def test_the_code_of_an_inlined_function_dies() -> None:
    """No table of framejit's keeps it."""

    def use() -> weakref.ref[Any]:
        space: dict[str, Any] = {"jit": jit}
        exec("def g(x):\n  return x + 1\n\n@jit\ndef f(x):\n  return g(x) * 2", space)
        for _ in range(2):
            assert space["f"](np.ones(3)).sum() == 12
        return weakref.ref(space["g"].__code__)

    code = use()
    gc.collect()

    assert code() is None
