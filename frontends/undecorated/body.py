"""Captures the body of a module: code whose variables are the items of a dict.

The code object of a script, of `-m`, `-c`, a notebook cell or `exec` with one dict runs once, so an
entry for calls is useless. Its loops take the time: a stub precedes each outermost loop header.
"""

from __future__ import annotations

import builtins
from types import CodeType, FunctionType
from typing import Any

from ...jit import native
from ..bytecode.rewrite import rewrite
from ..runtime.function import Manager
from .policy import FUNCTION


def why_no_body(code: CodeType, globals_: Any, locals_: Any) -> str | None:
    """Return the reason why code with these two mappings is no module body; None if it is one.

    Names of a body are items of one plain dict. In a class body, and under `exec` with two
    mappings, a name may be in either.
    """
    if code.co_flags & FUNCTION or code.co_freevars:
        return "the code of a function"
    if locals_ is not globals_:
        return "local names that are not the global ones"
    if type(globals_) is not dict:
        return "a namespace of a class of its own"
    if globals_.get("__builtins__", builtins) not in (builtins, builtins.__dict__):
        return "other builtins than the interpreter's"
    return None


class ModuleBody(Manager):
    """Captures the loops of a module body and keeps its rewritten code."""

    code: CodeType
    """The newest version; the body's own code if nothing is gained."""

    @property
    def calls(self) -> int:
        """The number of times that one of its stubs was reached."""
        points = self.segmented.points.values() if self.segmented is not None else ()
        return sum(segment.calls for point in points for segment in point.segments)

    def start(self) -> bool:
        """Make the first version, with a stub at each outermost loop; a capture action."""
        if not self.take_kept():
            self.code_with_segments().start_at_loops()
        return True

    def install(self, code: CodeType) -> None:
        """Store the code; frames run it from the next loop on."""
        native.hook_mark(code, native.MARK_SKIP, "rewritten")
        self.code = code

    def give_up(self) -> None:
        """Install the body's own code, without stubs."""
        rule = "breaks" if self.journal.arrivals else "no-arrays"
        self.journal.skipped(rule, 0)
        self.install(rewrite(self.flow.decoded, (), self.flow))


def body_of(code: CodeType, namespace: dict[str, Any]) -> ModuleBody:
    """Prepare a module body for capture in this namespace; run the `code` of the result.

    `why_no_body` must have returned None. The segments read and write names in this very dict.
    """
    function = FunctionType(code, namespace)
    body = ModuleBody(function, {}, hooked=True)
    body.code = code
    body.dispatcher = native.Dispatcher(function, body)
    body.dispatcher._closed = 1
    body.guarded_capture(body.start)
    return body
