"""What calls have taught about one function: in, bails and misses; out, what its captures heed.

A capture takes for constant what calls mostly bring again, as more is known of the graph then.
Where a call brings something else, the next capture is more general.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..jit.checks import Check

_OF_LENGTHS = (Check.SIZE, Check.SHAPE, Check.EMPTY)
_OF_STORES = (Check.SHARED, Check.OVERLAP, Check.LOUD)


@dataclass(slots=True)
class Lessons:
    """Of one function."""

    too_short: set[int] = field(default_factory=set)
    """Ends of loops that are left so often that segments do not continue them."""
    varying: set[str] = field(default_factory=set)
    """Lists that have another length each time and ints that have another value, in the user's
    words: segments in loops do not rely on them."""
    any_length: bool = False
    """Lengths that graphs compute are one item or none at times, and more at others."""

    aside: bool = False
    """In-place statements compute aside what they then store: they are called on arrays that
    share memory, or where a floating point error raises."""

    def outside_of_loops(self) -> Lessons:
        """What a capture heeds that does not begin in a loop: there, what varies is constant."""
        return Lessons(self.too_short, any_length=self.any_length, aside=self.aside)

    def learn(self, check: Check, *, is_narrow: bool) -> bool:
        """True if the next capture may hold where a kernel has bailed for a check.

        `is_narrow`: the kernel takes computed lengths of one item or none for constant.
        """
        if check in _OF_STORES and not self.aside:
            self.aside = True
            return True
        if is_narrow and check in _OF_LENGTHS:
            self.any_length = True
            return True
        return False
