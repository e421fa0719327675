"""Limits beyond which a capture would cost more than it can gain."""

from __future__ import annotations

from collections.abc import Sized

from .breaks import LARGE, GraphBreak

MAX_FOLLOWED = 1000
"""Items of a container from outside, each of which may need guards."""
MAX_LISTED = 1000
"""Items of a range or iterator that are enumerated."""
MAX_REPEATED = 1000
"""Items of a tuple or list that is repeated: `[0] * n`."""
MAX_UNROLLED = 32
"""Items of a container whose loop is unrolled."""
MAX_PASSED = 256
"""Items of lists and tuples passed to a call, which are guarded and passed one by one."""
MAX_UNLIKE = 6
"""Values of several kinds in one instruction or exit; each doubles the number of paths."""
MAX_INLINED = 16
"""Nesting of inlined calls."""
MAX_NESTING = 16
"""Nesting of lists passed to a call; a list may contain itself."""


def check_length(owner: Sized) -> int:
    """Return the length of a container from outside; break if it is too long."""
    length = len(owner)
    if length > MAX_FOLLOWED:
        raise GraphBreak(LARGE, f"a {type(owner).__name__} of {length} items")
    return length


MAX_LIBRARY_STEPS = 2000
"""Instructions of a library function's body that is inlined."""
MAX_GROWN_STEPS = 500
"""Instructions of a short unrolled loop; above it, a list that the loop changes grows in a region.
"""
MAX_UNROLLED_STEPS = 2000
"""Instructions of an unrolled loop over a range, each of which has to be compiled."""
MAX_STEPS = 20_000
"""Instructions of one capture; unrolling stops here."""
