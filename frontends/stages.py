"""The stages of a jitted function as objects: Traced, Lowered and Compiled.

`f.trace(*args)` captures without a call, `.lower()` runs the passes and has the backend write its
kernels, `.compile()` makes machine code of them, and a callable that runs these kernels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..jit.errors import StageError
from ..jit.ir.graph import Graph, PassRun
from ..jit.ir.text import print_graph
from ..jit.ir.types import Sym
from ..jit.report import BreakRecord, Place
from .costs import Cost, Fusion, MemoryPlan, cost_of, fusion_of, memory_of

if TYPE_CHECKING:
    from ..jit.config import Options
    from ..jit.native import Dispatcher
    from ..jit.pipeline import Parts
    from .capture import Captured
    from .entry import CacheEntry


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
    at: int
    """The instruction where it begins."""
    n_live: int
    """Live-ins that it is handed."""
    whole: bool
    """True if it begins with the call, for which no Python frame is made."""

    @property
    def graph(self) -> Graph:
        """Its graph, before the passes of the backend."""
        return self.captured.graph

    @property
    def guards(self) -> tuple[str, ...]:
        """What has to hold when the segment is entered, one line each."""
        return tuple(map(str, self.captured.guards))


@dataclass(frozen=True, slots=True)
class Untraced:
    """A place where a trace goes no further, although a call may.

    Attributes
    ----------
    place : Place
        The line that asks for something which only a call tells.
    reason : str
        What it asks for.
    """

    place: Place
    reason: str

    def __str__(self) -> str:
        return f"line {self.place.line} is not traced: {self.reason}"


@dataclass(frozen=True, slots=True)
class Traced:
    """What capture makes of a function for some arguments; made by `f.trace(*args)`.

    Attributes
    ----------
    name : str
        The qualified name of the function.
    segments : tuple of TracedSegment
        In program order. Those after a graph break were captured with the types that are known
        before a call.
    breaks : tuple of BreakRecord
        Where capture stops, why, and what to change; `count` is 0, as nothing has run.
    untraced : tuple of Untraced
        Where the trace stops although a call may capture more: what a graph break gives is known
        only when it has run. Code there is in no graph, and `Compiled` runs it as plain Python.
    """

    name: str
    segments: tuple[TracedSegment, ...]
    breaks: tuple[BreakRecord, ...]
    untraced: tuple[Untraced, ...]
    _options: Options
    _key: Options
    """The options of the context in which it was traced."""
    _function: FunctionType
    _overrides: dict[str, Any]

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """The graph of each segment, before the passes of the backend."""
        return tuple(one.graph for one in self.segments)

    @property
    def guards(self) -> tuple[tuple[str, ...], ...]:
        """The guards of each segment, in words."""
        return tuple(one.guards for one in self.segments)

    def as_text(self) -> str:
        """The graphs as text, under a heading each where there are several.

        A line that begins with `#` follows for each place in `untraced`.
        """
        text = _text(self.segments, self.graphs)
        return "\n".join([text, *(f"# {one}" for one in self.untraced)])

    def __str__(self) -> str:
        return self.as_text()

    def lower(self) -> Lowered:
        """Runs the passes of the backend on each graph, and has the backend write its kernels.

        Returns
        -------
        Lowered
            The graphs that the backend compiles, with what each pass did.

        Raises
        ------
        StageError
            framejit has met an error of its own.
        """
        from .ahead import drafts_of

        return Lowered(self, drafts_of(self))


@dataclass(frozen=True, slots=True)
class Lowered:
    """The optimised graphs; made by `Traced.lower()`.

    `print` shows the graphs, each with its fusion.

    Attributes
    ----------
    traced : Traced
        What it was made of.
    """

    traced: Traced
    _drafts: tuple[CacheEntry, ...]

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """The graph of each segment after all passes, as `f.inspect("graph")` shows it."""
        return tuple(one.parts.graph or one.captured.graph for one in self._drafts)

    @property
    def passes(self) -> tuple[tuple[PassRun, ...], ...]:
        """For each segment its passes in order: name, operations dealt with, nodes, seconds."""
        return tuple(graph.runs for graph in self.graphs)

    @property
    def fusion(self) -> tuple[Fusion, ...]:
        """For each segment the clusters of operations that run in one pass over memory."""
        both = zip(self.traced.segments, self._drafts, strict=True)
        return tuple(fusion_of(draft.parts, one.lengths) for one, draft in both)

    @property
    def costs(self) -> tuple[Cost, ...]:
        """Operations and bytes of each segment."""
        both = zip(self.traced.segments, self.graphs, strict=True)
        return tuple(cost_of(graph, one.lengths) for one, graph in both)

    def as_text(self) -> str:
        """The graphs as text, under a heading each where there are several segments."""
        return _text(self.traced.segments, self.graphs)

    def __str__(self) -> str:
        return _text(self.traced.segments, self.graphs, self.fusion)

    def compile(self) -> Compiled:
        """Compiles the kernel of each segment, now, whatever the option `compile` says.

        Machine code is kept on disk where the option `cache` is on, as for a call.

        Returns
        -------
        Compiled
            The kernels, and a function to call.

        Raises
        ------
        StageError
            framejit has met an error of its own.
        """
        from .ahead import dispatcher_of, finished_parts

        parts = finished_parts(self._drafts)
        return Compiled(self, parts, dispatcher_of(self.traced, self._drafts, parts))


@dataclass(frozen=True, slots=True)
class Compiled:
    """The kernels of a function; made by `Lowered.compile()`. It can be called.

    A call runs these kernels and captures nothing more. Before each kernel its guards are checked.
    Where one does not hold, for arguments of another dtype, rank or memory order than those that
    were traced, plain Python runs that segment, or the whole call: the answer is always that of
    the plain function, and `misses` says why it was not a kernel's. So do calls in a block of
    `disable()`, and the places in `traced.untraced`. Other options than those in force at
    `trace()` do not matter.

    `print` shows what each kernel does with memory.

    Attributes
    ----------
    lowered : Lowered
        What it was made of.
    """

    lowered: Lowered
    _parts: tuple[Parts, ...]
    _function: Dispatcher

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Calls the function; takes what it takes, and of a method its object first."""
        from .context import current_options, in_force

        key = self.lowered.traced._key
        if current_options() in (None, key):
            return self._function(*args, **kwargs)
        with in_force(key):
            return self._function(*args, **kwargs)

    @property
    def kernels(self) -> tuple[str, ...]:
        """The source of the kernel of each segment."""
        return tuple(parts.text for parts in self._parts)

    @property
    def memory(self) -> tuple[MemoryPlan, ...]:
        """The memory of each kernel."""
        segments = self.lowered.traced.segments
        return tuple(
            memory_of(parts, one.lengths) for one, parts in zip(segments, self._parts, strict=True)
        )

    @property
    def costs(self) -> tuple[Cost, ...]:
        """Operations and bytes of each segment."""
        return self.lowered.costs

    @property
    def misses(self) -> Mapping[str, int]:
        """Why kernels were not run by calls so far, in words, each with how often.

        Only the first sixteen misses are written down.
        """
        return {reason: n for (_, reason), n in self._function._manager.journal.misses.items()}

    def stats(self) -> dict[str, int]:
        """Plain numbers of the calls of this object, as `f.stats()` has them of `f`."""
        return self._function.stats()

    def as_text(self) -> str:
        """The kernels, under a heading each where there are several segments."""
        return _headed(self.lowered.traced.segments, [text.rstrip() for text in self.kernels])

    def __str__(self) -> str:
        return _headed(self.lowered.traced.segments, [str(plan) for plan in self.memory])


def check_backend_for_stages(options: Options) -> None:
    """Raises StageError for the backend that captures nothing."""
    from ..backends.registry import EAGER

    if options.backend == EAGER:
        raise StageError("trace: the backend 'eager' captures nothing: use 'numba' or 'numpy'")


def _text(
    segments: tuple[TracedSegment, ...],
    graphs: tuple[Graph, ...],
    notes: tuple[Fusion, ...] = (),
) -> str:
    texts = [print_graph(graph) for graph in graphs]
    for k, note in enumerate(notes):
        texts[k] += f"\n# {note}"
    return _headed(segments, texts)


def _headed(segments: tuple[TracedSegment, ...], texts: list[str]) -> str:
    if len(texts) == 1:
        return texts[0]
    headings = [f"# segment {k}, line {one.line}" for k, one in enumerate(segments, 1)]
    both = zip(headings, texts, strict=True)
    return "\n\n".join(f"{heading}\n{text}" for heading, text in both) or "nothing is captured"
