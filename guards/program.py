"""Guard programs: the flat list that C checks, packed from sources and guards."""

from __future__ import annotations

import builtins
import struct
from dataclasses import dataclass, field
from typing import Any, Protocol

from .grip import Grip
from .sources import Live, Source

GUARD = struct.Struct("=4iq2i")
"""fj_guard of core.h: op, slot, a, b, c, object, extra."""
WEAK = 1 << 30
"""FJ_WEAK of fetch.h: set in the index of an object that the entry refers to weakly."""


class Guard(Protocol):
    """A condition on the values that sources reach."""

    @property
    def remedy(self) -> str:
        """What a user may do so that it holds at more calls; may be a class attribute."""

    def emit(self, program: GuardProgram) -> None:
        """Appends the instructions that check it."""

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        """What is different now, in the user's words."""


@dataclass(slots=True)
class GuardProgram:
    """Builds the packed program; sources that guards or the kernel need are fetched once."""

    ops: dict[str, int]
    """Numbers of the operations, from the C core."""
    n_slots: int
    """Slots in use; the live-ins have the first ones."""
    code: list[bytes] = field(default_factory=list)
    objects: list[Any] = field(default_factory=list)
    origins: list[Guard | Source] = field(default_factory=list)
    """For each instruction, the guard or the source that it came from."""
    slots: dict[Source, int] = field(default_factory=dict)
    relied: dict[int, dict[str, Any]] = field(default_factory=dict)
    """What namespaces are to hold, by their identity: names and objects."""
    _current: Guard | None = None

    def add(self, guard: Guard) -> None:
        """Appends one guard."""
        self._current = guard
        guard.emit(self)
        self._current = None

    def slot(self, source: Source) -> int:
        """The slot that holds what the source reaches; emits the fetch on first use."""
        if isinstance(source, Live):
            return source.index
        if source not in self.slots:
            op, fields = source.fetch(self)
            self.n_slots += 1
            self.slots[source] = self.n_slots - 1
            self.emit(op, self.n_slots - 1, origin=source, **fields)
        return self.slots[source]

    def namespace(self, globals_: dict[str, Any]) -> tuple[int, int]:
        """Object indices of a globals dict and of the builtins that stand behind it."""
        behind = globals_.get("__builtins__", builtins.__dict__)
        behind = behind if isinstance(behind, dict) else vars(behind)
        return self.object(globals_), self.object(behind)

    def object(self, value: Any) -> int:
        """Index of an object in the entry's tuple, by identity."""
        for index, known in enumerate(self.objects):
            if known is value:
                return index
        self.objects.append(value)
        return len(self.objects) - 1

    def held(self, grip: Grip) -> int:
        """Index of an object that the entry does not keep alive, where that can be."""
        return self.object(grip.strong) if grip.weak is None else self.object(grip.weak) | WEAK

    def emit(
        self,
        op: str,
        slot: int,
        *,
        a: int = 0,
        b: int = 0,
        c: int = 0,
        object_: int = -1,
        extra: int = -1,
        origin: Source | None = None,
    ) -> None:
        """Appends one instruction."""
        self.code.append(GUARD.pack(self.ops[op], slot, a, b, c, object_, extra))
        cause = origin or self._current
        assert cause is not None
        self.origins.append(cause)

    def packed(self) -> bytes:
        """The instructions as C reads them."""
        return b"".join(self.code)
