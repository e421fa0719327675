"""Recognises exceptions that are meant for the program but arrive while framejit runs.

Signal handlers run between any two bytecode instructions, and exceptions from other threads
(PyThreadState_SetAsyncExc) arrive there too. They are for the program, such as the TimeoutError of
an alarm, and do not mean that framejit failed.
"""

from __future__ import annotations

import sys
from types import CodeType, FrameType

Place = tuple[str, int, str]


_OURS = frozenset(
    {__name__.split(".", 1)[0], "numpy", "scipy", "numba", "llvmlite", "bytecode"}
    | {*sys.stdlib_module_names}
)
"""Top-level packages whose frames and exceptions are not the program's."""


def meant_for_program(error: BaseException) -> BaseException | None:
    """Return the program's exception that `error` is, or was raised from; else None."""
    from traceback import walk_tb  # half a millisecond at start, and rarely needed

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
    """True if an exception of the program's class was raised where only framejit's code runs."""
    module = str(vars(type(error)).get("__module__", "builtins"))  # types of C have none
    return bool(frames) and not _is_ours(module) and _is_ours(_module(frames[-1]))


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _is_ours(module: str) -> bool:
    return module.split(".", 1)[0] in _OURS


def _place(code: CodeType) -> Place:
    """Return a key of a code object that is equal for its rewritten copies."""
    return code.co_filename, code.co_firstlineno, code.co_qualname


def _handlers() -> set[Place]:
    """Return the code of signal handlers that are functions or methods."""
    import signal

    found = set()
    for number in range(1, signal.NSIG):
        handler = signal.getsignal(number)
        code = getattr(getattr(handler, "__func__", handler), "__code__", None)
        if isinstance(code, CodeType):
            found.add(_place(code))
    return found
