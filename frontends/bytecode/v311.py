"""Rows of CPython 3.11."""

from __future__ import annotations

from typing import Final

from . import isa
from .isa import Method, Op, Send
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
)


def compare_op(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate COMPARE_OP; its argument is the operator."""
    return (Op(isa.COMPARE_OP, COMPARISONS[arg]),)


def load_global(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_GLOBAL; the low bit adds a NULL below the value."""
    load = Op(isa.LOAD_GLOBAL, context.code.co_names[arg >> 1])
    return (Op(isa.PUSH_NULL), load) if arg & 1 else (load,)


def load_method(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_METHOD, which later versions merge into LOAD_ATTR."""
    return (Op(isa.LOAD_METHOD, Method(context.code.co_names[arg], null_first=True)),)


def send(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate SEND, which drops the receiver when it has returned."""
    return (Op(isa.SEND, Send(context.target, keeps_receiver=False)),)


def load_classderef(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_CLASSDEREF, which later versions split in two."""
    return (Op(isa.LOAD_LOCALS), Op(isa.LOAD_FROM_DICT_OR_DEREF, arg))


def intrinsic(name: str, *after: str) -> Row:
    """Return a row for an opcode that became an intrinsic function in 3.12."""
    ops = (Op(isa.INTRINSIC_1, name), *(Op(other) for other in after))
    return lambda context, arg: ops


def prep_reraise_star(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate PREP_RERAISE_STAR, an intrinsic function in later versions."""
    return (Op(isa.INTRINSIC_2, "PREP_RERAISE_STAR"),)


CONDITIONS: Final = {
    "IF_FALSE": isa.POP_JUMP_IF_FALSE,
    "IF_TRUE": isa.POP_JUMP_IF_TRUE,
    "IF_NONE": isa.POP_JUMP_IF_NONE,
    "IF_NOT_NONE": isa.POP_JUMP_IF_NOT_NONE,
}

ROWS: Final[dict[str, Row]] = {
    **COMMON,
    **{f"POP_JUMP_FORWARD_{end}": jump(name) for end, name in CONDITIONS.items()},
    **{f"POP_JUMP_BACKWARD_{end}": jump(name) for end, name in CONDITIONS.items()},
    "JUMP_IF_FALSE_OR_POP": jump(isa.JUMP_IF_FALSE_OR_POP),
    "JUMP_IF_TRUE_OR_POP": jump(isa.JUMP_IF_TRUE_OR_POP),
    "FOR_ITER": jump(isa.FOR_ITER),
    "SEND": send,
    "YIELD_VALUE": fixed(isa.YIELD_VALUE),
    "UNARY_POSITIVE": fixed(isa.UNARY_POSITIVE),
    "LIST_TO_TUPLE": fixed(isa.LIST_TO_TUPLE),
    "PRINT_EXPR": intrinsic("PRINT", isa.POP_TOP),
    "IMPORT_STAR": intrinsic("IMPORT_STAR", isa.POP_TOP),
    "ASYNC_GEN_WRAP": intrinsic("ASYNC_GEN_WRAP"),
    "PREP_RERAISE_STAR": prep_reraise_star,
    "FORMAT_VALUE": format_value,
    "MAKE_FUNCTION": make_function,
    "COMPARE_OP": compare_op,
    "LOAD_ATTR": named(isa.LOAD_ATTR),
    "LOAD_METHOD": load_method,
    "LOAD_GLOBAL": load_global,
    "LOAD_CLOSURE": number(isa.LOAD_CLOSURE),
    "LOAD_CLASSDEREF": load_classderef,
    "KW_NAMES": kw_names,
    "PRECALL": fixed(),
}
