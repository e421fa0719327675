"""What calls have taught about one function: in, bails and misses; out, what its captures heed.

A capture takes for constant what calls mostly bring again, as more is known of the graph then.
Where a call brings something else, the next capture is more general.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from weakref import WeakMethod

from ..jit.checks import Check

if TYPE_CHECKING:
    from ..jit.ir.graph import Spot
    from .report.misses import Missed

MAX_SPOTS = 8
"""Instructions of one function that captures end before; what bails elsewhere goes on bailing."""
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
    lengths: set[str] = field(default_factory=set)
    """Lists of other lengths at each call, in the user's words: captures leave their length open
    where they come as far without it."""
    certain: set[str] = field(default_factory=set)
    """Lists of other lengths whose length captures have to rely on."""
    kinds: set[str] = field(default_factory=set)
    """Numbers of other types and objects of other classes at each call, in the user's words; see
    `machine/number_kinds.py` and `machine/objects/attributes.py`."""
    any_length: bool = False
    """Lengths that graphs compute are one item or none at times, and more at others."""
    takes_long: bool = False
    """Loops that were taken for short take long: all of them may be halted between two turns."""
    spots: dict[Spot, Check] = field(default_factory=dict)
    """Instructions at which a check of kernels did not hold again and again: captures end before
    them, plain Python runs them, and what they give has guards."""

    aside: bool = False
    """In-place statements compute aside what they then store: they are called on arrays that
    share memory, or where a floating point error raises."""
    due: WeakMethod[Callable[[], None]] | None = None
    """Called where an entry makes room for another capture; weak, as it is the owner's."""

    def outside_of_loops(self) -> Lessons:
        """What a capture heeds that does not begin in a loop: there, what varies is constant."""
        return replace(self, varying=set(), due=None)

    def heed(self, missed: Missed | None) -> None:
        """No entry holds for a call, as something varies: the next capture leaves that open."""
        if missed is not None and missed.varies == "kind":
            self.kinds.add(missed.of)
        if missed is not None and missed.varies == "length" and missed.of not in self.certain:
            self.lengths.add(missed.of)

    def rely_on_lengths(self) -> None:
        """A capture that leaves the lengths of lists open does not come as far."""
        self.certain |= self.lengths
        self.lengths.clear()

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

    def end_before(self, spot: Spot, check: Check) -> bool:
        """True if the next capture ends before an instruction that kernels keep bailing at."""
        if len(self.spots) < MAX_SPOTS:
            self.spots.setdefault(spot, check)
        return spot in self.spots

    def ask(self) -> None:
        """An entry has made room: another capture is due."""
        if self.due is not None and (due := self.due()) is not None:
            due()
