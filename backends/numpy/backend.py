"""Runs a graph op by op on the user's own objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...jit.ir.graph import Build, Call, Constant, Leaf, Live, Node, Recipe, Value
from ...jit.ir.ops import CHECKPOINT, LEAVE
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
        checkpoint: int | None = None
        modes = {kind: "ignore" if mode == "ignore" else "raise" for kind, mode in np.geterr().items()}
        try:
            with np.errstate(**modes):
                for node in plan.graph.body.nodes:
                    if node.op is LEAVE:
                        checkpoint = node.attrs["exit"]
                        break
                    if node.op is CHECKPOINT:
                        checkpoint = node.attrs["exit"]
                    else:
                        result = _run(node, values)
                        if node.outputs:
                            values[node.outputs[0]] = result
        except Exception:
            # Whatever NumPy raises here it raises again where eager goes on.
            if checkpoint is None:
                return None
        assert checkpoint is not None, "a graph ends in an exit"
        return checkpoint, self._build(plan.payloads[checkpoint], values, slots)

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
