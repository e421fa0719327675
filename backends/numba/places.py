"""Where arrays stand in a kernel, and what is known of accesses to them."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field

from ...jit.ir.graph import Node
from ...jit.ir.types import ArrayType, Dim, Layout
from .source import Source


@dataclass(eq=False, slots=True)
class Place:
    """Where an array lives while the kernel runs."""

    address: str
    """Variable: address of the first element."""
    strides: tuple[str, ...]
    """Expressions: the step of each axis in bytes."""
    type: ArrayType
    slot: int = -1
    """Slot of the object, -1 while there is none (a view that nobody asked for)."""
    word: int = -1
    """First of the words that hold data, dims and strides, -1 for a view."""
    root: Place | None = None
    """The array that this is a window of."""
    hollow: tuple[str, ...] = ()
    """Of a window whose steps are not those of the root: the step of each axis where it is empty,
    which NumPy then leaves as it was."""
    cell: str = ""
    """Of one element of an array: an expression for it through which LLVM sees the array."""


class Late(enum.Enum):
    """Where an int that gets too big is told by `wrong`, which is looked at behind the loop."""

    NEVER = enum.auto()
    ARMS = enum.auto()
    """In the branches of the loop only."""
    TURNS = enum.auto()


@dataclass(eq=False, slots=True)
class Trust:
    """What needs no check in the nest of loops that is being written, see ranges.py."""

    axes: set[tuple[Node, int]] = field(default_factory=set)
    """Accesses, each with the axis whose index is in range."""
    ints: set[Node] = field(default_factory=set)
    """Operations that leave no 64 bits."""
    complete: bool = False
    """Nothing more is asked for loops within."""


def variable_strides(
    source: Source, type_: ArrayType, words: tuple[str, ...], dim: Callable[[Dim], str] | None
) -> tuple[str, ...]:
    """The steps of the axes as variables, or what the layout tells of them.

    With `dim`, which gives lengths, those of an array without gaps follow from them: LLVM then
    knows of two such arrays that they are alike. Steps of an empty one are others.

    They do not stay in words: a store to an array might change a word, for all that LLVM knows, and
    a loop would read it again for each element.
    """
    if 0 in type_.dims:
        return words  # steps over nothing are not what the lengths say, and nobody steps
    found, size = [], str(type_.dtype.itemsize)
    packed = type_.layout == Layout.contiguous(type_.ndim)
    for axis, text in enumerate(words):
        follows = dim is not None and type_.dims[axis] != 1  # a step to nowhere is what it is
        if follows and type_.layout.steps_by_item(axis):
            found.append(size)
            continue
        found.append(source.name("step"))
        if dim is not None and follows and packed:
            text = " * ".join([*map(dim, type_.dims[axis + 1 :]), size])
        source.line(f"{found[-1]} = {text}")
    return tuple(found)
