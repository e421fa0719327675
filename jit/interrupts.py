"""Exceptions of the program's own that come between framejit's instructions.

Signal handlers run between any two bytecode instructions, and there an exception arrives that
another thread has sent (PyThreadState_SetAsyncExc): both are for the program, such as the
TimeoutError of an alarm, and no failure of what they came out of.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType

Place = tuple[str, int, str]


_OURS = frozenset(
    {__name__.split(".", 1)[0], "numpy", "scipy", "numba", "llvmlite", "bytecode"}
    | {*sys.stdlib_module_names}
)
"""Where frames and exceptions of framejit and of what it uses are from."""


def meant_for_program(error: BaseException) -> BaseException | None:
    """The exception of the program's that `error` is, or that it was made from; else None."""
    from traceback import walk_tb  # seldom needed, and half a millisecond of every start

    handlers = _handlers()
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        frames = [frame for frame, _ in walk_tb(at.__traceback__)]
        if any(_place(frame.f_code) in handlers for frame in frames) or _was_sent(at, frames):
            return at
        at = at.__cause__ or at.__context__
    return None


def _was_sent(error: BaseException, frames: list[FrameType]) -> bool:
    """Whether an exception of the program's own class came where framejit alone is at work."""
    module = str(vars(type(error)).get("__module__", "builtins"))  # types of C have none
    return bool(frames) and not _is_ours(module) and _is_ours(_module(frames[-1]))


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _is_ours(module: str) -> bool:
    return module.split(".", 1)[0] in _OURS


def _place(code: CodeType) -> Place:
    """What tells code apart; a frame may run it rewritten, which is another object."""
    return code.co_filename, code.co_firstlineno, code.co_qualname


def _handlers() -> set[Place]:
    """The code of the handlers that are functions or methods."""
    import signal

    found = set()
    for number in range(1, signal.NSIG):
        handler = signal.getsignal(number)
        code = getattr(getattr(handler, "__func__", handler), "__code__", None)
        if isinstance(code, CodeType):
            found.add(_place(code))
    return found
