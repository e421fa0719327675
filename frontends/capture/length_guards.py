"""Guards on the lengths of the arrays that a segment is given."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...guards.arrays import FROM_ONE, HasDim, IsArray, SameLength
from ...guards.program import Guard
from ...guards.sources import Source
from ...jit.ir.builder import Builder
from ...jit.ir.graph import Graph
from ...jit.ir.types import ArrayType, Dim, Sym


def length_guards(builder: Builder, params: list[Source]) -> list[Guard]:
    """Return guards for dims of live-ins that the graph relies on being equal.

    Dims of views and results are compared inside the kernel.
    """
    homes: dict[Dim, tuple[Source, int]] = {}
    guards: list[Guard] = []
    for param, source in zip(builder.params, params, strict=True):
        if isinstance(param.type, ArrayType):
            for axis, dim in enumerate(map(builder.resolve, param.type.dims)):
                if not isinstance(dim, Sym):
                    # The array's own guard covers lengths 0 and 1.
                    guards += [HasDim(source, axis, dim)] if dim > 1 else []
                elif homes.setdefault(dim, (source, axis)) != (source, axis):
                    guards.append(SameLength(*homes[dim], source, axis))
    return guards


def admitting_one(
    guards: list[Guard], graph: Graph, sources: list[Source], may_be_one: frozenset[Sym]
) -> Iterator[Guard]:
    """Yield the guards; those of arrays whose length may be 1 admit that, too."""
    lines = {
        source
        for param, source in zip(graph.params, sources, strict=True)
        if isinstance(param.type, ArrayType) and not may_be_one.isdisjoint(param.type.dims)
    }
    for guard in guards:
        if isinstance(guard, IsArray) and guard.source in lines and guard.lengths == (2,):
            yield replace(guard, lengths=(FROM_ONE,))
        else:
            yield guard
