"""Writes the steps of a block: clusters, and nodes through the writers of their ops."""

from __future__ import annotations

from collections.abc import Sequence

from ...jit.ir.graph import Block, Node, Value
from ...jit.ir.schema import Effect
from ...jit.passes.clusters import Cluster, Step
from .clusters.cluster import write_cluster
from .clusters.direct import direct_stores
from .clusters.fusion import steps_of
from .clusters.row_groups import is_harmless, row_groups
from .elision import keep_small
from .lifetimes import last_uses
from .writer import KernelWriter
from .writers import WRITERS


def write_block(writer: KernelWriter, block: Block) -> None:
    """Write the steps of a block: the body of the graph, of a branch or of a loop."""
    steps = steps_of(block, as_it_stands=writer.attribute)
    if not writer.attribute:
        aside = writer.graph.aside
        writer.direct |= direct_stores(steps, block, lambda: writer.aliases, aside=aside)
    loops, ended = writer.row_loops, list[Value]()
    groups = row_groups(writer, steps)
    with writer.memory.block():
        for place, (step, dying) in enumerate(zip(steps, last_uses(steps, block), strict=True)):
            loops.rows = groups[place]
            if loops.rows is None and not is_harmless(step):
                loops.flush()
            writer.dying = dying
            if _changes_for_good(writer, step):
                _get_ready(writer, steps[place + 1 :])
            with writer.spots.of(step):
                _write_step(writer, step)
            ended += dying
            if not loops.are_waiting:  # else they still read it
                writer.memory.end(ended)
                ended = []
        loops.flush()
        loops.rows = None


def _changes_for_good(writer: KernelWriter, step: Step) -> bool:
    """True if a step changes outside objects in a way that no bail undoes."""
    if isinstance(step, Node):
        return bool(step.attrs.get("visible"))
    return any(value in writer.direct and writer.direct[value].visible for value in step.outputs)


def _get_ready(writer: KernelWriter, steps: Sequence[Step]) -> None:
    """Create views needed by the next checkpoint now, while failing allocation may still bail."""
    found = (one for one in steps if isinstance(one, Node) and one.op.effect is Effect.CHECKPOINT)
    needed = next((one.inputs for one in found), ())
    writer.objects_ready(tuple(value for value in needed if value in writer.places))


def _write_step(writer: KernelWriter, step: Step) -> None:
    keep_small(writer, step.nodes if isinstance(step, Cluster) else (step,))
    if isinstance(step, Cluster):
        writer.n_fused += len(step.nodes)
        writer.n_common += step.merged
        writer.fusion.append(step.record())
        write_cluster(writer, step)
    elif (native := WRITERS.get(step.op.name)) is None or not native(writer, step):
        WRITERS["opaque" if step.outputs else "put"](writer, step)
