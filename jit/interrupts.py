"""Exceptions that a signal handler of the program's raised while framejit was at work.

Handlers run between any two bytecode instructions, framejit's own too: what they raise is for the
program, such as the TimeoutError of an alarm, and is no failure of what it came out of.
"""

from __future__ import annotations

import signal
from types import CodeType

Place = tuple[str, int, str]


def raised_by_handler(error: BaseException) -> BaseException | None:
    """The exception of a signal handler that `error` is, or that it was made from; else None."""
    handlers = _handlers()
    seen: set[int] = set()
    at: BaseException | None = error
    while handlers and at is not None and id(at) not in seen:
        seen.add(id(at))
        trace = at.__traceback__
        while trace is not None:
            if _place(trace.tb_frame.f_code) in handlers:
                return at
            trace = trace.tb_next
        at = at.__cause__ or at.__context__
    return None


def _place(code: CodeType) -> Place:
    """What tells code apart; a frame may run it rewritten, which is another object."""
    return code.co_filename, code.co_firstlineno, code.co_qualname


def _handlers() -> set[Place]:
    """The code of the handlers that are functions or methods."""
    found = set()
    for number in range(1, signal.NSIG):
        handler = signal.getsignal(number)
        code = getattr(getattr(handler, "__func__", handler), "__code__", None)
        if isinstance(code, CodeType):
            found.add(_place(code))
    return found
