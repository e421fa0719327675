"""Branches and loops of the graph as branches and loops of the kernel.

Values that they hand over are treated in handing_over.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from ....jit.checks import Check
from ....jit.generators import keep
from ....jit.ir.graph import Block, Call, Leaf, Node, Value
from ....jit.ir.types import ObjectType
from ....jit.native import HALTED, WORDS
from ..llvm_flags.deferred_checks import branch, deferring_checks
from ..numbers.bit_tests import asks_for_bits
from ..numbers.branch_checks import checks_after_branch
from ..numbers.ranges import trusted_nest
from ..steps import write_block
from ..writer import KernelWriter, Trust, writes
from .calls import write_bare_call
from .handing_over import (
    Targets,
    assign,
    begin,
    declare,
    known_as,
    make_view_objects_first,
    receive,
)
from .interrupt_checks import begin_work, iterating_endlessly, iterating_over
from .notes import keep_notes, note_before
from .shared_loops import iterating_in_rounds, shared


@writes("if")
def write_if(writer: KernelWriter, node: Node) -> bool:
    """Write a branch: each block assigns the results, unless it jumps or leaves."""
    (condition,) = node.inputs
    writer.begin_region()
    make_view_objects_first(writer, node)
    declare(writer, node.outputs, node.blocks)
    then, other = node.blocks
    checks = checks_after_branch(writer, node)
    test = writer.scalars[condition]
    if asks_for_bits(condition, writer.known.makers):
        test = f"unpredictable({test} != 0)"
    with writer.source.indented(f"if {test}:"):
        _write_branch(writer, then, node.outputs)
    if other.nodes or other.results:
        with writer.source.indented("else:"):
            _write_branch(writer, other, node.outputs)
    for check in checks:
        writer.bail_if(check, Check.INT)
    receive(writer, node.outputs)
    writer.end_region(node.outputs)
    return True


def _write_branch(writer: KernelWriter, block: Block, outputs: Sequence[Value]) -> None:
    with writer.scope():
        with branch(writer, block):
            write_block(writer, block)
        if block.falls_through:
            writer.settle_block()
            assign(writer, outputs, block.results)


@writes("for")
def write_for(writer: KernelWriter, node: Node) -> bool:
    """Write a `for` over a range."""
    count = len(node.blocks[0].params) - 1
    state = node.blocks[0].params[1:]
    targets = Targets(tuple(state), node.outputs[count:], writer.memory.still_read())
    writer.begin_region()
    make_view_objects_first(writer, node)
    keep_notes(writer, node)
    begin(writer, state, node.inputs[3:])
    note_before(writer, node)
    declare(writer, targets.left, ())
    if "ended" in node.attrs:
        writer.source.line(f"{writer.scalars[node.outputs[-1]]} = {node.attrs['ended']}")
    if node.inputs[2] not in writer.known.constants:
        writer.bail_if(f"{writer.scalars[node.inputs[2]]} == 0", Check.RAISES)
    _check_span(writer, node)
    begin_work(writer)
    with _halting(writer, node):
        _write_versions(writer, node, targets)
    for output, param in zip(node.outputs[:count], state, strict=True):
        known_as(writer, output, param)
    receive(writer, targets.left)
    writer.end_region(node.outputs)
    return True


def _check_span(writer: KernelWriter, node: Node) -> None:
    """Bail for a range whose ends are so far apart that 64 bits do not count its items."""
    constants, naturals = writer.known.constants, writer.known.naturals_at(node)
    start, stop, _ = node.inputs[:3]
    if all(constants.get(end, -1) >= 0 or end in naturals for end in (start, stop)):
        return
    if constants.get(start) != 0:
        first, last = writer.scalars[start], writer.scalars[stop]
        writer.bail_if(f"sub_overflows({last}, {first})", Check.INT)


@contextmanager
def _halting(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Mark in the text that a loop may be halted, which inner loops respect.

    If all outermost loops may be halted, that is set before the kernel starts.
    """
    halts = node in writer.halt_words and not writer.all_halt
    if halts:
        writer.source.line(f"w[{WORDS['HALTS']}] = 1")
    yield
    if halts:
        writer.source.line(f"w[{WORDS['HALTS']}] = 0")


def _write_versions(writer: KernelWriter, node: Node, targets: Targets) -> None:
    """Write a loop without checks, under conditions if it needs some, and else with checks."""
    found = trusted_nest(writer, node)
    if found is None:
        _write_iterations(writer, node, targets)
        return
    outside = writer.trust
    trust, conditions = found
    fused, clusters = writer.n_fused, len(writer.fusion)
    with writer.scope(), ExitStack() as stack:
        if conditions:
            stack.enter_context(writer.source.indented(f"if {' and '.join(conditions)}:"))
        writer.trust = trust
        _write_iterations(writer, node, targets)
    if conditions:
        writer.n_fused = fused
        del writer.fusion[clusters:]
        with writer.scope(), writer.source.indented("else:", "with a look at each index"):
            writer.trust = outside or Trust(complete=True)
            _write_iterations(writer, node, targets)
    writer.trust = outside


def _write_iterations(writer: KernelWriter, node: Node, targets: Targets) -> None:
    block = node.blocks[0]
    index = block.params[0]
    how = shared(writer, node)
    if how is None:
        name = writer.scalars[index] = writer.source.name(index.name or "i")
        with deferring_checks(writer, node), iterating_over(writer, node, name):
            _write_iteration(writer, node, targets)
        return
    with iterating_in_rounds(writer, node, how) as bounds, deferring_checks(writer, node):
        name = writer.scalars[index] = writer.source.name(index.name or "i")
        outside, writer.counted_ahead = writer.counted_ahead, True
        with writer.source.indented(f"for {name} in range({', '.join(bounds)}):"):
            _write_iteration(writer, node, targets)
        writer.counted_ahead = outside


@writes("loop")
def write_loop(writer: KernelWriter, node: Node) -> bool:
    """Write a loop that a BREAK ends."""
    block = node.blocks[0]
    targets = Targets(block.params, node.outputs, writer.memory.still_read())
    writer.begin_region()
    make_view_objects_first(writer, node)
    keep_notes(writer, node)
    begin(writer, block.params, node.inputs)
    declare(writer, targets.left, ())
    begin_work(writer)
    with _halting(writer, node), deferring_checks(writer, node), iterating_endlessly(writer, node):
        _write_iteration(writer, node, targets)
    receive(writer, targets.left)
    writer.end_region(node.outputs)
    return True


def _write_iteration(writer: KernelWriter, node: Node, targets: Targets) -> None:
    block = node.blocks[0]
    with writer.scope():
        writer.loops.append(targets)
        receive(writer, targets.state)
        writer.n_fused += 1
        writer.unsettled = True  # flags from the previous iteration
        write_block(writer, block)
        writer.loops.pop()


@writes("halted")
def write_halted(writer: KernelWriter, node: Node) -> bool:
    halted, iteration = node.outputs
    writer.scalars[halted] = f"w[{WORDS['HALTED']}] == {HALTED}"
    word = next(
        word for loop, word in writer.halt_words.items() if writer.halt_of[loop].halted is node
    )
    writer.scalars[iteration] = f"w[{word}]"
    writer.stands_in(iteration, word)
    return True


@writes("continue")
def write_continue(writer: KernelWriter, node: Node) -> bool:
    writer.settle_block()
    assign(writer, writer.loops[-1].state, node.inputs)
    writer.source.line("continue")
    return True


@writes("break")
def write_break(writer: KernelWriter, node: Node) -> bool:
    writer.settle_block()
    assign(writer, writer.loops[-1].left, node.inputs)
    writer.source.line("break")
    return True


@writes("bail")
def write_bail(writer: KernelWriter, node: Node) -> bool:
    writer.leave_for(Check.EAGER)
    return True


@writes("undefined")
def write_undefined(writer: KernelWriter, node: Node) -> bool:
    writer.undefined.add(node.outputs[0])
    return True


@writes("undo")
def write_undo(writer: KernelWriter, node: Node) -> bool:
    """Write the recording of an array or generator, so that a bail restores its present state."""
    (value,) = node.inputs
    writer.objects_ready(node.inputs)
    if isinstance(value.type, ObjectType):
        slot = write_bare_call(writer, Call(keep, (Leaf(value),)), "keep")
    else:
        slot = writer.tables.as_object(writer.places[value].slot)
    writer.bail_if(f"undo(w, {slot}) != 0", Check.MEMORY)
    return True
