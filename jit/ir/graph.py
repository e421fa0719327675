"""Graphs: typed SSA with structured regions, and the exits through which a segment is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from types import FunctionType
from typing import Any

from ..flags import NO_MODES, Modes
from ..frozen import dataclass
from .schema import Jump, Op
from .types import Sym, Type

Spot = tuple[str, str, int, int]
"""One instruction of a program: file, function, line, index."""


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the user's program from which a node comes; its warnings are issued there."""

    filename: str
    line: int
    function: str
    module: str
    namespace: dict[str, Any] = field(compare=False, hash=False, repr=False)
    """Globals of the frame; warnings need their `__warningregistry__`."""
    modes: Modes = NO_MODES
    """Modes that surrounding `np.errstate` blocks set for floating point flags."""
    at: int = field(default=-1, compare=False)
    """Index of the instruction in its code; -1 if only the line is known."""

    @property
    def spot(self) -> Spot:
        """Return a key of the instruction that does not depend on the Location object."""
        return self.filename, self.function, self.line, self.at


@dataclass(eq=False, slots=True)
class Value:
    """One result of a node, or a parameter of a block or graph."""

    type: Type
    hint: Any = None
    """Value of a scalar at capture; guides decisions and never enters results."""
    name: str = ""
    """The user's variable name, which makes generated text readable."""


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One operation of a graph."""

    op: Op
    inputs: tuple[Value, ...]
    attrs: Mapping[str, Any]
    outputs: tuple[Value, ...]
    location: Location | None = None
    """The place of its warnings; None for nodes from NumPy's own Python code."""
    blocks: tuple[Block, ...] = ()
    place: Location | None = None
    """Location that was being captured when the node was made; for messages."""

    @property
    def constant(self) -> Any:
        """The number that the node is, or None if it is no constant."""
        return self.attrs["value"] if self.op.is_constant else None

    @property
    def state(self) -> tuple[Value, ...]:
        """For loops: the values that CONTINUE passes to the next iteration."""
        params = self.blocks[0].params
        return params[1:] if self.op.counted else params

    @property
    def initial(self) -> tuple[Value, ...]:
        """For loops: the state before the first iteration."""
        return self.inputs[3:] if self.op.counted else self.inputs

    @property
    def break_results(self) -> tuple[Value, ...]:
        """For loops: the results that BREAK passes out."""
        return self.outputs[len(self.state) :] if self.op.counted else self.outputs


@dataclass(eq=False, slots=True)
class Block:
    """Nodes in program order; `results` are handed to the enclosing node or the caller."""

    params: tuple[Value, ...]
    nodes: list[Node]
    results: tuple[Value, ...] = ()

    @property
    def falls_through(self) -> bool:
        """True if control can reach the end of the block; False if it jumps or leaves before."""
        return not self.nodes or not _ends(self.nodes[-1])

    @property
    def breaks(self) -> bool:
        """True if the block has a BREAK of the loop around it, not of a loop inside."""
        return any(
            node.op.jump is Jump.BREAK
            or (node.op.branches and any(one.breaks for one in node.blocks))
            for node in self.nodes
        )

    def every_node(self) -> Iterator[Node]:
        """Yield all nodes; those in regions come after the node that holds them."""
        for node in self.nodes:
            yield node
            for inner in node.blocks:
                yield from inner.every_node()

    def nodes_of_iteration(self) -> Iterator[Node]:
        """Yield the nodes here and in branches, but not those in inner loops."""
        for node in self.nodes:
            yield node
            if not node.op.loops:
                for inner in node.blocks:
                    yield from inner.nodes_of_iteration()


def _ends(node: Node) -> bool:
    """True if nothing after this node in its block can run."""
    if node.op.branches:
        return not any(block.falls_through for block in node.blocks)
    if node.op.loops and not node.op.counted:
        return not node.blocks[0].breaks
    return node.op.ends


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
    """A new tuple, list or dict; the items of a dict alternate between key and value."""

    kind: str
    items: tuple[Recipe, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Call:
    """The result of calling `function`, for objects such as slices, ranges and iterators."""

    function: Callable[..., Any]
    args: tuple[Recipe, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Slot:
    """The object in a slot of the entry; used by backends for objects that are no graph values."""

    number: int


@dataclass(frozen=True, eq=False, slots=True)
class Do:
    """`result`, after running `effects` on other objects."""

    effects: tuple[Recipe, ...]
    result: Recipe


Recipe = Leaf | Constant | Live | Build | Call | Slot | Do
"""Any recipe. A recipe object that occurs several times is built once and shared."""


def parts(recipe: Recipe) -> tuple[Recipe, ...]:
    """Return the direct parts of a recipe, in order."""
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
    """Yield the graph values that a recipe reads, in order."""
    if isinstance(recipe, Leaf):
        yield recipe.value
    for part in parts(recipe):
        yield from leaves(part)


def substituted(
    recipe: Recipe, replacements: Mapping[Value, Value], made: dict[Recipe, Recipe]
) -> Recipe:
    """Return the recipe with graph values replaced. `made` memoises, so sharing is preserved."""
    if recipe not in made:
        items = tuple(substituted(part, replacements, made) for part in parts(recipe))
        new = recipe
        match recipe:
            case Leaf(value) if value in replacements:
                new = Leaf(replacements[value])
            case Build(kind, old) if old != items:
                new = Build(kind, items)
            case Call(function, old) if old != items:
                new = Call(function, items)
            case Do(effects, result) if (*effects, result) != items:
                new = Do(items[:-1], items[-1])
        made[recipe] = new
    return made[recipe]


def sources(recipe: Recipe) -> Iterator[Any]:
    """Yield the sources of objects that a recipe passes through, in order."""
    if isinstance(recipe, Live):
        yield recipe.source
    for part in parts(recipe):
        yield from sources(part)


@dataclass(frozen=True, eq=False, slots=True)
class Exit:
    """A way out of a segment: bytecode continues at instruction `at` in this state."""

    at: int
    kind: str
    """"return", "break", "branch", "halt" or "bail"."""
    stores: tuple[tuple[int, Recipe], ...] = ()
    """Locals (localsplus index) that the segment assigned, with their recipes."""
    pushes: tuple[Recipe, ...] = ()
    """Stack items to push above those that the segment left in place, bottom to top."""
    deletes: tuple[int, ...] = ()
    """Locals that the segment deleted."""
    nulls: tuple[int, ...] = ()
    """Stack positions (0 is the lowest) that hold NULL; `pushes` omits them."""
    effects: tuple[Recipe, ...] = ()
    """Effects on objects from outside the segment, in program order."""

    @property
    def recipes(self) -> tuple[Recipe, ...]:
        """Return the recipes of all handed-over objects: stores first, then pushes."""
        return (*(recipe for _, recipe in self.stores), *self.pushes)

    def payload(self, result: Recipe) -> Recipe:
        """Return `result`, wrapped so that the effects run first."""
        return Do(self.effects, result) if self.effects else result


@dataclass(frozen=True, slots=True)
class PassRun:
    """Statistics of one pass over a graph."""

    name: str
    done: str
    """Word that reports use for the operations that the pass removed or moved."""
    number: int
    """Number of those operations."""
    before: int
    """Number of nodes before the pass."""
    after: int
    """Number of nodes after the pass."""
    seconds: float


@dataclass(eq=False, slots=True)
class Graph:
    """The computation of one segment."""

    params: tuple[Value, ...]
    body: Block
    exits: list[Exit] = field(default_factory=list)
    bounds: dict[Value, int] = field(default_factory=dict)
    """Upper bounds on the magnitude of some int parameters, guaranteed by guards."""
    done: dict[str, int] = field(default_factory=dict)
    """Number of operations that passes removed or moved, by the word that reports use."""
    runs: tuple[PassRun, ...] = ()
    """Passes that have run on it, in order."""
    lengths: Mapping[Sym, int] = field(default_factory=dict)
    """Lengths of dims at capture where known; used for decisions only."""
    aside: bool = False
    """True if kernels must compute values into a buffer before they store them in arrays from
    outside. Otherwise they do so only if arrays overlap or a flag may be raised."""

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes; those in regions come after the node that holds them."""
        return self.body.every_node()
