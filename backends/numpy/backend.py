"""Runs a graph op by op on the user's own objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit.ir.graph import Build, Call, Constant, Leaf, Live, Node, Recipe, Value
from ...jit.ir.ops import LEAVE
from ...jit.ir.text import print_graph
from ...jit.pipeline import Parts, Plan


class NumpyBackend:
    """See the package."""

    name = "numpy"

    def compile(self, plan: Plan, attribute: bool = False) -> Parts:
        """A Python callable over the slots of the entry."""
        fused = sum(node.op is not LEAVE for node in plan.graph.nodes())
        return Parts(
            python_kernel=_Runner(plan),
            n_slots=plan.n_slots,
            words=bytes(8 * 64),
            text=print_graph(plan.graph),
            fused=fused,
        )


class _Bail(Exception):  # noqa: N818
    """An op raised a flag that eager would report."""


class _Runner:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __call__(self, *slots: Any) -> tuple[int, Any] | None:
        """(exit, payload), or None for a bail to the start."""
        plan = self._plan
        values: dict[Value, Any] = {
            param: slots[slot]
            for param, slot in zip(plan.graph.params, plan.param_slots, strict=True)
        }
        modes = {kind: "ignore" if mode == "ignore" else "raise" for kind, mode in np.geterr().items()}
        try:
            with np.errstate(**modes):
                for node in plan.graph.body.nodes:
                    if node.op is LEAVE:
                        index = node.attrs["exit"]
                        return index, self._build(plan.payloads[index], values, slots)
                    values[node.outputs[0]] = _run(node, values)
        except (FloatingPointError, ArithmeticError, ValueError, TypeError, IndexError, MemoryError):
            return None
        raise AssertionError("a graph ends in an exit")

    def _build(self, recipe: Recipe, values: dict[Value, Any], slots: tuple[Any, ...]) -> Any:
        match recipe:
            case Leaf(value):
                return values[value]
            case Constant(value):
                return value
            case Live(source):
                return slots[self._plan.slot_of(source)]
            case Build(kind, items):
                built = [self._build(item, values, slots) for item in items]
                if kind == "dict":
                    return dict(zip(built[::2], built[1::2], strict=True))
                return tuple(built) if kind == "tuple" else built
            case Call(function, args):
                return function(*[self._build(arg, values, slots) for arg in args])


def _run(node: Node, values: dict[Value, Any]) -> Any:
    assert node.op.reference is not None
    return node.op.reference(node.attrs, *[values[value] for value in node.inputs])
