"""Unrolled loops: when their iterations would make too many operations."""

from __future__ import annotations

from collections.abc import Iterator as PythonIterator
from typing import Final

from ....jit.frozen import dataclass
from ..objects.contents import may_stand_in
from ..state.heap import Heap
from ..state.machine import Machine
from ..state.paths import Pause
from ..values.breaks import TOO_LONG
from ..values.limits import MAX_STEPS
from ..values.symbolic import Iterator, List, Symbolic, Tuple
from .iterators import Enumerate, IteratorState, Over, Zip

ENOUGH: Final = 4
"""Iterations that tell how large the others will be: the first one often does more."""


class UnrolledTooFar(Exception):  # noqa: N818 (control flow, no error)
    """All iterations of an unrolled loop would make more operations than a segment may have.

    `names`: the lists and tuples that it goes through, which the next capture reads as a whole.
    """

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names


def check_unrolled(machine: Machine, iterator: Iterator) -> None:
    """Compare the work of the iterations so far with the limits of a capture.

    Without this the loop was unrolled up to the limit, for seconds, and its segment discarded.

    Raises:
        UnrolledTooFar: it is too much, and a list or a tuple of like items is gone through.
        Pause: it is too much, and nothing else can be done.
    """
    through = list(_gone_through(machine.heap, machine.heap.state(iterator)))
    if machine.library_until is not None or not all(one.taken and one.length for one in through):
        return
    begun, made_before = machine.taken_from[iterator]
    made = machine.builder.made - made_before
    share = min((one.taken / one.length for one in through), default=1.0)
    most = machine.budget.most_in_regions
    if made <= share * most and machine.steps - begun <= share * MAX_STEPS:
        return
    owners = [one.owner for one in through if isinstance(one.owner, List | Tuple)]
    names = {str(one.source): one for one in owners if one.source is not None}
    whole = [name for name in names.keys() - machine.varying if may_stand_in(machine, names[name])]
    if whole:
        raise UnrolledTooFar(frozenset(whole))
    if min(one.taken for one in through) >= ENOUGH:
        detail = f"more than {most} operations, which would take seconds to compile"
        raise Pause("size", TOO_LONG, detail)


@dataclass(frozen=True, slots=True)
class _Through:
    owner: Symbolic
    length: int
    taken: int


def _gone_through(heap: Heap, state: IteratorState) -> PythonIterator[_Through]:
    """Return what an iterator takes items from, the number of all, and of those taken."""
    match state:
        case Over(iterable=List(object=[*objects]) as owner, items=None, position=position):
            yield _Through(owner, len(objects), position)
        case Over(iterable=owner, items=[*items], position=position):
            yield _Through(owner, len(items), position)
        case Enumerate(iterator=inner):
            yield from _gone_through(heap, heap.state(inner))
        case Zip(iterators=inners):
            for one in inners:
                yield from _gone_through(heap, heap.state(one))
