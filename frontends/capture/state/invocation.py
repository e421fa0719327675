"""A call being captured: its frame, callee and arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Any

from ....jit.frozen import dataclass
from ..values.symbolic import (
    Instance,
    JittedFunction,
    Known,
    Method,
    NewFunction,
    Symbolic,
    UserFunction,
)
from ..values.wording import in_words
from .frame import Frame
from .live import OF_C_TYPES, realise
from .machine import Machine


@dataclass(frozen=True, slots=True)
class Invocation:
    """The arguments of a call, and the frame that makes it."""

    machine: Machine
    frame: Frame
    arguments: tuple[Symbolic, ...]
    keywords: dict[str, Symbolic]

    def realised(self) -> list[Symbolic]:
        """Return the positional arguments, guarded for what they are."""
        return [realise(self.machine, value) for value in self.arguments]

    def realised_keywords(self) -> dict[str, Symbolic]:
        """Return the keyword arguments, guarded for what they are."""
        return {name: realise(self.machine, value) for name, value in self.keywords.items()}

    def of(self, *first: Symbolic) -> Invocation:
        """Return the same call with these arguments in front."""
        return replace(self, arguments=(*first, *self.arguments))


Handler = Callable[[Invocation], "Symbolic | None"]
"""Captures the call of a known callable; a result of None means a break."""


def is_of_a_users_class(object_: Any) -> bool:
    """True if reading attributes or the hash of a callable may run code of the user's."""
    classes = type(object_).__mro__
    called = next((vars(one)["__call__"] for one in classes if "__call__" in vars(one)), None)
    home = str(vars(classes[0]).get("__module__", ""))
    return type(called) is FunctionType and home.split(".")[0] not in ("numpy", "scipy")


def name_of(callee: Symbolic) -> str:
    """Return the name of a callee for messages."""
    if isinstance(callee, Method):
        return f"the method `{callee.name}`"
    if isinstance(callee, Instance) and issubclass(callee.kind, OF_C_TYPES):
        return f"`{callee.object.__qualname__}`"
    if isinstance(callee, Known):
        object_ = callee.object
        if is_of_a_users_class(object_):
            return f"an object of `{type(object_).__qualname__}`"
        name = getattr(object_, "__qualname__", None) or getattr(object_, "__name__", None)
        module = getattr(object_, "__module__", None) or ""
        prefix = f"{module}." if module not in ("", "builtins", "__main__") else ""
        return f"`{prefix}{name or type(object_).__name__}`"
    if isinstance(callee, UserFunction | JittedFunction):
        return f"`{callee.object.__qualname__}`"
    if isinstance(callee, NewFunction):
        return f"`{callee.code.co_qualname}`"
    source = getattr(callee, "source", None)
    return str(source) if source is not None else in_words(callee)
