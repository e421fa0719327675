"""Long loops look after signals and other threads: how much work goes by between two looks.

What is small looks seldom, so that LLVM sees plain loops, which it may unroll, make vectors of, and
keep in registers. A loop around others looks at each turn. One without a loop in it, or with one
whose length is known, counts all turns before it begins, for the loop around it; where none is, or
where nobody knows how many there will be, it is cut into runs of turns, with a look behind each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from ....jit.checks import Check
from ....jit.ir.assigned import BEFORE
from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import BREAK, CONST, FOR, LOOP, Kind
from ....jit.ir.types import ArrayType, Sym
from ....jit.native import BETWEEN, HALT, HALTED, WORDS
from ....jit.passes.halts import outermost
from ..numbers.bounds import begun_with, counter_of
from ..places import Late
from ..writer import KernelWriter
from .handing_over import hand_over_state
from .inner_loops import lower_x87_flags

OFTEN = 2**16
"""So many turns with a few operations on numbers are some tens of microseconds."""
ARRAYS = 2**12
"""For so many of them a turn counts that makes arrays of unknown length."""
FEW = 2**8
"""And one that makes short ones."""
SHORT = 64
"""Turns that are not worth counting, in a loop around."""
MOST = 2**20
"""More turns count as so many."""
UNITS = 4
"""With so many operations a turn that can be halted counts twice, with twice as many four times."""
LEAST = 2**8
"""No loop polls more often."""
ASKED = f"w[{WORDS['HALTED']}]"
"""HALT where a loop is to be halted, another number where it is to poll."""


def begin_work(writer: KernelWriter) -> None:
    """Before a loop."""
    if not writer.loops:
        lower_x87_flags(writer)


@contextmanager
def turns_over(writer: KernelWriter, node: Node, index: str) -> Iterator[None]:
    """Around the body of a `for` over a range: `index` goes through its numbers."""
    block, source = node.blocks[0], writer.source
    start, stop, step = (writer.scalars[value] for value in node.inputs[:3])
    small, short = _is_small(writer, block), _is_short(writer, node)
    halt = _halt(writer, node, index, f"{index} != {start}")
    if small and not writer.loops:
        with _cut(writer, halt, (start, stop, step)):
            yield
        return
    told = not writer.told and not short and _tell(writer, node, small)
    with source.indented(f"for {index} in range({start}, {stop}, {step}):"):
        if not (small or short or told or writer.told):
            _look(writer, _weight(writer, block), halt, within=True)
        outside, writer.told = writer.told, writer.told or told
        yield
        writer.told = outside


@contextmanager
def _cut(writer: KernelWriter, halt: _Halt, bounds: tuple[str, str, str]) -> Iterator[None]:
    """A loop as runs of turns."""
    start, stop, step = bounds
    source, index = writer.source, halt.index
    first, left, now, end = map(source.name, ("first", "left", "now", "end"))
    source.line(f"{first} = {start}")
    source.line(f"{left} = turns({start}, {stop}, {step})")
    with source.indented(f"while {left} > 0:"):
        source.line(f"{now} = min({left}, int64({halt.often}))")
        source.line(f"{left} -= {now}")
        source.line(f"{end} = {stop} if {left} == 0 else {first} + {now} * {step}")
        with source.indented(f"for {index} in range({first}, {end}, {step}):"):
            yield
        with _behind(writer, _breaks(halt.node.blocks[0]), f"abs({index} - {first})"):
            source.line(f"{first} = {end}")
            _look(writer, now, replace(halt, index=first, begun=""))


def _tell(writer: KernelWriter, node: Node, small: bool) -> bool:
    """Before a loop in a loop: its turns, with those of small loops in it, where all are known."""
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


def _tell_bound(writer: KernelWriter, node: Node) -> bool:
    """Before a `loop` that has a counter; False where there is none that ends it."""
    counter = counter_of(node, writer.known.makers)
    if counter is None:
        return False
    start, stop = (_text(writer, value) for value in counter)
    writer.source.line(f"work += abs({stop} - {start})")
    return True


def _length_of(writer: KernelWriter, node: Node) -> str | None:
    """About how many turns a loop has, where that is known here."""
    known = (writer.scalars, writer.known.constants)
    if node.op is LOOP or not all(any(v in one for one in known) for v in node.inputs[:2]):
        return None
    start, stop = (_text(writer, value) for value in node.inputs[:2])
    return f"abs({stop})" if start == "0" else f"abs({stop} - {start})"


def _text(writer: KernelWriter, value: Value) -> str:
    """An int that is known here; constants are so before they are written."""
    return (
        str(writer.known.constants[value])
        if value in writer.known.constants
        else writer.scalars[value]
    )


@contextmanager
def turns_on_end(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Around the body of a `loop`, which only a BREAK ends."""
    block, source = node.blocks[0], writer.source
    small, halt = _is_small(writer, block), _halt(writer, node)
    told = small and bool(writer.loops) and _tell_bound(writer, node)
    if halt.may_be and not small:
        halt = replace(halt, begun=source.name("begun"))
        source.line(f"{halt.begun} = False")
    with source.indented("while True:"):
        if not small:
            _look(writer, _weight(writer, block), halt, within=True)
            if halt.begun:
                source.line(f"{halt.begun} = True")
        if told or not small:
            yield
            return
        turn = source.name("turn")
        with source.indented(f"for {turn} in range({halt.often}):"):
            yield
        with _behind(writer, True, turn):
            _look(writer, halt.often, halt)


@contextmanager
def _behind(writer: KernelWriter, breaks: bool, done: str) -> Iterator[None]:
    """Behind a run that is over; one that a BREAK has ended is the last."""
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
class _Halt:
    """Where a loop may be halted."""

    node: Node
    may_be: bool
    index: str = "0"
    """The number of the turn that is next there."""
    begun: str = ""
    """A condition: it has made a turn. Empty behind a turn."""
    often: int = OFTEN
    """How much work goes by between two polls."""
    whole: tuple[str, ...] | None = None
    """Conditions under which a second run of a kernel that has bailed may end here; or none may."""
    notes: tuple[str, ...] = ()
    """Variables that say which locals have been assigned since that was so."""

    def mark(self, writer: KernelWriter) -> None:
        """Before a poll: says that it is made between two turns of this loop."""
        if not self.may_be:
            return
        number = str(BETWEEN)
        if self.whole is not None:
            number = str(BETWEEN + 1 + [*writer.halts].index(self.node))
            if conditions := [*self.whole, *self.assigned]:
                number += f" if {' and '.join(conditions)} else {BETWEEN}"
        with ExitStack() as lines:
            if self.begun:
                lines.enter_context(writer.source.indented(f"if {self.begun}:"))
            writer.source.line(f"w[{WORDS['HALTS']}] = {number}")

    @property
    def assigned(self) -> list[str]:
        """Conditions: what was assigned before has been assigned since."""
        return [f"{note} != {BEFORE}" for note in self.notes]

    def begin_notes(self, writer: KernelWriter) -> None:
        """Behind the poll: where all is assigned, it is to be assigned again from here on."""
        if self.notes:
            with writer.source.indented(f"if {' and '.join(self.assigned)}:"):
                for note in self.notes:
                    writer.source.line(f"{note} = min({note}, int64({BEFORE}))")

    def write(self, writer: KernelWriter) -> None:
        """Where it is to be, the loop ends here."""
        state = self.node.state if self.node.op is LOOP else ()
        begun = self.begun and f" and {self.begun}"
        with writer.source.indented(f"if {ASKED} == {HALT}{begun}:"):
            writer.source.line(f"{ASKED} = {HALTED}")
            if self.node.op is FOR:
                writer.source.line(f"w[{writer.halts[self.node]}] = {self.index}")
            given = self.node.outputs[len(self.node.outputs) - len(state) :]
            hand_over_state(writer, given, state)
            writer.source.line("break")


def _look(writer: KernelWriter, work: str | int, halt: _Halt, *, within: bool = False) -> None:
    """`within`: at the begin of a turn, in which others may have been asked to halt."""
    source = writer.source
    source.line(f"work += {work}")
    late = "wrong < 0 or " if writer.late is not Late.NEVER else ""
    asked = f" or {ASKED} != 0" if halt.may_be and within else ""
    with source.indented(f"if unlikely(work >= {halt.often}{asked}):"):
        halt.mark(writer)
        if writer.attribute:
            polled = "poll(w, work, -1)"
        else:
            polled = "raised"
            source.line("raised = poll(w, work, raised)")
        writer.bail_if(f"{late}{polled} < 0", Check.WAITS)
        source.line("work = 0")
        halt.begin_notes(writer)
        if halt.may_be:
            halt.write(writer)


def _halt(writer: KernelWriter, node: Node, index: str = "0", begun: str = "") -> _Halt:
    """A loop that may be halted polls more often: eager repeats what is behind the last poll."""
    if node not in writer.halts:
        return _Halt(node, False, index, begun)
    operations = max(_operations(writer, node.blocks[0]), 1)
    often = max(OFTEN >> (operations // UNITS).bit_length(), LEAST)
    notes = writer.looks[node].notes
    if notes is None:
        return _Halt(node, True, index, begun, often)
    names = tuple(writer.scalars[note] for note in notes)
    return _Halt(node, True, index, begun, often, _whole(writer, node), names)


def _whole(writer: KernelWriter, node: Node) -> tuple[str, ...] | None:
    """When eager that goes on between two turns comes to have all locals.

    Where that takes turns of the loops within, these must make some in each turn around.
    """
    attrs = writer.looks[node].look.attrs
    if attrs["whole_by"] == "no turn":
        return None
    conditions, asked = set(), set()
    within = attrs.get("within", ())
    for inner in node.blocks[0].every_node():
        if inner.op is FOR and inner.location is not None and inner.location.at in within:
            asked.add(inner.location.at)
            bounds = inner.inputs[:3]
            if not all(
                value in writer.known.constants or value in writer.scalars for value in bounds
            ):
                return None
            start, stop, step = (_text(writer, value) for value in bounds)
            conditions.add(f"turns({start}, {stop}, {step}) > 0")
    return tuple(sorted(conditions)) if asked == {*within} else None


def _operations(writer: KernelWriter, block: Block) -> int:
    """Operations of one turn of the innermost loop with the most; short loops are gone through."""
    here = inner = 0
    for node in block.nodes:
        count = sum(_operations(writer, one) for one in node.blocks)
        if node.op is FOR and _is_short(writer, node):
            here += count * SHORT
        elif node.op in (FOR, LOOP):
            inner = max(inner, count)
        else:
            here += count + (node.op is not CONST)
    return max(here, inner)


def is_innermost(block: Block) -> bool:
    """Whether no loop is in it."""
    return not any(node.op in (FOR, LOOP) for node in block.every_node())


def _is_small(writer: KernelWriter, block: Block) -> bool:
    """Whether a turn does some operations on numbers: no arrays, no loops but short ones."""
    return not any(
        _makes_arrays(node) or node.op is LOOP or (node.op is FOR and not _is_short(writer, node))
        for node in block.every_node()
    )


def _is_short(writer: KernelWriter, node: Node) -> bool:
    """A range of few numbers, `range(i - 1, i + 2)` too."""
    if node.op is LOOP:
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
    """What a turn counts as: the items of the arrays it makes, where their lengths are known."""
    made = [value.type for node in block.nodes if _makes_arrays(node) for value in node.outputs]
    arrays = [type_ for type_ in made if isinstance(type_, ArrayType)]
    if not arrays:
        return 1
    dims = {dim for type_ in arrays for dim in type_.dims}
    if any(isinstance(dim, Sym) and dim not in writer.syms for dim in dims):
        return ARRAYS
    items = (" * ".join(map(writer.dim, type_.dims)) or "1" for type_ in arrays)
    return f"{FEW} + {' + '.join(items)}"


def _breaks(block: Block) -> bool:
    """Whether a BREAK in it ends this loop, and not one within."""
    return any(
        node.op is BREAK or (node.op not in (FOR, LOOP) and any(map(_breaks, node.blocks)))
        for node in block.nodes
    )


def _makes_arrays(node: Node) -> bool:
    fresh = node.op.kind is not Kind.VIEW
    return fresh and any(isinstance(value.type, ArrayType) for value in node.outputs)
