"""Rows shared by several versions, and factories that make rows."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Final

from ...jit.errors import UnsupportedCodeError
from ...jit.frozen import dataclass
from . import isa
from .isa import Binary, Call, Op, Unpack
from .model import SlotKind


@dataclass(slots=True)
class Context:
    """The facts that a row may use while a code object is decoded."""

    code: CodeType
    kinds: tuple[SlotKind, ...]
    target: int = -1
    """Index of the raw jump target of the current instruction."""
    keywords: tuple[str, ...] = ()
    """Names set by KW_NAMES for the next CALL."""
    previous: Op | None = None
    """Last operation of the previous instruction; CALL_KW finds its names there."""
    after: str = ""
    """For PUSH_NULL, where iterators have an index: the name of the next opcode."""


Row = Callable[[Context, int], tuple[Op, ...]]
"""Translates the raw argument of an instruction into operations."""

BINARY_OPERATORS: Final = (
    "+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^",
)  # fmt: skip
"""Operators by argument of BINARY_OP; the in-place ones follow in the same order."""

COMPARISONS: Final = ("<", "<=", "==", "!=", ">", ">=")

FUNCTION_ATTRIBUTES: Final = {
    0x10: "annotate",
    0x08: "closure",
    0x04: "annotations",
    0x02: "kwdefaults",
    0x01: "defaults",
}
"""Attributes in the order in which they lie on the stack below the code object, top first."""

COMMON_CONSTANTS: Final = (AssertionError, NotImplementedError, tuple, all, any)
"""Constants by argument of LOAD_COMMON_CONSTANT."""

SPECIAL_METHODS: Final = ("__enter__", "__exit__", "__aenter__", "__aexit__")
"""Methods by argument of LOAD_SPECIAL."""

CONVERSIONS: Final = {1: "str", 2: "repr", 3: "ascii"}


def fixed(*names: str) -> Row:
    """Return a row of operations without arguments."""
    ops = tuple(Op(name) for name in names)
    return lambda context, arg: ops


def number(name: str) -> Row:
    """Return a row whose operation takes the raw argument as it is."""
    return lambda context, arg: (Op(name, arg),)


def named(name: str) -> Row:
    """Return a row whose raw argument is an index into `co_names`."""
    return lambda context, arg: (Op(name, context.code.co_names[arg]),)


def jump(name: str) -> Row:
    """Return a row whose operation jumps to the raw jump's target."""
    return lambda context, arg: (Op(name, context.target),)


def truth(name: str) -> Row:
    """Return a row whose raw argument is 0 or 1."""
    return lambda context, arg: (Op(name, bool(arg & 1)),)


def refused(opcode: str) -> Row:
    """Return a row for an opcode that the compiler never emits."""

    def row(context: Context, arg: int) -> tuple[Op, ...]:
        raise UnsupportedCodeError(f"{opcode} in {context.code.co_qualname}")

    return row


def load_const(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_CONST, with the constant itself as argument."""
    return (Op(isa.LOAD_CONST, context.code.co_consts[arg]),)


def return_const(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate RETURN_CONST into a load and a return."""
    return (Op(isa.LOAD_CONST, context.code.co_consts[arg]), Op(isa.RETURN_VALUE))


def binary_op(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate BINARY_OP, which numbers plain operators first, then in-place ones."""
    inplace, operator = divmod(arg, len(BINARY_OPERATORS))
    return (Op(isa.BINARY_OP, Binary(BINARY_OPERATORS[operator], bool(inplace))),)


def kw_names(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate KW_NAMES, which only announces the keywords of the next CALL."""
    context.keywords = context.code.co_consts[arg]
    return ()


def call(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate CALL, with the keywords from KW_NAMES."""
    keywords, context.keywords = context.keywords, ()
    return (Op(isa.CALL, Call(arg, keywords)),)


def unpack_ex(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate UNPACK_EX, which has the number of targets after the star in its high byte."""
    return (Op(isa.UNPACK_EX, Unpack(arg & 0xFF, arg >> 8)),)


def format_value(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate FORMAT_VALUE, which converts the value *below* its format specification."""
    conversion = CONVERSIONS.get(arg & 3)
    has_spec = bool(arg & 4)
    ops: list[Op] = []
    if conversion is not None:
        around = [Op(isa.SWAP, 2)] if has_spec else []
        ops += [*around, Op(isa.CONVERT_VALUE, conversion), *around]
    ops.append(Op(isa.FORMAT_WITH_SPEC if has_spec else isa.FORMAT_SIMPLE))
    return tuple(ops)


def make_function(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate MAKE_FUNCTION, whose flags each have a value on the stack below the code object."""
    attributes = [
        Op(isa.SET_FUNCTION_ATTRIBUTE, name)
        for flag, name in FUNCTION_ATTRIBUTES.items()
        if arg & flag
    ]
    return (Op(isa.MAKE_FUNCTION), *attributes)


SIMPLE: Final = (
    isa.POP_TOP, isa.PUSH_NULL, isa.UNARY_NEGATIVE, isa.UNARY_NOT, isa.UNARY_INVERT,
    isa.BINARY_SUBSCR, isa.STORE_SUBSCR, isa.DELETE_SUBSCR, isa.GET_LEN, isa.MATCH_MAPPING,
    isa.MATCH_SEQUENCE, isa.MATCH_KEYS, isa.PUSH_EXC_INFO, isa.CHECK_EXC_MATCH,
    isa.CHECK_EG_MATCH, isa.WITH_EXCEPT_START, isa.GET_AITER, isa.GET_ANEXT,
    isa.BEFORE_ASYNC_WITH, isa.BEFORE_WITH, isa.END_ASYNC_FOR, isa.GET_ITER,
    isa.GET_YIELD_FROM_ITER, isa.LOAD_BUILD_CLASS, isa.LOAD_ASSERTION_ERROR,
    isa.RETURN_GENERATOR, isa.RETURN_VALUE, isa.SETUP_ANNOTATIONS, isa.POP_EXCEPT,
)  # fmt: skip

NUMBERED: Final = (
    isa.COPY, isa.SWAP, isa.BUILD_TUPLE, isa.BUILD_LIST, isa.BUILD_SET, isa.BUILD_MAP,
    isa.BUILD_CONST_KEY_MAP, isa.BUILD_STRING, isa.BUILD_SLICE, isa.UNPACK_SEQUENCE,
    isa.RAISE_VARARGS, isa.RERAISE, isa.GET_AWAITABLE, isa.LIST_APPEND, isa.SET_ADD,
    isa.MAP_ADD, isa.LIST_EXTEND, isa.SET_UPDATE, isa.DICT_MERGE, isa.DICT_UPDATE,
    isa.COPY_FREE_VARS, isa.MATCH_CLASS, isa.LOAD_FAST, isa.STORE_FAST, isa.DELETE_FAST,
    isa.MAKE_CELL, isa.LOAD_DEREF, isa.STORE_DEREF, isa.DELETE_DEREF,
)  # fmt: skip

NAMED: Final = (
    isa.LOAD_NAME, isa.STORE_NAME, isa.DELETE_NAME, isa.STORE_GLOBAL, isa.DELETE_GLOBAL,
    isa.STORE_ATTR, isa.DELETE_ATTR, isa.IMPORT_NAME, isa.IMPORT_FROM,
)  # fmt: skip

COMMON: Final[dict[str, Row]] = {
    **{name: fixed(name) for name in SIMPLE},
    **{name: number(name) for name in NUMBERED},
    **{name: named(name) for name in NAMED},
    "NOP": fixed(),
    "RESUME": fixed(),
    "CACHE": refused("CACHE"),
    "EXTENDED_ARG": refused("EXTENDED_ARG"),
    "LOAD_CONST": load_const,
    "BINARY_OP": binary_op,
    "IS_OP": truth(isa.IS_OP),
    "CONTAINS_OP": truth(isa.CONTAINS_OP),
    "CALL": call,
    "CALL_FUNCTION_EX": truth(isa.CALL_FUNCTION_EX),
    "UNPACK_EX": unpack_ex,
    "JUMP_FORWARD": jump(isa.JUMP),
    "JUMP_BACKWARD": jump(isa.JUMP),
    "JUMP_BACKWARD_NO_INTERRUPT": jump(isa.JUMP),
}
"""Rows that are the same in all versions."""
