"""`dataclass` and `field`, several times as fast as those of the standard library.

The library has some 400 such classes. The standard decorator compiles source text for each of their
methods and makes an object for each field. Here one function per method serves all classes, and
only the constructor is compiled from text; that of a frozen class with slots stores through their
descriptors. The fields that functions of `dataclasses` read are made when they are read first;
`dataclasses` itself takes longer to import than most modules here. Type checkers see those of the
standard library.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, **options):
        """Stand in for `dataclasses.dataclass`; frozen classes without slots are left to it."""
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, slots=slots, eq=eq, **options)
        if frozen and not slots:
            import dataclasses

            return dataclasses.dataclass(cls, frozen=True, eq=eq, **options)
        return _made(cls, {"slots": slots, **options}, is_frozen=frozen, eq=eq)

    def field(**facts):
        """Stand in for `dataclasses.field`."""
        return _Field(facts)


class _Missing:
    """The class of the default of a field that has none."""

    def __repr__(self) -> str:
        return "missing"


_REQUIRED: Any = _Missing()
_LAZY = ("__dataclass_fields__", "__dataclass_params__")
"""Attributes by which `dataclasses` describes a class."""


class _Field:
    """A field that is more than a name with a default."""

    __slots__ = ("compare", "default", "factory", "init", "kw_only", "repr")

    def __init__(self, facts: dict[str, Any]) -> None:
        self.default = facts.pop("default", _REQUIRED)
        self.factory = facts.pop("default_factory", None)
        self.init = facts.pop("init", True)
        self.repr = facts.pop("repr", True)
        self.compare = facts.pop("compare", True)
        self.kw_only = False
        if facts:
            raise TypeError(f"field: unknown {', '.join(facts)}")

    def of_dataclasses(self) -> Any:
        """Return what `dataclasses` would have made."""
        import dataclasses

        given: dict[str, Any] = {"init": self.init, "repr": self.repr, "compare": self.compare}
        if self.factory is not None:
            given["default_factory"] = self.factory
        elif self.default is not _REQUIRED:
            given["default"] = self.default
        return dataclasses.field(kw_only=self.kw_only, **given)


_known: dict[type, dict[str, _Field]] = {}
"""The fields of the classes that were made here, inherited ones first."""


def _made(cls: type, options: dict[str, Any], *, is_frozen: bool, eq: bool) -> Any:
    """Return the class with the methods of a dataclass; those that it has itself win."""
    made: Any
    own = vars(cls)
    fields = _fields(cls, kw_only=options.get("kw_only", False))
    if fields is None or options.keys() - {"slots", "weakref_slot", "kw_only"}:
        made, fields = _of_standard(cls, options)
    else:
        made = _with_slots(cls, fields, options) if options["slots"] else _without(cls, fields)
        if "__match_args__" not in own:
            positional = (name for name, one in fields.items() if one.init and not one.kw_only)
            setattr(made, "__match_args__", tuple(positional))  # noqa: B010 (mypy refuses the other form)
        for name in _LAZY:
            setattr(made, name, _Lazy(made, cls, name))
        _known[made] = fields
    methods: dict[str, Any] = {"__repr__": _repr}
    if "__init__" not in own:
        methods["__init__"] = _constructor(made, fields, is_frozen)
    if is_frozen:
        methods |= _OF_FROZEN
    if eq:
        compared = [name for name, one in fields.items() if one.compare]
        methods["__eq__"], hashed = _comparing(compared)
        methods["__hash__"] = hashed if is_frozen else None
    for name, method in methods.items():
        if own.get(name) is None:
            setattr(made, name, method)
    return made


def _fields(cls: type, *, kw_only: bool) -> dict[str, _Field] | None:
    """Return the class's fields; None if one is of the standard library or takes its place."""
    fields: dict[str, _Field] = {}
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
        one = default if isinstance(default, _Field) else _Field({"default": default})
        one.kw_only = kw_only
        fields[name] = one
    return fields


def _is_inherited(cls: type, name: str) -> bool:
    return any(hasattr(base, name) for base in cls.__bases__)


def _with_slots(cls: Any, fields: dict[str, _Field], options: dict[str, Any]) -> Any:
    """Make the class again, with slots for those of the fields that no base has."""
    own = [name for name in fields if not _is_inherited(cls, name)]
    left_out = {*own, "__dict__", "__weakref__"}
    space = {name: value for name, value in vars(cls).items() if name not in left_out}
    if options.get("weakref_slot") and not _is_inherited(cls, "__weakref__"):
        own.append("__weakref__")
    made = type(cls)(cls.__name__, cls.__bases__, {**space, "__slots__": tuple(own)})
    made.__qualname__ = cls.__qualname__
    return made


def _without(cls: Any, fields: dict[str, _Field]) -> Any:
    """Return the class itself, whose attributes are the defaults."""
    for name, one in fields.items():
        if isinstance(vars(cls).get(name), _Field):
            delattr(cls, name)
            if one.default is not _REQUIRED:
                setattr(cls, name, one.default)
    return cls


class _Lazy:
    """An attribute that `dataclasses` makes of a class without slots, when it is read."""

    def __init__(self, made: type, original: type, name: str) -> None:
        self.made, self.original, self.name = made, original, name

    def __get__(self, instance: Any, owner: type) -> Any:
        import dataclasses

        fields, kinds = _known[self.made], vars(self.original).get("__annotations__", {})
        space = {name: fields[name].of_dataclasses() for name in kinds if name in fields}
        shadow: Any = type(self.original)(
            self.original.__name__,
            self.original.__bases__,
            {"__annotations__": kinds, "__module__": self.original.__module__, **space},
        )
        dataclasses.dataclass(shadow, init=False, repr=False, eq=False)
        for name in _LAZY:
            setattr(self.made, name, vars(shadow)[name])
        return getattr(self.made, self.name)


def _of_standard(cls: Any, options: dict[str, Any]) -> tuple[Any, dict[str, _Field]]:
    """Return the class that `dataclasses` makes without methods, and its fields."""
    from dataclasses import MISSING, dataclass, fields

    made: Any = dataclass(cls, init=False, repr=False, eq=False, **options)
    found = {}
    for one in fields(made):
        facts: dict[str, Any] = {"init": one.init, "repr": one.repr, "compare": one.compare}
        if one.default is not MISSING:
            facts["default"] = one.default
        if one.default_factory is not MISSING:
            facts["default_factory"] = one.default_factory
        found[one.name] = _Field(facts)
        found[one.name].kw_only = bool(one.kw_only)
    return made, found


def _constructor(made: Any, fields: dict[str, _Field], is_frozen: bool) -> Any:
    """Compile `__init__` with these fields and their defaults, or what makes a default."""
    # By the name of their module the frame hook tells framejit's functions from the program's.
    space: dict[str, Any] = {"missing": _REQUIRED, "__name__": made.__module__}
    args, keywords, lines = ["self"], ["*"], []
    for name, one in fields.items():
        arg, value = name, name
        if one.factory is not None:
            space[f"new_{name}"] = one.factory
            value = f"new_{name}()"
            if one.init:
                value += f" if {name} is missing else {name}"
            arg += "=missing"
        elif one.default is not _REQUIRED:
            space[f"default_{name}"] = one.default
            arg += f"=default_{name}"
            value = name if one.init else f"default_{name}"
        elif not one.init:
            continue
        if one.init:
            (keywords if one.kw_only else args).append(arg)
        if is_frozen:
            space[f"set_{name}"] = getattr(made, name).__set__
        lines.append(f" set_{name}(self, {value})" if is_frozen else f" self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append(" self.__post_init__()")
    args += keywords if len(keywords) > 1 else []
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


_OF_FROZEN = {
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _set_state,
}
"""Methods of a frozen class with slots."""
