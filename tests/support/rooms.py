"""Functions that inspect the memory of kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import check

import framejit


def rooms(program: Any, *args: Any) -> int:
    """Return the number of arrays that its kernel allocates; the answers are eager's."""
    check(program, *args)
    jitted = framejit.jit(program, backend="numba")
    jitted(*map(np.array, args))
    text: str = jitted.inspect("numba")
    return text.count("alloc(w, ")
