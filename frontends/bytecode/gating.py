"""Gates: places at which a running frame can switch to another version of its code.

A gate stands before the header of each outermost loop, and every entry into the loop passes it::

       LOAD_CONST slot                   None while the gate is closed
       POP_JUMP_IF_NONE over
       PUSH_NULL; PUSH_NULL; LOAD_CONST slot; CALL 0; CALL 0    (3.13: NULL after the callable)
       POP_TOP                           where a frame that switches to this code continues
   over:

The constant has a slot of its own; putting a `Gate` of the C core there opens the gate. Its call
returns the next callable: a Python function that exchanges the code of the frame it was called
from, or one that does nothing (`jit/native/crossing.c`). A last constant holds the table of gates.

Iterations jump back to behind a closed gate, so that it costs them nothing. Opening a gate
redirects these jumps to it, in running code too (`opening.py`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from opcode import opmap
from types import CodeType
from typing import Final, NamedTuple

from .codetables import Region, read_exception_table
from .inserting import EXTENDED_ARG, UNIT, Jump, find_jumps, inserted, marks_of, places, units_of
from .version import LAYOUT

CALLEE: Final = LAYOUT.stub.callee
CALL: Final = (*LAYOUT.stub.before_call, "CALL")
DEPTH: Final = 3
"""Number of stack items that a gate uses temporarily."""

_ENDS: Final = tuple(
    opmap[name]
    for name in ("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS", "RERAISE", "INTERPRETER_EXIT")
    if name in opmap
)
_STRAIGHT: Final = {
    opmap[name] for name in ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
}
_END_MARKS: Final = marks_of(_ENDS)
_LOAD_CONST: Final = opmap["LOAD_CONST"]
_OVER: Final = opmap[LAYOUT.stub.jump_if_none]
_SEND: Final = opmap["SEND"]
_NO_GATE_AT: Final = {opmap[name] for name in LAYOUT.no_stub_at}


class Gate(NamedTuple):
    """Position of a gate; offsets are in bytes."""

    header: int
    """Header of the loop, as an offset in the user's code."""
    slot: int
    """Index of the constant that opens it."""
    landing: int
    """The offset at which a frame that switches to this code continues; 0 if none does."""


class BackEdge(NamedTuple):
    """A jump that ends an iteration of the loop; positions are in units."""

    at: int
    """Position of its opcode."""
    width: int
    """Number of units that hold a byte of its argument."""
    opened: int
    """Argument with which it jumps to the gate."""
    closed: int
    """Argument with which it jumps to behind the gate."""


class Gates(tuple[Gate, ...]):
    """The gates of a code object, stored as a constant that no instruction loads."""

    @cached_property
    def kept(self) -> list[object]:
        """Return the objects that open them, kept alive here because CPython's traces do not."""
        return []


def room(code: CodeType) -> int:
    """Return a stack size with which frames fit any version of this code.

    A stub pushes a callable, the stack items that it consumes and the live slots; an exit pushes
    what it stores and pushes.
    """
    slots = len(code.co_varnames) + len(code.co_cellvars) + len(code.co_freevars)
    return 2 * code.co_stacksize + slots + DEPTH + 1


def gates_of(code: CodeType) -> Gates:
    """Return the gates of a code object."""
    return next((one for one in reversed(code.co_consts) if type(one) is Gates), Gates())


def gated(code: CodeType) -> CodeType | None:
    """Return the code with a gate before each outermost loop, or None if there is no loop."""
    raw = code.co_code
    jumps = find_jumps(raw)
    if all(jump.target > jump.start for jump in jumps):
        return None
    opcodes = raw[::UNIT]
    headers = [
        unit
        for unit in outermost(opcodes, jumps, [*read_exception_table(code.co_exceptiontable)])
        if opcodes[_opcode_at(opcodes, unit)] not in _NO_GATE_AT
    ]
    if not headers:
        return None
    first = len(code.co_consts)
    pieces = {unit: _units(first + k) for k, unit in enumerate(headers)}
    gates = Gates(Gate(UNIT * unit, first + k, 0) for k, unit in enumerate(headers))
    consts = (*code.co_consts, *(None,) * len(gates), gates)
    changes = inserted(code, pieces, jumps)
    changes["co_code"] = closed(changes["co_code"], gates)
    return code.replace(co_consts=consts, co_stacksize=room(code), **changes)


def closed(raw: bytes, gates: Gates) -> bytes:
    """Return the bytecode with iterations passing by these gates."""
    out = bytearray(raw)
    for edges in back_edges(raw, gates).values():
        for edge in edges:
            last = UNIT * edge.at + 1
            out[last - UNIT * (edge.width - 1) : last + 1 : UNIT] = edge.closed.to_bytes(
                edge.width, "big"
            )
    return bytes(out)


def back_edges(raw: bytes, gates: Gates) -> dict[int, list[BackEdge]]:
    """Return by gate slot the jumps back to its loop, wherever they go at present."""
    jumps = find_jumps(raw)
    slots = {gate.slot for gate in gates}
    found: dict[int, list[BackEdge]] = {}
    for over in jumps:
        if raw[UNIT * over.at] != _OVER or raw[UNIT * (over.start - 1)] != _LOAD_CONST:
            continue
        start, slot = _argument_before(raw, over.start)
        if slot not in slots:
            continue
        found[slot] = [
            BackEdge(jump.at, jump.at - jump.start + 1, jump.end - start, jump.end - over.target)
            for jump in jumps
            if jump.start >= over.target and jump.target in (start, over.target)
        ]
    return found


def _argument_before(raw: bytes, end: int) -> tuple[int, int]:
    """Return the start of the instruction that ends at this unit, and its argument."""
    at, shift = end - 1, 8
    argument = raw[UNIT * at + 1]
    while at and raw[UNIT * (at - 1)] == EXTENDED_ARG:
        at -= 1
        argument |= raw[UNIT * at + 1] << shift
        shift += 8
    return at, argument


def words(slot: int) -> Iterator[tuple[str, int]]:
    """Return the instructions of a gate after its jump."""
    loads = tuple((name, slot if name == "LOAD_CONST" else 0) for name in CALLEE)
    call = tuple((name, 0) for name in CALL)
    if CALLEE[0] == "PUSH_NULL":
        yield (CALLEE[0], 0)
        yield from (*loads, *call, *call)
    else:
        yield from (*loads, *call, (CALLEE[1], 0), *call)
    yield ("POP_TOP", 0)


def _units(slot: int) -> bytes:
    inside = units_of((*words(slot),))
    jump = (LAYOUT.stub.jump_if_none, len(inside) // UNIT)
    return units_of((("LOAD_CONST", slot), jump)) + inside


# ---- loops -------------------------------------------------------------------------------------


def outermost(opcodes: bytes, jumps: Sequence[Jump], regions: Sequence[Region]) -> list[int]:
    """Return the first units of the outermost loops.

    Loops are cycles of the flow graph: for each strongly connected component, the block entered
    first. Waiting for a delegate (SEND) does not count as a loop.
    """
    after = _blocks(opcodes, jumps, regions)
    found: list[int] = []
    order: dict[int, int] = {0: 0}
    low: dict[int, int] = {0: 0}
    open_: list[int] = [0]
    is_open = {0}
    pending = [(0, iter(after[0]))]
    while pending:
        block, following = pending[-1]
        for other in following:
            if other not in order:
                order[other] = low[other] = len(order)
                open_.append(other)
                is_open.add(other)
                pending.append((other, iter(after[other])))
                break
            if other in is_open:
                low[block] = min(low[block], order[other])
        else:
            pending.pop()
            if pending:
                above = pending[-1][0]
                low[above] = min(low[above], low[block])
            if low[block] == order[block]:
                if open_[-1] != block or block in after[block]:
                    found.append(block)
                first = open_.index(block)
                is_open.difference_update(open_[first:])
                del open_[first:]
    return sorted(found)


def _blocks(
    opcodes: bytes, jumps: Sequence[Jump], regions: Sequence[Region]
) -> dict[int, list[int]]:
    """Return for each basic block, by its first unit, where execution continues."""
    ends = {place + 1 for place in places(opcodes, _END_MARKS)}
    behind = {jump.end: jump for jump in jumps}
    leaders = {0, *ends, *behind, *(jump.target for jump in jumps)}
    for start, end, target, *_ in regions:
        leaders |= {start, end, target}
    size = len(opcodes)
    begins = sorted(place for place in leaders if place < size)
    after: dict[int, list[int]] = {}
    for place, end in zip(begins, (*begins[1:], size), strict=True):
        jump = behind.get(end)
        following = after[place] = []
        if jump is not None and opcodes[_opcode_at(opcodes, jump.target)] != _SEND:
            following.append(jump.target)
        falls = end not in ends and (jump is None or opcodes[jump.at] not in _STRAIGHT)
        if falls and end < size:
            following.append(end)
    for start, end, target, *_ in regions:
        for place in begins[bisect_left(begins, start) : bisect_left(begins, end)]:
            after[place].append(target)
    return after


def _opcode_at(opcodes: bytes, unit: int) -> int:
    while opcodes[unit] == EXTENDED_ARG:
        unit += 1
    return unit
