"""`for i in range(n)` as one region of the graph.

The body runs once on parameters that stand for what it finds at the start of an iteration. What it
leaves in the locals is what the next iteration finds: same types, or there is no region. Each
iteration starts with a checkpoint, at the FOR_ITER that it came through.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass

from ...jit.ir.graph import Block, Value
from ...jit.ir.ops import FOR
from ...jit.ir.types import PY_INT, ArrayType
from .breaks import LOOP, GraphBreak
from .frame import Frame
from .machine import Machine
from .nodes import graph_value, operator_call
from .values import Array, Known, RangeIterator, Scalar, Symbolic


@dataclass(slots=True)
class _Carried:
    """A local that one iteration hands to the next."""

    slot: int
    initial: Value
    param: Value


def capture_for(machine: Machine, frame: Frame, iterator: RangeIterator, after: int) -> int:
    """Captures the loop whose FOR_ITER the frame stands at; goes on at instruction `after`.

    Raises:
        GraphBreak: the body breaks, leaves the loop, or changes a type.
    """
    header = frame.index
    loop = next((loop for loop in frame.flow.loops if loop.header == header), None)
    if loop is None or machine.depth:
        raise GraphBreak(LOOP, "a loop in a function called here")
    handlers = {
        instruction.handler.target
        for instruction in frame.decoded.instructions
        if instruction.handler is not None
    }
    leaving = {out for _, out in loop.exits} - handlers
    if len(leaving) > 1:
        raise GraphBreak(LOOP, "a `break` or `return` inside the loop")
    bounds = [graph_value(machine, part) for part in iterator.parts]
    if bounds[2].hint is None or bounds[2].hint == 0:
        raise GraphBreak(LOOP, "the step of the range is not known")
    before = list(frame.locals)
    slots = _assigned(frame, loop.body)
    carried = _carried(machine, frame, slots)
    index = Value(PY_INT, bounds[0].hint, "i")
    params = (index, *(one.param for one in carried))
    with machine.region(params) as block:
        results = _body(machine, frame, iterator, index, carried, slots, header)
        block.results = tuple(value for _, value in results)
    frame.stack.pop()
    _finish(machine, frame, bounds, carried, results, block, slots, before, after)
    return after


def _assigned(frame: Frame, body: frozenset[int]) -> list[int]:
    """Locals that the body assigns."""
    found = set()
    for index in body:
        for op in frame.decoded.instructions[index].ops:
            if op.name in ("STORE_FAST", "DELETE_FAST", "LOAD_FAST_AND_CLEAR"):
                found.add(int(op.arg))
            if op.name in ("STORE_DEREF", "DELETE_DEREF", "MAKE_CELL"):
                raise GraphBreak(LOOP, "the loop assigns a variable of a closure")
    return sorted(found)


def _carried(machine: Machine, frame: Frame, slots: list[int]) -> list[_Carried]:
    """Parameters for the locals that have a value when the loop starts."""
    carried = []
    for slot in slots:
        value = frame.locals[slot]
        if value is None:
            continue
        name = frame.decoded.localsplus[slot]
        try:
            initial = graph_value(machine, value)
        except GraphBreak:
            if slot in frame.flow.live_at(frame.index):
                raise GraphBreak(LOOP, f"the loop changes `{name}`, which is no number") from None
            continue
        param = Value(initial.type, initial.hint, name)
        machine.memory.inherit(param, initial)
        carried.append(_Carried(slot, initial, param))
    return carried


def _stands_for(value: Value) -> Array | Scalar:
    return Array(value) if isinstance(value.type, ArrayType) else Scalar(value)


def _body(
    machine: Machine,
    frame: Frame,
    iterator: RangeIterator,
    index: Value,
    carried: list[_Carried],
    slots: list[int],
    header: int,
) -> list[tuple[int, Value]]:
    """Runs the body once; returns (slot, value) of what an iteration leaves."""
    params: dict[int, Symbolic] = {one.slot: _stands_for(one.param) for one in carried}
    for slot in slots:
        frame.locals[slot] = params.get(slot)
    _, stop, step = iterator.parts
    here = Scalar(index)
    frame.stack[-1] = RangeIterator((here, stop, step))
    machine.memory.epoch += 1
    machine.take_checkpoint(frame)
    following = operator_call(machine, frame, operator.add, (here, step))
    frame.stack[-1] = RangeIterator((following, stop, step))
    frame.stack.append(here)
    frame.index = header + 1
    ended_by = machine.run(frame, header)
    if ended_by is not None:
        raise GraphBreak(
            LOOP, f"the loop breaks at line {ended_by.location.line}: {ended_by.detail}"
        )
    if frame.index != header:
        raise GraphBreak(LOOP, "a `return` inside the loop")
    return _results(machine, frame, carried, slots)


def _results(
    machine: Machine, frame: Frame, carried: list[_Carried], slots: list[int]
) -> list[tuple[int, Value]]:
    """What the locals hold at the end of an iteration: carried ones first, in their order."""
    kept = {one.slot for one in carried}
    results = []
    taken: set[Value] = set()
    for one in carried:
        name = frame.decoded.localsplus[one.slot]
        now = frame.locals[one.slot]
        if now is None:
            raise GraphBreak(LOOP, f"the loop unbinds `{name}`")
        value = graph_value(machine, now)
        if machine.builder.resolved(value.type) != machine.builder.resolved(one.param.type):
            raise GraphBreak(
                LOOP, f"`{name}` is {one.param.type} at first and {value.type} after an iteration"
            )
        array = isinstance(value.type, ArrayType)
        if array and value is not one.param:
            if value in taken or not machine.memory.is_fresh(value):
                raise GraphBreak(LOOP, f"`{name}` becomes another name of an array")
            taken.add(value)
        results.append((one.slot, value))
    live = frame.flow.live_at(frame.index)
    for slot in slots:
        now = frame.locals[slot]
        if slot in kept or now is None:
            continue
        wanted = slot in live or isinstance(now, Scalar | Known)
        if wanted:
            try:
                results.append((slot, graph_value(machine, now)))
            except GraphBreak:
                if slot in live:
                    raise
    return results


def _finish(
    machine: Machine,
    frame: Frame,
    bounds: list[Value],
    carried: list[_Carried],
    results: list[tuple[int, Value]],
    block: Block,
    slots: list[int],
    before: list[Symbolic | None],
    after: int,
) -> None:
    """The node, and the frame as it stands behind the loop."""
    inputs = (*bounds, *(one.initial for one in carried))
    types = [machine.builder.resolved(value.type) for _, value in results]
    outputs = machine.builder.region_node(
        FOR, inputs, {"carried": len(carried)}, types, block, frame.location()
    )
    for slot in slots:  # what nobody reads any more behind the loop is not kept for show
        frame.locals[slot] = before[slot]
    for (slot, _), output in zip(results, outputs, strict=True):
        machine.memory.fresh(output)
        frame.locals[slot] = _stands_for(output)
    frame.index = after
    machine.memory.epoch += 1
    machine.take_checkpoint(frame)
