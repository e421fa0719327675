"""Runs a graph op by op with NumPy on the user's own objects."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from ...jit import native
from ...jit.allotment import allotments
from ...jit.config import debug_mode
from ...jit.counting import ASKED
from ...jit.filters import filtered
from ...jit.flags import NO_MODES, Modes
from ...jit.generators import keep
from ...jit.interrupts import meant_for_program
from ...jit.ir.graph import (
    Block,
    Build,
    Call,
    Constant,
    Do,
    Leaf,
    Live,
    Node,
    Recipe,
    Value,
    parts,
)
from ...jit.ir.infer import is_owned
from ...jit.ir.nests import OtherStructure, leaves
from ...jit.ir.ops import (
    BAIL,
    BREAK,
    CHECKPOINT,
    CONTINUE,
    DISJOINT,
    FOR,
    HALTED,
    IF,
    LEAVE,
    LOOP,
    UNDEFINED,
    UNDO,
    Kind,
)
from ...jit.ir.references import ELIDED_FROM
from ...jit.ir.schema import Effect, Jump
from ...jit.ir.text import print_graph
from ...jit.ir.types import ArrayType, Dim
from ...jit.pipeline import Parts, Plan
from .results import is_of

HELD = 1 + ASKED
"""Reference count of an object that only a variable holds, as `getrefcount` returns it."""


class NumpyBackend:
    """The reference backend; see the docstring of the package."""

    name = "numpy"

    def compile(self, plan: Plan, attribute: bool = False) -> Parts:
        """Return parts with a Python callable over the slots of the entry."""
        left_out = sum(
            node.op.is_constant or node.op.effect is Effect.LEAVE for node in plan.graph.nodes()
        )
        return Parts(
            python_kernel=_Runner(plan),
            n_slots=plan.n_slots,
            words=bytes(8 * 64),
            text=print_graph(plan.graph),
            fused=sum(1 for _ in plan.graph.nodes()) - left_out,
            allotments=partial(allotments, plan.graph, plan.payloads),
        )


class _Runner:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._bails_at = 0
        live = dict.fromkeys(one for payload in plan.payloads for one in _live_parts(payload))
        self._places = {one: plan.slot_of(one.source) for one in live}
        self._has_checkpoints = any(exit_.kind == "bail" for exit_ in plan.graph.exits)
        self._computes = any(node.op.effect is not Effect.LEAVE for node in plan.graph.body.nodes)

    def __call__(self, *slots: Any) -> tuple[int, Any] | None:
        """Run the graph; return (exit, payload), or None for a bail to the start."""
        plan = self._plan
        values: dict[Value, Any] = {
            param: slots[slot]
            for param, slot in zip(plan.graph.params, plan.param_slots, strict=True)
        }
        self._bails_at = self._bails_at % 12 + 1
        run = Run(values, self._bails_at)
        if not self._computes:  # usual in segments of hostile modes: no ufunc, no flags
            run.block(plan.graph.body)
        elif not self._run_quietly(run):
            run.undo()
            if run.exit is None:
                return None
        assert run.exit is not None, "a graph ends in an exit"
        if debug_mode("bail_everywhere") and not self._has_checkpoints:
            native.count_bail()  # objects from outside are unchanged so far
            run.undo()
            return None
        return run.exit, self._build(plan.payloads[run.exit], run.state, slots)

    def _run_quietly(self, run: Run) -> bool:
        """Run with warnings and reported flags as errors.

        Return False after an error, which eager then repeats.
        """
        modes: dict[str, Any] = {
            kind: "ignore" if mode == "ignore" else "raise" for kind, mode in np.geterr().items()
        }
        try:
            with np.errstate(**modes), filtered("error"):
                for param, value in run.values.items():
                    run.match(param, value)
                run.block(self._plan.graph.body)
        except Exception as error:
            if meant_for_program(error) is error:
                run.undo()
                raise
            return False
        return True

    def _build(self, recipe: Recipe, values: dict[Value, Any], slots: tuple[Any, ...]) -> Any:
        return _Objects(self._plan, values, slots, self._places).of(recipe)


@dataclass(slots=True)
class _Objects:
    """Builds the objects of one exit; a recipe that occurs several times gives one object."""

    plan: Plan
    values: dict[Value, Any]
    slots: tuple[Any, ...]
    places: dict[Live, int]
    """Slots of live-ins, cached because hashing a source is slow."""
    made: dict[Recipe, Any] = field(default_factory=dict)

    def of(self, recipe: Recipe) -> Any:
        if recipe not in self.made:
            self.made[recipe] = self._make(recipe)
        return self.made[recipe]

    def _make(self, recipe: Recipe) -> Any:
        match recipe:
            case Leaf(value):
                return self.values[value]
            case Constant(value):
                return value
            case Live():
                return self.slots[self.places[recipe]]
            case Build(kind, items):
                built = [self.of(item) for item in items]
                if kind == "dict":
                    return dict(zip(built[::2], built[1::2], strict=True))
                return tuple(built) if kind == "tuple" else built
            case Call(function, args):
                return function(*[self.of(arg) for arg in args])
            case Do(effects, result):
                for effect in effects:
                    self.of(effect)
                return self.of(result)


def _live_parts(recipe: Recipe) -> Iterator[Live]:
    """Yield the live-ins that a recipe contains."""
    if isinstance(recipe, Live):
        yield recipe
    for part in parts(recipe):
        yield from _live_parts(part)


class _Hostile(Exception):  # noqa: N818 (control flow, no error)
    """A bail forced by the hostile mode."""


class OtherSize(Exception):  # noqa: N818 (named for its reason)
    """An array has another size than the graph was compiled for."""


class Bail(Exception):  # noqa: N818 (control flow, no error)
    """The graph reached a BAIL."""


@dataclass(slots=True)
class _Next:
    """The end of a block that does not run to its last node."""

    jump: Jump | None
    """The jump at its end; None if it leaves the graph."""
    values: list[Any]


def _what_puts_back(changing: Any) -> Callable[[], None]:
    """Return a function that restores the present contents of an array or generator."""
    if isinstance(changing, np.ndarray):
        return partial(np.copyto, changing, changing.copy())
    return keep(changing)


class Run:
    """One run of a graph."""

    def __init__(self, values: dict[Value, Any], bails_at: int) -> None:
        self.values = values
        self._bails_at = bails_at
        self._passed = 0
        self.exit: int | None = None
        """The exit through which the run may be left now."""
        self.state: dict[Value, Any] = {}
        """The values that this exit needs."""
        self._lengths: dict[Dim, int] = {}
        """Lengths of symbolic dims met so far."""
        self._before: list[Callable[[], None]] = []
        """Functions that restore changed arrays and generators."""

    def match(self, value: Value, result: Any) -> None:
        """Record a value's sizes; raise OtherSize if they differ from those at capture."""
        if not isinstance(value.type, ArrayType):
            return
        for dim, length in zip(value.type.dims, result.shape, strict=True):
            if length != (dim if isinstance(dim, int) else self._lengths.setdefault(dim, length)):
                raise OtherSize

    def undo(self) -> None:
        """Restore everything changed since the last checkpoint."""
        for put_back in reversed(self._before):
            put_back()

    def block(self, block: Block) -> _Next | None:
        """Run a block; return how it ends if not at its end."""
        for node in block.nodes:
            following = self._node(node)
            if following is not None:
                return following
        return None

    def _node(self, node: Node) -> _Next | None:
        inputs = [self.values[value] for value in node.inputs]
        match node.op.name:
            case CHECKPOINT.name | LEAVE.name:
                self.exit = node.attrs["exit"]
                self.state = dict(zip(node.inputs, inputs, strict=True))
                if node.op.ends:
                    return _Next(None, [])
                self._before.clear()
                if debug_mode("bail_everywhere"):
                    self._bail_if_hostile()
            case CONTINUE.name | BREAK.name:
                return _Next(node.op.jump, inputs)
            case BAIL.name:
                raise Bail
            case DISJOINT.name:
                if np.may_share_memory(*inputs):
                    raise Bail
            case UNDO.name:
                self._before.append(_what_puts_back(inputs[0]))
            case UNDEFINED.name:
                self.values[node.outputs[0]] = None
            case HALTED.name:  # the program's exceptions surface in this code anyway
                self.values.update(zip(node.outputs, (False, 0), strict=True))
            case IF.name:
                return self._if(node, inputs[0])
            case FOR.name:
                return self._for(node, inputs)
            case LOOP.name:
                return self._loop(node, inputs)
            case _:
                self._compute(node, inputs)
        return None

    def _compute(self, node: Node, inputs: list[Any]) -> None:
        assert node.op.reference is not None
        if node.location is not None and node.location.modes != NO_MODES:
            with self._enforced(node.location.modes):
                result = node.op.reference(node.attrs, *inputs)
        else:
            result = node.op.reference(node.attrs, *inputs)
        if node.attrs.get("owned") and not (is_owned(result) and sys.getrefcount(result) <= HELD):
            raise Bail
        if "small" in node.attrs and result.nbytes >= ELIDED_FROM:
            raise Bail  # eager would reuse an operand of this size
        try:
            nest = node.attrs.get("nest")
            results = list(leaves(result, nest)) if nest else [result] * len(node.outputs)
        except OtherStructure:
            raise Bail from None
        for value, one in zip(node.outputs, results, strict=True):
            if node.op.kind is Kind.OPAQUE and not is_of(value.type, one):
                raise Bail
            self.match(value, one)
            self.values[value] = one

    def _enforced(self, modes: Modes) -> np.errstate:
        """Return the context for a node inside `np.errstate` blocks."""
        return modes.enforced()

    def _bail_if_hostile(self) -> None:
        """In the hostile mode, bail at a later checkpoint in each run, in run 1 at the first."""
        self._passed += 1
        if self._passed == self._bails_at:
            native.count_bail()
            raise _Hostile

    def _give(self, node: Node, results: list[Any], offset: int = 0) -> None:
        """Assign results of a region; results not handed over stay undefined."""
        for value in node.outputs:
            self.values.setdefault(value, None)
        for value, one in zip(node.outputs[offset:], results, strict=False):
            if one is not None:
                self.match(value, one)
            self.values[value] = one

    def _if(self, node: Node, condition: bool) -> _Next | None:
        block = node.blocks[0 if condition else 1]
        outside = dict(self._lengths)
        following = self.block(block)
        self._lengths = outside  # sizes from one branch do not bind the other
        if following is None:
            self._give(node, [self.values[value] for value in block.results])
        return following

    def _one_iteration(self, block: Block, found: list[Any], outside: dict[Dim, int]) -> _Next:
        """Run one iteration of a loop."""
        self._lengths = dict(outside)  # sizes may differ between iterations
        for param, value in zip(block.params, found, strict=True):
            if value is not None:
                self.match(param, value)
            self.values[param] = value
        following = self.block(block)
        assert following is not None, "a body ends in its next iteration, or is left"
        return following

    def _for(self, node: Node, inputs: list[Any]) -> _Next | None:
        start, stop, step, *state = inputs
        outside = dict(self._lengths)
        following = None
        for index in range(start, stop, step):
            following = self._one_iteration(node.blocks[0], [index, *state], outside)
            if following.jump is not Jump.CONTINUE:
                break
            state = following.values
        self._lengths = outside
        if following is not None and following.jump is None:
            return following
        left = following is not None and following.jump is Jump.BREAK
        self._give(node, state)
        if left:
            assert following is not None
            self._give(node, following.values, len(state))
        elif "ended" in node.attrs:
            self.values[node.outputs[-1]] = node.attrs["ended"]
        return None

    def _loop(self, node: Node, state: list[Any]) -> _Next | None:
        outside = dict(self._lengths)
        while True:
            following = self._one_iteration(node.blocks[0], state, outside)
            if following.jump is not Jump.CONTINUE:
                break
            state = following.values
        self._lengths = outside
        if following.jump is None:
            return following
        self._give(node, following.values)
        return None
