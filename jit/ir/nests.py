"""Tuples and lists that a call gives, which may stand one in the other."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from ..frozen import dataclass
from .types import is_held, is_held_object


@dataclass(frozen=True, slots=True)
class Nest:
    """A tuple, named tuple or list."""

    kind: type[tuple[Any, ...] | list[Any]]
    items: tuple[Nest | None, ...]
    """None for what is no such thing."""


class NotThat(Exception):  # noqa: N818
    """Something that is not as a nest says."""


def nest_of(result: Any) -> Nest | None:
    """What a result is as a nest; None for any other object."""
    if type(result) in (tuple, list) or is_named_tuple(type(result)):
        return Nest(type(result), tuple(map(nest_of, result)))
    return None


def leaves(result: Any, nest: Nest | None) -> Iterator[Any]:
    """The objects in a result that has to be such a nest, in its order.

    Raises:
        NotThat: it is not.
    """
    if nest is None:
        yield result
        return
    if type(result) is not nest.kind or len(result) != len(nest.items):
        raise NotThat
    for item, inner in zip(result, nest.items, strict=True):
        yield from leaves(item, inner)


def is_constant(result: Any) -> bool:
    """Whether a result holds nothing that can change, or is a window, but lists of its own."""
    return all(is_held(one) or is_held_object(one) for one in leaves(result, nest_of(result)))


def is_named_tuple(kind: type) -> bool:
    """Whether a class makes objects of so many items, by them alone, that keep nothing else.

    Classes of `collections.namedtuple` and what is derived from them; SciPy's results have more.
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
    )
