"""The check that an entry makes before each launch, and its error message."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from typing import Any

from ...jit.errors import VerifyError
from ...jit.ir.graph import Graph
from ...jit.native import Entry
from ...jit.pipeline import Backend
from .comparison import bare
from .narrow import Culprit, Judge
from .values import Difference, name_of


class Check:
    """Compares the kernel of a graph with NumPy, on the arguments of the coming launch."""

    def __init__(
        self, graph: Graph, slots: Sequence[int], backend: Backend, attribute: bool = False
    ) -> None:
        """Create it; `slots` are those of the graph's parameters."""
        self._judge = Judge(backend, attribute)
        self._slots = slots
        self._comparison = self._judge.comparison(bare(graph))
        self._comparison.compile()

    def __call__(self, entry: Entry, slots: tuple[Any, ...]) -> None:
        """Raise VerifyError if the results differ; otherwise leave no trace."""
        values = [slots[k] for k in self._slots]
        found = self._comparison.difference(values, lambda: entry.is_as_before(slots))
        if found is not None:
            culprit = self._judge.first_wrong(self._comparison.graph, values)
            raise VerifyError(self._message(culprit, found[0])) from None

    def _message(self, culprit: Culprit | None, difference: Difference) -> str:
        backend = f"backend {self._judge.backend.name!r}"
        if culprit is None:
            subject = "no operation by itself, but the whole segment"
            nodes = self._comparison.graph.nodes()
            place = next((node.place for node in nodes if node.place), None)
        else:
            difference, place = culprit.difference, culprit.node.place
            subject = f"`{name_of(culprit.node)}`"
        lines = [f"{backend} does not compute what NumPy does"]
        if place is not None:
            lines.append(f"  {place.filename}:{place.line}, in {place.function}")
            source = linecache.getline(place.filename, place.line).strip()
            lines += [f"    {source}"] if source else []
        lines.append(
            f"  {subject}: {difference.what}, {difference.where} is {difference.expected} in NumPy "
            f"and {difference.actual} with {backend}"
        )
        return "\n".join(lines)
