"""Branches: each side is captured into its own block, up to where the paths meet."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import replace

from ....jit.ir.graph import Block, Value
from ....jit.ir.ops import IF, OPERATOR
from ..objects.fields import fields_to_frame
from ..state.forks import Fork
from ..state.frame import Frame
from ..state.machine import Machine
from ..state.paths import RETURN, Landing, Region
from ..values.breaks import DATA_BRANCH, GraphBreak
from ..values.limits import MAX_UNLIKE
from .exits import leave
from .meeting import meeting_points, met_again
from .merges import Merge, Path, shaper_of, shapes_where_paths_meet
from .moves import before_moves


def capture_fork(machine: Machine, frame: Frame, fork: Fork) -> Landing:
    """Capture both sides of the instruction at which the frame is.

    Return where they end; a frame among these may be at the same instruction, with more knowledge.

    Raises:
        GraphBreak: they cannot form one region.
    """
    fields_to_frame(machine, frame)
    frame.moves_since = None
    condition = fork.condition(machine)
    meets = meeting_points(frame.flow, frame.index, frame.region, bool(machine.depth))
    branch = _Branch(machine, frame, condition)
    region = Region(frame.region.stops | meets.points, frame.region.loop, is_conditional=True)
    order = (True, False) if meets.first_is_shorter else (False, True)
    for taken in order:
        side = frame.copy()
        side.region = region
        landing = branch.run(taken, side, fork)
        if not landing.frames and taken is order[0]:
            branch.finish()
            fork.assume(machine, not taken)
            return Landing({frame.index: frame})
    return branch.meet()


class _Branch:
    """An IF node that is being made: the block of each side, and where its paths have arrived."""

    def __init__(self, machine: Machine, frame: Frame, condition: Value) -> None:
        self.machine = machine
        self.frame = frame
        self.condition = condition
        self.blocks = {True: Block((), []), False: Block((), [])}
        self.landings: dict[bool, Landing] = {}
        self.first_sym = machine.builder.sym_count
        self.first_born = machine.heap.count

    def run(self, taken: bool, side: Frame, fork: Fork | None = None) -> Landing:
        """Run one side in its block."""
        machine = self.machine
        with machine.inner_block(self.blocks[taken]):
            if fork is not None:
                fork.assume(machine, taken)
            landing = machine.run(side, begun=fork is not None)
            for frame in landing.frames.values():
                frame.kinds = dict(machine.kinds)
        self.landings[taken] = landing
        return landing

    def finish(self, outputs: Iterable[Value] = ()) -> None:
        """Add the IF node."""
        builder = self.machine.builder
        blocks = (self.blocks[True], self.blocks[False])
        location = self.frame.location()
        builder.region_node(IF, (self.condition,), {}, tuple(outputs), blocks, location)

    def meet(self, passed: Landing | None = None) -> Landing:
        """Merge the results of both sides."""
        machine = self.machine
        landings = {self.blocks[way]: one for way, one in self.landings.items() if one.frames}
        if passed is not None:
            landings[self.blocks[False]] = passed
        blocks = list(self.blocks.values())
        shaper = shaper_of(machine, blocks, self.first_sym, self.first_born)
        merge = Merge(machine, shaper, list(landings))
        frames: dict[int, Frame] = {}
        for stop in sorted({stop for landing in landings.values() for stop in landing.frames}):
            paths = [
                Path(block, landing.frames[stop])
                for block, landing in landings.items()
                if stop in landing.frames
            ]
            shapes = shapes_where_paths_meet(
                machine, [path.frame for path in paths], stop, shaper, self.frame
            )
            frames[stop] = merge.meet(paths, shapes, stop)
            frames[stop].region = self.frame.region
        which = None
        if len(frames) > 1:
            which = merge.number({id(b): self._which(b, one) for b, one in landings.items()})
        for block in landings:
            block.results = merge.row(block)
        self.finish(merge.outputs)
        return Landing(frames, which)

    def _which(self, block: Block, landing: Landing) -> Value:
        if landing.which is not None:
            return landing.which
        (stop,) = landing.frames
        with self.machine.writing(block):
            return self.machine.builder.const(stop)


def send_to(machine: Machine, frame: Frame, condition: Value, index: int) -> None:
    """Send the path to its loop's header if a condition holds; otherwise the frame continues."""
    branch = _Branch(machine, frame, condition)
    side = frame.copy()
    side.index = index
    landing = branch.run(True, side)
    assert not landing.frames
    branch.finish()


def finish(machine: Machine, frame: Frame, kind: str, depth: int = 0) -> None:
    """End the segment; if a value is one of several kinds, on a separate path for each.

    A break exits to before the latest moves, see moves.py.

    Raises:
        GraphBreak: there would be too many paths, or something cannot be handed over.
    """
    if kind == "break":
        frame = before_moves(machine, frame)
    try:
        leave(machine, frame, kind)
    except Fork as fork:
        if depth == MAX_UNLIKE:
            detail = f"more than {MAX_UNLIKE} values of several kinds leave a segment"
            raise GraphBreak(DATA_BRANCH, detail) from None
        branch = _Branch(machine, frame, fork.condition(machine))
        for taken in (True, False):
            side = frame.copy()
            with machine.inner_block(branch.blocks[taken]):
                fork.assume(machine, taken)
                finish(machine, side, kind, depth + 1)
        branch.finish()


def settle(machine: Machine, frame: Frame, landing: Landing) -> Landing:
    """Continue from a landing until all its paths are at stops of the region, or one is left.

    A single path continues by itself; `frame` is where all of them began.
    """
    while len(landing.frames) > 1:
        ends = {RETURN, *frame.region.stops}
        waiting = [stop for stop in landing.frames if stop not in ends]
        if not waiting:
            break
        stop = _first_of(waiting, landing)
        landing = _go_on_from(machine, frame, landing, stop)
    return landing


def _first_of(waiting: list[int], landing: Landing) -> int:
    """Return a waiting position that no other leads to."""
    for stop in waiting:
        flow = landing.frames[stop].flow
        if not any(flow.leads_to(other, stop) for other in waiting if other != stop):
            return stop
    return waiting[0]


def _go_on_from(machine: Machine, frame: Frame, landing: Landing, stop: int) -> Landing:
    """Let the path waiting at `stop` run to where others wait."""
    assert landing.which is not None
    others = {other: one for other, one in landing.frames.items() if other != stop}
    builder = machine.builder
    inputs = (landing.which, builder.const(stop))
    condition = builder.add(OPERATOR, inputs, {"function": operator.eq})
    branch = _Branch(machine, frame, condition)
    side = landing.frames[stop]
    meets = met_again(side.flow, stop, others, frame.region, bool(machine.depth))
    stops = frame.region.stops | others.keys() | meets
    side.region = replace(frame.region, stops=stops, is_conditional=True)
    rest = Landing(others, landing.which if len(others) > 1 else None)
    if not branch.run(True, side).frames:
        branch.finish()
        return rest
    return branch.meet(rest)
