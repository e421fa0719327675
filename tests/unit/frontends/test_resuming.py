"""Bails of whole calls go on in rewritten code, whatever has been found out in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from framejit import jit


def body(a: Any, b: Any) -> Any:
    a += b
    a[1:] += a[:-1]
    return 12 // a


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_after_other_arguments_came_to_a_break(backend: str) -> None:
    """A read-only array ends a capture at the first write; bails of others come behind it."""
    jitted = jit(body, backend=backend)
    fixed = np.arange(4)
    fixed.flags.writeable = False

    for start in (1, 0, 1, 0, -3, 0):
        with np.errstate(divide="ignore"):
            expected, ours = np.arange(start, start + 4), np.arange(start, start + 4)
            assert (jitted(ours, 0) == body(expected, 0)).all()
            assert ours.tolist() == expected.tolist()
            with pytest.raises(ValueError, match="read-only"):
                jitted(fixed, 0)
