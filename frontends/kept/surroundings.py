"""Digests of all that a capture of a call may read, for captures that gave nothing.

An entry has guards and names of what its capture has read. A capture that came to nothing has none:
what stopped it is in no guard. So its finding holds for calls from which equal objects can be
reached: arguments, and the globals, cells, defaults and attributes that the code behind them names.
Functions and classes count by their fingerprints, arrays by dtype and layout, floats by their type.
No code of the program runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from types import CellType, CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy as np

from ...guards.grip import made_at_run_time
from ...jit import native
from ...jit.digests import digest256
from .fingerprints import NoFingerprintError, fingerprint
from .libraries import is_of_library, names_of

MOST = 1000
"""Maximum number of objects that are looked at; with more there is no digest."""
LONGEST = 200
"""Maximum number of characters of a text that counts by its contents."""
OWN = __name__.partition(".")[0]
_OF_PYTHON = os.path.dirname(os.__file__)
_mro = type.__dict__["__mro__"].__get__
_dict = type.__dict__["__dict__"].__get__
_module = type.__dict__["__module__"].__get__
_qualname = type.__dict__["__qualname__"].__get__
_NUMBERS = (type(None), bool, int, type(Ellipsis), type(NotImplemented))


class TooManyError(Exception):
    """More objects can be reached than are looked at."""


def digest_of_surroundings(function: FunctionType, live: Iterable[Any]) -> str | None:
    """Return a digest for a call with these arguments; None if too much can be reached from it."""
    walk = _Walk()
    try:
        walk.follow(function)
        for one in live:
            walk.follow(one)
    except (TooManyError, NoFingerprintError, RecursionError):
        return None
    return walk.digest.hexdigest()


class _Walk:
    """A walk over everything that can be reached, each object once."""

    def __init__(self) -> None:
        self.digest = digest256()
        self._numbers: dict[int, int] = {}
        """Numbers of the objects met so far, by identity."""
        self._alive: list[Any] = []
        """The same objects, so that no identity is used again."""

    def _word(self, *words: object) -> None:
        self.digest.update("\0".join(map(str, (*words, ""))).encode("utf-8", "surrogatepass"))

    def follow(self, one: Any) -> None:
        """Add an object and what can be reached from it."""
        kind = type(one)
        if kind in _NUMBERS or (kind in (str, bytes) and len(one) <= LONGEST):
            self._word(kind.__name__, repr(one))
            return
        if (number := self._numbers.get(id(one))) is not None:
            self._word("again", number)
            return
        if len(self._alive) >= MOST:
            raise TooManyError
        self._numbers[id(one)] = len(self._alive)
        self._alive.append(one)
        if kind in (list, tuple, dict):
            self._items(one, kind)
        elif kind is np.ndarray:
            flags = (one.flags.c_contiguous, one.flags.f_contiguous, one.flags.writeable)
            lengths = [min(length, 2) for length in one.shape]
            self._word("array", one.dtype.str, *lengths, *flags, one.flags.aligned)
        elif kind is FunctionType:
            self._function(one)
        elif kind is native.Dispatcher:
            self._word("jitted")
            self.follow(one._function)
        elif kind is MethodType:
            self._word("method")
            self.follow(one.__func__)
            self.follow(one.__self__)
        elif issubclass(kind, type):
            self._class(one)
        elif kind is CellType:
            self._cell(one)
        elif kind is ModuleType:
            self._word("module", names_of(one).get("__name__"))
        else:
            self._instance(one, kind)

    def _items(self, one: Any, kind: type) -> None:
        self._word(kind.__name__, len(one))
        if len(one) > MOST:
            raise TooManyError
        for item in [*one]:
            self.follow(item)
            if kind is dict:
                self.follow(one[item] if type(item) in (str, int) else None)

    def _cell(self, cell: CellType) -> None:
        try:
            held = cell.cell_contents
        except ValueError:
            self._word("an empty cell")
        else:
            self._word("cell")
            self.follow(held)

    def _instance(self, one: Any, kind: type) -> None:
        """Add the class of an object, and the attributes of one of the program's."""
        self._word("one of")
        self.follow(kind)
        if not made_at_run_time(kind) or _is_of_others(_module(kind)):
            return
        for behind in _mro(kind):
            for name, way in [*_dict(behind).items()]:
                if type(way) is MemberDescriptorType:
                    try:
                        held = way.__get__(one)
                    except AttributeError:
                        continue
                    self._word(name)
                    self.follow(held)
        attributes = _attributes_of(one, kind)
        for name in sorted(key for key in attributes if type(key) is str):
            self._word(name)
            self.follow(attributes[name])

    def _function(self, function: FunctionType) -> None:
        module = function.__globals__.get("__name__")
        if _is_of_others(module):
            self._word("function", module, function.__qualname__)
            return
        self._word("function", fingerprint(function))
        for one in (function.__defaults__, function.__kwdefaults__, *(function.__closure__ or ())):
            self.follow(one)
        self._names(function.__code__, function.__globals__)

    def _names(self, code: CodeType, namespace: dict[str, Any]) -> None:
        """Add the globals that code names, and the attributes that it may read from modules."""
        for name in code.co_names:
            if name in namespace:
                held = namespace[name]
                self._word(name)
                self.follow(held)
                if type(held) is ModuleType and not _is_of_others(names_of(held).get("__name__")):
                    inside = names_of(held)
                    for other in code.co_names:
                        if other in inside:
                            self._word(other)
                            self.follow(inside[other])
        for constant in code.co_consts:
            if type(constant) is CodeType:
                self._names(constant, namespace)

    def _class(self, cls: type) -> None:
        if not made_at_run_time(cls) or _is_of_others(_module(cls)):
            self._word("class", _module(cls), _qualname(cls))
            return
        self._word("class", fingerprint(cls))
        for behind in _mro(cls):
            if behind is not cls:
                self.follow(behind)
        for name, held in sorted(_dict(cls).items(), key=lambda item: str(item[0])):
            for one in _functions_in(held):
                self._word(name)
                self.follow(one)


def _functions_in(held: Any) -> Iterable[Any]:
    """Return the functions in what a class holds under a name."""
    kind = type(held)
    if kind in (staticmethod, classmethod):
        return (held.__func__,)
    if kind is property:
        return (held.fget, held.fset, held.fdel)
    return (held,) if kind in (FunctionType, native.Dispatcher) else ()


def _attributes_of(one: Any, kind: type) -> dict[Any, Any]:
    """Return the dict of an object; empty if it has none."""
    for behind in _mro(kind):
        way = _dict(behind).get("__dict__")
        if way is not None and type(way).__name__ == "getset_descriptor":
            found = way.__get__(one)
            return found if type(found) is dict else {}
    return {}


def _is_of_others(module: Any) -> bool:
    """True for modules of Python, NumPy, SciPy and framejit: entries are bound to these."""
    if type(module) is not str:
        return False
    top = module.partition(".")[0]
    if is_of_library(module) or top == OWN:
        return True
    file = names_of(sys.modules.get(top)).get("__file__", _OF_PYTHON)
    is_of_python = type(file) is str and file.startswith(_OF_PYTHON)
    return top in sys.stdlib_module_names and is_of_python
