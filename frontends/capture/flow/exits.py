"""Writes the exits of a segment: stores, pushes and effects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....jit.ir import ops as ir_ops
from ....jit.ir.graph import Exit, Recipe
from ....jit.ir.ops import CHECKPOINT, LEAVE
from ...bytecode.placement import why_no_entry
from ..state.forks import one_kind, without_unbound
from ..values.breaks import EFFECT, INSTRUCTION, GraphBreak
from ..values.symbolic import NOT_KEPT, Cell, Null, Symbolic, Union
from .in_plain_code import in_plain_code
from .recipes import Recipes

if TYPE_CHECKING:
    from ..state.frame import Frame
    from ..state.machine import Machine


class LocalsNotKept(Exception):  # noqa: N818 (control flow, no error)
    """An exit must store locals that nothing reads: the capture is repeated with these kept."""

    def __init__(self, slots: frozenset[int]) -> None:
        super().__init__(slots)
        self.slots = slots


def leave(machine: Machine, frame: Frame, kind: str, op: ir_ops.Op = LEAVE) -> Exit:
    """End the segment before the frame's current instruction; with CHECKPOINT only allow it.

    The exit stores all locals that the segment assigned, even if the bytecode does not read them
    again, because `locals()`, a debugger or a callee may read the frame. Before a return this is
    unnecessary: the locals die with the frame, unseen.

    Args:
        machine: The machine that captures the segment.
        frame: The frame in its present state.
        kind: "return", "break", "halt" or "bail".
        op: LEAVE or CHECKPOINT.

    Raises:
        GraphBreak: something on the stack or in a local cannot be built outside the graph.
        ForkOfKinds: a value is one of several.
        LocalsNotKept: a region has to hand over more.
    """
    if kind != "return":
        if frame.index in frame.flow.written_out:
            frame = in_plain_code(machine, frame)
        _require_kept(frame)
    stores: list[tuple[int, Recipe]] = []
    deletes = []
    recipes = Recipes(machine)
    items = frame.stack[machine.base :]
    nulls = tuple(k for k, value in enumerate(items) if isinstance(value, Null))
    pushes = tuple(recipes.of(value) for value in items if not isinstance(value, Null))
    live, bound = frame.flow.live_at(frame.index), frame.flow.bound_at(frame.index)
    slots = sorted(range(len(frame.locals)), key=lambda slot: slot not in live)
    for slot in slots:
        before, held = machine.start[slot], frame.locals[slot]
        if slot in bound:
            held = without_unbound(held)
        recipes.is_seen = slot in live
        # After a break, numbers of either kind take separate paths; halts are too rare for that.
        is_left = kind == "return" or (
            kind == "halt" and isinstance(held, Union) and held.either_number
        )
        now = held if is_left else one_kind(machine, held)
        if now is before or kind == "return":
            continue
        if now is None:
            deletes.append(slot)
        else:
            stores.append((slot, recipes.of(now)))
    if kind != "return" and any(_is_new_cell(cell) for cell in frame.cells.values()):
        raise GraphBreak(INSTRUCTION, "variables that inner functions share, made here")
    stores.sort(key=lambda store: store[0])
    recipes.is_seen = True
    effects = recipes.effects()
    exit_ = Exit(frame.index, kind, tuple(stores), pushes, tuple(deletes), nulls, effects)
    machine.builder.leave(exit_, op)
    return exit_


def take_checkpoint(machine: Machine, frame: Frame) -> None:
    """Let bails lead to the frame's current instruction from here on."""
    if why_no_entry(frame.flow, frame.index) is not None:
        raise GraphBreak(EFFECT, "the state after this statement cannot be taken over")
    leave(machine, frame, "bail", CHECKPOINT)
    machine.checkpoint_taken()


def _require_kept(frame: Frame) -> None:
    """Request another capture if the frame has a local that a region did not hand over."""
    slots = frozenset(slot for slot, held in enumerate(frame.locals) if held is NOT_KEPT)
    if slots:
        raise LocalsNotKept(slots)


def _is_new_cell(value: Symbolic) -> bool:
    return isinstance(value, Cell) and value.source is None
