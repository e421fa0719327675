"""CPython 3.14."""

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
    """A subscript is the last of the operators."""
    return (Op(isa.BINARY_SUBSCR),) if arg == SUBSCRIPT else operator(context, arg)


def load_small_int(context: Context, arg: int) -> tuple[Op, ...]:
    """The argument is the int."""
    return (Op(isa.LOAD_CONST, arg),)


def load_common_constant(context: Context, arg: int) -> tuple[Op, ...]:
    """Builtins that a program cannot exchange here."""
    constant = _of(COMMON_CONSTANTS, arg)
    if constant is AssertionError:
        return (Op(isa.LOAD_ASSERTION_ERROR),)
    return (Op(isa.LOAD_CONST, constant),)


def is_op(context: Context, arg: int) -> tuple[Op, ...]:
    """Behind a common constant it asks whether a builtin is itself and may be written as a loop.

    The other way, its call, is right in any case, and what the machine knows.
    """
    previous = context.previous
    if previous is not None and any(previous.arg is one for one in WRITTEN_OUT):
        return (Op(isa.POP_TOP), Op(isa.POP_TOP), Op(isa.LOAD_CONST, False), Op(isa.TO_BOOL))
    return identity(context, arg)


def load_special(context: Context, arg: int) -> tuple[Op, ...]:
    """By name."""
    return (Op(isa.LOAD_SPECIAL, _of(SPECIAL_METHODS, arg)),)


def _of(known: tuple[Any, ...], arg: int) -> Any:
    if arg >= len(known):
        raise UnsupportedCodeError(f"an argument of {arg}, of {len(known)} that are known")
    return known[arg]


def call_function_ex(context: Context, arg: int) -> tuple[Op, ...]:
    """Where there is no mapping the compiler pushes NULL for it just before."""
    if context.previous is not None and context.previous.name == isa.PUSH_NULL:
        return (Op(isa.POP_TOP), Op(isa.CALL_FUNCTION_EX, False))
    return (Op(isa.CALL_FUNCTION_EX, True),)


def build_interpolation(context: Context, arg: int) -> tuple[Op, ...]:
    """Bit 0 says that there is a format specification; the others name a conversion."""
    return (Op(isa.BUILD_INTERPOLATION, bool(arg & 1)),)


def with_except_start(context: Context, arg: int) -> tuple[Op, ...]:
    """The exit is a pair, as a callable and what may be its first argument."""
    return (Op(isa.WITH_EXCEPT_START, True),)


WRITTEN_OUT: Final = (tuple, all, any)
"""Builtins whose call with a generator expression the compiler writes as a loop, too."""

SUBSCRIPT: Final = 26
"""The operator that is a subscript."""

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
    # the compiler has proved that the variable keeps the object until the stack has let go of it
    "LOAD_FAST_BORROW": load_fast,
    "LOAD_FAST_BORROW_LOAD_FAST_BORROW": load_fast_load_fast,
    "LOAD_SMALL_INT": load_small_int,
    "LOAD_SPECIAL": load_special,
    # where the branch before it goes on without a jump, for tools
    "NOT_TAKEN": fixed(),
    "POP_ITER": fixed(isa.POP_TOP),
    "WITH_EXCEPT_START": with_except_start,
}
