"""Compiles a graph: KernelWriter writes text, which becomes machine code from disk or by Numba."""

from __future__ import annotations

import struct
from functools import partial
from importlib import import_module
from pkgutil import iter_modules

from ...jit.analysis.aliases import order_is_observable
from ...jit.ir.graph import Value
from ...jit.ir.types import ObjectType
from ...jit.native import FP_FLAGS
from ...jit.passes.pass_manager import FOR_KERNELS
from ...jit.pipeline import Parts, Plan, TooLong
from ...jit.recipes import RecipePacker
from . import nodes
from .allotments import allotments
from .machine_code.codes import compile_text, known_code, unfinished
from .machine_code.lookups import machine_code_of
from .machine_code.shared_text import shared
from .outlining import text_of
from .steps import write_block
from .writer import KernelWriter

for _module in iter_modules(nodes.__path__):
    import_module(f"{nodes.__name__}.{_module.name}")  # registers the writers of its ops

MAX_LINES = 3500
"""Longest text of a kernel: LLVM takes 1 ms for most lines, and up to 3 ms for those with many
loops over arrays (docs/decisions/segments.md)."""


class NumbaBackend:
    """The default backend; see the docstring of the package."""

    name = "numba"
    passes = FOR_KERNELS

    def compile(self, plan: Plan, attribute: bool = False) -> Parts:
        """Compile the whole graph into one kernel.

        An attributing kernel has a separate node for each place that may report flags.
        """
        writer = KernelWriter(plan, attribute)
        write_block(writer, plan.graph.body)
        tables = writer.tables
        packer = RecipePacker(
            plan.slot_of,
            lambda value: _slot(writer, value),
            writer.words_of.__getitem__,
            tables.object,
            tables.fresh_slot,
            writer.origin_word,
        )
        for payload in plan.payloads:
            packer.add(payload)
        for call in writer.call_recipes:
            packer.add(call)
        recipes, steps = packer.packed()
        arrays = tables.packed_arrays()
        text = text_of(writer.source, tables, has_loops=writer.known.has_loops)
        if (lines := text.count("\n")) > MAX_LINES:
            raise TooLong(lines, MAX_LINES)
        own = shared(text)
        code = known_code(own, plan.cache) if plan.later else compile_text(own, plan.cache)
        return Parts(
            kernel=code.address if code is not None else 0,
            keepalive=code,
            unfinished=unfinished(own, plan.cache) if code is None else None,
            n_slots=tables.n_slots,
            loads=b"".join(tables.loads),
            n_loads=tables.n_entry_loads,
            arrays=arrays,
            calls=b"".join(tables.calls),
            guards=b"".join(tables.guards),
            recipes=recipes,
            steps=steps,
            words=struct.pack(f"={len(tables.words)}q", *tables.words),
            addresses=tuple(tables.addresses),
            scratch=tables.scratch,
            parallel=len(writer.source.parts),
            small=writer.array_loops["short"],
            releases=not order_is_observable(plan.graph),
            reports=FP_FLAGS
            if writer.reports and not attribute and not writer.known.has_checkpoints
            else 0,
            located=writer.attributed.located,
            text=text,
            came_from=partial(machine_code_of, own),
            fused=writer.n_fused,
            opaque=writer.n_opaque,
            done=_done(plan, writer),
            fusion=tuple(writer.fusion),
            allotments=partial(
                allotments, plan.graph.params, plan.payloads, writer.places, writer.memory.reused
            ),
        )


def _done(plan: Plan, writer: KernelWriter) -> dict[str, int]:
    """Return the numbers of operations that the passes and the writer optimised."""
    before = plan.graph.done
    common = before.get("common", 0) + writer.n_common
    own = {
        "common": common,
        "in place": writer.n_in_place(),
        "reused": len(writer.memory.reused),
        "parallel": writer.array_loops["parallel"],
        "sequential": writer.array_loops["sequential"],
        **{f"in order: {reason}": number for reason, number in writer.in_order.items()},
    }
    return {**before, **{name: number for name, number in own.items() if number}}


def _slot(writer: KernelWriter, value: Value) -> int:
    if isinstance(value.type, ObjectType):
        return writer.objects[value]
    return writer.tables.as_object(writer.places[value].slot)
