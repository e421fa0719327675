"""Models: classes whose objects stand for those of a class in C that a segment makes.

A model has no attributes. Its objects hold values under names that only framejit reads, most of
them lists, and its methods are Python functions that are given these values in place of `self`.
They do not call each other, since a call of one is a call of the method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ....jit.frozen import dataclass
from .python_bodies import add_module

_MADE_WITHOUT: Final = frozenset(
    ("__class__", "__class_getitem__", "__doc__", "__init__", "__init_subclass__", "__new__")
)
"""Names in classes that no operation on an object looks up."""


@dataclass(frozen=True, slots=True)
class Model:
    """A class in C and what stands for it."""

    kind: type
    """The class in C."""
    build: Callable[..., object]
    """Makes the object at an exit; it gets the values that the first `parts` names hold."""
    parts: int
    methods: dict[str, Callable[..., Any]]
    ordered: bool
    """True if its list holds the items in the order in which loops go through them."""
    maps: bool
    """True for a dict: its objects hold `keys`, `values` and `slots`."""

    def name_of(self, method: object) -> str:
        """Return the name under which the class in C has a method."""
        return next(name for name, function in self.methods.items() if function is method)


MODELS: dict[type, Model] = {}
"""Models by the class of their symbolic objects."""


def model(  # noqa: PLR0913 (a column of the table each)
    kind: type,
    build: Callable[..., object],
    parts: int,
    methods: dict[str, Callable[..., Any]],
    *,
    ordered: bool,
    maps: bool = False,
    handled: tuple[str, ...] = (),
) -> type:
    """Register a model and return the class of its symbolic objects.

    Each method of the class in C that the model does not have refuses to be called; handlers know
    what the `handled` ones do.
    """
    for function in methods.values():
        add_module(function)
    methods = {**methods, **{name: _refusal(kind, name) for name in handled}}
    names = set(dir(kind)) - _MADE_WITHOUT - set(methods)
    refusing = {name: _refusal(kind, name) for name in names if callable(getattr(kind, name))}
    made = type(kind.__name__, (), {**methods, **refusing, "__hash__": _refusal(kind, "__hash__")})
    MODELS[made] = Model(kind, build, parts, methods, ordered, maps)
    return made


def _refusal(kind: type, name: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotImplementedError

    refuse.__qualname__ = f"{kind.__name__}.{name}"
    return refuse


def model_of(class_: type) -> Model | None:
    """Return the model of a symbolic object's class, or that of a class in C; None without one."""
    of_c = (one for one in MODELS.values() if one.kind is class_)
    return MODELS.get(class_) or next(of_c, None)


def kind_of(class_: type) -> type:
    """Return the class that a program sees for a symbolic object's class."""
    known = MODELS.get(class_)
    return class_ if known is None else known.kind
