"""Programs of one nearly right call of functions that the tables put in NumPy's place.

The functions come from the tables themselves: those with a decomposition, a row, a handler, and
those that write, and after these the other public functions of NumPy, whose bodies call them. Each
call starts as an example of tests/sweeps/numpy_table, or as one of an array, and is changed:
arrays of other dtypes, ranks, lengths, layouts and numbers; arguments that are none, numbers too
big, texts, nested lists; each parameter by keyword, once too often, or not at all.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import operator
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from framejit.frontends.capture.handlers import builtins as handlers
from framejit.frontends.capture.values.python_bodies import DECOMPOSITIONS
from framejit.frontends.numpy import numpy_calls, writes
from fuzzing.calls import LEFT_OUT as NOT_TO_BE_CALLED
from fuzzing.choices import Choices
from fuzzing.programs import Program

sys.path.insert(0, str(Path(__file__).parents[2] / "sweeps" / "numpy_table"))

from every_function import examples, values

SPACES: dict[str, Any] = {
    "np": vars(np),
    "np.linalg": vars(np.linalg),
    "np.fft": vars(np.fft),
    **{
        f"np.polynomial.{name}": vars(getattr(np.polynomial, name))
        for name in ("chebyshev", "hermite", "hermite_e", "laguerre", "legendre")
    },
    "math": vars(math),
    "operator": vars(operator),
    "functools": vars(functools),
    "": __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__),
}
"""Namespaces of functions, by the prefix that a program writes."""
KINDS = ("np", "np", "np", "np", "np", "np", "np", "other", "other", "python")
"""Kinds of calls: functions in the tables, other functions of NumPy, Python's in the tables."""
DTYPES = (
    *("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "q", "f2", "f4", "f8", "g", "F", "D"),
    *("G", "O", "U3", "S2", "M8[D]", "m8[s]", ">f8", ">i4"),
)
SHAPES = (
    *("{0}.reshape(-1)[0]", "{0}.reshape(-1)[0:1]", "{0}[:0]", "{0}[None]", "{0}[..., None]"),
    *("{0}[:2]", "{0}.reshape(-1)[:4].reshape(2, 2)", "np.stack([{0}, {0}])", "{0}.reshape(-1)"),
    *("np.array({0}.reshape(-1)[0])", "np.stack([{0}] * 2, -1)", "{0}[None, None, :1]"),
)
LAYOUTS = (
    *("{0}[::-1]", "{0}[::2]", "{0}.T", "np.asfortranarray({0})", "M.locked({0})"),
    *("np.stack([{0}] * 2, -1)[..., 0]", "np.broadcast_to({0}[..., :1], np.shape({0}))"),
)
NUMBERS = ("nan", "inf", "-inf", "0.0", "-0.0", "1e300", "1e-310", "-7.5")
ODD = (
    *("None", "True", "False", "0", "1", "-1", "2", "3", "10**30", "-(2**63)", "300", "2.5", "0.0"),
    *("-0.0", "np.nan", "np.inf", "1j", "'bad'", "b'x'", "''", "[]", "()", "{}", "[1]", "(1,)"),
    *("[1, 2]", "(0, 1)", "(1, -1)", "[[1, 2], [3, 4]]", "[[1], [2, 3]]", "((1, 2), (3, 4))"),
    *("{'a': 1}", "{1}", "[None]", "['a', 1]", "[0.5, True]", "np.True_", "np.int8(1)"),
    *("np.uint64(2)", "np.float32(1.5)", "np.float16(2)", "np.longdouble(3)", "np.int64(-1)"),
    *("np.array(1)", "np.array(2.5)", "np.array([])", "np.array(['a'])", "np.array([1, 0])"),
    *("np.array([True, False])", "np.array([None, 1])", "slice(1)", "range(2)", "...", "thing"),
    *("float", "int", "bool", "complex", "np.float32", "np.int8", "'i4'", "'f2'", "'C'", "'F'"),
    *("np.dtype('>i8')", "object", "str", "'K'", "[0, 1]", "-2", "np.array([[1, 2]])", "[x, x]"),
    *("(x, 1)", "x", "x[0]", "x > 0", "n", "b", "B", "z", "x.T", "x * 1", "[x > 0, n > 2]"),
    *("np.sum", "len"),
)
"""Arguments that are hardly ever right."""
_OBJECTS = ("np.array({0})", "np.asarray({0}, object)", "np.array([{0}])", "[{0}]", "({0},)")
NUMBERS_ALIKE = (
    "float({0})",
    "bool({0})",
    "np.int8({0})",
    "np.float64({0})",
    "int({0})",
    *_OBJECTS,
)
SEQUENCES_ALIKE = ("[]", "()", "list({0})", "tuple({0})", "{0}[:1]", *_OBJECTS)
ARRAYS_ALIKE = ("list({0})", "tuple({0})", "{0}.tolist()", "{0}.sum()", "{0}[:0]", "[{0}, {0}]")
"""Objects that stand for nearly the same as a number, a list or an array."""
OUTS = (
    *("np.zeros_like(x)", "np.zeros(x.shape)", "np.zeros(3)", "x", "np.zeros((), int)", "B"),
    *("np.zeros_like(x, 'f4')", "locked(np.zeros_like(x))", "(np.zeros_like(x),)"),
    *("np.zeros(6, 'i4')", "..."),
)
MODES = ("'raise'", "'wrap'", "'clip'", "'edge'", "'full'", "'bad'", "None")
"""Values for `mode`; no ints, for which NumPy's `put` raises a SystemError with an address."""
FACTS = {
    **dict.fromkeys(
        ("np.empty", "np.empty_like", "np.ndarray"),
        "r.shape, r.dtype, r.strides, r.flags.writeable, r.flags.owndata",
    ),
    "np.broadcast_arrays": "type(r), [(one.shape, one.strides, one.tolist()) for one in r]",
    **dict.fromkeys(
        ("np.lib.stride_tricks.as_strided", "np.lib.stride_tricks.sliding_window_view"),
        "r.shape, r.dtype, r.strides, r.flags.writeable, r + 0",
    ),
}
"""The parts to compare of results with unwritten memory, with flags that warn, and with a
base that holds an address."""
MASKED = "np.shape(r), np.asarray(r).dtype"
"""The parts to compare where a mask leaves items out, which nobody writes then."""
_LEFT_OUT = "vars dir id hash globals locals print input setattr delattr"
LEFT_OUT = frozenset(_LEFT_OUT.split())
"""Builtins that change the process, or give addresses."""
HEAD = """
import functools, math, operator
import numpy as np

class Thing:
    def __repr__(self):
        return "thing"

thing = Thing()

def locked(array):
    made = np.array(array)
    made.flags.writeable = False
    return made

"""


@dataclass
class Call:
    """The text of a call, in parts."""

    function: str
    positional: list[str] = field(default_factory=list)
    keywords: list[tuple[str, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The expression."""
        named = [
            f"**{value}" if name == "**" else f"{name}={value}" for name, value in self.keywords
        ]
        return f"{self.function}({', '.join([*self.positional, *named])})"

    def names(self, name: str) -> bool:
        """True if an argument stands behind this keyword."""
        return any(name == known for known, _ in self.keywords)


@cache
def targets() -> dict[str, tuple[Call, ...]]:
    """Right calls by the name of the function; methods are those of some array."""
    found: dict[str, list[Call]] = defaultdict(list)
    for example in examples():
        if not example.function.startswith("np.random."):
            found[example.function].extend(_calls_in(example.expression))
    for name in in_tables():
        if not found[name]:
            owner, _, method = name.rpartition(".")
            found[name].append(Call(f"x.{method}") if owner == "ndarray" else Call(name, ["x"]))
    return {name: tuple(calls) for name, calls in found.items() if calls}


@cache
def table_functions() -> tuple[Any, ...]:
    """All callables in the tables of the machine."""
    given = (DECOMPOSITIONS, numpy_calls.FUNCTIONS, handlers.BUILTINS, writes.WRITING)
    return tuple({id(one): one for table in given for one in table}.values())


@cache
def in_tables() -> tuple[str, ...]:
    """The names of those that a program can call by one."""
    names = [name_of(function) for function in table_functions()]
    methods = (*numpy_calls.METHODS, *writes.WRITING_METHODS)
    known = [name for name in names if name is not None]
    return tuple(sorted({*known, *(f"ndarray.{name}" for name in methods)}))


def name_of(function: Any) -> str | None:
    """Return a program's text for a function; None for functions private to a library."""
    owner, name = getattr(function, "__objclass__", None), getattr(function, "__name__", "")
    if isinstance(owner, type):
        return f"{owner.__name__}.{name}"
    for space, held in SPACES.items():
        if name not in LEFT_OUT and held.get(name) is function:
            return f"{space}.{name}".lstrip(".")
    return None


def _calls_in(expression: str) -> Iterator[Call]:
    """The first call in an example."""
    for node in ast.walk(ast.parse(expression)):
        if isinstance(node, ast.Call):
            given = [ast.unparse(one) for one in node.args]
            named = [(one.arg or "**", ast.unparse(one.value)) for one in node.keywords]
            yield Call(ast.unparse(node.func), given, named)
            return


@cache
def parameters(function: str) -> tuple[str, ...]:
    """Names that arguments of a function may have, from its signature or its row."""
    owner, _, name = function.rpartition(".")
    known = {"np": np, "math": math, "operator": operator, "functools": functools}
    try:
        called = getattr(np.ndarray, name) if owner == "ndarray" else eval(function, known)
        found = inspect.signature(called).parameters.values()
    except (ValueError, TypeError):
        found = {}.values()
    names = [one.name for one in found if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    row = numpy_calls.METHODS.get(name) if owner == "ndarray" else None
    if not names and row is not None:
        code = row.__code__
        names = list(code.co_varnames[3 : code.co_argcount + code.co_kwonlyargcount])
    if not names and owner == "ndarray" and hasattr(np, name):
        return parameters(f"np.{name}")[1:]
    names = [one for one in names if one != "self"]
    return tuple(names) or ("axis", "dtype", "out", "keepdims", "where", "order")


def program_of_a_table(choices: Choices) -> Program:
    """A program that makes one such call, and works with an array before and behind it."""
    name = choices.one(_names(choices.one(KINDS)))
    right = choices.one(targets()[name])
    call = Call(right.function, list(right.positional), list(right.keywords))
    passed: dict[str, str] = {}
    for _ in range(choices.one((0, 0, 1, 1, 1, 1, 2, 2, 3))):
        _change(choices, name, call, passed)
    used = _names_in(call.text)
    given = [one for one in values() if one in used or one == "v"]
    lines = [f"def program({', '.join([*given, *passed])}):", "    around = v * 2 + 1"]
    lines += [f"    {one} = {one}.copy()" for one in given if one in used and choices.chance(10)]
    lines += [f"    r = {call.text}"]
    facts = FACTS.get(name, MASKED if call.names("where") and not call.names("out") else "")
    lines += [f"    r = {facts}"] if facts else []
    ends = [f"r is {one}" for one in given if choices.chance(15)]
    lines += ["    r[:1] = [3]"] if choices.chance(8) else []
    lines += [f"    return {', '.join(['r', 'around - v', *ends])}"]
    source = HEAD + "\n".join(lines) + "\n"
    needed = {*given, *(one for text in passed.values() for one in _names_in(text))}
    step = [f"{one} = {_argument(choices, one, one in used)}" for one in values() if one in needed]
    step += [f"{one} = {text}" for one, text in passed.items()]
    steps = ("\n".join(step),) * 2
    modes = ("ignore", "warn", "raise") if choices.chance(30) else ("ignore",)
    mode = choices.one(modes)
    parameters_ = ", ".join([*given, *passed])
    return Program(source, parameters_, steps, mode, filtered=choices.chance(30))


@cache
def _names(kind: str) -> tuple[str, ...]:
    """Names of a kind of KINDS."""
    tables = set(in_tables())
    of_numpy = {name for name in tables if name.startswith(("np.", "ndarray."))}
    if kind == "other":
        chosen = targets().keys() - tables
    else:
        chosen = of_numpy if kind == "np" else tables - of_numpy
    return tuple(sorted(one for one in chosen if one not in NOT_TO_BE_CALLED or one in tables))


def _names_in(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}


def _change(choices: Choices, name: str, call: Call, passed: dict[str, str]) -> None:
    """Makes a call worse in one place; what stands there instead may be passed by the caller."""
    names = parameters(name)
    free = [one for one in names[len(call.positional) :] if not call.names(one)]
    odd = choices.one(OUTS if choices.chance(5) else ODD)
    way, place = choices.number(1, 100), choices.number(0, max(len(call.positional) - 1, 0))
    key = choices.one(free) if free else ""
    if key == "out" and choices.chance(70):
        odd = choices.one(OUTS)
    if key == "mode":
        odd = choices.one(MODES)
    if call.positional and choices.chance(25):
        odd, way = _alike(choices, call.positional[place]), 1
    if choices.chance(35):
        passed[f"p{len(passed)}"] = odd.replace("locked", "M.locked").replace("thing", "M.thing")
        odd = f"p{len(passed) - 1}"
    if way <= 30 and call.positional:
        call.positional[place] = odd
    elif way <= 42 and call.positional:
        call.positional[place] = _with_another_part(choices, call.positional[place], odd)
    elif way <= 76 and key:
        call.keywords.append((key, odd))
    elif way <= 81 and len(call.positional) <= len(names) and call.positional:
        last = call.positional.pop()
        call.keywords.append((names[len(call.positional)], last))
    elif way <= 85:
        call.positional.append(odd)
    elif way <= 88 and call.positional:
        del call.positional[place]
    elif way <= 91 and not call.names(names[0]):
        call.keywords.append((names[0], odd))  # for which another argument may stand already
    elif way <= 93 and not call.names("unknown"):
        call.keywords.append(("unknown", odd))
    elif call.keywords:
        place = choices.number(0, len(call.keywords) - 1)
        call.keywords[place] = (call.keywords[place][0], odd)


def _alike(choices: Choices, text: str) -> str:
    """Nearly the same argument, of another type or empty."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return choices.one(ARRAYS_ALIKE).format(text)
    is_sequence = isinstance(value, list | tuple)
    return choices.one(SEQUENCES_ALIKE if is_sequence else NUMBERS_ALIKE).format(text)


def _with_another_part(choices: Choices, text: str, odd: str) -> str:
    """An argument in which another text stands for a part, such as an item of a list."""
    parts = [node for node in ast.walk(ast.parse(text, mode="eval")) if isinstance(node, ast.expr)]
    found = ast.get_source_segment(text, choices.one(parts)) or text
    return text.replace(found, odd, 1)


def _argument(choices: Choices, name: str, changes: bool) -> str:
    """An array of the examples, or one like it of other numbers, rank, dtype or layout."""
    array = values()[name]
    text = _array(array)
    if not changes or choices.chance(40):
        return text
    if choices.chance(20) and array.dtype.kind in "fc":
        numbers = ", ".join(choices.one(NUMBERS) for _ in range(3))
        text = f"np.resize(np.append({text}.reshape(-1)[:-3], [{numbers}]), {array.shape})"
    if choices.chance(50):
        text = choices.one(SHAPES).format(text)
    if choices.chance(70):
        dtype = choices.one(DTYPES)
        text = f"np.asarray({text})" + (".astype('i8')" if "8[" in dtype else "")
        text += f".astype({dtype!r})"
    return choices.one(LAYOUTS).format(text) if choices.chance(30) else text


def _array(array: Any) -> str:
    """The text of an array."""
    dtype = repr(array.dtype.descr if array.dtype.kind == "V" else array.dtype.str)
    numbers = array.astype(str) if array.dtype.kind == "M" else array
    return f"np.array({numbers.tolist()!r}, {dtype})"
