"""Nests: the structure of tuples and lists, possibly nested, that a call returns."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..frozen import dataclass
from .types import is_graph_number, is_graph_object


@dataclass(frozen=True, slots=True)
class Nest:
    """The class and items of a tuple, named tuple or list."""

    kind: type[tuple[Any, ...] | list[Any]]
    items: tuple[Nest | None, ...]
    """None for an item that is neither tuple nor list."""


class OtherStructure(Exception):  # noqa: N818 (named for its reason)
    """A result does not have the structure of the expected nest."""


def nest_of(result: Any) -> Nest | None:
    """Return the structure of a tuple or list; None for any other object."""
    if type(result) in (tuple, list) or is_named_tuple(type(result)):
        return Nest(type(result), tuple(map(nest_of, result)))
    return None


def leaves(result: Any, nest: Nest | None) -> Iterator[Any]:
    """Yield the leaf objects of a result in order, checking that it has this structure.

    Raises:
        OtherStructure: it has another structure.
    """
    if nest is None:
        yield result
        return
    if type(result) is not nest.kind or len(result) != len(nest.items):
        raise OtherStructure
    for item, inner in zip(result, nest.items, strict=True):
        yield from leaves(item, inner)


def is_constant(result: Any) -> bool:
    """True if the result consists of immutable objects, in tuples or new lists."""
    return all(
        is_graph_number(one) or is_graph_object(one) for one in leaves(result, nest_of(result))
    )


def is_named_tuple(kind: type) -> bool:
    """True for named tuple classes whose instances consist of exactly their fields.

    These are classes from `collections.namedtuple` and classes derived from them. SciPy's result
    classes are not: their instances have further attributes.
    """
    fields = getattr(kind, "_fields", None)
    if fields is None or not issubclass(kind, tuple) or kind.__init__ is not object.__init__:
        return False
    code = getattr(kind.__new__, "__code__", None)
    return (
        code is not None
        and code.co_filename.startswith("<string>")
        and code.co_argcount == len(fields) + 1
        and not code.co_flags & inspect.CO_VARKEYWORDS
        and behaves_as_tuple(kind)
    )


class _Plain(NamedTuple):
    """An empty named tuple, to see which methods all named tuples define."""


_OPERATORS = [name.strip("_") for name in operator.__all__]
_LOOKED_UP = {
    "__bool__",
    *(name for name in vars(tuple) if name.startswith("__") and name != "__class_getitem__"),
    *(f"__{name}__" for name in _OPERATORS),
    *(f"__r{name}__" for name in _OPERATORS),
}.difference(vars(_Plain))
"""Special methods that operators and builtins look up on a tuple, except those that every named
tuple defines."""


def behaves_as_tuple(kind: type) -> bool:
    """True if a class derived from tuple overrides no method that operators or builtins use."""
    return all(_found(kind, name) is _found(tuple, name) for name in _LOOKED_UP)


def _found(kind: type, name: str) -> Any:
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
