"""Prints attributes, constants and calls; `constant_parser.py` reads them back.

Numbers are printed exactly: signs of zeros, NaN payloads and types of NumPy scalars included. An
object that the text cannot hold is shown by its class or name in angle brackets.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from ..flags import FLAG_KINDS, NO_MODES, Modes
from .indexing import Index, Ref
from .library_names import is_named_module, text_of
from .nests import Nest
from .numbers import StoredAs
from .opaque import Bounds, ListOf, OpaqueCall
from .types import dtype_name, is_numpy_scalar

LONGEST_DECIMAL = 8_000
"""Ints of at most this many bits are printed in decimal whatever `sys.set_int_max_str_digits` says.
"""


def attribute_text(value: Any) -> str:
    """Return the text of a node's attribute."""
    match value:
        case OpaqueCall():
            return _call_text(value)
        case Nest():
            return _nest_text(value)
        case Index():
            return str(value)
        case StoredAs(dtype):
            return f"stored as {dtype_name(dtype)}"
    return constant_text(value)


def modes_text(modes: Modes) -> str:
    """Return the np.errstate modes of a node as text, "" if no block sets any."""
    if modes == NO_MODES:
        return ""
    known = ((modes.ignored, "ignore"), (modes.warned, "warn"), (modes.escalated, "raise"))
    said = [f"{kind}={word}" for _, kind, _ in FLAG_KINDS for kinds, word in known if kind in kinds]
    return f" errstate({', '.join(said)})"


def constant_text(value: Any) -> str:
    """Return the text of a constant or library object; never calls a `__repr__` of the user's."""
    kind = type(value)
    if value is None or value is Ellipsis or kind in (bool, str, bytes):
        return repr(value)
    if kind is int:
        return hex(value) if value.bit_length() > LONGEST_DECIMAL else repr(value)
    if kind is float:
        return _real_text(np.float64(value))
    if kind is complex:
        return f"complex({_parts_text(np.complex128(value))})"
    if kind in (slice, range):
        return _bounds_text(kind, (value.start, value.stop, value.step))
    if kind is tuple:
        return _tuple_text([constant_text(one) for one in value])
    if isinstance(value, np.dtype):
        return _dtype_text(value)
    if is_numpy_scalar(kind):
        return _scalar_text(value)
    if kind is ModuleType and is_named_module(value):
        return f"module {value.__name__}"
    return text_of(value)


def _real_text(value: Any) -> str:
    """Return the shortest digits that give exactly this float.

    For NaNs other than plain, the bits.
    """
    if value != value:
        bits = value.view(f"u{value.itemsize}")
        plain = np.array(np.nan, value.dtype)[()].view(bits.dtype)
        return "nan" if bits == plain else f"nan({hex(bits)})"
    exact = repr(float(value))
    if value.dtype.char == "d":
        return exact
    short = str(value)
    try:
        same = value.dtype.type(float(short)).tobytes() == value.tobytes()
    except ValueError:  # np.set_printoptions(legacy=...)
        return exact
    return short if same else exact


def _parts_text(value: Any) -> str:
    return f"{_real_text(value.real)}, {_real_text(value.imag)}"


def _scalar_text(value: Any) -> str:
    if value.dtype.kind == "b":
        return f"np.{bool(value)}_"
    name = dtype_name(value.dtype)
    if value.dtype.kind == "c":
        return f"np.{name}({_parts_text(value)})"
    return f"np.{name}({_real_text(value) if value.dtype.kind == 'f' else int(value)})"


def _dtype_text(dtype: np.dtype[Any]) -> str:
    try:
        name = dtype_name(dtype)
        same = np.dtype(name) == dtype and dtype.metadata is None
    except TypeError:  # of records, and others that need more than a name
        same = False
    return f"dtype({name!r})" if same else "<dtype>"


def _tuple_text(items: list[str]) -> str:
    return f"({', '.join(items)}{',' * (len(items) == 1)})"


def _bounds_text(kind: type, parts: tuple[Any, ...]) -> str:
    return f"{kind.__name__}({', '.join(map(template_text, parts))})"


def template_text(value: Any) -> str:
    """Return the text of an opaque call's argument, which may refer to inputs of the node."""
    match value:
        case Ref():
            return str(value)
        case Bounds(kind, parts):
            return _bounds_text(kind, parts)
        case ListOf(ref, python):
            return f"{'tolist' if python else 'list'}({ref})"
    if type(value) is list:
        return f"[{', '.join(map(template_text, value))}]"
    if type(value) is tuple:
        return _tuple_text([template_text(one) for one in value])
    return constant_text(value)


def _call_text(call: OpaqueCall) -> str:
    args = [template_text(arg) for arg in call.args]
    args += [f"{name}={template_text(value)}" for name, value in call.kwargs.items()]
    return f"{text_of(call.function)}({', '.join(args)})"


def _nest_text(nest: Nest) -> str:
    names = {tuple: "tuple", list: "list"}
    items = ", ".join("_" if item is None else _nest_text(item) for item in nest.items)
    return f"{names.get(nest.kind) or text_of(nest.kind)}({items})"
