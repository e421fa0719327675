"""Memory of arrays in a kernel's text, and facts that make checks unnecessary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...jit.ir.graph import Node
from ...jit.ir.types import ArrayType, Dim, Layout
from .lines import Point
from .source import Source


@dataclass(eq=False, slots=True)
class Place:
    """The memory of an array in the text of a kernel."""

    address: str
    """Name of the variable with the address of the first element."""
    strides: tuple[str, ...]
    """Expressions for the strides in bytes."""
    type: ArrayType
    slot: int = -1
    """Slot of the array object; -1 for a view that is not needed as an object."""
    word: int = -1
    """First of the words with data, dims and strides; -1 for a view."""
    root: Place | None = None
    """The array that this is a view of."""
    empty_strides: tuple[str, ...] = ()
    """For a view whose strides differ from its root's: its strides when it is empty, where NumPy
    keeps those of the root."""
    cell: str = ""
    """For a single element: an expression for it in terms of the array, so that LLVM sees the
    alias."""


@dataclass(eq=False, slots=True)
class Deferred:
    """Checks that an innermost loop defers until after its last iteration."""

    before: Point
    """Ahead of the loop."""
    regions: int | None
    """Number of regions around values whose bits are combined in the variable `held`, None if bits
    are not combined."""
    ints: bool
    """True if overflow of an int sets the variable `wrong` here; else the kernel bails at once."""
    sets_wrong: bool = False
    sets_held: bool = False
    polls: list[tuple[Point, str, str]] = field(default_factory=list)
    """Bails after polls, which need a header: with a test of `wrong`, and without."""


@dataclass(eq=False, slots=True)
class Trust:
    """Accesses and operations that need no check in the loop nest being written, see ranges.py."""

    axes: set[tuple[Node, int]] = field(default_factory=set)
    """Accesses with the axis along which the index is in bounds."""
    ints: set[Node] = field(default_factory=set)
    """Int operations that cannot overflow 64 bits."""
    complete: bool = False
    """True if loops inside need no analysis of their own."""


def variable_strides(
    source: Source, type_: ArrayType, words: tuple[str, ...], dim: Callable[[Dim], str] | None
) -> tuple[str, ...]:
    """Return the strides as variables, or as expressions where the layout determines them.

    With `dim`, which returns lengths, strides of arrays without gaps are computed from these: LLVM
    can then see that two such arrays have equal strides. (Empty arrays may have others.)

    They are not read from words, because a store to an array might change a word for all LLVM
    knows, and loops would reload it for each element.
    """
    if 0 in type_.dims:
        return words  # strides of an empty array may differ, but nothing uses them
    found, size = [], str(type_.dtype.itemsize)
    packed = type_.layout == Layout.contiguous(type_.ndim)
    for axis, text in enumerate(words):
        follows = dim is not None and type_.dims[axis] != 1  # arbitrary for length 1
        if follows and type_.layout.steps_by_item(axis):
            found.append(size)
            continue
        found.append(source.name("step"))
        if dim is not None and follows and packed:
            text = " * ".join([*map(dim, type_.dims[axis + 1 :]), size])
        source.line(f"{found[-1]} = {text}")
    return tuple(found)


def narrow_axes(type_: ArrayType, dim: Callable[[Dim], str], is_wide: Callable[[Dim], bool]) -> str:
    """Return when axes of length 1 would make the copy of a transposed view C-ordered; or ""."""
    if type_.layout.order == tuple(range(type_.ndim)) or sum(d != 1 for d in type_.dims) == 1:
        return ""
    return " or ".join(f"{dim(d)} == 1" for d in type_.dims if d != 1 and not is_wide(d))
