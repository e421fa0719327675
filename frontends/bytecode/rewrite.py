"""The original bytecode, whole, with a stub before each capture point.

In: decoded code and the stubs.  Out: a code object that behaves as before when every segment
returns None.  A stub in full (3.13; other versions order and name a few opcodes differently)::

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

All of it has the positions and the exception handler of the instruction it stands before, so
that an exception or a signal that arrives in it looks as if it came from there.  No local
variable is added: `locals()` must not show us.

Tools that trace are served by the original code, not by this one: `sys.monitoring` sees the
stubs' calls and jumps, and on 3.12 `sys.settrace` reports a line once more where an exit leads
to the middle of it and the instruction before is a call of a Python function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import CodeType
from typing import Final

from . import gating
from .assemble import Line, assemble, line_of, starts_of
from .flow import Flow, analyse
from .inserting import UNIT
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
    """Put the stubs in place; `ValueError` when one is not safe or two stand at one place.

    `co_consts` only grows at its end, every other table keeps its indices, flags stay.  `flow`
    saves the analysis when the caller has it.  Before the instructions `gates`, and their stubs,
    stand gates: frames of other versions of the code go over into this one there, and back.
    `calls`: callables without arguments, each called whenever the interpreter comes to the
    instruction that it is given for; they raise nothing.
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
        # the first labels are the instructions', the others belong to the insides of stubs
        self.labels = [0] * len(flow.decoded.instructions)
        self.consts: list[object] = [*code.co_consts]
        self.const_of: dict[int, int] = {}
        self.stack_size: int = code.co_stacksize
        self.at = 0
        self.gated: list[tuple[int, int, int]] = []
        """For each gate the instruction behind it, its constant, the line where frames land."""

    def emit(self, opcode: str, arg: int = 0, label: int | None = None) -> None:
        """Add a line that looks as if it were part of the instruction it stands before."""
        origin = self.flow.decoded.instructions[self.at]
        self.lines.append(Line(opcode, arg, origin.positions, origin.handler, label))

    def new_label(self) -> int:
        """A label to be placed later."""
        self.labels.append(-1)
        return len(self.labels) - 1

    def place(self, label: int) -> None:
        """The label stands before the next line."""
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
        """Those that were written, for the constants of the code."""
        starts = starts_of(self.lines, self.labels)
        offset = [one.offset for one in self.flow.decoded.instructions]
        return gating.Gates(
            gating.Gate(offset[index], slot, UNIT * starts[line])
            for index, slot, line in self.gated
        )

    def call_before(self, index: int, called: object) -> None:
        """Call something, and leave the stack as it is."""
        self.at = index
        self.call_plainly(called)
        self.need(len(self.flow.stack_at(index)) + 2)

    def call_plainly(self, called: object) -> None:
        """Call something without arguments for what it does."""
        for opcode in OPCODES.callee:
            self.emit(opcode, self.const(called) if opcode == "LOAD_CONST" else 0)
        for opcode in (*OPCODES.before_call, "CALL"):
            self.emit(opcode, 0)
        self.emit("POP_TOP")

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
        """Call the segment; leaves its result above the `depth` items that were there."""
        for opcode in OPCODES.callee:
            self.emit(opcode, self.const(stub.segment) if opcode == "LOAD_CONST" else 0)
        for _ in range(stub.consumed):
            # the item to copy sinks by one with each copy made, so its depth stays the same
            self.emit("COPY", stub.consumed + 2)
        for slot in stub.live:
            is_local = self.flow.decoded.kinds[slot] is SlotKind.LOCAL
            self.emit("LOAD_FAST" if is_local else OPCODES.load_cell, slot)
        count = stub.consumed + len(stub.live)
        for opcode in (*OPCODES.before_call, "CALL"):
            self.emit(opcode, count)
        # a result and its copy take two items, which is never more than callee, NULL and arguments
        self.need(depth + 2 + count)

    def exits(self, stub: Stub, depth: int) -> None:
        """Tell the exits apart and write each; the result lies above `depth` items."""
        for way in stub.exits[:-1]:
            following = self.new_label()
            self.emit("UNPACK_SEQUENCE", 2)
            self.emit(OPCODES.jump_if_false, label=following)
            self.exit(way, depth)
            self.place(following)
        self.need(depth + 2)
        self.exit(stub.exits[-1], depth)

    def exit(self, way: Exit, depth: int) -> None:
        """Unpack the payload, store, push, unbind, and jump."""
        if way.values == 0:
            self.emit("POP_TOP")
        elif not way.bare:
            self.emit("UNPACK_SEQUENCE", way.values)
        for slot in way.stores:
            self.emit("STORE_FAST", slot)
        for _ in way.nulls:
            self.emit("PUSH_NULL")
        for other in _swaps(way.pushes, way.nulls):
            self.emit("SWAP", other)
        self.need(depth + max(way.values, way.pushes) + 1)
        for slot in way.deletes:
            if slot not in self.flow.bound_at(self.at):
                # DELETE_FAST raises for an unbound local, so it gets something to delete
                self.emit("LOAD_CONST", self.const(None))
                self.emit("STORE_FAST", slot)
            self.emit("DELETE_FAST", slot)
        if way.calls is not None:
            self.call_for(way)
        self.emit("JUMP_FORWARD" if way.target > self.at else "JUMP_BACKWARD", label=way.target)

    def call_for(self, way: Exit) -> None:
        """Call what an exit calls at last; the frame is already what its target finds."""
        at, self.at = self.at, way.target
        self.call_plainly(way.calls)
        self.need(len(self.flow.stack_at(way.target)) + 2)
        self.at = at

    def const(self, value: object) -> int:
        """The index of a constant, by identity, appended when it is new."""
        index = self.const_of.get(id(value))
        if index is None:
            index = self.const_of[id(value)] = len(self.consts)
            self.consts.append(value)
        return index

    def need(self, depth: int) -> None:
        """The stack gets as deep as this."""
        self.stack_size = max(self.stack_size, depth)


def _swaps(pushes: int, nulls: Sequence[int]) -> list[int]:
    """Arguments of the SWAPs that bring the pushed items into order.

    UNPACK_SEQUENCE puts the first item on top, and the NULLs come above them all; wanted is the
    first item at the bottom, and each NULL in its place.
    """
    values = [slot for slot in range(pushes) if slot not in nulls]
    have: list[int | None] = [*reversed(values), *(None for _ in nulls)]
    want = [None if slot in nulls else slot for slot in range(pushes)]
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
