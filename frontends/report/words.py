"""Describes breaks in the user's words: what an instruction is called in Python, and what to do."""

from __future__ import annotations

import re
from pathlib import PurePath

from ...jit.report import Place
from ..breaks.hints import Spot, hint_for
from ..capture.values.breaks import Break
from .statements import statement_at

_STATEMENTS = {
    "BEFORE_WITH": "the start of a `with` block",
    "BEFORE_ASYNC_WITH": "the start of an `async with` block",
    "WITH_EXCEPT_START": "the end of a `with` block after an exception",
    "BUILD_SET": "a set display",
    "BUILD_MAP": "a dict display",
    "BUILD_CONST_KEY_MAP": "a dict display",
    "BUILD_STRING": "an f-string",
    "BUILD_INTERPOLATION": "a template string",
    "BUILD_TEMPLATE": "a template string",
    "FORMAT_SIMPLE": "an f-string",
    "FORMAT_WITH_SPEC": "an f-string",
    "CONVERT_VALUE": "an f-string",
    "CALL_FUNCTION_EX": "a call with * or **",
    "CONTAINS_OP": "`in`",
    "IS_OP": "`is`",
    "COMPARE_OP": "a comparison",
    "DELETE_ATTR": "`del` of an attribute",
    "DELETE_SUBSCR": "`del` of an item",
    "DELETE_FAST": "`del` of a local variable",
    "DELETE_GLOBAL": "`del` of a global",
    "DELETE_NAME": "`del` of a name of a module",
    "FOR_ITER": "the next item of a loop",
    "GET_ITER": "the start of a loop",
    "GET_AITER": "the start of an `async for` loop",
    "GET_AWAITABLE": "`await`",
    "SEND": "`await` or `yield from`",
    "GET_YIELD_FROM_ITER": "`yield from`",
    "YIELD_VALUE": "`yield`",
    "RETURN_GENERATOR": "the start of a generator or coroutine",
    "IMPORT_NAME": "an import",
    "IMPORT_FROM": "an import",
    "LIST_APPEND": "a list comprehension",
    "SET_ADD": "a set comprehension",
    "MAP_ADD": "a dict comprehension",
    "LIST_EXTEND": "a list display",
    "LOAD_ASSERTION_ERROR": "an `assert` that fails",
    "LOAD_BUILD_CLASS": "a class statement",
    "MAKE_CELL": "a variable that an inner function uses",
    "LOAD_CLOSURE": "an inner function",
    "MAKE_FUNCTION": "an inner function or lambda",
    "MATCH_CLASS": "a `match` statement",
    "MATCH_KEYS": "a `match` statement",
    "MATCH_MAPPING": "a `match` statement",
    "MATCH_SEQUENCE": "a `match` statement",
    "PUSH_EXC_INFO": "the handling of an exception",
    "POP_EXCEPT": "the handling of an exception",
    "CHECK_EXC_MATCH": "`except`",
    "RAISE_VARARGS": "`raise`",
    "RERAISE": "the handling of an exception",
    "STORE_ATTR": "a store into an attribute",
    "STORE_DEREF": "a store into a variable that an inner function uses",
    "STORE_GLOBAL": "a store into a global",
    "STORE_NAME": "a store into a name of a module",
    "STORE_SUBSCR": "a store into an item",
    "UNPACK_EX": "an assignment with *",
    "UNPACK_SEQUENCE": "an assignment to several names",
}
"""Neutral operation -> its name in Python's terms."""

_PREFIX = "instruction "
_FILE = re.compile("\0([^\0]*)\0")
"""A file name in a detail, as `in_file` marks it."""


def detail_of(ended_by: Break) -> str:
    """Return what the program does at the break."""
    home = ended_by.location.filename
    detail = _FILE.sub(
        lambda found: "" if found[1] == home else _of_file(found[1]), ended_by.detail
    )
    if not detail.startswith(_PREFIX):
        return detail
    name, space, rest = detail.removeprefix(_PREFIX).partition(" ")
    return _STATEMENTS.get(name, f"{_PREFIX}{name}") + space + rest


def _of_file(name: str) -> str:
    """Return a file name with its folder, as every package has an `__init__.py`."""
    return f" of {'/'.join(PurePath(name).parts[-2:])}"


def hint_of(ended_by: Break, *, in_loop: bool = False) -> str:
    """Return the hint with the names of the user's line."""
    where = ended_by.location
    source = statement_at(Place(where.filename, where.line, where.function))
    spot = Spot(source, where.function, where.namespace, in_loop)
    return hint_for(ended_by.code, detail_of(ended_by), spot) or ended_by.hint
