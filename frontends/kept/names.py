"""Names of objects: how another process finds the objects that an entry holds.

A name is a list of plain values; the first gives its kind. `resolving.py` resolves names. A name is
only given to an object if it resolves to that object now.
"""

from __future__ import annotations

import builtins
import struct
import sys
import types
from collections.abc import Iterable, Iterator
from functools import partial
from operator import attrgetter
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ReferenceType

import numpy as np

from ...guards.grip import made_at_run_time
from ...jit.attributes import Attributes
from ...jit.config import debug_mode
from ...jit.filters import Strict
from ...jit.flags import Within
from ...jit.native import Dispatcher
from .codes import names_of_code, names_of_function
from .fingerprints import DESCRIPTORS, NoFingerprintError, fingerprint
from .libraries import (
    ITERATORS,
    compiled_place,
    fields_of,
    is_method_of_ufunc,
    names_of,
    shared_generator,
)
from .resolving import (
    CannotResolveError,
    Root,
    functions_of,
    holds_tables,
    is_of_capture,
    resolved,
)

Name = list[Any]
_qualname = type.__dict__["__qualname__"].__get__
_module = type.__dict__["__module__"].__get__
_mro = type.__dict__["__mro__"].__get__
_dict = type.__dict__["__dict__"].__get__
DATA = frozenset(
    (
        *("none", "true", "false", "ellipsis", "int", "float", "complex", "str", "bytes"),
        *(
            "tuple",
            "slice",
            "scalar",
            "dtype",
            "dict",
            "globals",
            "globals of",
            "builtins",
            "namespace",
            "module",
        ),
        *("weak", "cell", "partial", "strict", "within", "attributes", "method", "attrgetter"),
    )
)
"""Kinds of names that define an object fully, or whose object guards compare."""


class UnnamedError(Exception):
    """Another process could not find an object, or not recognise it."""


class Namer:
    """Names for the objects of one function's entries."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self.rows: list[tuple[Name, str]] = []
        """Each name with the fingerprint of its object, "" for names that define it fully."""
        self._known: dict[int, tuple[int, Any]] = {}
        """Row and object by identity. The object is kept alive so that its identity is not reused.
        """
        self._classes: dict[int, type] = {}
        self._functions: list[FunctionType] = []
        self._consts = {id(one): path for path, one in _consts(root.function.__code__)}

    def add(self, one: Any, hint: Name | None = None, *, is_compared: bool = False) -> int:
        """Return the row of an object; `hint` is a name that it may have.

        `is_compared` means that guards compare its identity, not only its value.

        Raises
        ------
        UnnamedError
            It has no name.
        """
        found = self._known.get(id(one))
        if found is None:
            name = self._by_hint(one, hint)
            if name is None and (not is_compared or type(one) not in _HAVE_COPIES):
                name = self._data(one)
            found = self._keep(one, name or self._place(one))
        return found[0]

    def see(self, objects: Iterable[Any]) -> None:
        """Announce objects that will be added: attributes of classes among them can be named."""
        for one in objects:
            found = one() if issubclass(type(one), ReferenceType) else one
            if issubclass(type(found), type):
                self._classes[id(found)] = found
            elif type(found) is FunctionType:
                self._functions.append(found)

    def add_made(self, one: dict[str, Any], home: Any) -> int:
        """Return the row of a dict that framejit made of attributes of a namespace or class."""
        found = self._known.get(id(one))
        if found is None:
            way = _way_to(home)
            items = ((key, self.add(value, [*way[:2], way[2] + key])) for key, value in one.items())
            name = ["dict", [[*item] for item in items]]
            found = self._keep(one, name)
        return found[0]

    def _keep(self, one: Any, name: Name) -> tuple[int, Any]:
        self.rows.append((name, "" if name[0] in DATA else _fingerprint(one)))
        found = self._known[id(one)] = (len(self.rows) - 1, one)
        return found

    def _by_hint(self, one: Any, hint: Name | None) -> Name | None:
        if hint is None or type(one) in (dict, ModuleType):
            return None
        return hint if _leads_to(hint, self.root, one) else None

    # ---- what a name says itself -----------------------------------------------------------------

    def _data(self, one: Any) -> Name | None:
        kind = type(one)
        if id(one) in self._consts:
            return ["const", self._consts[id(one)]]
        if made_at_run_time(type(kind)):
            return None  # its metaclass may run the program's code
        if kind in _PLAIN:
            found: Name = _PLAIN[kind](one)
            return found
        if kind is tuple:
            return ["tuple", [self.add(item) for item in one]]
        if kind is slice:
            return ["slice", *(self.add(part) for part in (one.start, one.stop, one.step))]
        if kind is dict:
            return self._of_dict(one)
        if kind is Attributes:
            return ["attributes", [[key, self.add(value)] for key, value in one.items()]]
        if is_method_of_ufunc(one):
            return ["method", self.add(one.__self__), one.__name__]
        if issubclass(kind, np.dtype) and not made_at_run_time(kind):
            return _of_dtype(one)
        if issubclass(kind, np.generic) and not made_at_run_time(kind) and kind is not np.void:
            return ["scalar", one.dtype.char, one.tobytes().hex()]
        return self._of_wrapper(one, kind)

    def _of_wrapper(self, one: Any, kind: type) -> Name | None:
        """Return the name of an object that is defined by another one inside it, if it is one."""
        if kind is attrgetter:
            return ["attrgetter", *one.__reduce__()[1]]
        if kind is partial and not one.args:
            items = [[key, self.add(value)] for key, value in one.keywords.items()]
            return ["partial", self.add(one.func), items]
        if kind is Strict:
            return ["strict", self.add(one.function)]
        if kind is Within:
            modes = (one.modes.ignored, one.modes.warned, one.modes.escalated)
            return ["within", self.add(one.function), *map(sorted, modes)]
        if issubclass(kind, ReferenceType):
            target = one()
            if target is None:
                raise UnnamedError("an object that is gone")
            return ["weak", self.add(target, is_compared=True)]
        return None

    def _of_dict(self, one: dict[Any, Any]) -> Name:
        if one is self.root.function.__globals__:
            return ["globals"]
        if one is vars(builtins):
            return ["builtins"]
        name = one.get("__name__")
        module = sys.modules.get(name) if type(name) is str else None
        if type(module) is ModuleType and vars(module) is one:
            return ["namespace", name]
        for _, home, key in self._in_tables(one):
            return ["table", home, key]
        for function in self._functions:
            if function.__globals__ is one:
                return ["globals of", self.add(function)]
        raise UnnamedError("a dict of the program's")

    def _in_tables(self, one: Any) -> Iterator[Name]:
        """Yield names of library objects that do not know their own location."""
        for home, names in self._tables():
            for key, held in [*names.items()]:
                if held is one and type(key) is str:
                    yield ["object", home, key]

    def _tables(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return namespaces whose dicts have names, those that the entry reads first."""
        known = {id(one) for _, one in self._known.values() if type(one) is dict}
        modules = {name: names_of(one) for name, one in [*sys.modules.items()]}
        found = [(name, names) for name, names in modules.items() if holds_tables(name)]
        yield from sorted(found, key=lambda module: id(module[1]) not in known)

    # ---- objects by their location ---------------------------------------------------------------

    def _place(self, one: Any) -> Name:
        if issubclass(type(one), type):
            self._classes[id(one)] = one
        for name in self._candidates(one):
            if _leads_to(name, self.root, one):
                return name
        if type(one) is CodeType:
            for function in self._functions:
                if function.__code__ is one:
                    return ["code of", self.add(function)]
        if issubclass(type(one), type):
            raise UnnamedError(f"class {_module(one)}.{_qualname(one)}")
        if type(one) is FunctionType:
            raise UnnamedError(f"function {one.__module__}.{one.__qualname__}")
        if type(one) is CodeType:
            raise UnnamedError(f"code of {one.co_qualname}")
        raise UnnamedError(f"an object of type {_qualname(type(one))}")

    def _candidates(self, one: Any) -> Iterator[Name]:
        kind = type(one)
        if id(one) in self._consts:
            yield ["const", self._consts[id(one)]]
        cells = self.root.function.__closure__ or ()
        yield from (["cell", k] for k, cell in enumerate(cells) if cell is one)
        if kind is ModuleType:
            yield ["module", vars(one).get("__name__")]
        elif kind is CodeType:
            yield from names_of_code(one, self.root)
        elif kind is FunctionType:
            if is_of_capture(str(one.__module__)):
                assert not debug_mode("strict"), f"{one.__qualname__} belongs into exit_calls.py"
                raise UnnamedError(f"{one.__module__}.{one.__qualname__}")
            yield from _of_function(one)
        elif kind is Dispatcher:
            yield from _of_function(one._function)
        elif (place := compiled_place(one)) is not None:
            yield ["object", *place]
        elif kind in DESCRIPTORS:
            home = one.__objclass__
            yield ["object", _module(home), f"{_qualname(home)}.{one.__name__}"]
        elif issubclass(kind, type):
            yield ["object", _module(one), _qualname(one)]
            yield from (
                ["object", "types", key] for key, held in vars(types).items() if held is one
            )
            yield from (["iterator", key] for key, held in ITERATORS.items() if held is one)
        elif one is np._NoValue:
            yield ["object", "numpy", "_NoValue"]
        elif one is shared_generator() or fields_of(one) is not None:
            yield from self._in_tables(one)
        yield from _in_modules(one)
        yield from self._in_namespace(one)
        yield from self._in_classes(one)
        if kind is FunctionType:
            yield from names_of_function(one, self.root)

    def _in_namespace(self, one: Any) -> Iterator[Name]:
        for key, held in [*self.root.function.__globals__.items()]:
            if held is one and type(key) is str:
                yield ["global", key]

    def _in_classes(self, one: Any) -> Iterator[Name]:
        """Yield names of class attributes that have none themselves, such as properties."""
        classes = {id(cls): cls for seen in self._classes.values() for cls in _mro(seen)}
        for cls in classes.values():
            for key, held in [*_dict(cls).items()]:
                place = [_module(cls), f"{_qualname(cls)}.{key}"]
                if held is one and type(key) is str:
                    yield ["object", *place]
                elif type(one) is FunctionType:  # a static method, such as __new__
                    parts = enumerate(functions_of(held))
                    yield from (["function", *place, k] for k, part in parts if part is one)


_HAVE_COPIES = (
    *(int, float, complex, str, bytes, tuple, slice),
    *(partial, attrgetter, BuiltinFunctionType),
)
"""Types that may have several equal objects, so that a value does not give the identity."""


def _way_to(home: Any) -> Name:
    """Return the common prefix of the names of a namespace's or class's attributes."""
    if type(home) is dict:
        return ["object", home.get("__name__"), ""]
    return ["object", _module(home), f"{_qualname(home)}."]


def _leads_to(name: Name, root: Root, one: Any) -> bool:
    try:
        return resolved(name, root) is one
    except CannotResolveError:
        return False


def _fingerprint(one: Any) -> str:
    try:
        return fingerprint(one)
    except NoFingerprintError as error:
        raise UnnamedError(str(error)) from None


def _consts(code: CodeType) -> Iterator[tuple[int, Any]]:
    """Yield constants of immutable types with their index in `co_consts`."""
    for k, one in enumerate(code.co_consts):
        if type(one) in (tuple, slice, str, bytes, float, complex, int):
            yield k, one


def _of_dtype(one: np.dtype[Any]) -> Name:
    if one.metadata is not None or one.names is not None or one.subdtype is not None:
        raise UnnamedError(f"dtype {one}")
    return ["dtype", one.char, one.str]


def _of_function(one: FunctionType) -> Iterator[Name]:
    for module in dict.fromkeys((one.__globals__.get("__name__"), one.__module__)):
        yield ["object", module, one.__qualname__]
        yield from (["function", module, one.__qualname__, part] for part in range(3))


def _in_modules(one: Any) -> Iterator[Name]:
    """Yield its names as an attribute of modules, the module with the shortest name first."""
    name = _own_name(one)
    if name is not None:
        for module in sorted(sys.modules, key=len):
            if names_of(sys.modules[module]).get(name) is one:
                yield ["object", module, name]


def _own_name(one: Any) -> str | None:
    """Return `__name__`, if no code of the program runs to get it."""
    kind = type(one)
    if issubclass(kind, type):
        found = type.__dict__["__name__"].__get__(one)
    elif made_at_run_time(kind) or kind in _PLAIN or _answers_itself(one):
        return None
    else:
        found = getattr(one, "__name__", None)
    return found if type(found) is str else None


def _answers_itself(one: Any) -> bool:
    """True for methods whose function is the program's, which would be asked for its name."""
    function = one.__func__ if type(one) is MethodType else None
    return made_at_run_time(type(function)) and compiled_place(function) is None


def _float(one: float) -> Name:
    return ["float", struct.pack("<d", one).hex()]


_PLAIN: dict[type, Any] = {
    type(None): lambda one: ["none"],
    bool: lambda one: ["true" if one else "false"],
    type(Ellipsis): lambda one: ["ellipsis"],
    int: lambda one: ["int", str(one)],
    float: _float,
    complex: lambda one: ["complex", *(_float(part)[1] for part in (one.real, one.imag))],
    str: lambda one: ["str", one],
    bytes: lambda one: ["bytes", one.hex()],
}
