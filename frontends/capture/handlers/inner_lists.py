"""Items and lengths of the lists of numbers in a list from outside."""

from __future__ import annotations

from ...numpy.numpy_calls import length
from ..arrays.inner_lists import number_at, view_of
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.live import realise
from ..state.machine import Machine
from ..values.breaks import INDEXING, GraphBreak
from ..values.inner_lists import InnerList
from ..values.symbolic import Symbolic


def _item(machine: Machine, frame: Frame, row: InnerList, key: Symbolic) -> Symbolic | None:
    return number_at(machine, row, realise(machine, key))


def _length(machine: Machine, frame: Frame, row: InnerList) -> Symbolic:
    view = view_of(machine, row)
    if view is None:
        raise GraphBreak(INDEXING, "a list in a list that may have changed")
    return length(machine, view, 0)


BEHAVIOURS[InnerList] = Behaviour(item=_item, length=_length)
