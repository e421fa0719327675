"""What the memory of kernels is looked at by."""

from __future__ import annotations

from typing import Any

import numpy as np
from oracle import check

import framejit


def rooms(program: Any, *args: Any) -> int:
    """How many arrays its kernel allocates; the answers are eager's, for many layouts."""
    check(program, *args)
    jitted = framejit.jit(program, backend="numba")
    jitted(*map(np.array, args))
    text: str = jitted.inspect("numba")
    return text.count("alloc(w, ")
