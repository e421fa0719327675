"""Rows of CPython 3.12, some of which 3.13 shares."""

from __future__ import annotations

from typing import Final

from ...jit.errors import UnsupportedCodeError
from . import isa
from .isa import Method, Op, Send, SuperAttr
from .rows import (
    COMMON,
    COMPARISONS,
    Context,
    Row,
    fixed,
    format_value,
    jump,
    kw_names,
    make_function,
    named,
    number,
    refused,
    return_const,
)
from .v311 import CONDITIONS, load_global

UNARY_INTRINSICS: Final = (
    "INVALID", "PRINT", "IMPORT_STAR", "STOPITERATION_ERROR", "ASYNC_GEN_WRAP",
    "UNARY_POSITIVE", "LIST_TO_TUPLE", "TYPEVAR", "PARAMSPEC", "TYPEVARTUPLE",
    "SUBSCRIPT_GENERIC", "TYPEALIAS",
)  # fmt: skip

BINARY_INTRINSICS: Final = (
    "INVALID", "PREP_RERAISE_STAR", "TYPEVAR_WITH_BOUND", "TYPEVAR_WITH_CONSTRAINTS",
    "SET_FUNCTION_TYPE_PARAMS", "SET_TYPEPARAM_DEFAULT",
)  # fmt: skip


def call_intrinsic_1(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate CALL_INTRINSIC_1; two of the functions have operations of their own."""
    name = _intrinsic(UNARY_INTRINSICS, arg)
    if name in (isa.UNARY_POSITIVE, isa.LIST_TO_TUPLE):
        return (Op(name),)
    return (Op(isa.INTRINSIC_1, name),)


def call_intrinsic_2(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate CALL_INTRINSIC_2 by the function's name."""
    return (Op(isa.INTRINSIC_2, _intrinsic(BINARY_INTRINSICS, arg)),)


def _intrinsic(names: tuple[str, ...], arg: int) -> str:
    if not 0 < arg < len(names):
        raise UnsupportedCodeError(f"unknown intrinsic function {arg}")
    return names[arg]


def compare_op(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate COMPARE_OP; the low four bits are a mask for specialisation."""
    return (Op(isa.COMPARE_OP, COMPARISONS[arg >> 4]),)


def load_attr(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_ATTR; the low bit makes it a method look-up."""
    name = context.code.co_names[arg >> 1]
    if arg & 1:
        return (Op(isa.LOAD_METHOD, Method(name, null_first=True)),)
    return (Op(isa.LOAD_ATTR, name),)


def load_super_attr(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_SUPER_ATTR; bit 0 is a method look-up, bit 1 that super() has arguments."""
    name, two_arguments = context.code.co_names[arg >> 2], bool(arg & 2)
    if arg & 1:
        return (Op(isa.LOAD_SUPER_METHOD, Method(name, True, two_arguments)),)
    return (Op(isa.LOAD_SUPER_ATTR, SuperAttr(name, two_arguments)),)


def for_iter(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate FOR_ITER; an exhausted loop pops its iterator and steps over END_FOR."""
    return (Op(isa.FOR_ITER, context.target + 1),)


def send(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate SEND; the receiver stays for END_SEND."""
    return (Op(isa.SEND, Send(context.target, keeps_receiver=True)),)


def binary_slice(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate ``container[start:stop]``; the slice object that the opcode implies is explicit."""
    return (Op(isa.BUILD_SLICE, 2), Op(isa.BINARY_SUBSCR))


def store_slice(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate ``container[start:stop] = value`` with an explicit slice object."""
    return (Op(isa.BUILD_SLICE, 2), Op(isa.STORE_SUBSCR))


def end_send(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate END_SEND: drop the receiver below the result."""
    return (Op(isa.SWAP, 2), Op(isa.POP_TOP))


SHARED: Final[dict[str, Row]] = {
    **COMMON,
    **{f"POP_JUMP_{end}": jump(name) for end, name in CONDITIONS.items()},
    "SEND": send,
    "END_SEND": end_send,
    "CLEANUP_THROW": fixed(isa.CLEANUP_THROW),
    # the argument of YIELD_VALUE only helps the interpreter to find its exception handlers
    "YIELD_VALUE": fixed(isa.YIELD_VALUE),
    "BINARY_SLICE": binary_slice,
    "STORE_SLICE": store_slice,
    "LOAD_LOCALS": fixed(isa.LOAD_LOCALS),
    "LOAD_FAST_CHECK": number(isa.LOAD_FAST),
    "LOAD_FAST_AND_CLEAR": number(isa.LOAD_FAST_AND_CLEAR),
    "LOAD_FROM_DICT_OR_DEREF": number(isa.LOAD_FROM_DICT_OR_DEREF),
    "LOAD_FROM_DICT_OR_GLOBALS": named(isa.LOAD_FROM_DICT_OR_GLOBALS),
    "RETURN_CONST": return_const,
    "CALL_INTRINSIC_1": call_intrinsic_1,
    "CALL_INTRINSIC_2": call_intrinsic_2,
    "INTERPRETER_EXIT": refused("INTERPRETER_EXIT"),
    "RESERVED": refused("RESERVED"),
}
"""Rows that are the same in 3.12 and 3.13."""

ROWS: Final[dict[str, Row]] = {
    **SHARED,
    "FOR_ITER": for_iter,
    # reached only for a generator that runs in the loop's own frame, with its result on top
    "END_FOR": fixed(isa.POP_TOP, isa.POP_TOP),
    "FORMAT_VALUE": format_value,
    "MAKE_FUNCTION": make_function,
    "COMPARE_OP": compare_op,
    "LOAD_ATTR": load_attr,
    "LOAD_SUPER_ATTR": load_super_attr,
    "LOAD_GLOBAL": load_global,
    "LOAD_CLOSURE": number(isa.LOAD_CLOSURE),
    "KW_NAMES": kw_names,
}
