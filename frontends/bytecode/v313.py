"""Rows of CPython 3.13."""

from __future__ import annotations

from typing import Final

from ...jit.errors import UnsupportedCodeError
from . import isa
from .isa import Call, Method, Op
from .model import SlotKind
from .rows import (
    COMPARISONS,
    CONVERSIONS,
    FUNCTION_ATTRIBUTES,
    Context,
    Row,
    fixed,
    number,
    refused,
)
from .v312 import SHARED
from .v312 import load_super_attr as super_attr_312


def compare_op(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate COMPARE_OP; bit 4 asks for an exact bool."""
    compare = Op(isa.COMPARE_OP, COMPARISONS[arg >> 5])
    return (compare, Op(isa.TO_BOOL)) if arg & 16 else (compare,)


def load_global(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_GLOBAL; the low bit adds a NULL above the value."""
    load = Op(isa.LOAD_GLOBAL, context.code.co_names[arg >> 1])
    return (load, Op(isa.PUSH_NULL)) if arg & 1 else (load,)


def load_attr(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_ATTR; the low bit makes it a method look-up."""
    name = context.code.co_names[arg >> 1]
    if arg & 1:
        return (Op(isa.LOAD_METHOD, Method(name, null_first=False)),)
    return (Op(isa.LOAD_ATTR, name),)


def load_super_attr(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_SUPER_ATTR as in 3.12, with NULL in another place."""
    (op,) = super_attr_312(context, arg)
    if op.name != isa.LOAD_SUPER_METHOD:
        return (op,)
    return (Op(op.name, Method(op.arg.name, False, op.arg.two_arguments)),)


def call_kw(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate CALL_KW: drop the names, which the compiler always loads just before."""
    names = context.previous
    if names is None or names.name != isa.LOAD_CONST or type(names.arg) is not tuple:
        raise UnsupportedCodeError(f"CALL_KW without names in {context.code.co_qualname}")
    return (Op(isa.POP_TOP), Op(isa.CALL, Call(arg, names.arg)))


def for_iter(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate FOR_ITER; an exhausted loop pops its iterator, past END_FOR and what follows."""
    return (Op(isa.FOR_ITER, context.target + 2),)


def convert_value(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate CONVERT_VALUE by the conversion's name."""
    return (Op(isa.CONVERT_VALUE, CONVERSIONS[arg]),)


def set_function_attribute(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate SET_FUNCTION_ATTRIBUTE by the attribute's name."""
    return (Op(isa.SET_FUNCTION_ATTRIBUTE, FUNCTION_ATTRIBUTES[arg]),)


def _load(context: Context, slot: int) -> Op:
    """Return the load of a slot.

    For a cell's slot LOAD_FAST loads the cell, as LOAD_CLOSURE did.
    """
    is_local = context.kinds[slot] is SlotKind.LOCAL
    return Op(isa.LOAD_FAST if is_local else isa.LOAD_CLOSURE, slot)


def load_fast(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_FAST of a local or a cell."""
    return (_load(context, arg),)


def load_fast_load_fast(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate LOAD_FAST_LOAD_FAST; the slot in the high half comes first, as in its siblings."""
    return (_load(context, arg >> 4), _load(context, arg & 15))


def store_fast_load_fast(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate STORE_FAST_LOAD_FAST: store, then load."""
    return (Op(isa.STORE_FAST, arg >> 4), _load(context, arg & 15))


def store_fast_store_fast(context: Context, arg: int) -> tuple[Op, ...]:
    """Translate STORE_FAST_STORE_FAST: the top of the stack goes into the first slot."""
    return (Op(isa.STORE_FAST, arg >> 4), Op(isa.STORE_FAST, arg & 15))


ROWS: Final[dict[str, Row]] = {
    **SHARED,
    "FOR_ITER": for_iter,
    # reached only for a generator that runs in the loop's own frame; a POP_TOP follows
    "END_FOR": fixed(isa.POP_TOP),
    "TO_BOOL": fixed(isa.TO_BOOL),
    "COMPARE_OP": compare_op,
    "CONVERT_VALUE": convert_value,
    "FORMAT_SIMPLE": fixed(isa.FORMAT_SIMPLE),
    "FORMAT_WITH_SPEC": fixed(isa.FORMAT_WITH_SPEC),
    "MAKE_FUNCTION": fixed(isa.MAKE_FUNCTION),
    "SET_FUNCTION_ATTRIBUTE": set_function_attribute,
    "LOAD_ATTR": load_attr,
    "LOAD_SUPER_ATTR": load_super_attr,
    "LOAD_GLOBAL": load_global,
    "LOAD_FAST": load_fast,
    "LOAD_FAST_CHECK": number(isa.LOAD_FAST),
    "LOAD_FAST_LOAD_FAST": load_fast_load_fast,
    "STORE_FAST_LOAD_FAST": store_fast_load_fast,
    "STORE_FAST_STORE_FAST": store_fast_store_fast,
    "CALL_KW": call_kw,
    "EXIT_INIT_CHECK": refused("EXIT_INIT_CHECK"),
    "ENTER_EXECUTOR": refused("ENTER_EXECUTOR"),
}
