"""The Python side of one jitted function: captures on a miss, counts, explains."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any

from ..backends.registry import EAGER
from ..guards.sources import Live
from ..jit.config import Options, debug_mode
from ..jit.errors import FramejitError
from ..jit.ir.graph import Recipe
from ..jit.native import Dispatcher
from .bytecode import Flow, analyse, decode
from .bytecode.listing import listing
from .capture import Outcome, capture
from .entry import CacheEntry, make_entry
from .machine.machine import Break
from .machine.values import Known, Symbolic, Unread
from .segments import SegmentedCode

MAX_ENTRIES = 16
"""Entries of one capture point; beyond it good entries stay and new types run eagerly."""


@dataclass(slots=True)
class Failure:
    """An error of framejit itself; eager answered."""

    where: str
    text: str


@dataclass(eq=False)
class Manager:
    """What stands behind one dispatcher."""

    function: FunctionType
    overrides: dict[str, Any]
    """Options given to the decorator."""
    entries: list[CacheEntry] = field(default_factory=list)
    breaks: list[Break] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    captures: int = 0
    max_entries: int = MAX_ENTRIES
    dispatcher: Dispatcher | None = None
    segmented: SegmentedCode | None = None

    @cached_property
    def flow(self) -> Flow:
        """The function's bytecode, decoded and analysed at first use."""
        return analyse(decode(self.function.__code__))

    # ---- capture ---------------------------------------------------------------------------------

    def effective_options(self, options: Options) -> Options | None:
        """The options of the context with the decorator's on top; None to stay eager."""
        effective = options.replace(self.overrides) if self.overrides else options
        return None if effective.backend == EAGER else effective

    def guarded_capture(self, action: Callable[[], bool]) -> bool:
        """Runs a capture; an error of framejit's own is recorded and eager answers."""
        if getattr(_capturing, "active", False):
            return False
        _capturing.active = True
        try:
            return action()
        except Exception:
            if debug_mode("strict"):
                raise
            self.failures.append(Failure(self.function.__qualname__, traceback.format_exc()))
            return False
        finally:
            _capturing.active = False

    def miss(self, options: Options, live: tuple[Any, ...]) -> bool:
        """Called by dispatcher.c: no entry holds for these arguments. True when there is one now."""
        return self.guarded_capture(lambda: self._capture_call(options, live))

    def _capture_call(self, key: Options, live: tuple[Any, ...]) -> bool:
        assert self.dispatcher is not None
        options = self.effective_options(key)
        if options is None or len(self.entries) >= self.max_entries:
            return False
        outcome = self._capture_from_entry(live)
        if outcome.ended_by is not None:
            self.dispatcher._closed = 1
            self.segmented = SegmentedCode(self, self.function, self.flow)
            self.note_break(outcome.ended_by)
            self.segmented.start(outcome)
            return False
        if outcome.captured is None:
            return False
        payloads: list[Recipe] = []
        numbers: tuple[int, ...] = (0,)
        graph = outcome.captured.graph
        if len(graph.exits) > 1:
            self.segmented = self.segmented or SegmentedCode(self, self.function, self.flow)
            numbers, payloads, self.dispatcher._resume = self.segmented.resume_at(graph)
        assert outcome.captured.returned is not None
        payloads.append(outcome.captured.returned)
        entry = make_entry(outcome.captured, len(live), payloads, options, key)
        if entry is None:
            return False
        entry.number_exits(numbers)
        self.entries.append(entry)
        self.dispatcher._add(entry.native)
        return True

    def _capture_from_entry(self, live: tuple[Any, ...]) -> Outcome:
        names = self.flow.decoded.localsplus
        locals_: list[Symbolic | None] = [None] * len(names)
        for slot, value in enumerate(live):
            locals_[slot] = Unread(Live(slot, f"argument `{names[slot]}`"), value)
        cells: dict[int, Symbolic] = {}
        first_free = len(names) - len(self.function.__code__.co_freevars)
        for k, cell in enumerate(self.function.__closure__ or ()):
            cells[first_free + k] = Known(cell)
        self.captures += 1
        return capture(self.flow, self.function.__globals__, locals_, cells, [], 0, 0)

    def note_break(self, ended_by: Break | None) -> None:
        """Remembers a break that real live-ins came to."""
        if ended_by is not None and ended_by not in self.breaks:
            self.breaks.append(ended_by)

    def install(self, code: CodeType) -> None:
        """The dispatcher falls back to this code from now on."""
        function = self.function
        rewritten = FunctionType(
            code, function.__globals__, function.__name__, function.__defaults__,
            function.__closure__,
        )
        rewritten.__kwdefaults__ = function.__kwdefaults__
        rewritten.__qualname__ = function.__qualname__
        assert self.dispatcher is not None
        self.dispatcher._fallback = rewritten

    # ---- what people ask ---------------------------------------------------------------------

    def stats(self, dispatcher: Dispatcher) -> dict[str, int]:
        """Plain numbers."""
        natives = [entry.native for entry in self.entries if entry.native is not None]
        return {
            "calls": dispatcher._calls,
            "hits": sum(native.hits for native in natives),
            "captures": self.captures,
            "recompiles": max(0, len(self.entries) - 1),
            "bails": sum(native.bails for native in natives),
            "breaks": len(self.breaks),
        }

    def inspect(self, dispatcher: Dispatcher, what: str) -> str:
        """Text of what runs."""
        views: dict[str, Callable[[CacheEntry], str]] = {
            "graph": lambda entry: entry.graph_text,
            "guards": lambda entry: entry.guards_text(),
            "numba": lambda entry: entry.parts.text,
        }
        if what == "bytecode":
            return listing(dispatcher._fallback.__code__)
        if what not in views:
            valid = ", ".join(repr(name) for name in (*views, "bytecode"))
            raise FramejitError(f"inspect: unknown view {what!r}: use one of {valid}")
        if not self.entries:
            return "nothing was captured yet"
        return "\n\n".join(views[what](entry) for entry in self.entries)


_capturing = threading.local()
"""`active` while this thread captures: capture is not re-entered."""
