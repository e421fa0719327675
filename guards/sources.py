"""Sources: how a guarded value is reached when a segment is entered.

One description serves the guards, the report and the recipes of exits.
"""

from __future__ import annotations

import builtins
import inspect
from dataclasses import dataclass, field
from types import CellType
from typing import Any


@dataclass(frozen=True, slots=True)
class Live:
    """A live-in that the caller hands over: an argument, a local, a stack item."""

    index: int
    """Position among the live-ins."""
    name: str
    """How the user calls it: "argument `x`"."""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Global:
    """A global of a module, or the builtin of that name when the module has none."""

    name: str
    module: str
    namespace: dict[str, Any] = field(compare=False, repr=False)

    def __str__(self) -> str:
        return f"global `{self.name}`"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a closure's cell holds."""

    name: str
    cell: CellType = field(compare=False, repr=False)
    identity: int

    def __str__(self) -> str:
        return f"closure variable `{self.name}`"


@dataclass(frozen=True, slots=True)
class Held:
    """What a cell holds that another source reaches: a variable that inner functions share."""

    owner: Source
    name: str

    def __str__(self) -> str:
        return f"variable `{self.name}`"


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of another source, by the generic look-up."""

    owner: Source
    name: str

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}"


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a tuple or list."""

    owner: Source
    index: int

    def __str__(self) -> str:
        return f"{self.owner}[{self.index}]"


def reach(source: Source, live: tuple[Any, ...]) -> Any:
    """What a source reaches now, for messages; LookupError when it is not there.

    Attributes are looked up without running any code of the program.
    """
    match source:
        case Live(index=index):
            return live[index]
        case Global(name=name, namespace=namespace):
            return namespace[name] if name in namespace else vars(builtins)[name]
        case Contents(cell=cell):
            return _contents(cell, source)
        case Held(owner=owner):
            return _contents(reach(owner, live), source)
        case Attribute(owner=owner, name=name):
            try:
                return inspect.getattr_static(reach(owner, live), name)
            except AttributeError:
                raise LookupError(str(source)) from None
        case Item(owner=owner, index=index):
            return reach(owner, live)[index]


def _contents(cell: CellType, source: Source) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        raise LookupError(str(source)) from None


Source = Live | Global | Contents | Held | Attribute | Item
