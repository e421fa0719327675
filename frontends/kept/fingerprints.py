"""Fingerprints of live objects: equal if a capture cannot distinguish the objects.

A capture reads code, defaults and attributes of classes. Where guards do not compare these at each
launch, because they compare the identity of the object, the fingerprint replaces that comparison in
another process. Objects without a fingerprint are not stored. No code of the program runs here.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from types import (
    BuiltinFunctionType,
    CellType,
    ClassMethodDescriptorType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np

from ...guards.grip import made_at_run_time
from ...jit import native
from ...jit.digests import digest256
from .libraries import ARRAY_FUNCTION, compiled_place, fields_of, shared_generator, version_of


class NoFingerprintError(Exception):
    """The object cannot be recognised in another process."""


_mro = type.__dict__["__mro__"].__get__
_dict = type.__dict__["__dict__"].__get__
_flags = type.__dict__["__flags__"].__get__
_module = type.__dict__["__module__"].__get__
_qualname = type.__dict__["__qualname__"].__get__
DESCRIPTORS = (
    ClassMethodDescriptorType,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
MOST_ITEMS = 1000
"""Maximum number of items of a dict with a fingerprint."""
_FLAGS_OF_TYPES = (1 << 4) | (1 << 5) | (1 << 6) | (1 << 9) | (1 << 10)
"""Compared flags of a class: sequence, mapping, immutable or not, heap type, base type."""


def fingerprint(object_: Any) -> str:
    """Return the fingerprint of an object as hex digits.

    Raises
    ------
    NoFingerprintError
        The object is of an unknown kind.
    """
    digest = digest256()
    feeder = _Feeder(digest.update)
    if type(object_) is dict:
        feeder.feed_contents(object_)
    elif (fields := fields_of(object_)) is not None:
        feeder.feed(("an object", type(object_), *fields))
    else:
        feeder.feed(object_)
    return digest.hexdigest()[:32]


class _Feeder:
    """Feeds an object and all that it consists of to a digest."""

    def __init__(self, update: Callable[[bytes], None]) -> None:
        self._update = update
        self._open: dict[int, int] = {}
        """Numbers of the functions and classes already fed, by identity, so that cycles end."""

    def _word(self, *words: object) -> None:
        self._update("\0".join(map(str, (*words, ""))).encode("utf-8", "surrogatepass"))

    def feed(self, one: Any) -> None:
        kind = type(one)
        if (number := self._open.get(id(one))) is not None:
            self._word("again", number)
        elif one is None or one is Ellipsis or one is NotImplemented or kind is bool:
            self._word(one)
        elif kind in (int, str, bytes):
            self._word(kind.__name__, len(one) if kind is not int else "", repr(one))
        elif kind is float:
            self._word("float", struct.pack("d", one).hex())
        elif kind is complex:
            self._word("complex", struct.pack("2d", one.real, one.imag).hex())
        elif kind is tuple:
            self._many("tuple", one)
        elif kind is slice:
            self._many("slice", (one.start, one.stop, one.step))
        elif kind is frozenset:
            self._set(one)
        else:
            self._feed_object(one, kind)

    def feed_contents(self, one: dict[Any, Any]) -> None:
        """Feed a dict's items.

        For dicts that are fingerprinted themselves; the dict of an object is not, as it may change.
        """
        if len(one) > MOST_ITEMS:
            raise NoFingerprintError("a large dict")
        self._many("dict", (part for item in [*one.items()] for part in item))

    def _many(self, title: str, items: Iterable[Any]) -> None:
        listed = [*items]
        self._word(title, len(listed))
        for item in listed:
            self.feed(item)

    def _set(self, items: frozenset[Any]) -> None:
        """Feed the digests of the items, sorted, as the order of a set differs by process."""
        parts = []
        for item in items:
            digest = digest256()
            _Feeder(digest.update).feed(item)
            parts.append(digest.hexdigest())
        self._word("frozenset", *sorted(parts))

    def _feed_object(self, one: Any, kind: type) -> None:
        self._open[id(one)] = len(self._open)
        if kind is CodeType:
            self._code(one)
        elif kind is FunctionType:
            self._function(one)
        elif issubclass(kind, type):
            self._class(one)
        elif kind in (staticmethod, classmethod):
            self._word(kind.__name__)
            self.feed(one.__func__)
        elif kind is property:
            self._many("property", (one.fget, one.fset, one.fdel))
        elif kind is ModuleType:
            self._word("module", _plain(vars(one).get("__name__")))
        elif kind is CellType:
            self._word("cell")  # guards compare the contents
        elif kind is BuiltinFunctionType:
            self._word("builtin", _plain(one.__name__), _plain(one.__qualname__))
            self._feed_if_known(one.__self__)  # the owner of a method such as np.add.reduce
        elif kind in DESCRIPTORS:
            self._word(kind.__name__, _plain(one.__name__), _qualname(one.__objclass__))
        elif kind is MethodType:
            self._method(one)
        elif kind is native.Dispatcher:
            self._word("jitted")
            self.feed(one._function)
        else:
            self._feed_of_library(one, kind)

    def _feed_of_library(self, one: Any, kind: type) -> None:
        """Feed an object of a type of NumPy's or SciPy's."""
        if issubclass(kind, np.dtype):
            self._dtype(one)
        elif issubclass(kind, np.generic) and not made_at_run_time(kind):
            self._word("scalar", kind.__name__, one.dtype.char, one.tobytes().hex())
        elif kind is np.ufunc:
            self._many("ufunc", (one.__name__, one.nin, one.nout, tuple(one.types), one.signature))
        elif kind is ARRAY_FUNCTION:
            self._word("array function", _plain(one.__name__))
            self.feed(one._implementation)
        elif (place := compiled_place(one)) is not None:
            self._word("compiled", *place, version_of(place[0]))
        elif one is np._NoValue:
            self._word("no value")
        elif one is shared_generator():
            self._word("the generator of numpy.random")
        else:
            raise NoFingerprintError(f"an object of type {_qualname(kind)}")

    def _dtype(self, one: np.dtype[Any]) -> None:
        if one.metadata is not None or one.names is not None or one.hasobject:
            raise NoFingerprintError(f"dtype {one}")
        self._word("dtype", one.str, one.char, one.alignment)

    def _code(self, code: CodeType) -> None:
        self._many(
            "code",
            (
                *(code.co_name, code.co_qualname, code.co_filename, code.co_firstlineno),
                *(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
                *(code.co_flags, code.co_stacksize, code.co_code, code.co_linetable),
                *(code.co_exceptiontable, code.co_names, code.co_varnames),
                *(code.co_cellvars, code.co_freevars),
            ),
        )
        self._many("consts", code.co_consts)

    def _function(self, function: FunctionType) -> None:
        keywords = function.__kwdefaults__ or {}
        self._word("function", function.__qualname__, len(function.__closure__ or ()))
        self.feed(function.__code__)
        self._defaults(function.__defaults__ or ())
        self._word(*keywords)
        self._defaults(keywords.values())

    def _method(self, one: MethodType) -> None:
        """Feed a method of a class, or of the generator that NumPy's random functions share."""
        owner = one.__self__
        if not issubclass(type(owner), type) and owner is not shared_generator():
            raise NoFingerprintError(f"a method of an object of type {_qualname(type(owner))}")
        self._many("method", (one.__func__, owner))

    def _defaults(self, values: Iterable[Any]) -> None:
        """Feed default values; guards compare the contents of those that can change."""
        for value in values:
            self._feed_if_known(value)

    def _feed_if_known(self, one: Any) -> None:
        """Feed an object, or only its type if it has no fingerprint."""
        before, parts = self._update, list[bytes]()
        self._update = parts.append
        try:
            self.feed(one)
        except NoFingerprintError:
            parts.clear()
            kind = type(one)
            self._word("one of", _plain(_module(kind)), _qualname(kind))
        finally:
            self._update = before
        before(b"".join(parts))

    # ---- classes ---------------------------------------------------------------------------------

    def _class(self, cls: type) -> None:
        self._word("class", _plain(_module(cls)), _qualname(cls), _flags(cls) & _FLAGS_OF_TYPES)
        if not made_at_run_time(cls):
            return  # a class in C is fixed by the library's version, which is part of the key
        meta = type(cls)
        if meta is not type:
            self.feed(meta)
        for behind in _mro(cls):
            if behind is not cls:
                self.feed(behind)
        self._word(*(_plain(type.__dict__[name].__get__(cls)) for name in _LAYOUT))
        for name, held in sorted(_dict(cls).items(), key=lambda item: str(item[0])):
            if name in _SILENT:
                continue
            self._word(name)
            self._feed_if_known(held)


_LAYOUT = ("__basicsize__", "__itemsize__", "__dictoffset__", "__weakrefoffset__")
_SILENT = ("__doc__", "__dict__", "__weakref__", "__module__", "__annotations__", "_abc_impl")
"""Attributes of every class that no capture reads."""


def _plain(word: Any) -> str:
    return word if type(word) is str else "?"
