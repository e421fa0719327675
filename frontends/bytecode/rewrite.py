"""Rewrites bytecode: the original instructions, with a stub before each capture point.

The result behaves like the original as long as every segment returns None. A complete stub (3.13;
other versions order and name a few opcodes differently)::

       LOAD_CONST segment; PUSH_NULL
       COPY ...                          the consumed items; the originals stay below
       LOAD_FAST ...                     the live slots
       CALL n
       COPY 1; POP_JUMP_IF_NOT_NONE taken
       POP_TOP; JUMP_FORWARD original    None: nothing has happened
   taken:
       (SWAP 2; POP_TOP) ...             drop the consumed items
       UNPACK_SEQUENCE 2                 only with several exits: (True, payload) is this one,
       POP_JUMP_IF_FALSE next              (False, rest) one of the next ones
       UNPACK_SEQUENCE m; STORE_FAST ... the payload
       (LOAD_CONST calls; PUSH_NULL; CALL 0; POP_TOP)
       JUMP_FORWARD or JUMP_BACKWARD to the target, or to the stub there
   next:
       ...
   original:

Where loops keep an index beside their iterator, code before GET_ITER makes an iterator out of what
would have one: then the index is NULL, and the iterator can be given to a segment.

All of it has the positions and the exception handler of the instruction after it, so that an
exception or signal arriving in it seems to come from there. No local variable is added, because
`locals()` would show it.

Tracing tools get the original code instead: `sys.monitoring` sees the stubs' calls and jumps, and
on 3.12 `sys.settrace` reports a line twice if an exit leads to its middle and the instruction
before is a call of a Python function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import CodeType
from typing import Final

from ...jit import native
from . import gating
from .assemble import Line, assemble, line_of, starts_of
from .flow import Flow, analyse
from .inserting import UNIT
from .kinds import Kind, in_frame
from .model import Decoded, SlotKind
from .stub import Exit, Stub, check
from .version import LAYOUT

OPCODES: Final = LAYOUT.stub


def rewrite(
    decoded: Decoded,
    stubs: Iterable[Stub],
    flow: Flow | None = None,
    gates: Sequence[int] = (),
    calls: Mapping[int, object] | None = None,
) -> CodeType:
    """Insert the stubs; `ValueError` if one is unsafe or two stand at one place.

    `co_consts` only grows at its end, every other table keeps its indices, flags stay. `flow` saves
    the analysis if the caller has it. Gates stand before the instructions `gates` and their stubs:
    frames of other versions of the code switch to this one there, and back. `calls` are callables
    without arguments, called each time the interpreter reaches their instruction; they must not
    raise.
    """
    flow = analyse(decoded) if flow is None else flow
    by_index: dict[int, Stub] = {}
    for stub in stubs:
        check(flow, stub)
        if stub.at in by_index:
            raise ValueError(f"two stubs before instruction {stub.at}")
        by_index[stub.at] = stub
    writer = _Writer(flow, by_index)
    for instruction in decoded.instructions:
        writer.labels[instruction.index] = len(writer.lines)
        if instruction.index in gates:
            writer.gate(instruction.index)
        if instruction.index in by_index:
            writer.stub(by_index[instruction.index])
        if calls and instruction.index in calls:
            writer.call_before(instruction.index, calls[instruction.index])
        if by_index and LAYOUT.has_indices and instruction.opcode == "GET_ITER":
            writer.make_iterator(instruction.index)
        writer.lines.append(line_of(instruction))
    consts = tuple(writer.consts)
    if not gates:
        return assemble(decoded.code, writer.lines, writer.labels, consts, writer.stack_size)
    written = writer.gates()
    writer.need(gating.room(decoded.code))
    consts = (*consts, written)
    made = assemble(decoded.code, writer.lines, writer.labels, consts, writer.stack_size)
    return made.replace(co_code=gating.closed(made.co_code, written))


class _Writer:
    """The lines so far, and the tables that grow with them."""

    def __init__(self, flow: Flow, stubs: dict[int, Stub]) -> None:
        code = flow.decoded.code
        self.flow = flow
        self.lines: list[Line] = []
        # the first labels are the instructions', the others are inside stubs
        self.labels = [0] * len(flow.decoded.instructions)
        self.consts: list[object] = [*code.co_consts]
        self.const_of: dict[int, int] = {}
        self.stack_size: int = code.co_stacksize
        self.at = 0
        self.gated: list[tuple[int, int, int]] = []
        """For each gate: the instruction after it, its constant, the line where frames land."""

    def emit(self, opcode: str, arg: int = 0, label: int | None = None) -> None:
        """Add a line with the position and handler of the instruction that it precedes."""
        origin = self.flow.decoded.instructions[self.at]
        self.lines.append(Line(opcode, arg, origin.positions, origin.handler, label))

    def new_label(self) -> int:
        """Return a label to be placed later."""
        self.labels.append(-1)
        return len(self.labels) - 1

    def place(self, label: int) -> None:
        """Place the label before the next line."""
        self.labels[label] = len(self.lines)

    def gate(self, index: int) -> None:
        """Write a closed gate before an instruction."""
        self.at = index
        slot = len(self.consts)
        self.consts.append(None)
        over = self.new_label()
        self.emit("LOAD_CONST", slot)
        self.emit(OPCODES.jump_if_none, label=over)
        for opcode, arg in gating.words(slot):
            self.emit(opcode, arg)
        self.place(over)
        self.gated.append((index, slot, len(self.lines) - 1))

    def gates(self) -> gating.Gates:
        """Return the gates written so far, for the constants of the code."""
        starts = starts_of(self.lines, self.labels)
        offset = [one.offset for one in self.flow.decoded.instructions]
        return gating.Gates(
            gating.Gate(offset[index], slot, UNIT * starts[line])
            for index, slot, line in self.gated
        )

    def call_before(self, index: int, called: object) -> None:
        """Write a call that leaves the stack as it is."""
        self.at = index
        self.call_plainly(called)
        self.need(len(self.flow.stack_at(index)) + 2)

    def call_plainly(self, called: object) -> None:
        """Write a call without arguments and drop its result."""
        self.emit_callee(called)
        self.emit_call(0)
        self.emit("POP_TOP")

    def emit_callee(self, called: object) -> None:
        """Push a callable, and the NULL of a call."""
        for opcode in OPCODES.callee:
            self.emit(opcode, self.const(called) if opcode == "LOAD_CONST" else 0)

    def emit_call(self, count: int) -> None:
        """Call it with the arguments above."""
        for opcode in (*OPCODES.before_call, "CALL"):
            self.emit(opcode, count)

    def make_iterator(self, index: int) -> None:
        """Write code that puts an iterator in the place of an iterable that has an index."""
        self.at = index
        self.emit_callee(native.iterator_object)
        self.emit("COPY", 3)
        self.emit_call(1)
        self.emit("SWAP", 2)
        self.emit("POP_TOP")
        self.need(len(self.flow.stack_at(index)) + 3)

    def stub(self, stub: Stub) -> None:
        """Write one stub."""
        self.at = stub.at
        depth = len(self.flow.stack_at(stub.at))
        self.call(stub, depth)
        taken, original = self.new_label(), self.new_label()
        self.emit("COPY", 1)
        self.emit(OPCODES.jump_if_not_none, label=taken)
        self.emit("POP_TOP")
        self.emit("JUMP_FORWARD", label=original)
        self.place(taken)
        for _ in range(stub.consumed):
            self.emit("SWAP", 2)
            self.emit("POP_TOP")
        self.exits(stub, depth - stub.consumed)
        self.place(original)

    def call(self, stub: Stub, depth: int) -> None:
        """Write the call of the segment; its result is above the `depth` items that were there."""
        self.emit_callee(stub.segment)
        consumed = self.flow.stack_at(stub.at)[depth - stub.consumed :]
        count = 0
        for kind, place in zip(consumed, in_frame(consumed), strict=True):
            if kind is not Kind.INDEX:
                self.emit("COPY", stub.consumed - place + 2 + count)
                count += 1
        for slot in stub.live:
            is_local = self.flow.decoded.kinds[slot] is SlotKind.LOCAL
            self.emit("LOAD_FAST" if is_local else OPCODES.load_cell, slot)
        count += len(stub.live)
        self.emit_call(count)
        # a result and its copy need no more room than callee, NULL and arguments
        self.need(depth + 2 + count)

    def exits(self, stub: Stub, depth: int) -> None:
        """Write the dispatch on the result, which is above `depth` items, and each exit."""
        for way in stub.exits[:-1]:
            following = self.new_label()
            self.emit("UNPACK_SEQUENCE", 2)
            self.emit(OPCODES.jump_if_false, label=following)
            self.exit(way, depth)
            self.place(following)
        self.need(depth + 2)
        self.exit(stub.exits[-1], depth)

    def exit(self, way: Exit, depth: int) -> None:
        """Write an exit: unpack the payload, store, push, unbind, and jump."""
        if way.values == 0:
            self.emit("POP_TOP")
        elif not way.bare:
            self.emit("UNPACK_SEQUENCE", way.values)
        for slot in way.stores:
            self.emit("STORE_FAST", slot)
        for _ in way.nulls:
            self.emit("PUSH_NULL")
        target = self.flow.stack_at(way.target)
        for other in _swaps(in_frame(target[len(target) - way.pushes :]), way.nulls):
            self.emit("SWAP", other)
        self.need(depth + max(way.values, way.pushes) + 1)
        for slot in way.deletes:
            if slot not in self.flow.bound_at(self.at):
                # DELETE_FAST raises for an unbound local, so bind it first
                self.emit("LOAD_CONST", self.const(None))
                self.emit("STORE_FAST", slot)
            self.emit("DELETE_FAST", slot)
        if way.calls is not None:
            self.call_for(way)
        self.emit("JUMP_FORWARD" if way.target > self.at else "JUMP_BACKWARD", label=way.target)

    def call_for(self, way: Exit) -> None:
        """Write the final call of an exit; the frame is already in the target's state."""
        at, self.at = self.at, way.target
        self.call_plainly(way.calls)
        self.need(len(self.flow.stack_at(way.target)) + 2)
        self.at = at

    def const(self, value: object) -> int:
        """Return the index of a constant by identity, appending it if it is new."""
        index = self.const_of.get(id(value))
        if index is None:
            index = self.const_of[id(value)] = len(self.consts)
            self.consts.append(value)
        return index

    def need(self, depth: int) -> None:
        """Record that the stack gets this deep."""
        self.stack_size = max(self.stack_size, depth)


def _swaps(places: Sequence[int], nulls: Sequence[int]) -> list[int]:
    """Return the arguments of SWAPs that order the pushed items; `places`: where each belongs.

    UNPACK_SEQUENCE puts the first item on top, and NULLs come above all; wanted is the first item
    at the bottom, unless its place is another one, and each NULL in its place.
    """
    pushes = len(places)
    values = [slot for slot in range(pushes) if slot not in nulls]
    have: list[int | None] = [*reversed(values), *(None for _ in nulls)]
    want: list[int | None] = [None] * pushes
    for slot in values:
        want[places[slot]] = slot
    swaps = []
    top = pushes - 1
    for slot in range(pushes - 1):
        if have[slot] == want[slot]:
            continue
        source = max(other for other in range(slot, pushes) if have[other] == want[slot])
        for other in (source, slot):
            if other != top:
                swaps.append(top - other + 1)
                have[other], have[top] = have[top], have[other]
    return swaps
