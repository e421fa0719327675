"""The verifier: checks the rules of the IR after capture and after each pass.

   a node        inputs, results and attributes fit the op's row; types follow from them
   a value       is defined once, before its uses, in the same block or an enclosing one
   a region      values handed over agree with their receivers in number and type
   an exit       LEAVE and CHECKPOINT read the values of its recipes in order

`FRAMEJIT_DEBUG=strict` runs it from `jit/passes/pass_manager.py`. Rules about single ops are in
their rows (`primitives/`), rules about the order of effects, which compare two graphs, in
`jit/passes/effects.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

from .. import native
from .graph import Block, Graph, Node, Value, leaves
from .schema import Jump, Op, Operands, Typing
from .text import print_node
from .types import PY_INT, ArrayType, Type


class MalformedGraphError(Exception):
    """An error of framejit itself: capture or a pass made a graph that breaks a rule."""

    def __init__(self, made_by: str, node: str, rule: str, said: str) -> None:
        super().__init__(f"{made_by} made a malformed graph: {rule}: {said}\n  at: {node}")
        self.made_by = made_by
        self.rule = rule


Checked = dict[Node, list[Type]]
"""Nodes that were found to be valid, with the types of their inputs and results at that time."""


def verify(graph: Graph, made_by: str, checked: Checked | None = None) -> None:
    """Check that a graph keeps the rules.

    Args:
        graph: The graph that capture or a pass has made.
        made_by: The name of that pass, for the message.
        checked: Nodes verified earlier; the nodes of this graph are added.

    Raises:
        MalformedGraphError: it breaks a rule.
    """
    _Verifier(graph, made_by, {} if checked is None else checked).run()


class _Verifier:
    """Verifies one graph."""

    def __init__(self, graph: Graph, made_by: str, checked: Checked) -> None:
        self.graph = graph
        self.made_by = made_by
        self.checked = checked
        self.defined: set[Value] = set()
        """Values defined so far in any block; each may be defined only once."""
        self.visible: set[Value] = set()
        """Values that the present block may read."""

    def run(self) -> None:
        """Verify the whole graph; raises MalformedGraphError."""
        graph = self.graph
        self.params(graph.params, None)
        for value in graph.bounds:
            if value not in self.visible or value.type.dtype.kind not in "iu":
                self.fail(None, "bounds", "expected bounds of ints among the parameters")
        if graph.body.params or graph.body.results:
            self.fail(None, "body", "expected a body without parameters and results")
        self.block(graph.body, None, is_body=True)
        if graph.body.falls_through:
            self.fail(None, "body", "expected a last node that ends it")

    def fail(self, node: Node | None, rule: str, said: str) -> NoReturn:
        """Raise MalformedGraphError."""
        text = "the graph" if node is None else print_node(self.graph, node)
        raise MalformedGraphError(self.made_by, text, rule, said)

    # ---- blocks --------------------------------------------------------------------------

    def block(self, block: Block, loop: Node | None, *, is_body: bool = False) -> None:
        """Verify the nodes of a block; `loop` is the innermost enclosing loop."""
        has_ended = False
        for node in block.nodes:
            if has_ended:
                self.fail(node, "end of a block", "expected no node after one that ends it")
            if node.op.on_top and not is_body:
                self.fail(node, "place", f"expected {node.op.name} outside of regions")
            for place, value in enumerate(node.inputs):
                if value not in self.visible:
                    self.fail(node, "dominance", f"input {place} is {self.why_unseen(value)}")
            self.row(node)
            if "exit" in node.op.attrs:
                self.exit(node)
            if node.op.jump is not None:
                self.jump(node, loop)
            if node.op.blocks:
                self.region(node, loop)
            for value in node.outputs:
                self.define(value, node)
            has_ended = node.op.ends or (bool(node.blocks) and not Block((), [node]).falls_through)

    def define(self, value: Value, node: Node | None) -> None:
        """Make a value visible to later nodes; fail if it is defined already."""
        if value in self.defined:
            self.fail(node, "definition", "a value is defined twice")
        self.defined.add(value)
        self.visible.add(value)

    def params(self, params: Sequence[Value], node: Node | None) -> None:
        """Define the parameters of the graph or of a block."""
        for param in params:
            self.define(param, node)
            self.layout(param.type, node)

    def layout(self, type_: Type, node: Node | None) -> None:
        """Check that a layout orders all axes and gives each a sign."""
        said = _wrong_layout(type_) if isinstance(type_, ArrayType) else None
        if said is not None:
            self.fail(node, "layout", f"expected {said}, found {type_!r}")

    def why_unseen(self, value: Value) -> str:
        """Return the reason why a value may not be read here, for a message."""
        return "of another block" if value in self.defined else "not defined before it"

    # ---- single nodes --------------------------------------------------------------------

    def row(self, node: Node) -> None:
        """Check a node against its op's row."""
        types = [value.type for value in (*node.inputs, *node.outputs)]
        if self.checked.get(node) == types:
            return
        op, count = node.op, len(node.inputs)
        inputs, outputs = tuple(types[:count]), tuple(types[count:])
        self.operands(node, "inputs", op.takes, inputs)
        self.operands(node, "results", op.gives, outputs)
        if len(node.blocks) != op.blocks:
            self.fail(node, "blocks", f"expected {op.blocks}, found {len(node.blocks)}")
        self.attributes(node, op)
        hints = tuple(value.hint for value in node.inputs)
        said = op.types(Typing(op, node.attrs, inputs, outputs, hints))
        if said is not None:
            found = ", ".join(map(str, outputs or inputs))
            self.fail(node, "types", f"expected {said}, found {found}")
        for type_ in outputs:
            self.layout(type_, node)
        self.checked[node] = types

    def operands(self, node: Node, what: str, row: Operands, types: Sequence[Type]) -> None:
        """Check the number and classes of inputs or results."""
        if not row.may_be(len(types)):
            self.fail(node, what, f"expected {row.count}, found {len(types)}")
        for place, type_ in enumerate(types):
            operand = row.at(place)
            if not operand.holds(type_):
                self.fail(node, what, f"expected {operand.name} at {place}, found {type_}")

    def attributes(self, node: Node, op: Op) -> None:
        """Check that attributes are those of the row and have allowed values."""
        for name, value in node.attrs.items():
            attr = op.attrs.get(name)
            if attr is None:
                self.fail(node, "attributes", f"{op.name} has no attribute {name!r}")
            if not attr.holds(value):
                self.fail(node, "attributes", f"expected {name} to be {attr.name}")
        for name, attr in op.attrs.items():
            if attr.required and name not in node.attrs:
                self.fail(node, "attributes", f"expected {name}, {attr.name}")

    # ---- exits ---------------------------------------------------------------------------

    def exit(self, node: Node) -> None:
        """Check that the inputs are the values of the exit's recipes, in order."""
        number = node.attrs["exit"]
        if not number < len(self.graph.exits):
            said = f"expected an exit below {len(self.graph.exits)}"
            self.fail(node, "exits", said)
        exit_ = self.graph.exits[number]
        needed = tuple(v for recipe in (*exit_.effects, *exit_.recipes) for v in leaves(recipe))
        if node.inputs != needed:
            said = f"expected the {len(needed)} values of the recipes of exit {number}, in order"
            self.fail(node, "exits", said)

    # ---- regions -------------------------------------------------------------------------

    def region(self, node: Node, loop: Node | None) -> None:
        """Verify the blocks of a node, and the values that they hand over."""
        if not node.op.branches:
            self.loop(node)
        for block in node.blocks:
            if node.op.branches and block.params:
                self.fail(node, "blocks", "expected blocks without parameters")
            self.params(block.params, node)
            self.block(block, loop if node.op.branches else node)
            if block.falls_through:
                self.check_fallthrough(node, block)
            elif block.results:
                self.fail(node, "yields", "expected no results of a block whose end is not reached")
            self.visible.difference_update(block.params)
            for inner in block.nodes:
                self.visible.difference_update(inner.outputs)

    def check_fallthrough(self, node: Node, block: Block) -> None:
        """Check a block whose end control reaches: it must be a branch, with results."""
        if not node.op.branches:
            self.fail(node, "end of a block", "expected a body that ends in a jump")
        for place, value in enumerate(block.results):
            if value not in self.visible:
                self.fail(node, "dominance", f"yield {place} is {self.why_unseen(value)}")
        self.handed_over(node, "yields", block.results, node.outputs)

    def loop(self, node: Node) -> None:
        """Check a loop's initial state and results."""
        (body,) = node.blocks
        n_own = 1 if node.op.counted else 0
        if len(body.params) < n_own:
            self.fail(node, "parameters", "expected the number of the iteration")
        if node.op.counted and body.params[0].type != PY_INT:
            self.fail(node, "parameters", f"expected int, found {body.params[0].type}")
        self.handed_over(node, "initial state", node.initial, node.state)
        if not node.op.counted:
            return
        state = node.state
        self.handed_over(node, "final state", state, node.outputs[: len(state)])
        has_break = any(inner.op.jump is Jump.BREAK for inner in _of_loop(body))
        if has_break != ("ended" in node.attrs):
            said = "expected ended exactly where the loop has a break"
            self.fail(node, "attributes", said)
        if not has_break and node.break_results:
            self.fail(node, "results", f"expected {len(state)}, as there is no break")
        if has_break and (not node.break_results or node.break_results[-1].type != PY_INT):
            self.fail(node, "results", "expected an int last, which says where the loop ended")

    def jump(self, node: Node, loop: Node | None) -> None:
        """Check the values that CONTINUE and BREAK hand to their loop."""
        if loop is None:
            self.fail(node, "place", f"expected {node.op.name} inside a loop")
        receivers = loop.state if node.op.jump is Jump.CONTINUE else loop.break_results
        self.handed_over(
            node, "state" if node.op.jump is Jump.CONTINUE else "results", node.inputs, receivers
        )

    def handed_over(
        self, node: Node, what: str, given: Sequence[Value], received: Sequence[Value]
    ) -> None:
        """Check that values agree with their receivers in number and type."""
        if len(given) != len(received):
            self.fail(node, what, f"expected {len(received)} values, found {len(given)}")
        for place, (one, other) in enumerate(zip(given, received, strict=True)):
            if not _agree(one.type, other.type):
                found, expected = one.type, other.type
                shown = str if str(found) != str(expected) else repr
                said = f"expected {shown(expected)} at {place}, found {shown(found)}"
                self.fail(node, what, said)


def _agree(given: Type, received: Type) -> bool:
    """True if a value of one type may be handed to a receiver of another.

    Lengths may differ if one is symbolic: the kernel compares them at run time.
    """
    if given == received:
        return True
    if not isinstance(given, ArrayType) or not isinstance(received, ArrayType):
        return False
    if (given.char, given.layout, given.ndim) != (received.char, received.layout, received.ndim):
        return False
    pairs = zip(given.dims, received.dims, strict=True)
    return all(a == b or not (isinstance(a, int) and isinstance(b, int)) for a, b in pairs)


def _of_loop(block: Block) -> Iterable[Node]:
    """Yield the nodes of a loop's body, but not those of nested loops."""
    for node in block.nodes:
        yield node
        if node.op.branches:
            for inner in node.blocks:
                yield from _of_loop(inner)


def _wrong_layout(type_: ArrayType) -> str | None:
    """Return what was expected of an array's layout, or None if it is valid."""
    layout, ndim = type_.layout, type_.ndim
    if ndim > native.MAX_NDIM:
        return f"at most {native.MAX_NDIM} axes"
    if sorted(layout.order) != [*range(ndim)]:
        return f"an order of {ndim} axes"
    if len(layout.signs) != ndim or not {-1, 0, 1}.issuperset(layout.signs):
        return f"a sign for each of {ndim} axes"
    return None
