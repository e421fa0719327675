"""3.11: functions that say when they are called, by a call at the beginning of their code.

CPython 3.11 has no sys.monitoring, and it enters functions without asking anybody. So the program's
own modules get code in which each function calls `arrive` first, until the policy has made up its
mind; the function then has its own code back. All jumps of 3.11 are relative and none crosses the
place behind the first RESUME: what is put there moves the rest as it is, and the tables of
exceptions and lines are moved along. `__code__` goes on to tell the code as it was compiled.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from opcode import opmap
from types import CodeType, FrameType, FunctionType
from typing import Any

from ...jit import native
from . import policy

UNIT = 2
"""Bytes of a code unit."""
ONE_LINE = (10, 11, 12)
"""Kinds of locations: all on the line that is 0, 1 or 2 behind the one before."""
NO_COLUMNS, WITH_COLUMNS, NO_LOCATION = 13, 14, 15
"""Others: they begin with the distance from the line before, or say nothing. Below 10 it is 0."""
STACK = 2
"""What the call takes: NULL and the callable."""


def start(arrived: Callable[[FunctionType, tuple[Any, ...]], bool]) -> None:
    """Looks at what has been loaded so far, and at each module that will be."""
    native.set_policy(arrived, None)
    SourceFileLoader.get_code = native.and_then(  # type: ignore[method-assign]
        SourceFileLoader.get_code, _loaded
    )
    for function in [one for one in gc.get_objects() if type(one) is FunctionType]:
        if _is_own(function.__code__):
            function.__code__ = watched(function.__code__)
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_own(frame.f_code):
            _replace_inner(frame.f_code)
        frame = frame.f_back


def _is_own(code: CodeType) -> bool:
    """Whether it is code of the program, and of no library."""
    return not policy.is_library(code.co_filename) and not policy.is_framejit(code.co_filename)


def _loaded(code: CodeType | None) -> CodeType | None:
    return watched(code) if code is not None and _is_own(code) else code


def _replace_inner(code: CodeType) -> None:
    """The functions that running code is yet to make."""
    for index, inner in enumerate(code.co_consts):
        if isinstance(inner, CodeType):
            native.replace_const(code, index, watched(inner))


# ---- code --------------------------------------------------------------------------------------


def watched(code: CodeType) -> CodeType:
    """Code that calls `arrive` first, and so does that of its inner functions."""
    consts = tuple(watched(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    changed = any(one is not other for one, other in zip(consts, code.co_consts, strict=True))
    settled = code.replace(co_consts=consts) if changed else code
    if changed:
        native.stand_in(settled, code)
    at = _behind_resume(code)
    if code.co_flags & policy.FUNCTION != policy.FUNCTION or at is None:
        return settled
    call = _call(len(consts))
    count = len(call) // UNIT
    made = code.replace(
        co_code=code.co_code[: at * UNIT] + call + code.co_code[at * UNIT :],
        co_consts=(*consts, native.arrive),
        co_stacksize=max(code.co_stacksize, STACK),
        co_linetable=_moved_lines(code.co_linetable, at, count),
        co_exceptiontable=_moved_handlers(code.co_exceptiontable, at, count),
    )
    native.stand_in(made, code, settled)
    return made


def _behind_resume(code: CodeType) -> int | None:
    """The unit that follows the RESUME at which the function begins."""
    units = code.co_code[::UNIT]
    found = units.find(opmap["RESUME"])
    return found + 1 if found >= 0 and code.co_code[found * UNIT + 1] == 0 else None


def _call(const: int) -> bytes:
    """`const()` and a pop."""
    names = [("PUSH_NULL", 0, 0)]
    if const > 0xFF:
        names.append(("EXTENDED_ARG", const >> 8 & 0xFF, 0))
    names += [("LOAD_CONST", const & 0xFF, 0), ("PRECALL", 0, 1), ("CALL", 0, 4), ("POP_TOP", 0, 0)]
    return b"".join(bytes((opmap[name], arg)) + bytes(UNIT * cache) for name, arg, cache in names)


def _moved_lines(table: bytes, at: int, count: int) -> bytes:
    """The table of locations with `count` units more at `at`; they belong to the line behind them.

    To a debugger that is one line, which begins with them. The line of the `def` would be one more.
    """
    passed = position = 0
    while passed < at:
        passed += (table[position] & 7) + 1
        position = _next_location(table, position)
    assert passed == at, "locations end where instructions do"
    code, after = table[position] >> 3 & 15, table[position:]
    line = b"\0"  # the distance from the line before, as a signed number of variable length
    if code == NO_LOCATION:
        line = b""
    elif code in (NO_COLUMNS, WITH_COLUMNS):
        end = position + 1
        while table[end] & 0x40:
            end += 1
        line = table[position + 1 : end + 1]
        after = table[position : position + 1] + b"\0" + table[end + 1 :]
    elif code in ONE_LINE:
        line = bytes((2 * ONE_LINE.index(code),))
        after = bytes((0x80 | ONE_LINE[0] << 3 | table[position] & 7,)) + table[position + 1 :]
    added = b""
    while count:
        units = min(count, 8)
        added += bytes((0x80 | (NO_COLUMNS if line else NO_LOCATION) << 3 | units - 1,)) + line
        count -= units
        line = line and b"\0"
    return table[:position] + added + after


def _next_location(table: bytes, position: int) -> int:
    """Where the entry behind the one at `position` begins."""
    position += 1
    while position < len(table) and not table[position] & 0x80:
        position += 1
    return position


def _moved_handlers(table: bytes, at: int, count: int) -> bytes:
    """The exception table with `count` units more at `at`."""
    moved = b""
    for start, size, target, depth in _handlers(table):
        inside = start < at < start + size
        moved += _entry(
            start + count * (start >= at),
            size + count * inside,
            target + count * (target >= at),
            depth,
        )
    return moved


def _handlers(table: bytes) -> Iterator[tuple[int, int, int, int]]:
    """(start, size, target, depth and lasti) of each entry."""
    numbers = []
    value = 0
    for byte in table:
        value = value << 6 | byte & 0x3F
        if not byte & 0x40:
            numbers.append(value)
            value = 0
    yield from zip(numbers[0::4], numbers[1::4], numbers[2::4], numbers[3::4], strict=True)


def _entry(*numbers: int) -> bytes:
    """An entry of the exception table: big-endian groups of six bits, the first byte marked."""
    out = b""
    for number in numbers:
        groups = [number & 0x3F]
        while number := number >> 6:
            groups.append(number & 0x3F | 0x40)
        out += bytes(reversed(groups))
    return bytes((out[0] | 0x80,)) + out[1:]
