"""Options of a context: `with config(...)`, `with disable()`, @disable; and `graph_break()`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FunctionType, TracebackType
from typing import Any, Self, TypeVar

from ..jit import native
from ..jit.config import Options, check_option
from ..jit.log import asked
from .support import DEFAULT_OPTIONS, check_backend

Function = TypeVar("Function", bound=Callable[..., Any])

_Block = tuple[Options | None, Any, tuple[str, ...]]
"""A block's options, the token of the C core, and the topics that were printed before it."""
_open: ContextVar[tuple[_Block, ...]] = ContextVar("framejit_open", default=())
"""The active blocks of this context, outermost first."""


def current_options() -> Options | None:
    """Return the options in force; None if framejit is switched off."""
    active = _open.get()
    return active[-1][0] if active else DEFAULT_OPTIONS


def _enter(options: Options | None, topics: tuple[str, ...] = ()) -> None:
    supported = native.why_unsupported() is None
    token = native.push_options(options) if supported else None
    before = asked.get()
    _open.set((*_open.get(), (options, token, before)))
    if topics:
        asked.set((*before, *topics))


def _leave() -> None:
    *others, (_, token, before) = _open.get()
    _open.set(tuple(others))
    if asked.get() is not before:
        asked.set(before)
    if token is not None:
        native.pop_options(token)


@contextmanager
def in_force(options: Options) -> Iterator[None]:
    """Put options in force in a block, overriding those around it."""
    _enter(options)
    try:
        yield
    finally:
        _leave()


class config:  # noqa: N801 (called as a function)
    """Set options for the calls inside a `with` block: `with config(backend="numpy"): ...`.

    They apply to this thread and this asyncio task. Options given to a function's decorator win
    over them. Where framejit is switched off it stays off.

    Parameters
    ----------
    **options
        Those of `jit` that do not belong to one function. In addition `log`: a tuple of topics of
        FRAMEJIT_LOG to print to stderr.

    Raises
    ------
    FramejitError
        An unknown option or value; the message lists the valid ones.
    """

    def __init__(self, **options: Any) -> None:
        given = {name: check_option(name, value, "config") for name, value in options.items()}
        if "backend" in given:
            check_backend(given["backend"], "config")
        self._topics: tuple[str, ...] = given.pop("log", ())
        self._changes = given

    def __enter__(self) -> Self:
        options = current_options()
        _enter(None if options is None else options.replace(self._changes), self._topics)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _leave()


class disable:  # noqa: N801 (called as a function)
    """Run everything eagerly: `with disable(): ...`, or `@disable` on a function that stays eager.

    It applies to this thread and this asyncio task. A decorated function switches framejit off for
    the functions it calls, too; generators and coroutines only while they run, not between their
    steps. `f.trace()`, which runs nothing of the program, still works.

    Parameters
    ----------
    function : callable, optional
        The function to decorate; none for a `with` block.

    Raises
    ------
    TypeError
        `function` is not a function.
    """

    def __new__(cls, function: Any = None) -> Any:
        return super().__new__(cls) if function is None else _disabled(function)

    def __call__(self, function: Function) -> Function:
        made: Function = _disabled(function)
        return made

    def __enter__(self) -> Self:
        _enter(None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _leave()


def graph_break() -> None:
    """End the segment here, on purpose; otherwise do nothing."""


def _disabled(function: Any) -> Any:
    if isinstance(function, staticmethod | classmethod):
        return type(function)(_disabled(function.__func__))
    if not callable(function) or isinstance(function, type):
        raise TypeError(
            f"disable: `function` must be a function, not {function!r}: "
            "write `with disable():` around code, or @disable above a def"
        )
    plain = inspect.unwrap(function)
    if inspect.isasyncgenfunction(plain):
        raise TypeError(
            f"disable: `function` is the asynchronous generator function {plain.__qualname__}: "
            "write `with disable():` inside it, around what shall stay eager"
        )
    if inspect.isgeneratorfunction(plain):

        def generator(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            return (yield from _steps(plain(*args, **kwargs)))

        return _like(generator, plain)
    if inspect.iscoroutinefunction(plain):

        async def coroutine(*args: Any, **kwargs: Any) -> Any:
            return await _Awaitable(plain(*args, **kwargs))

        return _like(coroutine, plain)

    def eager(*args: Any, **kwargs: Any) -> Any:
        _enter(None)
        try:
            return plain(*args, **kwargs)
        finally:
            _leave()

    return _like(eager, plain)


def _like(wrapper: FunctionType | Callable[..., Any], plain: Callable[..., Any]) -> Any:
    made = functools.update_wrapper(wrapper, plain)
    made.__framejit_disabled__ = True  # type: ignore[attr-defined]
    return made


class _Awaitable:
    """A coroutine whose steps run with framejit off."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __await__(self) -> Generator[Any, Any, Any]:
        return _steps(self.inner)


def _steps(inner: Any) -> Generator[Any, Any, Any]:
    """Do `yield from inner`, spelled out as in PEP 380, with framejit off while `inner` runs."""
    resume: Callable[..., Any] = inner.send
    given: Any = None
    while True:
        _enter(None)
        try:
            step = resume(given)
        except StopIteration as stop:
            return stop.value
        finally:
            _leave()
        try:
            given = yield step
            resume = inner.send
        except GeneratorExit:
            inner.close()
            raise
        except BaseException as error:
            given, resume = error, inner.throw
