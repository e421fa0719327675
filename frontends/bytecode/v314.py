"""Rows of CPython 3.14."""

from __future__ import annotations

from typing import Any, Final

from ...jit.errors import UnsupportedCodeError
from . import isa
from .isa import Op
from .rows import COMMON, COMMON_CONSTANTS, SPECIAL_METHODS, Context, Row, fixed
from .rows import binary_op as operator
from .v313 import ROWS as V313
from .v313 import load_fast, load_fast_load_fast

identity: Final = COMMON["IS_OP"]


def binary_op(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate BINARY_OP, whose last operator is the subscript."""
    return (Op(isa.BINARY_SUBSCR),) if arg == SUBSCRIPT else operator(context, arg)


def load_small_int(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_SMALL_INT; its argument is the int."""
    return (Op(isa.LOAD_CONST, arg),)


def load_common_constant(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_COMMON_CONSTANT, which loads the genuine builtin."""
    constant = _of(COMMON_CONSTANTS, arg)
    if constant is AssertionError:
        return (Op(isa.LOAD_ASSERTION_ERROR),)
    return (Op(isa.LOAD_CONST, constant),)


def is_op(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate IS_OP; after a common constant it tests if a name still is that builtin.

    That guards a call written out as a loop. The branch with the call is right in any case, and
    is what the machine can handle, so the test is translated as false.
    """
    previous = context.previous
    if previous is not None and any(previous.arg is one for one in WRITTEN_OUT):
        return (Op(isa.POP_TOP), Op(isa.POP_TOP), Op(isa.LOAD_CONST, False), Op(isa.TO_BOOL))
    return identity(context, arg)


def load_special(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_SPECIAL by the method's name."""
    return (Op(isa.LOAD_SPECIAL, _of(SPECIAL_METHODS, arg)),)


def _of(known: tuple[Any, ...], arg: int) -> Any:
    if arg >= len(known):
        raise UnsupportedCodeError(f"an argument of {arg}, of {len(known)} that are known")
    return known[arg]


def call_function_ex(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate CALL_FUNCTION_EX; without a mapping the compiler has pushed a NULL for it."""
    if context.previous is not None and context.previous.name == isa.PUSH_NULL:
        return (Op(isa.POP_TOP), Op(isa.CALL_FUNCTION_EX, False))
    return (Op(isa.CALL_FUNCTION_EX, True),)


def build_interpolation(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate BUILD_INTERPOLATION.

    Bit 0: there is a format specification, the rest: conversion.
    """
    return (Op(isa.BUILD_INTERPOLATION, bool(arg & 1)),)


def with_except_start(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate WITH_EXCEPT_START; the exit is a callable and its possible first argument."""
    return (Op(isa.WITH_EXCEPT_START, True),)


WRITTEN_OUT: Final = (tuple, all, any, list, set)
"""Builtins whose call with a generator expression the compiler also writes as a loop; list and set
since 3.15."""

SUBSCRIPT: Final = 26
"""Number of the subscript among the operators."""

GONE: Final = frozenset(
    {
        *("BEFORE_WITH", "BEFORE_ASYNC_WITH", "BINARY_SUBSCR", "BUILD_CONST_KEY_MAP"),
        *("LOAD_ASSERTION_ERROR", "RETURN_CONST"),
    }
)

ROWS: Final[dict[str, Row]] = {
    **{name: row for name, row in V313.items() if name not in GONE},
    "BINARY_OP": binary_op,
    "BUILD_INTERPOLATION": build_interpolation,
    "BUILD_TEMPLATE": fixed(isa.BUILD_TEMPLATE),
    "CALL_FUNCTION_EX": call_function_ex,
    "IS_OP": is_op,
    "LOAD_COMMON_CONSTANT": load_common_constant,
    # the compiler has proved that the variable outlives the borrowed reference on the stack
    "LOAD_FAST_BORROW": load_fast,
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": load_fast_load_fast,
    "LOAD_SMALL_INT": load_small_int,
    "LOAD_SPECIAL": load_special,
    # marks for tools the path on which a branch is not taken
    "NOT_TAKEN": fixed(),
    "POP_ITER": fixed(isa.POP_TOP),
    "WITH_EXCEPT_START": with_except_start,
}
