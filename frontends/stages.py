"""The stages of a jitted function as objects: Traced, Lowered and Compiled.

`f.trace(*args)` captures without a call, `.lower()` runs the passes, `.compile()` makes the
kernels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from ..backends.registry import EAGER, load_backend
from ..jit.errors import FramejitError
from ..jit.ir.graph import Build, Graph, PassRun, leaves, sources
from ..jit.ir.text import print_graph
from ..jit.ir.types import ArrayType, Dim, Sym, Type
from ..jit.pipeline import Parts, Plan, compile_plan, optimise_with
from ..jit.report import BreakRecord

if TYPE_CHECKING:
    from ..jit.config import Options
    from .capture import Captured


@dataclass(frozen=True, slots=True)
class TracedSegment:
    """One segment as capture recorded it."""

    line: int
    """The line of the file where it begins."""
    captured: Captured
    lengths: Mapping[Sym, int]
    """The lengths of axes that were known at capture; the arrays themselves are not kept."""
    after_break: bool
    """True if a graph break comes before it: it was captured with the types known up to there."""

    @property
    def graph(self) -> Graph:
        """Its graph, before the passes of the backend."""
        return self.captured.graph

    @property
    def guards(self) -> tuple[str, ...]:
        """What has to hold when the segment is entered, one line each."""
        return tuple(map(str, self.captured.guards))


@dataclass(frozen=True, slots=True)
class Traced:
    """What capture makes of a function for some arguments; made by `f.trace(*args)`.

    Attributes
    ----------
    name : str
        The qualified name of the function.
    segments : tuple of TracedSegment
        In program order. Those after a graph break were captured with the types known before it;
        a call captures them from the values that are really there, so they may differ.
    breaks : tuple of BreakRecord
        Where capture stops, why, and what to change; `count` is 0, as nothing has run.
    """

    name: str
    segments: tuple[TracedSegment, ...]
    breaks: tuple[BreakRecord, ...]
    _options: Options
    _jitted: Callable[[], Any]

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """The graph of each segment, before the passes of the backend."""
        return tuple(one.graph for one in self.segments)

    @property
    def guards(self) -> tuple[tuple[str, ...], ...]:
        """The guards of each segment, in words."""
        return tuple(one.guards for one in self.segments)

    def as_text(self) -> str:
        """The graphs as text, under a heading each where there are several segments."""
        return _text(self.segments, self.graphs)

    def lower(self) -> Lowered:
        """Runs the passes of the backend on each graph.

        Returns
        -------
        Lowered
            The graphs that the backend compiles, with what each pass did.
        """
        backend = load_backend(self._options.backend)
        return Lowered(self, tuple(optimise_with(backend, one.graph) for one in self.segments))


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
class Lowered:
    """The optimised graphs; made by `Traced.lower()`.

    Attributes
    ----------
    traced : Traced
        What it was made of.
    graphs : tuple of Graph
        The graph of each segment after all passes, as `f.inspect("graph")` shows it after a call.
    """

    traced: Traced
    graphs: tuple[Graph, ...]

    @property
    def passes(self) -> tuple[tuple[PassRun, ...], ...]:
        """For each segment its passes in order: name, operations dealt with, nodes, seconds."""
        return tuple(graph.runs for graph in self.graphs)

    @property
    def costs(self) -> tuple[Cost, ...]:
        """Operations and bytes of each segment."""
        both = zip(self.traced.segments, self.graphs, strict=True)
        return tuple(_cost(graph, one.lengths) for one, graph in both)

    def as_text(self) -> str:
        """The graphs as text, under a heading each where there are several segments."""
        return _text(self.traced.segments, self.graphs)

    def compile(self) -> Compiled:
        """Compiles the kernel of each segment, now, whatever the option `compile` says.

        Machine code is kept on disk where the option `cache` is on, as for a call.

        Returns
        -------
        Compiled
            The kernels, and a function to call.
        """
        parts = tuple(_compiled(one, self.traced._options) for one in self.traced.segments)
        return Compiled(self, parts, self.traced._jitted())


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """The memory that one kernel uses beside its arguments and results.

    Attributes
    ----------
    scratch : int
        Bytes that each launch borrows for small arrays and buffers.
    reused : int
        Arrays that stand in the memory of an earlier one.
    in_place : int
        Views that are read without a copy.
    """

    scratch: int
    reused: int
    in_place: int


@dataclass(frozen=True, slots=True)
class Compiled:
    """The kernels of a function; made by `Lowered.compile()`. It can be called.

    A call does what a call of the jitted function does, and never refuses: arguments of other types
    are compiled for, too. Its entries and its numbers are apart from those of `f`; its first call
    captures again, as guards are to hold on what is there then, and uses the machine code that was
    made where its kernels are the same.

    Attributes
    ----------
    lowered : Lowered
        What it was made of.
    function : callable
        The jitted function behind it, with `stats()` and `inspect()` of its own.
    """

    lowered: Lowered
    _parts: tuple[Parts, ...]
    function: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function."""
        return self.function(*args, **kwargs)

    @property
    def kernels(self) -> tuple[str, ...]:
        """The source of the kernel of each segment."""
        return tuple(parts.text for parts in self._parts)

    @property
    def memory(self) -> tuple[MemoryPlan, ...]:
        """The memory of each kernel."""
        return tuple(
            MemoryPlan(one.scratch, one.done.get("reused", 0), one.done.get("in place", 0))
            for one in self._parts
        )

    @property
    def costs(self) -> tuple[Cost, ...]:
        """Operations and bytes of each segment."""
        return self.lowered.costs


def check_backend_for_stages(options: Options) -> None:
    """Raises FramejitError for the backend that captures nothing."""
    if options.backend == EAGER:
        raise FramejitError("trace: the backend 'eager' captures nothing: use 'numba' or 'numpy'")


def _text(segments: tuple[TracedSegment, ...], graphs: tuple[Graph, ...]) -> str:
    texts = [print_graph(graph) for graph in graphs]
    if len(texts) == 1:
        return texts[0]
    headings = [f"# segment {k}, line {one.line}" for k, one in enumerate(segments, 1)]
    both = zip(headings, texts, strict=True)
    return "\n\n".join(f"{heading}\n{text}" for heading, text in both) or "nothing is captured"


def _cost(graph: Graph, lengths: Mapping[Sym, int]) -> Cost:
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


def _bytes(types: Iterator[Type], lengths: Mapping[Sym, int]) -> int | None:
    """Bytes of the arrays among values of these types; None where a length is not known."""
    total = 0
    for type_ in types:
        if isinstance(type_, ArrayType):
            shape = [_length(dim, lengths) for dim in type_.dims]
            known = [length for length in shape if length is not None]
            if len(known) < len(shape):
                return None
            total += prod(known) * type_.dtype.itemsize
    return total


def _length(dim: Dim, lengths: Mapping[Sym, int]) -> int | None:
    return dim if isinstance(dim, int) else lengths.get(dim)


def _compiled(segment: TracedSegment, options: Options) -> Parts:
    """The kernel of a segment; its live-ins stand in the first slots."""
    captured = segment.captured
    slots: dict[object, int] = {source: k for k, source in enumerate(captured.sources)}
    payloads = [
        captured.returns.get(number, exit_.payload(Build("tuple", exit_.recipes)))
        for number, exit_ in enumerate(captured.graph.exits)
    ]
    for source in (one for payload in payloads for one in sources(payload)):
        slots.setdefault(source, len(slots))
    plan = Plan(
        captured.graph,
        payloads,
        range(len(captured.sources)),
        slots.__getitem__,
        len(slots),
        n_guards=0,
        objects=[],
        cache=options.cache,
    )
    return compile_plan(load_backend(options.backend), plan)
