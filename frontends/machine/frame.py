"""A frame under symbolic execution: what an instruction reads and changes."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, replace
from typing import Any

from ...jit.flags import NO_MODES, Modes
from ...jit.ir.graph import Location
from ..bytecode import isa
from ..bytecode.flow import Flow
from ..bytecode.isa import Op
from ..bytecode.model import Decoded
from .flow.paths import ANYWHERE, Region
from .values import Symbolic, Union


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """Where a frame has stood, and with what."""

    index: int
    stack: tuple[Symbolic, ...]
    locals: tuple[Symbolic | None, ...]
    named: int
    """How many variables had been asked for, see `Machine.named`."""


@dataclass(eq=False, slots=True)
class Frame:
    """A frame under symbolic execution."""

    flow: Flow
    namespace: dict[str, Any]
    """Globals."""
    locals: list[Symbolic | None]
    """By localsplus slot; None where nothing is known to be bound. Fields of objects may follow,
    see objects/fields.py."""
    cells: dict[int, Symbolic]
    """Cells, by slot."""
    stack: list[Symbolic] = field(default_factory=list)
    index: int = 0
    region: Region = ANYWHERE
    """How far the frame runs by itself."""
    modes: Modes = NO_MODES
    """What blocks of `np.errstate` in the segment say about floating point flags here."""
    stands_at: Location | None = None
    """Of a body that takes the place of a compiled function: where that one is called."""
    kinds: dict[Union, Symbolic | None] = field(default_factory=dict)
    """What is known at the end of its path of values that are one of several."""
    moves_since: Standing | None = None
    """Since when it has run nothing but instructions that it may repeat, see moves.py."""

    @property
    def decoded(self) -> Decoded:
        """The instructions."""
        return self.flow.decoded

    @property
    def is_body(self) -> bool:
        """True of the body of a module, whose variables are the items of its namespace."""
        return not self.decoded.code.co_flags & inspect.CO_NEWLOCALS

    def copy(self) -> Frame:
        """A frame that stands where this one does and goes on alone."""
        return replace(
            self,
            locals=list(self.locals),
            cells=dict(self.cells),
            stack=list(self.stack),
            moves_since=None,
        )

    def ends(self) -> bool:
        """Whether the frame stands before its return."""
        return self.decoded.instructions[self.index].returns

    def yields(self) -> bool:
        """Whether the frame stands before a yield."""
        return self.decoded.instructions[self.index].ops[:1] == (Op(isa.YIELD_VALUE),)

    def location(self) -> Location:
        """Where the current instruction stands in the user's program."""
        if self.stands_at is not None:
            return replace(self.stands_at, modes=self.modes)
        code = self.decoded.code
        line = self.decoded.instructions[self.index].line or code.co_firstlineno
        module = self.namespace.get("__name__", "<unknown>")
        name, file = code.co_qualname, code.co_filename
        return Location(file, line, name, module, self.namespace, self.modes, self.index)
