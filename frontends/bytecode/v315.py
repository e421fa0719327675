"""Rows of CPython 3.15."""

from __future__ import annotations

from typing import Final

from ...jit.errors import UnsupportedCodeError
from . import isa
from .isa import Op, Send
from .rows import COMMON_CONSTANTS, Context, Row, fixed, refused
from .v314 import ROWS as V314

CONSTANTS: Final = (*COMMON_CONSTANTS, list, set, None, "", True, False, -1)
"""Constants by argument of LOAD_COMMON_CONSTANT."""

EAGERLY: Final = 2
"""Flag of IMPORT_NAME: it is in a function or a `try`, where no import is lazy."""


def load_common_constant(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_COMMON_CONSTANT, which loads a genuine builtin or a common literal."""
    if arg >= len(CONSTANTS):
        raise UnsupportedCodeError(f"an argument of {arg}, of {len(CONSTANTS)} that are known")
    constant = CONSTANTS[arg]
    if constant is AssertionError:
        return (Op(isa.LOAD_ASSERTION_ERROR),)
    return (Op(isa.LOAD_CONST, constant),)


def get_iter(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate GET_ITER, which pushes an index too; it also begins `yield from` and `await`."""
    if arg:
        return (Op(isa.GET_YIELD_FROM_ITER), Op(isa.PUSH_NULL))
    return (Op(isa.GET_ITER), Op(isa.PUSH_INDEX))


def push_null(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate PUSH_NULL; before a FOR_ITER over a generator it is the index."""
    return (Op(isa.PUSH_INDEX if context.after == "FOR_ITER" else isa.PUSH_NULL),)


def send(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate SEND; the receiver and its index stay for END_SEND."""
    return (Op(isa.SEND, Send(context.target, keeps_receiver=True, has_index=True)),)


def end_send(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate END_SEND: drop the receiver and its index below the result."""
    return (Op(isa.SWAP, 3), Op(isa.POP_TOP), Op(isa.POP_TOP))


def cleanup_throw(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate CLEANUP_THROW: the index leaves its place below what was sent, and comes back."""
    without = (Op(isa.SWAP, 3), Op(isa.POP_TOP), Op(isa.SWAP, 2))
    return (*without, Op(isa.CLEANUP_THROW), Op(isa.PUSH_NULL), Op(isa.SWAP, 2))


def import_name(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate IMPORT_NAME, with flags below the index of the name.

    At module level an import may be lazy: that depends on a keyword, a list in the module and an
    option of the process.
    """
    name = context.code.co_names[arg >> 2]
    return (Op(isa.IMPORT_NAME if arg & EAGERLY else isa.MAY_IMPORT_LATER, name),)


GONE: Final = frozenset({"GET_YIELD_FROM_ITER"})

ROWS: Final[dict[str, Row]] = {
    **{name: row for name, row in V314.items() if name not in GONE},
    "CLEANUP_THROW": cleanup_throw,
    "END_SEND": end_send,
    "GET_ITER": get_iter,
    "IMPORT_NAME": import_name,
    "LOAD_COMMON_CONSTANT": load_common_constant,
    "POP_ITER": fixed(isa.POP_TOP, isa.POP_TOP),
    "PUSH_NULL": push_null,
    "SEND": send,
    "TRACE_RECORD": refused("TRACE_RECORD"),
}
