"""Types of `jit` for type checkers; nothing of this exists when a program runs.

A jitted function keeps its parameters and result. As a method it binds its object, but only its
result type is known, because no checker can drop the first parameter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypedDict, TypeVar

if TYPE_CHECKING:
    from .stages import Traced

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class JitOptions(TypedDict, total=False):
    """The options of `jit`, as in `jit/config.py`."""

    backend: str
    fullgraph: bool
    static: tuple[str, ...]
    verify: bool
    cache: bool
    compile: Literal["auto", "now"]
    threads: int


class Jitted(Protocol[P, R_co]):
    """A jitted function."""

    @property
    def __wrapped__(self) -> Callable[P, R_co]: ...
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    def __get__(self, instance: Any, owner: type[Any] | None = None, /) -> Callable[..., R_co]: ...
    def stats(self) -> dict[str, int]: ...
    def trace(self, *args: P.args, **kwargs: P.kwargs) -> Traced: ...
    def inspect(
        self,
        what: Literal["graph", "guards", "numba", "bytecode"],
        stage: Literal["compiled", "captured"] | None = None,
    ) -> str: ...
