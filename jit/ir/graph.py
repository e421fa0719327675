"""Graphs: typed SSA with structured regions, and the exits through which a segment is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from types import FunctionType
from typing import Any

from ..flags import NO_MODES, Modes
from ..frozen import dataclass
from .ops import BREAK, ENDS, FOR, IF, LOOP, Op
from .types import Sym, Type

Spot = tuple[str, str, int, int]
"""One instruction of a program: file, function, line, number."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where in the user's program a node comes from; warnings are issued there."""

    filename: str
    line: int
    function: str
    module: str
    namespace: dict[str, Any] = field(compare=False, hash=False, repr=False)
    """The globals of the frame, which hold `__warningregistry__`."""
    modes: Modes = NO_MODES
    """What blocks of `np.errstate` around it say about floating point flags."""
    at: int = field(default=-1, compare=False)
    """The instruction, by its number in the code; -1 where the line alone is known."""

    @property
    def spot(self) -> Spot:
        """The instruction, told from all others, whoever has analysed its code."""
        return self.filename, self.function, self.line, self.at


@dataclass(eq=False, slots=True)
class Value:
    """One result of one node, or a parameter of a block."""

    type: Type
    hint: Any = None
    """What a scalar was at capture; guides decisions and never enters the result."""
    name: str = ""
    """The user's name for it, to make generated text readable."""


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One operation."""

    op: Op
    inputs: tuple[Value, ...]
    attrs: Mapping[str, Any]
    outputs: tuple[Value, ...]
    location: Location | None = None
    """Where a warning of it is issued; None for what NumPy's own Python would warn of."""
    blocks: tuple[Block, ...] = ()
    place: Location | None = None
    """What was captured when it was recorded, for messages."""

    @property
    def state(self) -> tuple[Value, ...]:
        """Of a loop: what CONTINUE hands to the next turn."""
        params = self.blocks[0].params
        return params[1:] if self.op is FOR else params

    @property
    def initial(self) -> tuple[Value, ...]:
        """Of a loop: its state at the start."""
        return self.inputs[3:] if self.op is FOR else self.inputs

    @property
    def left(self) -> tuple[Value, ...]:
        """Of a loop: the results that a BREAK gives."""
        return self.outputs[len(self.state) :] if self.op is FOR else self.outputs


@dataclass(eq=False, slots=True)
class Block:
    """Nodes in program order; `results` are what the enclosing node or graph receives."""

    params: tuple[Value, ...]
    nodes: list[Node]
    results: tuple[Value, ...] = ()

    @property
    def goes_on(self) -> bool:
        """Whether what stands behind the block comes next; a loop or the segment is left else."""
        return not self.nodes or not _ends(self.nodes[-1])

    def every_node(self) -> Iterator[Node]:
        """Its nodes, those of regions after the node that holds them."""
        for node in self.nodes:
            yield node
            for inner in node.blocks:
                yield from inner.every_node()


def _ends(node: Node) -> bool:
    """Whether nothing behind a node is come to."""
    if node.op is IF:
        return not any(block.goes_on for block in node.blocks)
    if node.op is LOOP:
        return not _breaks(node.blocks[0])
    return node.op in ENDS


def _breaks(block: Block) -> bool:
    """Whether the loop whose body it is ends somewhere."""
    return any(
        node.op is BREAK or (node.op is IF and any(map(_breaks, node.blocks)))
        for node in block.nodes
    )


# ---- recipes: how the objects of an exit are built ------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """A graph value as a Python object."""

    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class Constant:
    """An object known at capture."""

    value: Any


@dataclass(frozen=True, eq=False, slots=True)
class Live:
    """The object that a source reaches, unchanged (`return x`)."""

    source: Any


@dataclass(frozen=True, eq=False, slots=True)
class Build:
    """A fresh tuple, list or dict (dict items alternate key, value)."""

    kind: str
    items: tuple[Recipe, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """The result of calling `function`; for objects that a call rebuilds (slice, range, iter)."""

    function: Callable[..., Any]
    args: tuple[Recipe, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Slot:
    """The object in a slot of the entry; backends use it for objects that are no graph value."""

    number: int


@dataclass(frozen=True, eq=False, slots=True)
class Do:
    """`result`, after what `effects` do to other objects."""

    effects: tuple[Recipe, ...]
    result: Recipe


Recipe = Leaf | Constant | Live | Build | Call | Slot | Do
"""A recipe that stands in several places of one is made once: they share the object."""


def parts(recipe: Recipe) -> tuple[Recipe, ...]:
    """The recipes that a recipe is made of, in order."""
    match recipe:
        case Build(items=items) | Call(args=items):
            return items
        case Do(effects, result):
            return (*effects, result)
    return ()


def calls_python(exit_: Exit) -> bool:
    """True if building what an exit hands over runs functions that are written in Python."""
    waiting = [*exit_.recipes, *exit_.effects]
    while waiting:
        recipe = waiting.pop()
        if isinstance(recipe, Call) and isinstance(recipe.function, FunctionType):
            return True
        waiting += parts(recipe)
    return False


def leaves(recipe: Recipe) -> Iterator[Value]:
    """Graph values that a recipe needs, in order."""
    if isinstance(recipe, Leaf):
        yield recipe.value
    for part in parts(recipe):
        yield from leaves(part)


def substituted(
    recipe: Recipe, instead: Mapping[Value, Value], made: dict[Recipe, Recipe]
) -> Recipe:
    """A recipe with other graph values; `made` has those that were asked for, which are shared."""
    if recipe not in made:
        items = tuple(substituted(part, instead, made) for part in parts(recipe))
        new = recipe
        match recipe:
            case Leaf(value) if value in instead:
                new = Leaf(instead[value])
            case Build(kind, old) if old != items:
                new = Build(kind, items)
            case Call(function, old) if old != items:
                new = Call(function, items)
            case Do(effects, result) if (*effects, result) != items:
                new = Do(items[:-1], items[-1])
        made[recipe] = new
    return made[recipe]


def sources(recipe: Recipe) -> Iterator[Any]:
    """The sources of the objects that a recipe passes on, in order."""
    if isinstance(recipe, Live):
        yield recipe.source
    for part in parts(recipe):
        yield from sources(part)


@dataclass(frozen=True, eq=False, slots=True)
class Exit:
    """A way out: `at` is the instruction where bytecode goes on, with this state before it."""

    at: int
    kind: str
    """"return", "break", "branch", "halt" or "bail"."""
    stores: tuple[tuple[int, Recipe], ...] = ()
    """Locals (localsplus index) that the segment assigned."""
    pushes: tuple[Recipe, ...] = ()
    """Stack items above what the segment left in place, bottom to top."""
    deletes: tuple[int, ...] = ()
    """Locals that the segment unbound."""
    nulls: tuple[int, ...] = ()
    """Places among the stack items (0 is the lowest) that hold NULL; `pushes` leaves them out."""
    effects: tuple[Recipe, ...] = ()
    """What the segment does to objects from outside, in program order."""

    @property
    def recipes(self) -> tuple[Recipe, ...]:
        """What it hands back: stores first, then pushes."""
        return (*(recipe for _, recipe in self.stores), *self.pushes)

    def payload(self, result: Recipe) -> Recipe:
        """`result`, after the effects."""
        return Do(self.effects, result) if self.effects else result


@dataclass(frozen=True, slots=True)
class PassRun:
    """One run of a pass over a graph."""

    name: str
    done: str
    """What became of the operations that it removed or moved, in a word of the report."""
    number: int
    """How many they are."""
    before: int
    """Nodes of the graph that the pass was given."""
    after: int
    """Nodes of the graph that it returned."""
    seconds: float


@dataclass(eq=False, slots=True)
class Graph:
    """What one segment computes."""

    params: tuple[Value, ...]
    body: Block
    exits: list[Exit] = field(default_factory=list)
    bounds: dict[Value, int] = field(default_factory=dict)
    """For some ints among the parameters: they are nearer to zero whenever the graph runs."""
    done: dict[str, int] = field(default_factory=dict)
    """What became of operations that are not in it, or not where they were, each with a number."""
    runs: tuple[PassRun, ...] = ()
    """The passes that have run on it so far, in order."""
    lengths: Mapping[Sym, int] = field(default_factory=dict)
    """What dims were at capture, as far as that is known; guides decisions only."""
    aside: bool = False
    """Whether what is stored in arrays from outside is computed elsewhere first. Else it is left to
    the run whether arrays that are read share their memory, and whether flags raise."""

    def nodes(self) -> Iterator[Node]:
        """All nodes, those of regions after the node that holds them."""
        return self.body.every_node()
