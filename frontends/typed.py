"""What type checkers know of `jit`: nothing of this is there when a program runs.

A jitted function keeps its parameters and its result. As a method it takes its object like any
function, and tells of its result only: no checker can take the first parameter away from others.
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
    """The options of `jit`, as `jit/config.py` has them."""

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
