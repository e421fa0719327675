"""Parses types, the inverse of `str`, and typed values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .constant_parser import PATH, dtype, function, listed
from .graph import Value
from .library_names import resolve
from .scanner import Scanner
from .types import (
    PYTHON_NAMES,
    ArrayType,
    Dim,
    Layout,
    ListType,
    ObjectsType,
    ObjectType,
    ScalarType,
    Sym,
    Type,
)

VALUE = r"%\w+"
_PYTHON = {name: ScalarType(np.dtype(char), python=True) for char, name in PYTHON_NAMES.items()}
_LAYOUT = re.compile(r"((?:[-+0]\d)+)( gaps)?( strided)?( crossing)?")
_SIGNS = {"+": 1, "-": -1, "0": 0}


def type_(scan: Scanner) -> Type:
    """Parse a type."""
    if scan.match(r"list of (?=\S)"):
        return _list_type(scan)
    if scan.match(r"(?=\w+\[)"):
        return _array_type(scan)
    if scan.match(r"(?=<)"):
        return _object_type(function(scan))
    at = scan.place
    path = scan.need(PATH, "a type")
    if path in _PYTHON:
        return _PYTHON[path]
    try:
        found = resolve(path)
    except LookupError:
        scan.fail("a type", at)
    if not isinstance(found, type):
        scan.fail("a type", at)
    if issubclass(found, np.generic):
        return ScalarType(np.dtype(found), python=False)
    return _object_type(found)


def _object_type(kind: Any) -> ObjectType:
    return ObjectType(np.dtype(object), True, kind)


def _list_type(scan: Scanner) -> Type:
    ours = scan.match(r"own (?=objects )") is not None
    if scan.match(r"objects (?=\S)"):
        return ObjectsType.of_items(type_(scan), ours)
    at = scan.place
    item = type_(scan)
    if type(item) is not ScalarType:
        scan.fail("the type of a number", at)
    return ListType(item.dtype, item.python)


def _array_type(scan: Scanner) -> ArrayType:
    found = dtype(scan)
    dims = tuple(listed(scan, "[", "]", lambda: _dim(scan)))
    return ArrayType(found, dims, _layout(scan, len(dims)))


def _dim(scan: Scanner) -> Dim:
    text = scan.need(r"s?-?\d+", "a length")
    return Sym(int(text[1:])) if text[0] == "s" else int(text)


def _layout(scan: Scanner, ndim: int) -> Layout:
    at = scan.place
    found = scan.match(_LAYOUT)
    if found is None:
        return Layout.contiguous(ndim)
    axes, *words = found.groups()
    order = tuple(int(axis) for axis in axes[1::2])
    if sorted(order) != list(range(ndim)):
        scan.fail(f"each of {ndim} axes once", at)
    sign_of = {axis: _SIGNS[sign] for sign, axis in zip(axes[::2], order, strict=True)}
    gaps, strided, crossing = (word is not None for word in words)
    signs = tuple(sign_of[axis] for axis in range(ndim))
    return Layout(order, signs, not gaps, not strided, not crossing)


@dataclass(slots=True)
class Names:
    """The values of a graph by name."""

    values: dict[str, Value] = field(default_factory=dict)

    def define(self, scan: Scanner) -> Value:
        """Parse a value's definition with its type."""
        at = scan.place
        name = scan.need(VALUE, "a value")
        scan.expect(":")
        return self.add(scan, name, type_(scan), at)

    def add(self, scan: Scanner, name: str, made: Type, at: int) -> Value:
        """Define a value; `at` is the column of its name, for errors."""
        if name in self.values:
            scan.fail("a name that no other value has", at)
        value = self.values[name] = Value(made)
        return value

    def read(self, scan: Scanner) -> Value:
        """Parse a reference to a value that is defined already."""
        at = scan.place
        name = scan.need(VALUE, "a value")
        return self.values[name] if name in self.values else scan.fail("a value known here", at)
