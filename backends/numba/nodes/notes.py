"""Keeps notes of the locals that iterations have assigned in one word of the kernel: see HALTED.

As state of an outer loop, a note would be merged at each join of paths, which changes LLVM's code.
The note handed over is always the latest, so one word suffices, and handing it over unchanged costs
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....jit.ir.assigned import SINCE
from ....jit.ir.edges import around, edges
from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.schema import Jump
from ..writer import KernelWriter


def keep_notes(writer: KernelWriter, node: Node) -> None:
    """Keep the notes of a loop that may be halted in words from here on.

    Innermost loops, which LLVM may vectorise, keep them as ordinary numbers.
    """
    if node not in writer.halt_words or not any(
        one.op.loops for one in node.blocks[0].every_node()
    ):
        return
    pairs = [*_handed_over(node)]
    for note in writer.halt_of[node].notes or ():
        place = writer.halt_of[node].loop.state.index(note)
        word = writer.tables.constant_word(writer.known.constants[node.initial[place]])
        found, size = {note}, 0
        while len(found) > size:
            size = len(found)
            for target, value in pairs:
                maker = writer.known.makers.get(value)
                if target in found and (maker is None or maker.op.blocks):
                    found.add(value)
                elif value in found:
                    found.add(target)
        writer.noted |= dict.fromkeys(found, word)


def note_before(writer: KernelWriter, node: Node) -> None:
    """Set a note before a nested `for`, if each of its iterations sets it and there is one."""
    for place, param in enumerate(node.state):
        word = writer.noted.get(param)
        if word is not None and writer.loops and _is_set_in_iterations(writer, node, place):
            writer.source.line(f"w[{word}] = {SINCE} if {_iterates(writer, node)} else w[{word}]")
            writer.noted_before.add(param)


def _iterates(writer: KernelWriter, node: Node) -> str:
    """Return a condition that the loop iterates; cheaper than calling `trip_count`."""
    start, stop, step = (writer.scalars[value] for value in node.inputs[:3])
    if writer.known.constants.get(node.inputs[2]) == 1:
        return f"{stop} > {start}"
    return f"trip_count({start}, {stop}, {step}) > 0"


def write_note(writer: KernelWriter, target: Value, value: Value) -> bool:
    """Write the handing over of a note; return False for other values."""
    word = writer.noted.get(target)
    if word is None:
        return False
    first = not writer.loops and value in writer.known.constants  # the word holds it from the start
    if not first and writer.noted.get(value) != word and target not in writer.noted_before:
        writer.source.line(f"w[{word}] = {writer.scalars[value]}")
    writer.scalars[target] = f"w[{word}]"
    return True


def _is_set_in_iterations(writer: KernelWriter, node: Node, place: int) -> bool:
    """True if each iteration of a `for` that runs to its end assigns the local."""
    if "ended" in node.attrs:
        return False
    given = [one.inputs[place] for one in _ends(node.blocks[0])]
    return all(writer.known.constants.get(value) == SINCE for value in given)


def _ends(block: Block) -> Iterator[Node]:
    """Yield the nodes that end an iteration."""
    for node in block.nodes:
        if node.op.jump is Jump.CONTINUE:
            yield node
        elif not node.op.loops:
            for inner in node.blocks:
                yield from _ends(inner)


def _handed_over(node: Node) -> Iterator[tuple[Value, Value]]:
    """Yield (target, value) for everything handed over in a loop and the regions in it."""
    for edge in (*around(node), *edges(node.blocks[0], node)):
        yield from edge
