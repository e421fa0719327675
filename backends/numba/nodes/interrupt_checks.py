"""Polls for signals and other threads in long loops: how much work passes between two polls.

Small loops poll rarely, so that LLVM sees plain loops that it can unroll, vectorise and keep in
registers. A loop around others polls in each iteration. An inner loop of known length adds its
iterations to the work of the outer loop before it begins. A small loop without a loop around, or of
unknown length, is split into runs of iterations with a poll after each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from ....jit.ir.assigned import BEFORE
from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import Kind
from ....jit.ir.types import ArrayType, Sym
from ....jit.native import BETWEEN, HALT, HALTED, WORDS
from ....jit.passes.halts import outermost
from ..llvm_flags.deferred_checks import bail_after_poll
from ..numbers.bounds import begun_with, counter_of
from ..writer import KernelWriter
from .handing_over import hand_over_state
from .inner_loops import lower_x87_flags

OFTEN = 2**16
"""Iterations between polls; with a few operations on numbers, some tens of microseconds."""
ARRAYS = 2**12
"""Work of an iteration that makes arrays of unknown length."""
FEW = 2**8
"""Extra work of an iteration that makes arrays of known length."""
SHORT = 64
"""Loops with at most this many iterations are not counted."""
MOST = 2**20
"""Cap on the counted number of iterations."""
UNITS = 4
"""Operations per iteration above which the work of a loop that may be halted counts double; above
twice as many, fourfold, and so on."""
LEAST = 2**8
"""Smallest number of iterations between polls."""
HALT_REQUEST = f"w[{WORDS['HALTED']}]"
"""This word is HALT if a loop is asked to halt, another number if it has to poll."""


def begin_work(writer: KernelWriter) -> None:
    """Prepare for a loop: clear x87 flags before an outermost one."""
    if not writer.loops:
        lower_x87_flags(writer)


@contextmanager
def iterating_over(writer: KernelWriter, node: Node, index: str) -> Iterator[None]:
    """Wrap the body of a `for` over a range; `index` is the loop variable."""
    block, source = node.blocks[0], writer.source
    start, stop, step = (writer.scalars[value] for value in node.inputs[:3])
    small, short = _is_small(writer, block), _is_short(writer, node)
    halt = halt_of(writer, node, index, f"{index} != {start}")
    if small and not writer.loops:
        with _cut(writer, halt, (start, stop, step)):
            yield
        return
    is_counted = not writer.counted_ahead and not short and _count_ahead(writer, node, small)
    with source.indented(f"for {index} in range({start}, {stop}, {step}):"):
        if not (small or short or is_counted or writer.counted_ahead):
            poll(writer, _weight(writer, block), halt, within=True)
        outside, writer.counted_ahead = writer.counted_ahead, writer.counted_ahead or is_counted
        yield
        writer.counted_ahead = outside


@contextmanager
def _cut(writer: KernelWriter, halt: Halt, bounds: tuple[str, str, str]) -> Iterator[None]:
    """Write a loop as runs of iterations with a poll after each."""
    start, stop, step = bounds
    source, index = writer.source, halt.index
    first, left, now, end = map(source.name, ("first", "left", "now", "end"))
    source.line(f"{first} = {start}")
    source.line(f"{left} = trip_count({start}, {stop}, {step})")
    with source.indented(f"while {left} > 0:"):
        source.line(f"{now} = min({left}, int64({halt.often}))")
        source.line(f"{left} -= {now}")
        source.line(f"{end} = {stop} if {left} == 0 else {first} + {now} * {step}")
        with source.indented(f"for {index} in range({first}, {end}, {step}):"):
            yield
        with _after_run(writer, halt.node.blocks[0].breaks, f"abs({index} - {first})"):
            source.line(f"{first} = {end}")
            poll(writer, now, replace(halt, index=first, begun=""))


def _count_ahead(writer: KernelWriter, node: Node, small: bool) -> bool:
    """Write the count of an inner loop's iterations, times those of small loops in it, if known."""
    lengths = [_length_of(writer, node)]
    if not small:
        block = node.blocks[0]
        inner = [one for one in outermost(block) if not _is_short(writer, one)]
        if not writer.loops or any(map(_makes_arrays, block.every_node())):
            return False
        made = {value for one in block.every_node() for value in one.outputs} | {*block.params}
        made -= writer.known.constants.keys()
        if any(not _is_small(writer, one.blocks[0]) or made & {*one.inputs[:2]} for one in inner):
            return False
        lengths += [_length_of(writer, one) for one in inner]
    if None in lengths:
        return False
    most = [f"min({length}, {MOST})" if len(lengths) > 1 else length for length in lengths]
    writer.source.line(f"work += {' * '.join(map(str, most))}")
    return True


def _count_bound_ahead(writer: KernelWriter, node: Node) -> bool:
    """Write the count of a LOOP bounded by a counter; return False if there is no counter."""
    counter = counter_of(node, writer.known.makers)
    if counter is None:
        return False
    start, stop = (_text(writer, value) for value in counter)
    writer.source.line(f"work += abs({stop} - {start})")
    return True


def _length_of(writer: KernelWriter, node: Node) -> str | None:
    """Return an estimate of a loop's iterations, or None if its bounds are not available."""
    known = (writer.scalars, writer.known.constants)
    if not node.op.counted or not all(any(v in one for one in known) for v in node.inputs[:2]):
        return None
    start, stop = (_text(writer, value) for value in node.inputs[:2])
    return f"abs({stop})" if start == "0" else f"abs({stop} - {start})"


def _text(writer: KernelWriter, value: Value) -> str:
    """Return the text of an int available here; constants are, even before they are written."""
    return (
        str(writer.known.constants[value])
        if value in writer.known.constants
        else writer.scalars[value]
    )


@contextmanager
def iterating_endlessly(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Wrap the body of a LOOP, which only BREAK ends."""
    block, source = node.blocks[0], writer.source
    small, halt = _is_small(writer, block), halt_of(writer, node)
    is_counted = small and bool(writer.loops) and _count_bound_ahead(writer, node)
    if halt.may_be and not small:
        halt = replace(halt, begun=source.name("begun"))
        source.line(f"{halt.begun} = False")
    with source.indented("while True:"):
        if not small:
            poll(writer, _weight(writer, block), halt, within=True)
            if halt.begun:
                source.line(f"{halt.begun} = True")
        if is_counted or not small:
            yield
            return
        iteration = source.name("iteration")
        with source.indented(f"for {iteration} in range({halt.often}):"):
            yield
        with _after_run(writer, True, iteration):
            poll(writer, halt.often, halt)


@contextmanager
def _after_run(writer: KernelWriter, breaks: bool, done: str) -> Iterator[None]:
    """Write what follows a run of iterations; if a BREAK has ended it, the loop ends too."""
    if not breaks:
        yield
        return
    source = writer.source
    with source.indented("else:"):
        yield
        source.line("continue")
    source.line(f"work += {done}")
    source.line("break")


@dataclass(frozen=True, slots=True)
class Halt:
    """A place at which a loop may be halted."""

    node: Node
    may_be: bool
    index: str = "0"
    """Number of the next iteration."""
    begun: str = ""
    """Condition that an iteration was made; "" after one."""
    often: int = OFTEN
    """Amount of work between two polls."""
    whole: tuple[str, ...] | None = None
    """Conditions under which the second run of a bailed kernel may end here; None if it never may.
    """
    notes: tuple[str, ...] = ()
    """Variables that record which locals were assigned since the previous poll."""

    def mark(self, writer: KernelWriter) -> None:
        """Before a poll, record that it takes place between two iterations of this loop."""
        if not self.may_be:
            return
        number = str(BETWEEN)
        if self.whole is not None:
            number = str(BETWEEN + 1 + [*writer.halt_words].index(self.node))
            if conditions := [*self.whole, *self.assigned]:
                number += f" if {' and '.join(conditions)} else {BETWEEN}"
        with ExitStack() as lines:
            if self.begun:
                lines.enter_context(writer.source.indented(f"if {self.begun}:"))
            writer.source.line(f"w[{WORDS['HALTS']}] = {number}")

    @property
    def assigned(self) -> list[str]:
        """Return conditions that locals assigned before have been assigned again since."""
        return [f"{note} != {BEFORE}" for note in self.notes]

    def begin_notes(self, writer: KernelWriter) -> None:
        """After a poll at which all locals were assigned, start to record assignments anew."""
        if self.notes:
            with writer.source.indented(f"if {' and '.join(self.assigned)}:"):
                for note in self.notes:
                    writer.source.line(f"{note} = min({note}, int64({BEFORE}))")

    def write(self, writer: KernelWriter) -> None:
        """Write the exit from the loop for when it is asked to halt."""
        state = () if self.node.op.counted else self.node.state
        begun = self.begun and f" and {self.begun}"
        with writer.source.indented(f"if {HALT_REQUEST} == {HALT}{begun}:"):
            writer.source.line(f"{HALT_REQUEST} = {HALTED}")
            if self.node.op.counted:
                writer.source.line(f"w[{writer.halt_words[self.node]}] = {self.index}")
            given = self.node.outputs[len(self.node.outputs) - len(state) :]
            hand_over_state(writer, given, state)
            writer.source.line("break")


def poll(writer: KernelWriter, work: str | int, halt: Halt, *, within: bool = False) -> None:
    """Write a poll, made when enough work was done since the last one.

    `within`: it is at the start of an iteration, and is made too if a poll inside the previous one
    has asked for it, or has asked the loop to halt.
    """
    source = writer.source
    source.line(f"work += {work}")
    requested = f" or {HALT_REQUEST} != 0" if halt.may_be and within else ""
    with source.indented(f"if unlikely(work >= {halt.often}{requested}):"):
        halt.mark(writer)
        if writer.attribute:
            polled = "poll(w, work, -1)"
        else:
            polled = "raised"
            source.line("raised = poll(w, work, raised)")
        bail_after_poll(writer, f"{polled} < 0")
        source.line("work = 0")
        halt.begin_notes(writer)
        if halt.may_be:
            halt.write(writer)


def halt_of(writer: KernelWriter, node: Node, index: str = "0", begun: str = "") -> Halt:
    """Describe where a loop may be halted; such a loop polls more often than others.

    When it has bailed, eager repeats what it has done since the last poll.
    """
    if node not in writer.halt_words:
        return Halt(node, False, index, begun)
    operations = max(_operations(writer, node.blocks[0]), 1)
    often = max(OFTEN >> (operations // UNITS).bit_length(), LEAST)
    notes = writer.halt_of[node].notes
    if notes is None:
        return Halt(node, True, index, begun, often)
    names = tuple(writer.scalars[note] for note in notes)
    return Halt(node, True, index, begun, often, _whole(writer, node), names)


def _whole(writer: KernelWriter, node: Node) -> tuple[str, ...] | None:
    """Return conditions under which eager, continuing between iterations, regains all locals.

    None if it never does. Locals that inner loops assign are regained if these iterate each time.
    """
    attrs = writer.halt_of[node].halted.attrs
    if attrs["locals_after"] == "never":
        return None
    conditions, found = set(), set()
    within = attrs.get("within", ())
    for inner in node.blocks[0].every_node():
        if inner.op.counted and inner.location is not None and inner.location.at in within:
            found.add(inner.location.at)
            bounds = inner.inputs[:3]
            if not all(
                value in writer.known.constants or value in writer.scalars for value in bounds
            ):
                return None
            start, stop, step = (_text(writer, value) for value in bounds)
            conditions.add(f"trip_count({start}, {stop}, {step}) > 0")
    return tuple(sorted(conditions)) if found == {*within} else None


def _operations(writer: KernelWriter, block: Block) -> int:
    """Count operations per iteration of the heaviest innermost loop; short loops count fully."""
    here = inner = 0
    for node in block.nodes:
        count = sum(_operations(writer, one) for one in node.blocks)
        if node.op.counted and _is_short(writer, node):
            here += count * SHORT
        elif node.op.loops:
            inner = max(inner, count)
        else:
            here += count + (not node.op.is_constant)
    return max(here, inner)


def _is_small(writer: KernelWriter, block: Block) -> bool:
    """True if an iteration only operates on numbers, without arrays or loops except short ones."""
    return not any(
        _makes_arrays(node) or (node.op.loops and not _is_short(writer, node))
        for node in block.every_node()
    )


def _is_short(writer: KernelWriter, node: Node) -> bool:
    """True for a range with few numbers, `range(i - 1, i + 2)` included."""
    if not node.op.counted:
        return False
    (base, start), (other, stop) = (begun_with(v, writer.known.makers) for v in node.inputs[:2])
    if base is not other and not (
        base in writer.known.constants and other in writer.known.constants
    ):
        return False
    step = writer.known.constants.get(node.inputs[2])
    if not isinstance(step, int) or step == 0:
        return False
    if base is not other:
        start, stop = (start + writer.known.constants[base], stop + writer.known.constants[other])
    return len(range(start, stop, step)) <= SHORT


def _weight(writer: KernelWriter, block: Block) -> str | int:
    """Return the work of an iteration: about the items of the arrays that it makes, or 1."""
    made = [value.type for node in block.nodes if _makes_arrays(node) for value in node.outputs]
    arrays = [type_ for type_ in made if isinstance(type_, ArrayType)]
    if not arrays:
        return 1
    dims = {dim for type_ in arrays for dim in type_.dims}
    if any(isinstance(dim, Sym) and dim not in writer.syms for dim in dims):
        return ARRAYS
    items = (" * ".join(map(writer.dim, type_.dims)) or "1" for type_ in arrays)
    return f"{FEW} + {' + '.join(items)}"


def _makes_arrays(node: Node) -> bool:
    fresh = node.op.kind is not Kind.VIEW
    return fresh and any(isinstance(value.type, ArrayType) for value in node.outputs)
