"""Decodes a code object into neutral instructions.

Accepts any code object that CPython's compiler wrote. Three steps: split the bytes into units, find
jump targets, positions and handlers, and translate each opcode by its row.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice, repeat
from opcode import EXTENDED_ARG, opmap, opname  # not `dis` or `inspect`, which take milliseconds
from types import CodeType
from typing import Final, NamedTuple

from ...jit.errors import UnsupportedCodeError
from .codetables import Positions, read_exception_table
from .model import Decoded, Handler, Instruction, SlotKind
from .rows import Context, Row
from .version import LAYOUT, rows_of

_GATE: Final = ["LOAD_CONST", LAYOUT.stub.jump_if_none]
"""The first opcodes of a gate, see gating.py."""
NOWHERE: Final[Positions] = (None, None, None, None)
VARIABLE_ARGUMENTS: Final = (0x04, 0x08)
"""Flags of code that takes `*args`, and of code that takes `**kwargs`."""
CACHES: Final = {opmap[name]: count for name, count in LAYOUT.caches.items()}
DIRECTIONS: Final = {opmap[name]: direction for name, direction in LAYOUT.jumps.items()}
ROWS: Final = {opmap[name]: (name, row) for name, row in rows_of(LAYOUT.version).items()}


def decode(code: CodeType) -> Decoded:
    """Decode a code object; `UnsupportedCodeError` if CPython would not have written it."""
    units = _split(code.co_code)
    index_of = {unit.start: index for index, unit in enumerate(units)}
    # generated code may have a line table that ends early
    positions = chain(code.co_positions(), repeat(NOWHERE))
    positions_of = list(islice(positions, len(code.co_code) >> 1))
    handlers = _handlers(code, units, index_of)
    localsplus, kinds = slots(code)
    context = Context(code, kinds)
    instructions = []
    for index, unit in enumerate(units):
        name, row = _row(unit.opcode, code)
        target = _target(unit, index_of)
        context.target = -1 if target is None else target
        if name == "PUSH_NULL" and LAYOUT.has_indices:
            context.after = _after(units, index, index_of)
        ops = row(context, unit.arg)
        if ops:
            context.previous = ops[-1]
        instructions.append(
            Instruction(
                index,
                unit.start,
                name,
                unit.arg,
                positions_of[unit.start >> 1],
                target,
                handlers[index],
                ops,
            )
        )
    return Decoded(code, tuple(instructions), localsplus, kinds, argument_count(code))


class _Unit(NamedTuple):
    """An instruction as it is in the bytes."""

    start: int
    end: int
    """Position after its inline caches, to which jumps are relative."""
    opcode: int
    arg: int


def _split(raw: bytes) -> list[_Unit]:
    units = []
    start = position = arg = 0
    while position < len(raw):
        opcode, arg = raw[position], arg << 8 | raw[position + 1]
        position += 2
        if opcode != EXTENDED_ARG:
            position += 2 * CACHES.get(opcode, 0)
            units.append(_Unit(start, position, opcode, arg))
            start, arg = position, 0
    return units


def _row(opcode: int, code: CodeType) -> tuple[str, Row]:
    try:
        return ROWS[opcode]
    except KeyError:
        raise UnsupportedCodeError(f"opcode {opcode} in {code.co_qualname}") from None


def _target(unit: _Unit, index_of: dict[int, int]) -> int | None:
    direction = DIRECTIONS.get(unit.opcode)
    if direction is None:
        return None
    try:
        return index_of[unit.end + 2 * direction * unit.arg]
    except KeyError:
        raise UnsupportedCodeError(f"jump at offset {unit.start} into an instruction") from None


def _after(units: Sequence[_Unit], index: int, index_of: dict[int, int]) -> str:
    """Return the name of the opcode after an instruction, behind a gate if one stands there."""
    names = [opname[unit.opcode] for unit in units[index + 1 : index + 3]]
    if names == _GATE:
        over = _target(units[index + 2], index_of)
        return opname[units[over].opcode] if over is not None else ""
    return names[0] if names else ""


def _handlers(
    code: CodeType, units: Sequence[_Unit], index_of: dict[int, int]
) -> list[Handler | None]:
    """Return the handler of each instruction, or None."""
    handlers: list[Handler | None] = [None] * len(units)
    for start, end, target, depth, lasti in read_exception_table(code.co_exceptiontable):
        handler = Handler(index_of[2 * target], depth, lasti)
        last = index_of.get(2 * end, len(units))
        for index in range(index_of[2 * start], last):
            handlers[index] = handler
    return handlers


def slots(code: CodeType) -> tuple[tuple[str, ...], tuple[SlotKind, ...]]:
    """Return the names and kinds of the localsplus slots.

    The order is the interpreter's: locals, then cells that are not locals, then free variables. An
    argument captured by an inner function has a single slot, which is a cell.
    """
    local, cells = code.co_varnames, code.co_cellvars
    names = local + tuple(name for name in cells if name not in local) + code.co_freevars
    free_from = len(names) - len(code.co_freevars)
    kinds = tuple(
        SlotKind.FREE if slot >= free_from else SlotKind.CELL if name in cells else SlotKind.LOCAL
        for slot, name in enumerate(names)
    )
    return names, kinds


def argument_count(code: CodeType) -> int:
    """Return how many of the first slots the caller fills."""
    stars = sum(bool(code.co_flags & flag) for flag in VARIABLE_ARGUMENTS)
    return code.co_argcount + code.co_kwonlyargcount + stars
