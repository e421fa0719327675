"""Writes the computation of one number such that LLVM keeps the flags that eager reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from ....jit.ir.graph import Node
from ..library.names import storage_name
from ..native import Flags
from ..trapped import is_trapped, keep, trapped
from ..writer import KernelWriter


@contextmanager
def flags_of_number(
    writer: KernelWriter, node: Node, flags: Flags
) -> Iterator[Callable[[str, str | None], str]]:
    """Wrap the computation of one number, keeping or discarding its flags.

    Yields a function that ties an operand to this place, so that LLVM cannot move the computation.
    """
    attributed = writer.attribute and flags is Flags.REPORTS
    silent = is_exact(writer, node) and flags is Flags.SILENT
    reports = is_trapped(writer, node) and flags is Flags.REPORTS
    if attributed:
        writer.attributed.declare(node)
        writer.source.line("set_status(get_status() & ~63)")
    # Flag-raising operations must not move before the restoring of an earlier saved status, nor be
    # evaluated by LLVM, which loses their flags.
    known = writer.known
    moves = node in known.beside_clearing or known.are_constant_to_llvm(node.inputs)
    exact = is_exact(writer, node) or moves
    stays = attributed or silent or (flags is Flags.REPORTS and exact)
    hide = "hidden" if gathers(writer, node) else "pinned"
    status = writer.source.name("status") if silent else ""
    if silent:
        writer.source.line(f"{status} = get_status()")

    def pin(text: str, kind: str | None) -> str:
        return f"{hide}({text})" if stays and kind is not None else text

    with trapped(writer, node) if reports else nullcontext():
        yield pin
    if silent:
        writer.source.line(f"set_status({status})")
    if attributed:
        keep(writer, node, "raised_flags()")
    writer.n_fused += bool(writer.loops)
    if flags is Flags.REPORTS or (flags is Flags.SILENT and not is_exact(writer, node)):
        writer.may_report()


def is_exact(writer: KernelWriter, node: Node) -> bool:
    """True if the flags of a number must be exact.

    In a region the plain kernel may mistake an ignored flag for a reported one: it then bails, and
    the attributing kernel is exact. Flags reported by an errstate block cause an immediate bail
    whatever the caller's mode, so they must not be mistaken.
    """
    return writer.attribute or not writer.regions or is_trapped(writer, node)


def give_number(writer: KernelWriter, node: Node, text: str, flags: Flags) -> None:
    """Define the result of a scalar node."""
    result = node.outputs[0]
    text = f"{storage_name(result.type.dtype)}({text})"
    exact = is_exact(writer, node)
    # Unread results of flag-raising operations; and comparisons, which LLVM repeats for branches.
    loose = flags is Flags.REPORTS and not exact and result not in writer.flag_barriers.found
    if loose and gathers(writer, node):
        gather(writer, writer.scalar(result, text))
    else:
        pins = loose or (flags is Flags.SILENT and exact)
        writer.scalar(result, f"pinned({text})" if pins else text)
    # Stored in memory, the operation stays where its flags count. Also storing loop bounds halves
    # the time of some programs: LLVM otherwise rewrites the counting.
    if exact and (writer.known.has_loops or result.type.dtype.kind in "fc"):
        writer.store_scalar(result)


def gathers(writer: KernelWriter, node: Node) -> bool:
    """True if a number's bits are combined in a variable, so that each iteration computes it.

    The alternative, a pinned number, keeps LLVM from forwarding stores to the next iteration and
    from vectorising. That matters in loops that store one step further on each time; elsewhere
    pinning is cheaper. In a branch, combining would require numbers that are not needed on the
    other path, and next to code that clears flags numbers must stay where they are.
    """
    if writer.deferred is None or writer.deferred.regions != writer.regions:
        return False
    in_place = node in writer.known.beside_clearing
    return not in_place and node.outputs[0].type.dtype.char in "fd"


def gather(writer: KernelWriter, number: str) -> None:
    """Emit the line that combines a number's bits."""
    assert writer.deferred is not None
    writer.deferred.sets_held = True
    writer.source.line(f"held |= int64(bits_of({number}))")
