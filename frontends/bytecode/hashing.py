"""Computes a constant's hash such that its code keeps its hash although jumps change.

Since 3.12 the hash of a code object includes each argument, so opening a gate would change it, and
dicts would lose the code. The mixing is invertible: starting from the desired hash, this computes
backwards what the constants must contribute, and from that the hash of the constant in the gate.
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

# Tuples use xxHash with one lane.
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
    """Return the hash that the constant in `slot` must have for the code to keep its own.

    Args:
        code: The code, whose current hash is of the bytes `now`.
        hashes: Hashes of its new constants; the one at `slot` is ignored.
        slot: The constant that compensates for the others and for the bytes.
        now: The current bytes, with unspecialised opcodes.
        then: The new bytes.

    Returns:
        None if this interpreter hashes differently, or no object can have such a hash.
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
    """Return the values mixed in between constants and instructions."""
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
    """Return opcodes and arguments alternately, without inline caches."""
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
    """Return the first value mixed in, given the values that followed and the final state."""
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
    """Return the hash at `slot` that gives a tuple the wanted hash."""
    hashes = [one & _MASK for one in hashes]
    state = wanted - (len(hashes) ^ _TUPLE_SEED ^ 3527539) & _MASK
    for index in range(len(hashes) - 1, slot - 1, -1):
        state = state * _TUPLE_BACK & _MASK
        state = (state >> _TURN | state << 64 - _TURN) & _MASK
        if index > slot:
            state = state - hashes[index] * _LANE_FACTOR & _MASK
    return (state - _lanes(_TUPLE_SEED, hashes[:slot])) * _LANE_BACK & _MASK
