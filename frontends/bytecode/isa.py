"""The neutral instruction set, which the symbolic machine executes: the same for all versions.

This module is a table: one name constant per operation (a key of handler tables), small argument
types, and `OPS`, which describes every operation.

How to read the table. `stack` is the effect in Forth notation, with the top of the stack on the
right: ``left right -- result``. `pops` and `pushes` are the same as numbers, or functions of the
argument. Three rules hold everywhere and are tested:

* an operation that jumps, returns or raises is the last one of its instruction, so "fall through"
  always means "the next instruction";
* the stack is the real one, slot for slot, after each *instruction*;
* NULL is a value of its own. A call finds its callable in the two slots below its arguments
  (written ``callee self_or_arg``): if one of the two is NULL the callable is the other one,
  otherwise the lower one is the callable and the upper one its first argument. 3.11 and 3.12
  keep the NULL below the callable and 3.13 above it; this rule reads both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...jit.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Op:
    """One neutral operation: a name from this module and its resolved argument."""

    name: str
    arg: Any = None
    """Described by the `arg` column of the operation's row; None if it has no argument."""


@dataclass(frozen=True, slots=True)
class Binary:
    """Argument of BINARY_OP: ``a + b`` is ("+", False), ``a += b`` is ("+", True)."""

    operator: str
    inplace: bool


@dataclass(frozen=True, slots=True)
class Call:
    """Argument of CALL: the number of arguments on the stack, and the names of the last ones."""

    argc: int
    """Positional and keyword arguments together, without `callee` and `self_or_arg`."""
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Method:
    """Argument of LOAD_METHOD and LOAD_SUPER_METHOD."""

    name: str
    null_first: bool
    """Position of NULL if the attribute is no plain method: below (True) or above it."""
    two_arguments: bool = False
    """For LOAD_SUPER_METHOD: the source has ``super(cls, self)`` instead of ``super()``."""


@dataclass(frozen=True, slots=True)
class SuperAttr:
    """Argument of LOAD_SUPER_ATTR."""

    name: str
    two_arguments: bool


@dataclass(frozen=True, slots=True)
class Send:
    """Argument of SEND: where to continue when the delegate has returned."""

    target: int
    keeps_receiver: bool
    """The stack at `target` is ``receiver result`` (since 3.12) or just ``result`` (3.11)."""
    has_index: bool = False
    """Since 3.15: an index is above the receiver, and stays there."""


@dataclass(frozen=True, slots=True)
class Unpack:
    """Argument of UNPACK_EX: the number of targets before and after the starred one."""

    before: int
    after: int


Count = int | Callable[[Any], int]


@dataclass(frozen=True, slots=True)
class OpInfo:
    """One row of the table."""

    name: str
    stack: str
    pops: Count
    pushes: Count
    arg: str
    """Meaning of `Op.arg`; "" if there is none."""
    meaning: str
    jump: tuple[int, int] | None = None
    """(pops, pushes) when the jump is taken, if that differs from falling through."""
    ends: bool = False
    """Never falls through: the next instruction is not a successor."""
    jumps: bool = False
    """`Op.arg` is, or contains, the index of another successor."""


OPS: Final[dict[str, OpInfo]] = {}
"""Every neutral operation by name."""


def _op(  # noqa: PLR0913 (a column of the table each)
    name: str,
    stack: str,
    pops: Count,
    pushes: Count,
    arg: str = "",
    meaning: str = "",
    *,
    jump: tuple[int, int] | None = None,
    ends: bool = False,
    jumps: bool = False,
) -> str:
    """Add a row and return the name, so that each operation is stated exactly once."""
    OPS[name] = OpInfo(name, stack, pops, pushes, arg, meaning, jump, ends, jumps)
    return name


def _arg(arg: Any) -> int:
    return int(arg)


# --- the stack itself -------------------------------------------------------------------------
POP_TOP: Final = _op("POP_TOP", "value --", 1, 0)
PUSH_NULL: Final = _op("PUSH_NULL", "-- NULL", 0, 1)
COPY: Final = _op("COPY", "x ... -- x ... x", 0, 1, "depth, 1 is the top")
SWAP: Final = _op("SWAP", "x ... y -- y ... x", 0, 0, "depth of the other item, >= 2")

# --- constants --------------------------------------------------------------------------------
LOAD_CONST: Final = _op("LOAD_CONST", "-- value", 0, 1, "the constant")
LOAD_ASSERTION_ERROR: Final = _op("LOAD_ASSERTION_ERROR", "-- AssertionError", 0, 1)
LOAD_BUILD_CLASS: Final = _op("LOAD_BUILD_CLASS", "-- __build_class__", 0, 1)
LOAD_LOCALS: Final = _op("LOAD_LOCALS", "-- mapping", 0, 1, "", "the namespace of a class body")

# --- locals, cells and free variables: one index space, `Decoded.localsplus` -------------------
LOAD_FAST: Final = _op(
    "LOAD_FAST", "-- value", 0, 1, "slot", "UnboundLocalError when the slot is unbound"
)
LOAD_FAST_AND_CLEAR: Final = _op(
    "LOAD_FAST_AND_CLEAR", "-- value_or_NULL", 0, 1, "slot", "what is there, NULL too; unbinds"
)
STORE_FAST: Final = _op("STORE_FAST", "value_or_NULL --", 1, 0, "slot", "NULL unbinds")
DELETE_FAST: Final = _op(
    "DELETE_FAST", "--", 0, 0, "slot", "UnboundLocalError when the slot is unbound"
)
MAKE_CELL: Final = _op("MAKE_CELL", "--", 0, 0, "slot", "wrap what the slot holds in a new cell")
COPY_FREE_VARS: Final = _op(
    "COPY_FREE_VARS", "--", 0, 0, "count", "fill the last slots with the closure's cells"
)
LOAD_CLOSURE: Final = _op("LOAD_CLOSURE", "-- cell", 0, 1, "slot", "the cell itself")
LOAD_DEREF: Final = _op("LOAD_DEREF", "-- value", 0, 1, "slot", "NameError when it is empty")
STORE_DEREF: Final = _op("STORE_DEREF", "value --", 1, 0, "slot")
DELETE_DEREF: Final = _op("DELETE_DEREF", "--", 0, 0, "slot", "NameError when it is empty")
LOAD_FROM_DICT_OR_DEREF: Final = _op(
    "LOAD_FROM_DICT_OR_DEREF", "mapping -- value", 1, 1, "slot", "by name, else from the cell"
)

# --- names ------------------------------------------------------------------------------------
LOAD_NAME: Final = _op("LOAD_NAME", "-- value", 0, 1, "name", "locals, globals, builtins")
STORE_NAME: Final = _op("STORE_NAME", "value --", 1, 0, "name")
DELETE_NAME: Final = _op("DELETE_NAME", "--", 0, 0, "name")
LOAD_GLOBAL: Final = _op(
    "LOAD_GLOBAL", "-- value", 0, 1, "name", "its NULL, if any, is a PUSH_NULL beside it"
)
STORE_GLOBAL: Final = _op("STORE_GLOBAL", "value --", 1, 0, "name")
DELETE_GLOBAL: Final = _op("DELETE_GLOBAL", "--", 0, 0, "name")
LOAD_FROM_DICT_OR_GLOBALS: Final = _op(
    "LOAD_FROM_DICT_OR_GLOBALS", "mapping -- value", 1, 1, "name", "else globals, builtins"
)
SETUP_ANNOTATIONS: Final = _op("SETUP_ANNOTATIONS", "--", 0, 0, "", "make __annotations__")

# --- attributes -------------------------------------------------------------------------------
LOAD_ATTR: Final = _op("LOAD_ATTR", "owner -- value", 1, 1, "name")
LOAD_METHOD: Final = _op(
    "LOAD_METHOD",
    "owner -- callee self_or_arg",
    1,
    2,
    "Method",
    "a plain method gives (function, owner), anything else (NULL, value) or (value, NULL)",
)
STORE_ATTR: Final = _op("STORE_ATTR", "value owner --", 2, 0, "name")
DELETE_ATTR: Final = _op("DELETE_ATTR", "owner --", 1, 0, "name")
LOAD_SUPER_ATTR: Final = _op("LOAD_SUPER_ATTR", "super cls self -- value", 3, 1, "SuperAttr")
LOAD_SUPER_METHOD: Final = _op(
    "LOAD_SUPER_METHOD", "super cls self -- callee self_or_arg", 3, 2, "Method"
)

# --- operators --------------------------------------------------------------------------------
UNARY_POSITIVE: Final = _op("UNARY_POSITIVE", "value -- result", 1, 1)
UNARY_NEGATIVE: Final = _op("UNARY_NEGATIVE", "value -- result", 1, 1)
UNARY_INVERT: Final = _op("UNARY_INVERT", "value -- result", 1, 1)
UNARY_NOT: Final = _op("UNARY_NOT", "value -- bool", 1, 1, "", "asks for the truth of value")
TO_BOOL: Final = _op("TO_BOOL", "value -- bool", 1, 1)
BINARY_OP: Final = _op("BINARY_OP", "left right -- result", 2, 1, "Binary")
COMPARE_OP: Final = _op("COMPARE_OP", "left right -- result", 2, 1, "operator: < <= == != > >=")
IS_OP: Final = _op("IS_OP", "left right -- bool", 2, 1, "inverted: `is not`")
CONTAINS_OP: Final = _op("CONTAINS_OP", "item container -- bool", 2, 1, "inverted: `not in`")
BINARY_SUBSCR: Final = _op("BINARY_SUBSCR", "container key -- value", 2, 1)
STORE_SUBSCR: Final = _op("STORE_SUBSCR", "value container key --", 3, 0)
DELETE_SUBSCR: Final = _op("DELETE_SUBSCR", "container key --", 2, 0)

# --- building and taking apart ----------------------------------------------------------------
BUILD_TUPLE: Final = _op("BUILD_TUPLE", "item*n -- tuple", _arg, 1, "n")
BUILD_LIST: Final = _op("BUILD_LIST", "item*n -- list", _arg, 1, "n")
BUILD_SET: Final = _op("BUILD_SET", "item*n -- set", _arg, 1, "n")
BUILD_MAP: Final = _op("BUILD_MAP", "(key value)*n -- dict", lambda n: 2 * int(n), 1, "n")
BUILD_CONST_KEY_MAP: Final = _op(
    "BUILD_CONST_KEY_MAP", "value*n keys -- dict", lambda n: int(n) + 1, 1, "n"
)
BUILD_STRING: Final = _op("BUILD_STRING", "str*n -- str", _arg, 1, "n")
BUILD_SLICE: Final = _op("BUILD_SLICE", "part*n -- slice", _arg, 1, "n: 2 or 3")
LIST_APPEND: Final = _op("LIST_APPEND", "list ... item -- list ...", 1, 0, "depth once popped")
SET_ADD: Final = _op("SET_ADD", "set ... item -- set ...", 1, 0, "depth once popped")
MAP_ADD: Final = _op("MAP_ADD", "dict ... key value -- dict ...", 2, 0, "depth once popped")
LIST_EXTEND: Final = _op("LIST_EXTEND", "list ... items -- list ...", 1, 0, "depth once popped")
SET_UPDATE: Final = _op("SET_UPDATE", "set ... items -- set ...", 1, 0, "depth once popped")
DICT_UPDATE: Final = _op("DICT_UPDATE", "dict ... map -- dict ...", 1, 0, "depth once popped")
DICT_MERGE: Final = _op(
    "DICT_MERGE", "dict ... map -- dict ...", 1, 0, "depth once popped", "TypeError on repetition"
)
LIST_TO_TUPLE: Final = _op("LIST_TO_TUPLE", "list -- tuple", 1, 1)
UNPACK_SEQUENCE: Final = _op("UNPACK_SEQUENCE", "items -- last ... first", 1, _arg, "n")
UNPACK_EX: Final = _op(
    "UNPACK_EX", "items -- last ... first", 1, lambda n: int(n.before + 1 + n.after), "Unpack"
)
CONVERT_VALUE: Final = _op("CONVERT_VALUE", "value -- str", 1, 1, '"str", "repr" or "ascii"')
FORMAT_SIMPLE: Final = _op("FORMAT_SIMPLE", "value -- str", 1, 1)
BUILD_INTERPOLATION: Final = _op(
    "BUILD_INTERPOLATION",
    "value text [spec] -- interpolation",
    lambda spec: 2 + bool(spec),
    1,
    "is there a format specification",
)
BUILD_TEMPLATE: Final = _op("BUILD_TEMPLATE", "strings interpolations -- template", 2, 1)
FORMAT_WITH_SPEC: Final = _op("FORMAT_WITH_SPEC", "value spec -- str", 2, 1)

# --- calls and functions ----------------------------------------------------------------------
CALL: Final = _op(
    "CALL", "callee self_or_arg arg*argc -- result", lambda call: int(call.argc) + 2, 1, "Call"
)
CALL_FUNCTION_EX: Final = _op(
    "CALL_FUNCTION_EX",
    "callee self_or_arg args [mapping] -- result",
    lambda mapping: 3 + int(mapping),
    1,
    "is there a mapping",
    "one of callee and self_or_arg is always NULL",
)
INTRINSIC_1: Final = _op("INTRINSIC_1", "value -- result", 1, 1, "its name in CPython")
INTRINSIC_2: Final = _op("INTRINSIC_2", "first second -- result", 2, 1, "its name in CPython")
MAKE_FUNCTION: Final = _op("MAKE_FUNCTION", "code -- function", 1, 1)
SET_FUNCTION_ATTRIBUTE: Final = _op(
    "SET_FUNCTION_ATTRIBUTE",
    "value function -- function",
    2,
    1,
    '"defaults", "kwdefaults", "annotations", "annotate" or "closure"',
)
IMPORT_NAME: Final = _op("IMPORT_NAME", "level fromlist -- module", 2, 1, "name")
MAY_IMPORT_LATER: Final = _op("MAY_IMPORT_LATER", "level fromlist -- module", 2, 1, "name")
IMPORT_FROM: Final = _op("IMPORT_FROM", "module -- module value", 1, 2, "name")

# --- jumps ------------------------------------------------------------------------------------
JUMP: Final = _op("JUMP", "--", 0, 0, "target index", ends=True, jumps=True)
POP_JUMP_IF_FALSE: Final = _op("POP_JUMP_IF_FALSE", "value --", 1, 0, "target index", jumps=True)
POP_JUMP_IF_TRUE: Final = _op("POP_JUMP_IF_TRUE", "value --", 1, 0, "target index", jumps=True)
POP_JUMP_IF_NONE: Final = _op("POP_JUMP_IF_NONE", "value --", 1, 0, "target index", jumps=True)
POP_JUMP_IF_NOT_NONE: Final = _op(
    "POP_JUMP_IF_NOT_NONE", "value --", 1, 0, "target index", jumps=True
)
JUMP_IF_FALSE_OR_POP: Final = _op(
    "JUMP_IF_FALSE_OR_POP",
    "value -- | value -- value when it jumps",
    1,
    0,
    "target index",
    jump=(1, 1),
    jumps=True,
)
JUMP_IF_TRUE_OR_POP: Final = _op(
    "JUMP_IF_TRUE_OR_POP",
    "value -- | value -- value when it jumps",
    1,
    0,
    "target index",
    jump=(1, 1),
    jumps=True,
)
RETURN_VALUE: Final = _op("RETURN_VALUE", "value --", 1, 0, ends=True)
RAISE_VARARGS: Final = _op("RAISE_VARARGS", "[exception [cause]] --", _arg, 0, "n", ends=True)

# --- iteration --------------------------------------------------------------------------------
GET_ITER: Final = _op("GET_ITER", "iterable -- iterator", 1, 1)
PUSH_INDEX: Final = _op(
    "PUSH_INDEX", "iterator -- index iterator", 1, 2, "", "since 3.15, see `kinds.Kind.INDEX`"
)
FOR_ITER: Final = _op(
    "FOR_ITER",
    "iterator -- iterator item | iterator -- when it is exhausted",
    1,
    2,
    "target index",
    "the target is where the loop goes on, behind END_FOR; an index is popped with its iterator",
    jump=(1, 0),
    jumps=True,
)

# --- exceptions and with ----------------------------------------------------------------------
PUSH_EXC_INFO: Final = _op("PUSH_EXC_INFO", "exception -- previous exception", 1, 2)
POP_EXCEPT: Final = _op("POP_EXCEPT", "previous --", 1, 0)
CHECK_EXC_MATCH: Final = _op("CHECK_EXC_MATCH", "exception type -- exception bool", 2, 2)
CHECK_EG_MATCH: Final = _op("CHECK_EG_MATCH", "group type -- rest match", 2, 2)
RERAISE: Final = _op(
    "RERAISE", "exception --", 1, 0, "depth of lasti once popped, 0: none", ends=True
)
CLEANUP_THROW: Final = _op("CLEANUP_THROW", "receiver sent exception -- None value", 3, 2)
BEFORE_WITH: Final = _op("BEFORE_WITH", "manager -- exit entered", 1, 2)
LOAD_SPECIAL: Final = _op(
    "LOAD_SPECIAL",
    "manager -- callee self_or_arg",
    1,
    2,
    '"__enter__", "__exit__", "__aenter__" or "__aexit__"',
    "looked up in the class of the manager; as LOAD_METHOD gives it",
)
BEFORE_ASYNC_WITH: Final = _op("BEFORE_ASYNC_WITH", "manager -- exit awaitable", 1, 2)
WITH_EXCEPT_START: Final = _op(
    "WITH_EXCEPT_START",
    "exit [self] lasti previous exception -- exit [self] lasti previous exception result",
    lambda pair: 4 + bool(pair),
    lambda pair: 5 + bool(pair),
    "since 3.14 True: the exit is two items, as a callee is",
)

# --- generators and coroutines ----------------------------------------------------------------
RETURN_GENERATOR: Final = _op(
    "RETURN_GENERATOR", "-- sent", 0, 1, "", "returns the generator; goes on when first resumed"
)
YIELD_VALUE: Final = _op("YIELD_VALUE", "value -- sent", 1, 1)
GET_YIELD_FROM_ITER: Final = _op("GET_YIELD_FROM_ITER", "iterable -- receiver", 1, 1)
GET_AWAITABLE: Final = _op(
    "GET_AWAITABLE", "value -- receiver", 1, 1, "0 plain, 1 __aenter__, 2 __aexit__"
)
SEND: Final = _op(
    "SEND", "receiver [index] sent -- receiver [index] value | see Send when it has returned",
    lambda send: 2 + send.has_index, lambda send: 2 + send.has_index, "Send", jumps=True,
)  # fmt: skip
GET_AITER: Final = _op("GET_AITER", "iterable -- async_iterator", 1, 1)
GET_ANEXT: Final = _op("GET_ANEXT", "async_iterator -- async_iterator receiver", 1, 2)
END_ASYNC_FOR: Final = _op(
    "END_ASYNC_FOR", "async_iterator exception --", 2, 0, "", "raises unless StopAsyncIteration"
)

# --- pattern matching -------------------------------------------------------------------------
GET_LEN: Final = _op("GET_LEN", "subject -- subject length", 1, 2)
MATCH_MAPPING: Final = _op("MATCH_MAPPING", "subject -- subject bool", 1, 2)
MATCH_SEQUENCE: Final = _op("MATCH_SEQUENCE", "subject -- subject bool", 1, 2)
MATCH_KEYS: Final = _op("MATCH_KEYS", "subject keys -- subject keys values_or_None", 2, 3)
MATCH_CLASS: Final = _op(
    "MATCH_CLASS", "subject type names -- attributes_or_None", 3, 1, "positional sub-patterns"
)


def pops(op: Op) -> int:
    """Return the number of slots that `op` pops when it falls through."""
    count = OPS[op.name].pops
    return count if isinstance(count, int) else count(op.arg)


def pushes(op: Op) -> int:
    """Return the number of slots that `op` then pushes."""
    count = OPS[op.name].pushes
    return count if isinstance(count, int) else count(op.arg)


def target(op: Op) -> int | None:
    """Return the instruction index that `op` may jump to, or None."""
    if not OPS[op.name].jumps:
        return None
    return op.arg.target if isinstance(op.arg, Send) else int(op.arg)
