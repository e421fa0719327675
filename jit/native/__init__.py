"""The door to the C core.

`_core` is absent where the platform or the Python is not supported; `why_unsupported()` then says
why, and everything runs eagerly.
"""

from __future__ import annotations

from ._core import (
    FP_FLAGS,
    GUARD_OPS,
    KERNEL_BAIL,
    KERNEL_ERROR,
    LOADS,
    MAX_NDIM,
    RECIPE_OPS,
    WORDS,
    Dispatcher,
    Entry,
    Segment,
    options_now,
    pop_options,
    push_options,
    set_default_options,
    ufunc_loop,
)

__all__ = [
    "FP_FLAGS",
    "GUARD_OPS",
    "KERNEL_BAIL",
    "KERNEL_ERROR",
    "LOADS",
    "MAX_NDIM",
    "RECIPE_OPS",
    "WORDS",
    "Dispatcher",
    "Entry",
    "Segment",
    "options_now",
    "pop_options",
    "push_options",
    "set_default_options",
    "ufunc_loop",
]
