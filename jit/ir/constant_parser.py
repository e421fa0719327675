"""Parses types, attributes and constants: the inverse of `constant_text.py`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..flags import KINDS, NO_MODES, Modes
from .indexing import Index, NewAxis, Number, Part, Ref, Span
from .library_names import Placeholder, named_module, resolve
from .nests import Nest
from .numbers import StoredAs
from .opaque import Bounds, ListOf, OpaqueCall
from .scanner import Scanner
from .types import is_numpy_scalar

NAME = r"[A-Za-z_]\w*"
PATH = rf"{NAME}(?:\.{NAME})*"
_FLOAT = r"-?(?:inf|\d+(?:\.\d*)?(?:e[-+]?\d+)?)"
_WORDS = {"None": None, "True": True, "False": False, "Ellipsis": Ellipsis}
_ORDERED = (("ignored", "ignore"), ("warned", "warn"), ("escalated", "raise"))


def attribute(scan: Scanner, name: str) -> Any:
    """Parse the value of a node's attribute."""
    if name == "call":
        return call(scan)
    if name == "index":
        return index(scan)
    if name == "nest":
        return nest(scan)
    if scan.take("stored as"):
        return StoredAs(dtype(scan))
    return constant(scan)


def modes(scan: Scanner) -> Modes:
    """Parse `errstate(...)` if it follows; it gives the np.errstate modes of a node."""
    if not scan.take("errstate"):
        return NO_MODES
    said: dict[str, set[str]] = {word: set() for _, word in _ORDERED}

    def one() -> None:
        kind = scan.place
        name = scan.need(NAME, "a kind of floating point error")
        if name not in KINDS:
            scan.fail("a kind of floating point error", kind)
        scan.expect("=")
        said[scan.need("ignore|warn|raise", "`ignore`, `warn` or `raise`")].add(name)

    listed(scan, "(", ")", one)
    return Modes(**{field: frozenset(said[word]) for field, word in _ORDERED})


def listed(scan: Scanner, begin: str, end: str, one: Callable[[], Any]) -> list[Any]:
    """Parse comma-separated items between brackets; a trailing comma is allowed."""
    scan.expect(begin)
    items = []
    while not scan.take(end):
        items.append(one())
        if not scan.take(","):
            scan.expect(end)
            break
    return items


# ---- constants -----------------------------------------------------------------------------------


def constant(scan: Scanner) -> Any:
    """Parse a constant or library object; an object that is only named becomes a Placeholder."""
    return _value(scan, constant)


def template(scan: Scanner) -> Any:
    """Parse an argument of an opaque call, which may refer to inputs of the node."""
    found = scan.match(r"#(\d+)")
    if found is not None:
        return Ref(int(found[1]))
    lists = scan.match(r"(list|tolist)\(#(\d+)\)")
    if lists is not None:
        return ListOf(Ref(int(lists[2])), lists[1] == "tolist")
    if scan.match(r"(?=\[)"):
        return listed(scan, "[", "]", lambda: template(scan))
    return _value(scan, template)


def _value(scan: Scanner, item: Callable[[Scanner], Any]) -> Any:
    at = scan.place
    quoted = scan.string()
    if quoted is not None:
        return quoted
    named = scan.match(r"<([^<>\n]*)>")
    if named is not None:
        return Placeholder(named[1])
    if scan.match(r"(?=\()"):
        return _tuple(scan, item)
    for kind in (slice, range):
        if scan.match(rf"{kind.__name__}(?=\()"):
            return _bounds(kind, listed(scan, "(", ")", lambda: item(scan)))
    if scan.match(r"(?=-?(?:\d|inf\b|nan\b))"):
        return _number(scan)
    if scan.match(r"complex(?=\()"):
        return _complex(scan, np.dtype(np.complex128), at).item()
    if scan.take("dtype"):
        return _quoted_dtype(scan)
    if scan.match(r"module (?=\w)"):
        return _module(scan)
    return _named(scan)


def _tuple(scan: Scanner, item: Callable[[Scanner], Any]) -> tuple[Any, ...]:
    """Parse a tuple; `(1)` is one too, as parentheses have no other use here."""
    return tuple(listed(scan, "(", ")", lambda: item(scan)))


def _bounds(kind: type[slice | range], parts: list[Any]) -> Any:
    refers = any(isinstance(part, Ref) for part in parts)
    return Bounds(kind, tuple(parts)) if refers else kind(*parts)


def _number(scan: Scanner) -> int | float:
    whole = scan.match(r"-?(?:0x[0-9a-f]+|\d+)(?![\w.])")
    if whole is not None:
        return int(whole[0], 16 if "x" in whole[0] else 10)
    return float(_real(scan, np.dtype(np.float64)).item())


def _real(scan: Scanner, dtype: np.dtype[Any]) -> Any:
    """Parse a float of this dtype exactly."""
    if scan.take("nan"):
        bits = scan.match(r"\(0x([0-9a-f]+)\)")
        if bits is None:
            return np.array(np.nan, dtype)[()]
        return np.array(int(bits[1], 16), f"u{dtype.itemsize}").view(dtype)[()]
    return dtype.type(float(scan.need(_FLOAT, "a number")))


def _complex(scan: Scanner, dtype: np.dtype[Any], at: int) -> Any:
    part = np.dtype(f"f{dtype.itemsize // 2}")
    parts = listed(scan, "(", ")", lambda: _real(scan, part))
    if len(parts) != 2:
        scan.fail("a real and an imaginary part", at)
    return np.array(parts, part).view(dtype)[0]


def _quoted_dtype(scan: Scanner) -> np.dtype[Any]:
    scan.expect("(")
    at = scan.place
    name = scan.string()
    try:
        found: np.dtype[Any] = np.dtype(name or "")
    except TypeError:
        scan.fail("the name of a dtype", at)
    scan.expect(")")
    return found


def dtype(scan: Scanner) -> np.dtype[Any]:
    """Parse the name of a dtype."""
    at = scan.place
    name = scan.need(NAME, "a dtype")
    try:
        return np.dtype(name)
    except TypeError:
        scan.fail("a dtype", at)


def _module(scan: Scanner) -> Any:
    at = scan.place
    try:
        return named_module(scan.need(PATH, "a module"))
    except LookupError:
        scan.fail("a module of a known library", at)


def _named(scan: Scanner) -> Any:
    at = scan.place
    path = scan.need(PATH, "a constant, or the name of a function")
    if path in _WORDS:
        return _WORDS[path]
    found = _resolved(scan, path, at, "a constant, or the name of a function")
    if is_numpy_scalar(found) and scan.match(r"(?=\()"):
        return _scalar(scan, np.dtype(found), at)
    return found


def _resolved(scan: Scanner, path: str, at: int, expected: str) -> Any:
    """Resolve a dotted path; `at` is its column for the error message."""
    try:
        found = resolve(path)
    except LookupError:
        scan.fail(expected, at)
    if found is operator.attrgetter:
        return found(*listed(scan, "(", ")", scan.string))
    return found


def _scalar(scan: Scanner, dtype: np.dtype[Any], at: int) -> Any:
    """Parse the number in a NumPy scalar such as `float32(0.5)`, after its class name."""
    if dtype.kind == "c":
        return _complex(scan, dtype, at)
    scan.expect("(")
    if dtype.kind == "f":
        made = _real(scan, dtype)
    else:
        number = scan.integer()
        try:
            made = dtype.type(number)
        except OverflowError:
            scan.fail(f"a number of {dtype}", at)
    scan.expect(")")
    return made


# ---- attributes ----------------------------------------------------------------------------------


def function(scan: Scanner) -> Any:
    """Parse a function's path; a function that is only named becomes a Placeholder."""
    named = scan.match(r"<([^<>\n]*)>")
    if named is not None:
        return Placeholder(named[1])
    at, expected = scan.place, "the name of a function"
    return _resolved(scan, scan.need(PATH, expected), at, expected)


def call(scan: Scanner) -> OpaqueCall:
    """Parse an opaque call."""
    called = function(scan)
    kwargs: dict[str, Any] = {}
    args: list[Any] = []

    def one() -> None:
        keyword = scan.match(rf"({NAME})=")
        if keyword is not None:
            kwargs[keyword[1]] = template(scan)
        else:
            args.append(template(scan))

    listed(scan, "(", ")", one)
    return OpaqueCall(called, tuple(args), kwargs)


def nest(scan: Scanner) -> Nest:
    """Parse the nest of a call's result: a tuple, list or named tuple."""
    kinds: dict[str, type[Any]] = {"tuple": tuple, "list": list}
    found = scan.match(r"(tuple|list)(?=\()")
    kind = kinds[found[1]] if found is not None else function(scan)
    return Nest(kind, tuple(listed(scan, "(", ")", lambda: _nest_item(scan))))


def _nest_item(scan: Scanner) -> Nest | None:
    return None if scan.match(r"_(?![\w.])") else nest(scan)


def index(scan: Scanner) -> Index:
    """Parse a basic index."""
    return Index(tuple(listed(scan, "[", "]", lambda: _index_part(scan))))


def _index_part(scan: Scanner) -> Part:
    if scan.take("None"):
        return NewAxis()
    start = _index_number(scan)
    if not scan.take(":"):
        return start if start is not None else scan.fail("a part of an index")
    stop = _index_number(scan)
    step = _index_number(scan) if scan.take(":") else 1
    return Span(start, stop, step if step is not None else scan.fail("a step"))


def _index_number(scan: Scanner) -> Number | None:
    found = scan.match(r"(#?)(-?\d+)")
    if found is None:
        return None
    return Ref(int(found[2])) if found[1] else int(found[2])
