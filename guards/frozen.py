"""A `dataclass` decorator for frozen classes with slots, three times as fast as the standard one.

The library has some 180 such classes. The standard decorator compiles source text for each of their
methods; here one function per method serves all classes, and only the constructor is compiled from
text: it stores through the slots' descriptors. Type checkers see `dataclasses.dataclass`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, **options):
        """Stand in for `dataclasses.dataclass`; only `frozen` with `slots` takes the fast path."""
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, slots=slots, eq=eq, **options)
        if not (frozen and slots):
            return dataclasses.dataclass(cls, frozen=frozen, slots=slots, eq=eq, **options)
        own = vars(cls)
        made = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=True, **options)
        for name, method in _methods(made, eq).items():
            if own.get(name) is None:
                setattr(made, name, method)
        return made


def _methods(made: Any, eq: bool) -> dict[str, Any]:
    """Return the methods of a frozen dataclass with slots; those the class defines itself win."""
    fields = dataclasses.fields(made)
    methods = {
        "__init__": _constructor(made, fields),
        "__repr__": _repr,
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
        "__getstate__": _state,
        "__setstate__": _set_state,
    }
    if eq:
        names = [one.name for one in fields if one.compare]
        methods["__eq__"], methods["__hash__"] = _comparing(names)
    return methods


def _constructor(made: Any, fields: Any) -> Any:
    space: dict[str, Any] = {"missing": MISSING}
    args, lines = ["self"], []
    for one in fields:
        name, value = one.name, one.name
        if not one.init:
            continue
        space[f"set_{name}"] = getattr(made, name).__set__
        if one.default_factory is not MISSING:
            space[f"new_{name}"] = one.default_factory
            value = f"new_{name}() if {name} is missing else {name}"
            name += "=missing"
        elif one.default is not MISSING:
            space[f"default_{name}"] = one.default
            name += f"=default_{name}"
        args.append(name)
        lines.append(f" set_{one.name}(self, {value})")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(args)}):\n" + ("\n".join(lines) or " pass"), space)
    return space["__init__"]


def _comparing(names: list[str]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return `__eq__` and `__hash__` that use the fields of these names."""
    if len(names) > 1:
        key: Callable[[Any], Any] = attrgetter(*names)
    else:

        def key(one: Any) -> Any:
            return tuple([getattr(one, name) for name in names])

    def equals(self: Any, other: Any) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(key(self))

    return equals, hashed


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [one.name for one in dataclasses.fields(self) if one.repr]
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({values})"


def _refuse_to_set(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
