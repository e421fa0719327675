"""Costs of a segment that are known before it runs: operations, bytes, arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...jit.ir.graph import Graph, Value, leaves
from ...jit.ir.text import names_in_text
from ...jit.ir.types import ArrayType, Dim, Sym, Type

if TYPE_CHECKING:
    from ...jit.allotment import Allotment
    from ...jit.passes.clusters import Fused
    from ...jit.pipeline import Parts


@dataclass(frozen=True, slots=True)
class Cost:
    """Counts of one segment. They are estimates of work, not measurements.

    Attributes
    ----------
    operations : mapping of str to int
        Nodes of the graph by the name of their op; a node in a loop counts once.
    bytes_in : int or None
        Bytes of the arrays that the segment is given, at the sizes of the traced arguments.
    bytes_out : int or None
        Bytes of the arrays that it hands back.
    bytes_made : int or None
        Bytes of all arrays that its nodes result in, as if each were written to memory: what
        fusing saves is the difference to `bytes_out`.

    Bytes are None where a size depends on the data, or is not known after a graph break.
    """

    operations: Mapping[str, int]
    bytes_in: int | None
    bytes_out: int | None
    bytes_made: int | None


@dataclass(frozen=True, slots=True)
class FusedCluster:
    """Operations that a kernel computes in one pass over memory.

    Attributes
    ----------
    operations : tuple of str
        The names of their ops, in order; a cluster in a loop counts once.
    bytes_read : int or None
        Bytes of the arrays that the pass reads, each once.
    bytes_written : int or None
        Bytes of the arrays that it writes to memory.
    merged : int
        Operations that were equal to others of the cluster, and are not among them any more.
    recomputed : int
        Operations that another cluster has too: they are computed again, which costs less than to
        write a result and to read it.
    """

    operations: tuple[str, ...]
    bytes_read: int | None
    bytes_written: int | None
    merged: int
    recomputed: int


@dataclass(frozen=True, slots=True)
class Fusion:
    """Result of fusion for one segment.

    Attributes
    ----------
    clusters : tuple of FusedCluster
        In the order in which they run; none for a backend that goes op by op.
    """

    clusters: tuple[FusedCluster, ...]

    @property
    def operations(self) -> int:
        """Number of operations in all clusters."""
        return sum(len(one.operations) for one in self.clusters)

    @property
    def bytes_read(self) -> int | None:
        """Bytes that all clusters read."""
        return _sum(one.bytes_read for one in self.clusters)

    @property
    def bytes_written(self) -> int | None:
        """Bytes that all clusters write."""
        return _sum(one.bytes_written for one in self.clusters)

    def __str__(self) -> str:
        if not self.clusters:
            return "nothing is fused"
        return (
            f"fused: {_count(self.operations, 'operation')} in "
            f"{_count(len(self.clusters), 'cluster')}, {_bytes_in_words(self.bytes_read)} read, "
            f"{_bytes_in_words(self.bytes_written)} written"
        )


@dataclass(frozen=True, slots=True)
class PlannedArray:
    """One array of a kernel that is in memory; values inside a fused loop are not.

    Attributes
    ----------
    name : str
        As in the text of the graph; "" if it is not in it.
    role : str
        "argument", "result" or "temporary".
    dtype : numpy.dtype
    dims : tuple of int or str
        Lengths of the axes; lengths that may differ in the next call have a name.
    bytes : int or None
        At the sizes of the traced arguments; None if unknown.
    view_of : str or None
        The array that it is a view of; a view has no memory of its own.
    reuses : str or None
        The array whose memory it takes over once that is no longer read; or the argument that it
        is stored in.
    """

    name: str
    role: str
    dtype: np.dtype[Any]
    dims: tuple[int | str, ...]
    bytes: int | None
    view_of: str | None
    reuses: str | None

    def __str__(self) -> str:
        dims = ", ".join(map(str, self.dims))
        text = f"{self.role} {self.name or '-'}: {self.dtype}[{dims}]"
        if self.view_of is not None:
            return f"{text}, view of {self.view_of or '-'}"
        text += f", {_bytes_in_words(self.bytes)}"
        return text if self.reuses is None else f"{text}, in the memory of {self.reuses or '-'}"


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """The memory of one kernel.

    Attributes
    ----------
    scratch : int
        Bytes that each launch borrows for small arrays and buffers.
    arrays : tuple of PlannedArray
        The arrays with their sizes and their reuse of memory.
    """

    scratch: int
    arrays: tuple[PlannedArray, ...]

    @property
    def allocated(self) -> int | None:
        """Bytes of results and temporaries with memory of their own; None if unknown."""
        own = (one for one in self.arrays if one.view_of is None and one.reuses is None)
        return _sum(one.bytes for one in own if one.role != "argument")

    def __str__(self) -> str:
        lines = map(str, self.arrays)
        total = _bytes_in_words(self.allocated)
        return "\n".join([*lines, f"allocated: {total}; scratch: {self.scratch} bytes"])


def cost_of(graph: Graph, lengths: Mapping[Sym, int]) -> Cost:
    """Count the work of a graph, with the lengths that are known."""
    nodes = list(graph.nodes())
    out = dict.fromkeys(
        value
        for exit_ in graph.exits
        for recipe in (*exit_.recipes, *exit_.effects)
        for value in leaves(recipe)
    )
    return Cost(
        dict(Counter(node.op.name for node in nodes)),
        _bytes((param.type for param in graph.params), lengths),
        _bytes((value.type for value in out), lengths),
        _bytes((value.type for node in nodes for value in node.outputs), lengths),
    )


def fusion_of(parts: Parts, lengths: Mapping[Sym, int]) -> Fusion:
    """Return the clusters of a kernel."""
    return Fusion(tuple(_cluster(one, lengths) for one in parts.fusion))


def _cluster(one: Fused, lengths: Mapping[Sym, int]) -> FusedCluster:
    return FusedCluster(
        one.operations,
        _bytes((value.type for value in one.reads), lengths),
        _bytes((value.type for value in one.writes), lengths),
        one.merged,
        one.remade,
    )


def memory_of(parts: Parts, lengths: Mapping[Sym, int]) -> MemoryPlan:
    """Return the memory of a kernel; without arrays if its backend does not report them."""
    found = () if parts.allotments is None else parts.allotments()
    names = {} if parts.graph is None else names_in_text(parts.graph)
    return MemoryPlan(parts.scratch, tuple(_planned(one, names, lengths) for one in found))


def _planned(
    one: Allotment, names: Mapping[Value, str], lengths: Mapping[Sym, int]
) -> PlannedArray:
    type_ = one.value.type
    assert isinstance(type_, ArrayType)
    return PlannedArray(
        names.get(one.value, ""),
        one.role,
        type_.dtype,
        tuple(dim if isinstance(dim, int) else str(dim) for dim in type_.dims),
        _bytes((type_,), lengths),
        None if one.view_of is None else names.get(one.view_of, ""),
        None if one.reuses is None else names.get(one.reuses, ""),
    )


def _bytes(types: Iterable[Type], lengths: Mapping[Sym, int]) -> int | None:
    """Return the bytes of the arrays among some types; None if a length is unknown."""
    return _sum(_size(type_, lengths) for type_ in types if isinstance(type_, ArrayType))


def _size(type_: ArrayType, lengths: Mapping[Sym, int]) -> int | None:
    shape = [_length(dim, lengths) for dim in type_.dims]
    known = [length for length in shape if length is not None]
    return prod(known) * type_.dtype.itemsize if len(known) == len(shape) else None


def _length(dim: Dim, lengths: Mapping[Sym, int]) -> int | None:
    return dim if isinstance(dim, int) else lengths.get(dim)


def _sum(numbers: Iterable[int | None]) -> int | None:
    """Return the sum; None if a summand is."""
    found = list(numbers)
    known = [number for number in found if number is not None]
    return sum(known) if len(known) == len(found) else None


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _bytes_in_words(number: int | None) -> str:
    return "unknown bytes" if number is None else _count(number, "byte")
