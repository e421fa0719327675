"""How much of a container is followed: beyond, a capture would cost more than it can ever gain."""

from __future__ import annotations

from collections.abc import Sized

from .breaks import LARGE, GraphBreak

MAX_FOLLOWED = 1000
"""Items of a container from outside, each of which may need guards."""
MAX_LISTED = 1000
"""Items of a range or an iterator that are listed."""
MAX_REPEATED = 1000
"""Items of a tuple or list that is repeated: `[0] * n`."""
MAX_UNROLLED = 32
"""Items of a container whose loop is unrolled."""
MAX_PASSED = 256
"""Items of lists and tuples that a call gets: each is guarded, and handed over by itself."""
MAX_UNLIKE = 6
"""Values of several kinds in one instruction or exit: each doubles the number of ways."""
MAX_DEPTH = 16
"""Of lists in lists that a call gets; one may be in itself."""


def check_length(owner: Sized) -> int:
    """The length of a container from outside; a break when there is too much in it."""
    length = len(owner)
    if length > MAX_FOLLOWED:
        raise GraphBreak(LARGE, f"a {type(owner).__name__} of {length} items")
    return length


MAX_LIBRARY_STEPS = 2000
"""Instructions of the body of a library's function that is captured in line."""
MAX_GROWN_STEPS = 500
"""Instructions of the turns of a short loop; above, a list that it changes grows in a region."""
MAX_UNROLLED_STEPS = 2000
"""Instructions of the turns of a loop over a range: each one is code for the compiler."""
MAX_STEPS = 20_000
"""Instructions of one capture; unrolling ends here."""
