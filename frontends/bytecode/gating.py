"""Gates: places of a code object at which its running frames can go over into other code.

A gate stands before the header of each loop that stands in no other one, and whoever comes to the
header comes through it::

        LOAD_CONST slot                   None while the gate is closed
        POP_JUMP_IF_NONE over
        PUSH_NULL; PUSH_NULL; LOAD_CONST slot; CALL 0; CALL 0    (3.13: NULL behind what is called)
        POP_TOP                           where a frame lands that goes over into this code
    over:

The constant is a slot of its own; a `Gate` of the C core in it opens the gate.  Called, that gives
what to call next: a function of Python's that exchanges the code of the frame it was called from,
or a callable that does nothing (`jit/native/crossing.c`).  A last constant has the table of gates.

Turns of the loop jump back to behind a closed gate, so they cost what they cost without it; when it
is opened they are made to jump to it, also in code that runs (`opening.py`).
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
"""Stack items that a gate takes for a moment."""

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
    """Where a gate stands; offsets are in bytes."""

    header: int
    """The loop, in the user's code."""
    slot: int
    """The constant that opens it."""
    landing: int
    """Where a frame lands that goes over into this code; 0 for code that none goes over into."""


class BackEdge(NamedTuple):
    """A jump by which a turn of a loop ends; places are in units."""

    at: int
    """Its opcode."""
    width: int
    """Units with a byte of its argument."""
    opened: int
    """The argument with which it jumps to the gate."""
    closed: int
    """The one with which it jumps to behind it."""


class Gates(tuple[Gate, ...]):
    """The gates of a code object: a constant of it that no instruction loads."""

    @cached_property
    def kept(self) -> list[object]:
        """What has opened them: traces that CPython makes of running code do not hold it."""
        return []


def room(code: CodeType) -> int:
    """A stack size for which any version of this code fits into a frame of any other.

    A stub takes a callable, the stack items that it consumes and the live slots; an exit takes what
    it stores and pushes.
    """
    slots = len(code.co_varnames) + len(code.co_cellvars) + len(code.co_freevars)
    return 2 * code.co_stacksize + slots + DEPTH + 1


def gates_of(code: CodeType) -> Gates:
    """The gates that stand in a code object."""
    return next((one for one in reversed(code.co_consts) if type(one) is Gates), Gates())


def gated(code: CodeType) -> CodeType | None:
    """The code with a gate before each outermost loop, None where there is no loop."""
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
    """The code with these gates, in which turns of loops pass them by."""
    out = bytearray(raw)
    for edges in back_edges(raw, gates).values():
        for edge in edges:
            last = UNIT * edge.at + 1
            out[last - UNIT * (edge.width - 1) : last + 1 : UNIT] = edge.closed.to_bytes(
                edge.width, "big"
            )
    return bytes(out)


def back_edges(raw: bytes, gates: Gates) -> dict[int, list[BackEdge]]:
    """By the slot of a gate, the jumps back to its loop, wherever they jump to now."""
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
    """Where the instruction begins that ends at this unit, and its argument."""
    at, shift = end - 1, 8
    argument = raw[UNIT * at + 1]
    while at and raw[UNIT * (at - 1)] == EXTENDED_ARG:
        at -= 1
        argument |= raw[UNIT * at + 1] << shift
        shift += 8
    return at, argument


def words(slot: int) -> Iterator[tuple[str, int]]:
    """The instructions of a gate behind its jump."""
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
    """The units at which the loops begin that stand in no other one.

    They are the cycles of the flow graph: of each strongly connected part the first block that is
    come to.  Waiting for a delegate (SEND) is no loop of the program.
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
    """By the unit where it begins, where each stretch of code without jumps goes on."""
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
