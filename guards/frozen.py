"""A `dataclass` decorator for frozen classes with slots, several times as fast as the standard one.

The library has some 280 such classes. The standard decorator compiles source text for each of their
methods and makes an object for each field. Here one function per method serves all classes, and
only the constructor is compiled from text: it stores through the slots' descriptors. The fields
that functions of `dataclasses` read are made when they are read first; `dataclasses` itself takes
longer to import than most modules here. Type checkers see `dataclasses.dataclass`.
"""

from __future__ import annotations

from collections.abc import Callable
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
            import dataclasses

            return dataclasses.dataclass(cls, frozen=frozen, slots=slots, eq=eq, **options)
        own = vars(cls)
        parameters = None if options else _parameters(cls)
        if parameters is None:
            made, constructor, compared = _of_fields(cls, options)
        else:
            made = _with_slots(cls, tuple(parameters))
            _known[made] = parameters
            constructor, compared = _constructor(made, parameters, {}), [*parameters]
        for name, method in _methods(constructor, compared if eq else None).items():
            if own.get(name) is None:
                setattr(made, name, method)
        return made


_REQUIRED: Any = object()
"""The default of a field that has none."""
_LAZY = ("__dataclass_fields__", "__dataclass_params__")
"""Attributes by which `dataclasses` describes a class."""
_known: dict[type, dict[str, Any]] = {}
"""Class -> its fields, inherited ones first, with their defaults; of classes with simple fields."""


def _parameters(cls: type) -> dict[str, Any] | None:
    """Return the class's fields with their defaults; None if a field is more than that."""
    fields: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        if base in _known:
            fields.update(_known[base])
        elif _LAZY[0] in vars(base):
            return None
    for name, kind in vars(cls).get("__annotations__", {}).items():
        if not isinstance(kind, str) or "InitVar" in kind or "KW_ONLY" in kind:
            return None
        if "ClassVar" in kind:
            continue
        default = vars(cls).get(name, _REQUIRED)
        if type(default).__module__ == "dataclasses" or _is_inherited(cls, name):
            return None
        fields[name] = default
    return fields


def _is_inherited(cls: type, name: str) -> bool:
    return any(hasattr(base, name) for base in cls.__bases__)


def _with_slots(cls: Any, names: tuple[str, ...]) -> Any:
    """Make the class again, with slots for those of the names that no base has."""
    own = [name for name in names if not _is_inherited(cls, name)]
    left_out = {*own, "__dict__", "__weakref__"}
    space = {name: value for name, value in vars(cls).items() if name not in left_out}
    space = {"__match_args__": names, **space, "__slots__": tuple(own)}
    made = type(cls)(cls.__name__, cls.__bases__, space)
    made.__qualname__ = cls.__qualname__
    for name in _LAZY:
        setattr(made, name, _Lazy(made, cls, name))
    return made


class _Lazy:
    """An attribute that `dataclasses` makes of the class without slots, when it is read."""

    def __init__(self, made: type, original: type, name: str) -> None:
        self.made, self.original, self.name = made, original, name

    def __get__(self, instance: Any, owner: type) -> Any:
        import dataclasses

        dataclasses.dataclass(self.original, init=False, repr=False, eq=False)
        for name in _LAZY:
            setattr(self.made, name, getattr(self.original, name))
        return getattr(self.made, self.name)


def _of_fields(cls: Any, options: dict[str, Any]) -> tuple[Any, Any, list[str]]:
    """Return the class that `dataclasses` makes, a constructor, and which fields are compared."""
    from dataclasses import MISSING, dataclass, fields

    made: Any = dataclass(cls, init=False, repr=False, eq=False, slots=True, **options)
    known, factories = {}, {}
    for one in fields(made):
        if one.default_factory is not MISSING:
            factories[one.name] = one.default_factory
        if one.init:
            known[one.name] = _REQUIRED if one.default is MISSING else one.default
    compared = [one.name for one in fields(made) if one.compare]
    return made, _constructor(made, known, factories), compared


def _methods(constructor: Any, compared: list[str] | None) -> dict[str, Any]:
    """Return the methods of a frozen dataclass with slots; those the class defines itself win."""
    methods = {
        "__init__": constructor,
        "__repr__": _repr,
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
        "__getstate__": _state,
        "__setstate__": _set_state,
    }
    if compared is not None:
        methods["__eq__"], methods["__hash__"] = _comparing(compared)
    return methods


def _constructor(made: Any, fields: dict[str, Any], factories: dict[str, Any]) -> Any:
    """Compile `__init__` with these parameters and their defaults, or what makes a default."""
    space: dict[str, Any] = {"missing": _REQUIRED}
    args, lines = ["self"], []
    for name, default in fields.items():
        arg, value = name, name
        space[f"set_{name}"] = getattr(made, name).__set__
        if name in factories:
            space[f"new_{name}"] = factories[name]
            value = f"new_{name}() if {name} is missing else {name}"
            arg += "=missing"
        elif default is not _REQUIRED:
            space[f"default_{name}"] = default
            arg += f"=default_{name}"
        args.append(arg)
        lines.append(f" set_{name}(self, {value})")
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
    from dataclasses import fields

    shown = [one.name for one in fields(self) if one.repr]
    values = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({values})"


def _refuse_to_set(self: Any, name: str, value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    from dataclasses import fields

    return [getattr(self, one.name) for one in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    from dataclasses import fields

    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
