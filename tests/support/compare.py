"""Portraits: everything a program can see of some objects, as plain facts that two runs share.

A portrait is taken at once and keeps no reference, so that later calls cannot change it. Identity
and shared memory are told by path: "is the object args[0]", "byte 8 of the memory around args[0]".
"""

from __future__ import annotations

import builtins
import reprlib
import types
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

Fact = tuple[str, str]
"""A place and a property: ("result[0]", "strides")."""
Facts = dict[Fact, Any]

_BY_NAME = (
    types.ModuleType,
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    type,
    np.ufunc,
)
_BY_REPR = (
    bool,
    int,
    str,
    bytes,
    type(None),
    type(Ellipsis),
    type(NotImplemented),
    range,
    date,
    timedelta,
    Decimal,
    Fraction,
    np.dtype,
    np.bool_,
)
"""Values of which there may be one object or many: nobody may rely on their identity."""
_FLAGS = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")


def parts(object_: Any) -> Iterator[tuple[str, Any]]:
    """The objects that an object holds, each with what to append to its path."""
    match object_:
        case np.ndarray():
            yield ".base", object_.base
            if object_.dtype.kind in "OT":
                items = np.array(object_, dtype=object, subok=False)
                yield from ((str(list(index)), items[index]) for index in np.ndindex(items.shape))
            yield from _attributes(object_)
        case list() | tuple() | deque():
            yield from ((f"[{k}]", item) for k, item in enumerate(object_))
        case dict():
            yield from ((f"[{key!r}]", item) for key, item in object_.items())
        case slice():
            yield from ((f".{name}", getattr(object_, name)) for name in ("start", "stop", "step"))
        case np.random.Generator():
            yield ".bit_generator", object_.bit_generator
        case np.random.BitGenerator():
            yield ".state", object_.state
        case np.random.RandomState():
            yield ".get_state()", object_.get_state(legacy=False)
        case types.MethodType():
            yield ".__self__", object_.__self__
            yield ".__func__", object_.__func__
        case types.BuiltinMethodType():
            if not isinstance(object_.__self__, types.ModuleType):
                yield ".__self__", object_.__self__
        case BaseException():
            yield ".args", object_.args
            yield ".__cause__", object_.__cause__
            yield ".__context__", object_.__context__
            yield from _attributes(object_)
        case _ if not isinstance(object_, (*_BY_NAME, *_BY_REPR)):
            yield from _attributes(object_)


def _attributes(object_: Any) -> Iterator[tuple[str, Any]]:
    names = [*getattr(object_, "__dict__", ())]
    for class_ in type(object_).__mro__:
        slots = vars(class_).get("__slots__", ())
        names.extend((slots,) if isinstance(slots, str) else slots)
    missing = object()
    for name in names:
        value = getattr(object_, name, missing)
        if value is not missing and name not in ("__dict__", "__weakref__"):
            yield f".{name}", value


def arrays_in(object_: Any) -> list[np.ndarray[Any, Any]]:
    """All arrays that an object reaches, each once."""
    seen: dict[int, Any] = {}
    waiting = [object_]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen[id(one)] = one
            waiting.extend(part for _, part in parts(one))
    return [one for one in seen.values() if isinstance(one, np.ndarray)]


@dataclass(frozen=True, slots=True)
class Numbers:
    """The values of an array or number, compared bit by bit."""

    shown: np.ndarray[Any, Any]
    bits: bytes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Numbers) and self.bits == other.bits

    __hash__ = None  # type: ignore[assignment]

    def difference(self, other: Numbers) -> str:
        """The first element that differs, in words."""
        left, right = self.shown.reshape(-1), other.shown.reshape(-1)
        size = len(self.bits) // max(left.size, 1)
        chunks = [slice(k * size, (k + 1) * size) for k in range(left.size)]
        wrong = [k for k, chunk in enumerate(chunks) if self.bits[chunk] != other.bits[chunk]]
        index = [int(k) for k in np.unravel_index(wrong[0], self.shown.shape)]
        pair = [
            f"{x!r} (bits {b.bits[chunks[wrong[0]]][::-1].hex()})"
            for x, b in ((left[wrong[0]], self), (right[wrong[0]], other))
        ]
        return f"eager {pair[0]}, jitted {pair[1]}, first at {index} of {len(wrong)} that differ"


def numbers(value: Any, nan: str) -> Numbers:
    """The values of an array or scalar; under nan="any" one bit pattern stands for every NaN."""
    shown = np.array(value, order="C", subok=False)
    plain = shown.reshape(-1).copy()
    with np.errstate(all="ignore"):
        if nan == "any" and plain.dtype.kind in "fc":
            reals = plain.view(plain.real.dtype)
            reals[np.isnan(reals)] = np.nan
    if plain.dtype.char in "gG" and np.finfo(plain.dtype).nmant == 63:
        # Ten bytes of x87 number, six of padding that hold anything.
        plain = plain.view(np.uint8).reshape(-1, 16)
        plain[:, 10:] = 0
    return Numbers(shown, plain.tobytes())


def portrait(nan: str = "any", **roots: Any) -> Facts:
    """The facts of some named objects, and of the objects and memory that they share."""
    painter = _Painter(nan)
    for path, object_ in roots.items():
        painter.paint(path, object_)
    painter.place_arrays()
    return painter.facts


class _Painter:
    def __init__(self, nan: str) -> None:
        self.nan = nan
        self.facts: Facts = {}
        self._seen: dict[int, str] = {}
        self._held: list[Any] = []
        """Objects made on the way stay alive: their ids must not come again."""
        self._arrays: list[tuple[str, int, int]] = []

    def paint(self, path: str, object_: Any) -> None:
        """Adds the facts of one object and of all that it holds."""
        single = type(object_) in (tuple, frozenset) and not object_
        if single or isinstance(object_, (*_BY_NAME, *_BY_REPR)):
            self.facts[path, "value"] = _plain_text(object_)
            if isinstance(object_, types.BuiltinMethodType):
                self._parts(path, object_)
            return
        if id(object_) in self._seen:
            self.facts[path, "is the object"] = self._seen[id(object_)]
            return
        self._seen[id(object_)] = path
        self._held.append(object_)
        self.facts[path, "type"] = _name(type(object_))
        self._own_facts(path, object_)
        self._parts(path, object_)

    def _parts(self, path: str, object_: Any) -> None:
        for suffix, part in parts(object_):
            self.paint(path + suffix, part)

    def _own_facts(self, path: str, object_: Any) -> None:
        match object_:
            case np.ndarray():
                self._array(path, object_)
            case np.generic():
                self.facts[path, "dtype"] = _plain_text(object_.dtype)
                self._values(path, np.asarray(object_))
            case float() | complex():
                self.facts[path, "values"] = numbers(object_, self.nan)
            case dict():
                self.facts[path, "keys"] = [_plain_text(key) for key in object_]
            case set() | frozenset():
                self.facts[path, "items"] = sorted(_plain_text(item) for item in object_)
            case BaseException():
                self.facts[path, "text"] = str(object_)

    def _array(self, path: str, array: np.ndarray[Any, Any]) -> None:
        plain = array.view(np.ndarray)
        self.facts[path, "dtype"] = _plain_text(array.dtype)
        self.facts[path, "shape"] = plain.shape
        self.facts[path, "strides"] = plain.strides
        self.facts[path, "flags"] = [name for name in _FLAGS if array.flags[name]]
        self._values(path, plain)
        if plain.size:
            low, high = np.lib.array_utils.byte_bounds(plain)
            self._arrays.append((path, low, high))

    def _values(self, path: str, array: np.ndarray[Any, Any]) -> None:
        if array.dtype.names is not None:
            for name in array.dtype.names:
                self._values(f"{path}[{name!r}]", array[name])
        elif array.dtype.kind not in "OT":
            self.facts[path, "values"] = numbers(array, self.nan)
        elif array.dtype.names is None and array.ndim == 0 and array.dtype.kind == "O":
            self.paint(f"{path}[()]", array.item())

    def place_arrays(self) -> None:
        """Adds the fact in whose memory each array lies, and where."""
        blocks: list[list[int]] = []
        for _, low, high in sorted(self._arrays, key=lambda entry: entry[1:]):
            if blocks and low < blocks[-1][1]:
                blocks[-1][1] = max(blocks[-1][1], high)
            else:
                blocks.append([low, high])
        names: dict[int, str] = {}
        for path, low, _ in self._arrays:
            start = next(first for first, end in blocks if first <= low < max(end, first + 1))
            owner = names.setdefault(start, path)
            self.facts[path, "memory"] = f"byte {low - start} of the memory around {owner}"


def _name(class_: type) -> str:
    return f"{class_.__module__}.{class_.__qualname__}"


def _plain_text(object_: Any) -> str:
    """A text that is equal for equal plain objects of the same type only."""
    if isinstance(object_, np.dtype):
        return f"{object_!r} {object_.char!r} {object_.str} {object_.metadata}"
    if isinstance(object_, type):
        return f"{_name(object_)} at {id(object_):x}"
    if isinstance(object_, _BY_NAME):
        module = getattr(object_, "__module__", None)
        return f"{module}.{getattr(object_, '__qualname__', object_.__name__)}"
    if type(object_).__module__ == builtins.__name__:
        return repr(object_)
    return f"{_name(type(object_))}: {object_!r}"


def differences(eager: Facts, jitted: Facts) -> list[str]:
    """One line for each fact that differs, in the order in which eager's were found."""
    lines = []
    for fact in [*eager, *(fact for fact in jitted if fact not in eager)]:
        path, what = fact
        one, other = eager.get(fact, "nothing"), jitted.get(fact, "nothing")
        if one == other:
            continue
        if isinstance(one, Numbers) and isinstance(other, Numbers):
            if one.shown.shape != other.shown.shape or one.shown.dtype != other.shown.dtype:
                continue  # told by the facts "shape" and "dtype"
            lines.append(f"{path}: values: {one.difference(other)}")
        else:
            lines.append(f"{path}: {what}: eager {_shown(one)}, jitted {_shown(other)}")
    return lines


def _shown(value: Any) -> str:
    if isinstance(value, Numbers):
        return str(value.shown)
    return reprlib.repr(value) if isinstance(value, list) and len(value) > 100 else str(value)
