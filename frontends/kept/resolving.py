"""Resolves names of `names.py` to the objects of this process.

Nothing of the program is imported and none of its code runs: names lead through the dicts of
modules and classes, constants and cells.
"""

from __future__ import annotations

import builtins
import struct
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from operator import attrgetter
from types import CodeType, FunctionType, ModuleType
from typing import Any, NoReturn
from weakref import ref

import numpy as np

from ...guards.grip import may_die
from ...jit import native
from ...jit.attributes import Attributes
from ...jit.filters import Strict
from ...jit.flags import KINDS, Modes, Within
from ...jit.frozen import dataclass
from .libraries import (
    ARRAY_FUNCTION,
    ITERATORS,
    is_loaded_library,
    is_of_library,
    method_of_ufunc,
    names_of,
)
from .reaching import codes_named, reached

_dict = type.__dict__["__dict__"].__get__


_FRONTENDS = __package__.rpartition(".")[0]
CAPTURE = (f"{_FRONTENDS}.capture.", f"{_FRONTENDS}.numpy.")
"""Modules that loaded entries do without, so that they are not imported."""
DECOMPOSITIONS = f"{_FRONTENDS}.numpy.decompositions."
"""Exception: functions in plain NumPy that replace library functions."""
_JIT = f"{__package__.rpartition('.frontends.')[0]}.jit"
CALLED = (f"{_JIT}.ir.references", f"{_JIT}.generators")
"""Modules of functions that kernels call; they import only NumPy."""


def is_of_capture(module: str) -> bool:
    """True if entries may not hold objects of a module."""
    return module.startswith(CAPTURE) and not module.startswith(DECOMPOSITIONS)


class CannotResolveError(Exception):
    """A name is invalid, or nothing is found under it."""


@dataclass(frozen=True, slots=True)
class Root:
    """The function that names start from."""

    function: FunctionType


def resolved(name: Any, root: Root, rows: Callable[[int], Any] | None = None) -> Any:
    """Return the object under a name; `rows` gives the object of another row.

    Raises
    ------
    CannotResolveError
        There is none.
    """
    if not isinstance(name, list) or not name or type(name[0]) is not str:
        raise CannotResolveError("no name")
    find = _FINDS.get(name[0])
    if find is None:
        raise CannotResolveError(f"unknown kind of name {name[0]!r}")
    try:
        return find(root, rows, *name[1:])
    except (
        TypeError,
        ValueError,
        LookupError,
        AttributeError,
        ImportError,
        ArithmeticError,
        struct.error,
    ) as why:
        raise CannotResolveError(f"{name[0]}: {why}") from None


# ---- values ------------------------------------------------------------------------------------


def _text(word: Any) -> str:
    if type(word) is not str:
        raise CannotResolveError("no text")
    return word


def _index(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise CannotResolveError("no index")
    return number


def _of(digits: Any) -> float:
    found: float = struct.unpack("<d", bytes.fromhex(_text(digits)))[0]
    return found


def _row(rows: Any, number: Any) -> Any:
    if rows is None:
        raise CannotResolveError("a row among no rows")
    return rows(_index(number))


def _dtype(char: Any, text: Any) -> np.dtype[Any]:
    found = np.dtype(_text(char)) if len(_text(char)) == 1 and char not in "SUVO" else None
    if found is None or found.char != char or found.str != _text(text):
        found = np.dtype(_text(text))
    if found.str != text or found.char != char or found.hasobject:
        raise CannotResolveError(f"no dtype {text!r}")
    return found


def _scalar(char: Any, digits: Any) -> Any:
    dtype = np.dtype(_text(char))
    content = bytes.fromhex(_text(digits))
    if dtype.hasobject or (dtype.itemsize and len(content) != dtype.itemsize):
        raise CannotResolveError("no scalar")
    return np.frombuffer(content, dtype)[0]


def _weak(rows: Any, number: Any) -> Any:
    one = _row(rows, number)
    if not may_die(one):
        raise CannotResolveError("an object that is there for ever")
    return ref(one)


def _function_in(rows: Any, number: Any) -> FunctionType:
    found = _row(rows, number)
    if type(found) is not FunctionType:
        raise CannotResolveError("no function")
    return found


def _new_dict(rows: Any, items: Any) -> dict[str, Any]:
    return {_text(key): _row(rows, number) for key, number in items}


def _partial(rows: Any, function: Any, keywords: Any) -> Any:
    return partial(_row(rows, function), **_new_dict(rows, keywords))


def _within(rows: Any, function: Any, *modes: Any) -> Any:
    known = [frozenset(map(_text, kinds)) & KINDS for kinds in modes]
    return Within(_row(rows, function), Modes(*known))


# ---- locations -----------------------------------------------------------------------------------


def is_ours(module: str) -> bool:
    """True for modules of framejit whose functions an entry may hold."""
    return module in CALLED or module.startswith(DECOMPOSITIONS)


def _namespace(module: Any) -> dict[str, Any]:
    if _text(module) not in sys.modules and (is_ours(module) or is_loaded_library(module)):
        import_module(module)  # such as `np.fft`, which NumPy imports on access
    names = names_of(sys.modules.get(module))
    if not names:
        raise CannotResolveError(f"no module {module!r}")
    return names


def _module(name: Any) -> ModuleType:
    _namespace(name)
    return sys.modules[name]


def _object(module: Any, path: Any) -> Any:
    """Return an attribute by path without invoking descriptors, through class dicts only."""
    first, *others = _text(path).split(".")
    one = _namespace(module)[first]
    for other in others:
        one = _dict(one)[other] if issubclass(type(one), type) else _no(path)
    return one


def _no(path: Any) -> NoReturn:
    raise CannotResolveError(f"nothing under {path!r}")


def functions_of(one: Any) -> list[FunctionType]:
    """Return the functions that a function, method, property or wrapper is made of."""
    kind = type(one)
    if kind is FunctionType:
        return [one]
    if kind in (staticmethod, classmethod):
        return functions_of(one.__func__)
    if kind is property:
        return [one for part in (one.fget, one.fset, one.fdel) for one in functions_of(part)]
    if kind is ARRAY_FUNCTION:
        return functions_of(one._implementation)
    return [one._function] if kind is native.Dispatcher else []


def _function(module: Any, path: Any, part: Any) -> FunctionType:
    """Return a function inside a property, static method, jitted function or NumPy wrapper."""
    return functions_of(_object(module, path))[_index(part)]


def codes_at(module: Any, path: Any) -> list[CodeType]:
    """Return the code objects with a qualified name anywhere in a module."""
    outer, *inner = _text(path).split(".<locals>.")
    codes = [function.__code__ for function in functions_of(_object(module, outer))]
    qualname = outer
    for name in inner:
        qualname = f"{qualname}.<locals>.{name}"
        codes = [c for code in codes for c in code.co_consts if type(c) is CodeType]
        codes = [c for c in codes if c.co_qualname == qualname]
    return codes


def _code_behind(module: Any, way: Any, path: Any, number: Any) -> CodeType:
    """Return the same in a function at the end of a way."""
    one = reached(_namespace(module), way)
    if type(one) is not FunctionType:
        _no(way)
    return codes_named(one.__code__, _text(path))[_index(number)]


def holds_tables(module: Any) -> bool:
    """True for modules whose version is part of the key, so that their dicts are fixed."""
    return is_of_library(module) or (type(module) is str and module.startswith(DECOMPOSITIONS))


def _table(module: Any, key: Any) -> dict[Any, Any]:
    """Return a dict in the namespace of such a module."""
    found = _namespace(module)[_text(key)] if holds_tables(module) else None
    return found if type(found) is dict else _no(key)


def _const(root: Root, number: Any) -> Any:
    return root.function.__code__.co_consts[_index(number)]


def _defaults(module: Any, path: Any) -> Any:
    """Return the tuple of a function's defaults."""
    found = [one.__defaults__ for one in functions_of(_object(module, path))]
    return found[0] if found and found[0] is not None else _no(path)


_FINDS: dict[str, Callable[..., Any]] = {
    "none": lambda root, rows: None,
    "true": lambda root, rows: True,
    "false": lambda root, rows: False,
    "ellipsis": lambda root, rows: Ellipsis,
    "int": lambda root, rows, digits: int(_text(digits)),
    "float": lambda root, rows, digits: _of(digits),
    "complex": lambda root, rows, real, imag: complex(_of(real), _of(imag)),
    "str": lambda root, rows, text: sys.intern(_text(text)),
    "bytes": lambda root, rows, digits: bytes.fromhex(_text(digits)),
    "tuple": lambda root, rows, items: tuple(_row(rows, item) for item in items),
    "slice": lambda root, rows, *parts: slice(*(_row(rows, part) for part in parts)),
    "dict": lambda root, rows, items: _new_dict(rows, items),
    "attributes": lambda root, rows, items: Attributes(_new_dict(rows, items)),
    "attrgetter": lambda root, rows, *names: attrgetter(*map(_text, names)),
    "method": lambda root, rows, ufunc, name: method_of_ufunc(_row(rows, ufunc), name),
    "dtype": lambda root, rows, char, text: _dtype(char, text),
    "scalar": lambda root, rows, char, digits: _scalar(char, digits),
    "partial": lambda root, rows, function, keywords: _partial(rows, function, keywords),
    "strict": lambda root, rows, function: Strict(_row(rows, function)),
    "within": lambda root, rows, function, *modes: _within(rows, function, *modes),
    "weak": lambda root, rows, number: _weak(rows, number),
    "globals": lambda root, rows: root.function.__globals__,
    "builtins": lambda root, rows: vars(builtins),
    "globals of": lambda root, rows, number: _function_in(rows, number).__globals__,
    "code of": lambda root, rows, number: _function_in(rows, number).__code__,
    "namespace": lambda root, rows, module: _namespace(module),
    "module": lambda root, rows, name: _module(name),
    "object": lambda root, rows, module, path: _object(module, path),
    "function": lambda root, rows, module, path, part: _function(module, path, part),
    "global": lambda root, rows, name: root.function.__globals__[_text(name)],
    "cell": lambda root, rows, number: (root.function.__closure__ or ())[_index(number)],
    "const": lambda root, rows, number: _const(root, number),
    "own code": lambda root, rows: root.function.__code__,
    "inner code": lambda root, rows, path, k: codes_named(root.function.__code__, path)[_index(k)],
    "code": lambda root, rows, module, path, number: codes_at(module, path)[_index(number)],
    "code behind": lambda root, rows, *place: _code_behind(*place),
    "behind": lambda root, rows, module, way: reached(_namespace(module), way),
    "iterator": lambda root, rows, name: ITERATORS[_text(name)],
    "table": lambda root, rows, module, key: _table(module, key),
    "defaults": lambda root, rows, module, path: _defaults(module, path),
}
