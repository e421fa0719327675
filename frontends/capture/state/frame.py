"""A frame under symbolic execution."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, replace
from typing import Any

from ....jit.flags import NO_MODES, Modes
from ....jit.ir.graph import Location
from ...bytecode import isa
from ...bytecode.flow import Flow
from ...bytecode.isa import Op
from ...bytecode.model import Decoded
from ..values.symbolic import INDEX, Symbolic, Union
from .paths import ANYWHERE, Region
from .snapshots import CONTENTS, SETTING, VALUE, Snapshots, stays


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """A position of a frame, with its state there."""

    index: int
    stack: tuple[Symbolic, ...]
    locals: tuple[Symbolic | None, ...]
    named: int
    """Number of variables looked up before, see `Machine.named`."""


@dataclass(eq=False, slots=True)
class Frame:
    """A frame under symbolic execution: what instructions read and change."""

    flow: Flow = field(metadata=SETTING)
    namespace: dict[str, Any] = field(metadata=SETTING)
    """Globals of the frame."""
    locals: list[Symbolic | None] = field(metadata=CONTENTS)
    """Values by localsplus slot; None if nothing is known to be bound. Fields of objects may
    follow, see objects/fields.py."""
    cells: dict[int, Symbolic] = field(metadata=CONTENTS)
    """Cells by slot."""
    stack: list[Symbolic] = field(default_factory=list, metadata=CONTENTS)
    index: int = field(default=0, metadata=stays("its caller puts it back"))
    region: Region = field(default=ANYWHERE, metadata=SETTING)
    """The region within which the frame runs by itself."""
    modes: Modes = field(default=NO_MODES, metadata=VALUE)
    """Modes of floating point flags that `np.errstate` blocks in the segment have set."""
    stands_at: Location | None = field(default=None, metadata=SETTING)
    """For a body that replaces a compiled function: where that function is called."""
    kinds: dict[Union, Symbolic | None] = field(
        default_factory=dict, metadata=stays("it is set where the path ends")
    )
    """Values of unions that are known at the end of this frame's path."""
    moves_since: Standing | None = field(default=None, metadata=VALUE)
    """The position since which it has run only repeatable instructions, see moves.py."""

    @property
    def decoded(self) -> Decoded:
        """The decoded instructions."""
        return self.flow.decoded

    @property
    def is_body(self) -> bool:
        """True for the body of a module, whose variables are the items of its namespace."""
        return not self.decoded.code.co_flags & inspect.CO_NEWLOCALS

    def copy(self) -> Frame:
        """Return an independent frame in the same state."""
        return replace(
            self,
            locals=list(self.locals),
            cells=dict(self.cells),
            stack=list(self.stack),
            moves_since=None,
        )

    def drop_iterator(self) -> None:
        """Pop the iterator on top of the stack, as it is exhausted, and its index."""
        self.stack.pop()
        if self.stack and self.stack[-1] is INDEX:
            self.stack.pop()

    def ends(self) -> bool:
        """True if the next instruction returns."""
        return self.decoded.instructions[self.index].returns

    def yields(self) -> bool:
        """True if the next instruction yields."""
        return self.decoded.instructions[self.index].ops[:1] == (Op(isa.YIELD_VALUE),)

    def location(self) -> Location:
        """Return the location of the current instruction in the user's program."""
        if self.stands_at is not None:
            return replace(self.stands_at, modes=self.modes)
        code = self.decoded.code
        line = self.decoded.instructions[self.index].line or code.co_firstlineno
        module = self.namespace.get("__name__", "<unknown>")
        name, file = code.co_qualname, code.co_filename
        return Location(file, line, name, module, self.namespace, self.modes, self.index)


FRAMES = Snapshots(Frame)
