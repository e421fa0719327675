"""Guard programs: packs sources and guards into the flat instruction list that C checks."""

from __future__ import annotations

import builtins
import struct
from dataclasses import dataclass, field
from typing import Any, Protocol, Unpack

from .grip import Grip
from .sources import Fields, Live, Source

GUARD = struct.Struct("=4iq2i")
"""Layout of `fj_guard` in core.h: op, slot, a, b, c, object, extra."""
WEAK = 1 << 30
"""FJ_WEAK of fetch.h: bit set in the index of an object that the entry references weakly."""


class Guard(Protocol):
    """A condition on objects that sources reach, checked before each launch."""

    @property
    def remedy(self) -> str:
        """Advice that makes the guard hold more often, for users. May be a class attribute."""

    def emit(self, program: GuardProgram) -> None:
        """Append the instructions that check this guard."""

    def why(self, program: GuardProgram, live: tuple[Any, ...]) -> str:
        """Return in the user's words how the live-ins differ from what the guard wants."""


@dataclass(slots=True)
class GuardProgram:
    """Builds the packed program; a source used by several guards is fetched only once."""

    ops: dict[str, int]
    """Opcode numbers by name, from the C core."""
    n_slots: int
    """Number of slots in use; live-ins come first."""
    code: list[bytes] = field(default_factory=list)
    objects: list[Any] = field(default_factory=list)
    origins: list[Guard | Source] = field(default_factory=list)
    """The guard or source behind each instruction, to explain a miss."""
    slots: dict[Source, int] = field(default_factory=dict)
    relied: dict[int, dict[str, Any]] = field(default_factory=dict)
    """Names and objects that namespaces have to hold, by the id of the namespace."""
    _current: Guard | None = None

    def add(self, guard: Guard) -> None:
        """Append the instructions of one guard."""
        self._current = guard
        guard.emit(self)
        self._current = None

    def slot(self, source: Source) -> int:
        """Return the slot of the object that a source reaches; emit its fetch on first use."""
        if isinstance(source, Live):
            return source.index
        if source not in self.slots:
            op, fields = source.fetch(self)
            self.n_slots += 1
            self.slots[source] = self.n_slots - 1
            self.emit(op, self.n_slots - 1, origin=source, **fields)
        return self.slots[source]

    def namespace(self, globals_: dict[str, Any]) -> tuple[int, int]:
        """Return the object indices of a globals dict and of the builtins it falls back to."""
        behind = globals_.get("__builtins__", builtins.__dict__)
        behind = behind if isinstance(behind, dict) else vars(behind)
        return self.object(globals_), self.object(behind)

    def object(self, value: Any) -> int:
        """Return the index of an object in the entry's tuple; the entry keeps the object alive."""
        for index, known in enumerate(self.objects):
            if known is value:
                return index
        self.objects.append(value)
        return len(self.objects) - 1

    def held(self, grip: Grip) -> int:
        """Return the index of an object that the entry references weakly where possible."""
        return self.object(grip.strong) if grip.weak is None else self.object(grip.weak) | WEAK

    def emit(
        self, op: str, slot: int, *, origin: Source | None = None, **fields: Unpack[Fields]
    ) -> None:
        """Append one instruction."""
        operands: Fields = {"a": 0, "b": 0, "c": 0, "object_": -1, "extra": -1, **fields}
        self.code.append(GUARD.pack(self.ops[op], slot, *operands.values()))
        cause = origin or self._current
        assert cause is not None
        self.origins.append(cause)

    def packed(self) -> bytes:
        """Return the instructions in the layout that C reads."""
        return b"".join(self.code)
