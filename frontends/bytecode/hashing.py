"""The hash that a constant must have so that its code keeps its hash, whatever jumps come to.

Since 3.12 the hash of a code object mixes in each argument, so opening a gate would change it, and
dicts would lose the code.  The mixing can be undone step by step: beginning with the hash that is
to come out, this goes back to what the constants must add, and from there to the one in the gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from opcode import opname
from types import CodeType
from typing import Final

from .version import LAYOUT

_MASK: Final = (1 << 64) - 1
_SEED: Final = 20221211
_FACTOR: Final = 1000003
_BACK: Final = pow(_FACTOR, -1, 1 << 64)

# That of tuples is xxHash's, with one lane.
_TUPLE_SEED: Final = 2870177450012600261
_LANE_FACTOR: Final = 14029467366897019727
_LANE_BACK: Final = pow(_LANE_FACTOR, -1, 1 << 64)
_TUPLE_FACTOR: Final = 11400714785074694791
_TUPLE_BACK: Final = pow(_TUPLE_FACTOR, -1, 1 << 64)
_TURN: Final = 31

UNIT: Final = 2


def hash_of_constant(
    code: CodeType, hashes: Sequence[int], slot: int, now: bytes, then: bytes
) -> int | None:
    """The hash that the constant in `slot` must have for the code to keep its own.

    Args:
        code: hashed with the bytes `now`, as it is.
        hashes: those that its constants are to have; the one at `slot` is not looked at.
        slot: the constant that is to make up for the others and for the bytes.
        now: its bytes, with plain opcodes.
        then: those that it is to have.

    Returns:
        None where this is not how the interpreter computes hashes, or no object has such a hash.
    """
    if not LAYOUT.hashes_bytes:
        return hash(None)
    wanted = hash(code) & _MASK
    behind = _fields_behind(code)
    start = _mixed(_SEED, [hash(code.co_name)])
    if _unmixed(wanted, [*behind, *_mixed_in(now)], start) != hash(code.co_consts) & _MASK:
        return None
    needed = _lane(hashes, slot, _unmixed(wanted, [*behind, *_mixed_in(then)], start))
    signed = needed - (1 << 64) if needed >> 63 else needed
    return None if signed == -1 else signed


def _fields_behind(code: CodeType) -> list[int]:
    """What is mixed in between the constants and the instructions."""
    cells = tuple(name for name in code.co_cellvars if name not in code.co_varnames)
    variables = (*code.co_varnames, *cells, *code.co_freevars)
    return [
        *map(hash, (code.co_names, variables, code.co_linetable, code.co_exceptiontable)),
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags,
        code.co_firstlineno,
        len(code.co_code) // UNIT,
    ]


def _mixed_in(raw: bytes) -> list[int]:
    """Opcodes and arguments in turn, without what is between instructions."""
    values: list[int] = []
    at = 0
    while at < len(raw):
        values += raw[at : at + UNIT]
        at += UNIT * (1 + LAYOUT.caches.get(opname[raw[at]], 0))
    return values


def _mixed(state: int, values: Iterable[int]) -> int:
    for value in values:
        state = (state ^ value & _MASK) * _FACTOR & _MASK
    return state


def _unmixed(state: int, values: Sequence[int], start: int) -> int:
    """What was mixed in first, where these values followed and `state` came out."""
    for value in reversed(values):
        state = state * _BACK & _MASK ^ value & _MASK
    return state * _BACK & _MASK ^ start


def _lanes(state: int, hashes: Iterable[int]) -> int:
    for lane in hashes:
        state = state + lane * _LANE_FACTOR & _MASK
        state = (state << _TURN | state >> 64 - _TURN) & _MASK
        state = state * _TUPLE_FACTOR & _MASK
    return state


def _lane(hashes: Sequence[int], slot: int, wanted: int) -> int:
    """The hash at `slot` with which the tuple has the hash that is wanted."""
    hashes = [one & _MASK for one in hashes]
    state = wanted - (len(hashes) ^ _TUPLE_SEED ^ 3527539) & _MASK
    for index in range(len(hashes) - 1, slot - 1, -1):
        state = state * _TUPLE_BACK & _MASK
        state = (state >> _TURN | state << 64 - _TURN) & _MASK
        if index > slot:
            state = state - hashes[index] * _LANE_FACTOR & _MASK
    return (state - _lanes(_TUPLE_SEED, hashes[:slot])) * _LANE_BACK & _MASK
