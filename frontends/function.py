"""The Python side of one jitted function: captures on a miss, counts, explains."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from ..guards.sources import Live
from ..jit.config import Options, debug_mode
from ..jit.errors import FramejitError
from ..jit.ir.graph import Recipe
from ..jit.native import Dispatcher
from .bytecode import Decoded, decode
from .capture import capture
from .entry import CacheEntry, make_entry
from .machine.machine import Break
from .machine.values import Known, Symbolic, Unread

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
    dispatcher: Dispatcher | None = None
    _decoded: Decoded | None = None

    @property
    def decoded(self) -> Decoded:
        """The function's bytecode, decoded at first use."""
        if self._decoded is None:
            self._decoded = decode(self.function.__code__)
        return self._decoded

    # ---- called by dispatcher.c ------------------------------------------------------------------

    def miss(self, options: Options, live: tuple[Any, ...]) -> bool:
        """No entry holds for these arguments: capture. True when there is a new entry."""
        options_here = options.replace(self.overrides) if self.overrides else options
        if options_here.backend == "eager" or len(self.entries) >= MAX_ENTRIES:
            return False
        try:
            return self._capture_entry(options, options_here, live)
        except Exception:
            if debug_mode("strict"):
                raise
            self.failures.append(Failure("capture", traceback.format_exc()))
            return False

    def _capture_entry(self, key: Options, options: Options, live: tuple[Any, ...]) -> bool:
        code = self.function.__code__
        names = self.decoded.localsplus
        locals_: list[Symbolic | None] = [None] * len(names)
        for slot, value in enumerate(live):
            locals_[slot] = Unread(Live(slot, f"argument `{names[slot]}`"), value)
        cells: dict[int, Symbolic] = {}
        first_free = len(names) - len(code.co_freevars)
        for k, cell in enumerate(self.function.__closure__ or ()):
            cells[first_free + k] = Known(cell)
        self.captures += 1
        captured, ended_by = capture(
            code, self.function.__globals__, locals_, cells, [], 0, self.decoded
        )
        if ended_by is not None and ended_by not in self.breaks:
            self.breaks.append(ended_by)
        if captured is None or ended_by is not None:
            return False
        payload: Recipe = captured.exit.pushes[-1]
        entry = make_entry(captured, len(live), [payload], options, key)
        self.entries.append(entry)
        assert self.dispatcher is not None
        self.dispatcher._add(entry.native)
        return True

    def stats(self, dispatcher: Dispatcher) -> dict[str, int]:
        """Plain numbers."""
        return {
            "calls": dispatcher._calls,
            "hits": dispatcher._hits,
            "captures": self.captures,
            "recompiles": max(0, len(self.entries) - 1),
            "bails": sum(entry.native.bails for entry in self.entries),
            "breaks": len(self.breaks),
        }

    def inspect(self, dispatcher: Dispatcher, what: str) -> str:
        """Text of what runs."""
        views = {
            "graph": lambda entry: entry.graph_text,
            "guards": lambda entry: entry.guards_text(),
            "numba": lambda entry: entry.parts.text,
        }
        if what not in views:
            valid = ", ".join(repr(name) for name in views)
            raise FramejitError(f"inspect: unknown view {what!r}: use one of {valid}")
        if not self.entries:
            return "nothing was captured yet"
        return "\n\n".join(views[what](entry) for entry in self.entries)
