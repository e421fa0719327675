"""Branches: both ways are captured, each into a block of its own, as far as where they meet."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import replace

from ....jit.ir.graph import Block, Value
from ....jit.ir.ops import IF, OPERATOR
from ..breaks import DATA_BRANCH, GraphBreak
from ..frame import Frame
from ..leaving import leave
from ..limits import MAX_UNLIKE
from ..machine import Machine
from ..objects.fields import put_away
from .forks import Fork
from .joints import Joint, Path, shaper_of, shapes_where_paths_meet
from .meeting import meeting_points, met_again
from .moves import before_moves
from .paths import RETURN, Landing, Region


def capture_fork(machine: Machine, frame: Frame, fork: Fork) -> Landing:
    """Captures both ways of the instruction that the frame stands before.

    Returns where they come to: one frame that may stand where this one did, knowing more.

    Raises:
        GraphBreak: they cannot be one region.
    """
    put_away(machine, frame)
    frame.moves_since = None
    condition = fork.condition(machine)
    meets = meeting_points(frame.flow, frame.index, frame.region, bool(machine.depth))
    arms = _Arms(machine, frame, condition)
    region = Region(frame.region.stops | meets.points, frame.region.loop, is_arm=True)
    order = (True, False) if meets.first_is_shorter else (False, True)
    for taken in order:
        arm = frame.copy()
        arm.region = region
        landing = arms.run(taken, arm, fork)
        if not landing.frames and taken is order[0]:
            arms.finish()
            fork.assume(machine, not taken)
            return Landing({frame.index: frame})
    return arms.meet()


class _Arms:
    """The blocks of an IF, and where their paths have come to."""

    def __init__(self, machine: Machine, frame: Frame, condition: Value) -> None:
        self.machine = machine
        self.frame = frame
        self.condition = condition
        self.blocks = {True: Block((), []), False: Block((), [])}
        self.landings: dict[bool, Landing] = {}
        self.first_sym = machine.builder.sym_count
        self.first_born = machine.heap.count

    def run(self, taken: bool, arm: Frame, fork: Fork | None = None) -> Landing:
        """Runs one way in its block."""
        machine = self.machine
        with machine.inner_block(self.blocks[taken]):
            if fork is not None:
                fork.assume(machine, taken)
            landing = machine.run(arm, begun=fork is not None)
            for frame in landing.frames.values():
                frame.kinds = dict(machine.kinds)
        self.landings[taken] = landing
        return landing

    def finish(self, outputs: Iterable[Value] = ()) -> None:
        """The node."""
        builder = self.machine.builder
        blocks = (self.blocks[True], self.blocks[False])
        location = self.frame.location()
        builder.region_node(IF, (self.condition,), {}, tuple(outputs), blocks, location)

    def meet(self, passed: Landing | None = None) -> Landing:
        """Joins what the ways have come to."""
        machine = self.machine
        landings = {self.blocks[way]: one for way, one in self.landings.items() if one.frames}
        if passed is not None:
            landings[self.blocks[False]] = passed
        blocks = list(self.blocks.values())
        shaper = shaper_of(machine, blocks, self.first_sym, self.first_born)
        joint = Joint(machine, shaper, list(landings))
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
            frames[stop] = joint.meet(paths, shapes, stop)
            frames[stop].region = self.frame.region
        which = None
        if len(frames) > 1:
            which = joint.number({id(b): self._which(b, one) for b, one in landings.items()})
        for block in landings:
            block.results = joint.row(block)
        self.finish(joint.outputs)
        return Landing(frames, which)

    def _which(self, block: Block, landing: Landing) -> Value:
        if landing.which is not None:
            return landing.which
        (stop,) = landing.frames
        with self.machine.writing(block):
            return self.machine.builder.const(stop)


def send_to(machine: Machine, frame: Frame, condition: Value, index: int) -> None:
    """Where the condition holds, the path goes to where its loop waits; the frame goes on else."""
    arms = _Arms(machine, frame, condition)
    arm = frame.copy()
    arm.index = index
    landing = arms.run(True, arm)
    assert not landing.frames
    arms.finish()


def finish(machine: Machine, frame: Frame, kind: str, depth: int = 0) -> None:
    """Ends the segment; where what it hands over may be one of several, on each way by itself.

    A break leads to before the moves that came last, see moves.py.

    Raises:
        GraphBreak: there would be too many ways, or something cannot be handed over.
    """
    if kind == "break":
        frame = before_moves(machine, frame)
    try:
        leave(machine, frame, kind)
    except Fork as fork:
        if depth == MAX_UNLIKE:
            detail = f"more than {MAX_UNLIKE} values of several kinds leave a segment"
            raise GraphBreak(DATA_BRANCH, detail) from None
        arms = _Arms(machine, frame, fork.condition(machine))
        for taken in (True, False):
            arm = frame.copy()
            with machine.inner_block(arms.blocks[taken]):
                fork.assume(machine, taken)
                finish(machine, arm, kind, depth + 1)
        arms.finish()


def settle(machine: Machine, frame: Frame, landing: Landing) -> Landing:
    """Goes on from a landing until its paths wait at stops of the region, or one is left.

    That one may go on by itself; `frame` is where all of it began.
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
    """One of the places that no other leads to."""
    for stop in waiting:
        flow = landing.frames[stop].flow
        if not any(flow.leads_to(other, stop) for other in waiting if other != stop):
            return stop
    return waiting[0]


def _go_on_from(machine: Machine, frame: Frame, landing: Landing, stop: int) -> Landing:
    """Lets the path that has come to `stop` run to where others wait."""
    assert landing.which is not None
    others = {other: one for other, one in landing.frames.items() if other != stop}
    builder = machine.builder
    inputs = (landing.which, builder.const(stop))
    condition = builder.add(OPERATOR, inputs, {"function": operator.eq})
    arms = _Arms(machine, frame, condition)
    arm = landing.frames[stop]
    meets = met_again(arm.flow, stop, others, frame.region, bool(machine.depth))
    stops = frame.region.stops | others.keys() | meets
    arm.region = replace(frame.region, stops=stops, is_arm=True)
    rest = Landing(others, landing.which if len(others) > 1 else None)
    if not arms.run(True, arm).frames:
        arms.finish()
        return rest
    return arms.meet(rest)
