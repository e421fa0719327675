"""The stages of a jitted function as objects: Traced, Lowered and Compiled.

`f.trace(*args)` captures without a call, `.lower()` runs the passes and has the backend write its
kernels, and `.compile()` makes machine code and a callable that runs these kernels.
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
from .runtime.costs import Cost, Fusion, MemoryPlan, cost_of, fusion_of, memory_of

if TYPE_CHECKING:
    from ..jit.config import Options
    from ..jit.native import Dispatcher
    from ..jit.pipeline import Parts
    from .capture.outcome import Captured
    from .runtime.entry import CacheEntry
    from .runtime.function import Manager


@dataclass(frozen=True, slots=True)
class TracedSegment:
    """One segment as capture recorded it."""

    line: int
    """Line of the file where it begins."""
    captured: Captured
    lengths: Mapping[Sym, int]
    """Lengths of axes that were known at capture; the arrays are not kept."""
    after_break: bool
    """True if it follows a graph break: it was captured with the types known up to there."""
    at: int
    """Instruction where it begins."""
    n_live: int
    """Number of live-ins passed to it."""
    whole: bool
    """True if it is a whole call, for which no Python frame is made."""

    @property
    def graph(self) -> Graph:
        """The graph, before the passes of the backend."""
        return self.captured.graph

    @property
    def guards(self) -> tuple[str, ...]:
        """Conditions that are checked on entry, one line each."""
        return tuple(map(str, self.captured.guards))


@dataclass(frozen=True, slots=True)
class Untraced:
    """A place where a trace goes no further, although a call may.

    Attributes
    ----------
    place : Place
        The line that needs something known only in a call.
    reason : str
        What it needs.
    """

    place: Place
    reason: str

    def __str__(self) -> str:
        return f"line {self.place.line} is not traced: {self.reason}"


@dataclass(frozen=True, slots=True)
class Traced:
    """The capture of a function for some arguments; made by `f.trace(*args)`.

    Attributes
    ----------
    name : str
        Qualified name of the function.
    segments : tuple of TracedSegment
        In program order. Those after a graph break were captured with the types that are known
        before a call.
    breaks : tuple of BreakRecord
        Where capture stops, why, and what to change; `count` is 0, as nothing has run.
    untraced : tuple of Untraced
        Where the trace stops although a call may capture more, because the result of a graph break
        is known only when it has run. Code there is in no graph; `Compiled` runs it as plain
        Python.
    """

    name: str
    segments: tuple[TracedSegment, ...]
    breaks: tuple[BreakRecord, ...]
    untraced: tuple[Untraced, ...]
    _options: Options
    _key: Options
    """Options of the context in which it was traced."""
    _function: FunctionType
    _overrides: dict[str, Any]
    _manager_class: type[Manager]
    """Each stage makes a manager of its own."""

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """The graph of each segment, before the passes of the backend."""
        return tuple(one.graph for one in self.segments)

    @property
    def guards(self) -> tuple[tuple[str, ...], ...]:
        """The guards of each segment, in words."""
        return tuple(one.guards for one in self.segments)

    def as_text(self) -> str:
        """Return the graphs as text, with headings if there are several.

        A line that begins with `#` follows for each place in `untraced`.
        """
        text = _text(self.segments, self.graphs)
        return "\n".join([text, *(f"# {one}" for one in self.untraced)])

    def __str__(self) -> str:
        return self.as_text()

    def lower(self) -> Lowered:
        """Run the backend's passes on each graph, and have the backend write its kernels.

        Returns
        -------
        Lowered
            The graphs that the backend compiles, with what each pass did.

        Raises
        ------
        StageError
            An error of framejit's own.
        """
        from .ahead import drafts_of

        return Lowered(self, drafts_of(self))


@dataclass(frozen=True, slots=True)
class Lowered:
    """The optimised graphs; made by `Traced.lower()`.

    `print` shows the graphs with their fusion.

    Attributes
    ----------
    traced : Traced
        The trace that was lowered.
    """

    traced: Traced
    _drafts: tuple[CacheEntry, ...]

    @property
    def graphs(self) -> tuple[Graph, ...]:
        """The graph of each segment after all passes, as `f.inspect("graph")` shows it."""
        return tuple(one.parts.graph or one.captured.graph for one in self._drafts)

    @property
    def passes(self) -> tuple[tuple[PassRun, ...], ...]:
        """For each segment its passes in order: name, operations affected, nodes, seconds."""
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
        """Return the graphs as text, with headings if there are several segments."""
        return _text(self.traced.segments, self.graphs)

    def __str__(self) -> str:
        return _text(self.traced.segments, self.graphs, self.fusion)

    def compile(self) -> Compiled:
        """Compile the kernel of each segment now, whatever the option `compile` says.

        Machine code is kept on disk if the option `cache` is on, as for a call.

        Returns
        -------
        Compiled
            The kernels, and a function to call.

        Raises
        ------
        StageError
            An error of framejit's own.
        """
        from .ahead import dispatcher_of, finished_parts

        parts = finished_parts(self._drafts)
        return Compiled(self, parts, dispatcher_of(self.traced, self._drafts, parts))


@dataclass(frozen=True, slots=True)
class Compiled:
    """The compiled kernels of a function, as a callable; made by `Lowered.compile()`.

    A call runs these kernels and captures nothing more. Before each kernel its guards are checked.
    If one fails, because arguments have another dtype, rank or memory order than those traced,
    plain Python runs that segment, or the whole call: the answer is always that of the plain
    function, and `misses` has the reason. Plain Python also runs calls in a `disable()` block, and
    the places in `traced.untraced`. Options that differ from those in force at `trace()` do not
    matter.

    `print` shows how each kernel uses memory.

    Attributes
    ----------
    lowered : Lowered
        The stage that was compiled.
    """

    lowered: Lowered
    _parts: tuple[Parts, ...]
    _function: Dispatcher

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function with its own parameters; a method's object is the first argument."""
        from .context import current_options, in_force

        key = self.lowered.traced._key
        if current_options() in (None, key):
            return self._function(*args, **kwargs)
        with in_force(key):
            return self._function(*args, **kwargs)

    @property
    def kernels(self) -> tuple[str, ...]:
        """The source text of the kernel of each segment."""
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
        """Reasons why calls did not run kernels, in words, with their counts.

        Only the first sixteen misses are recorded.
        """
        return {reason: n for (_, reason), n in self._function._manager.journal.misses.items()}

    def stats(self) -> dict[str, int]:
        """Return counts for the calls of this object, like `f.stats()` for those of `f`."""
        return self._function.stats()

    def as_text(self) -> str:
        """Return the kernels as text, with headings if there are several segments."""
        return _headed(self.lowered.traced.segments, [text.rstrip() for text in self.kernels])

    def __str__(self) -> str:
        return _headed(self.lowered.traced.segments, [str(plan) for plan in self.memory])


def check_backend_for_stages(options: Options) -> None:
    """Raise StageError for the backend that captures nothing."""
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
