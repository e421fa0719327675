"""Checks that an innermost loop defers until after its last iteration.

LLVM can then vectorise the body, because it has no early exit. If a check fails, the bail undoes
what the loop has written since.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ....jit.checks import Check
from ....jit.ir.graph import Block, Node
from ..numbers.ranges import is_innermost, is_plain, may_be_vectors
from ..places import Deferred
from ..writer import KernelWriter


@contextmanager
def deferring_checks(writer: KernelWriter, node: Node) -> Iterator[None]:
    """Wrap an innermost loop whose checks are deferred; other loops are written unchanged."""
    block = node.blocks[0]
    if writer.attribute or not is_innermost(block) or not is_plain(block):
        yield
        return
    source = writer.source
    regions = writer.regions if node in writer.flag_barriers.moving else None
    deferred = Deferred(source.point(), regions, may_be_vectors(writer, block))
    writer.deferred = deferred
    yield
    writer.deferred = None
    for header, with_wrong, without in deferred.polls:
        with source.at(header):
            source.line(with_wrong if deferred.sets_wrong else without)
    with source.at(deferred.before):
        if deferred.sets_wrong:
            source.line("wrong = 0")
        if deferred.sets_held:
            source.line("held = int64(0)")
    if deferred.sets_held:
        source.line("pinned(held)")
    if deferred.sets_wrong:
        writer.bail_if("wrong < 0", Check.INT)


@contextmanager
def branch(writer: KernelWriter, block: Block) -> Iterator[None]:
    """Wrap a branch of such a loop, where int checks are deferred if there is no vectorising."""
    deferred = writer.deferred
    if deferred is None or deferred.ints:
        yield
        return
    deferred.ints = may_be_vectors(writer, block)
    yield
    deferred.ints = False


def defers_ints(writer: KernelWriter) -> bool:
    """True if a test for overflow of an int here is deferred."""
    return writer.deferred is not None and writer.deferred.ints


def defer(writer: KernelWriter, overflow: str) -> None:
    """Emit a deferred test; `overflow` is negative if there is one."""
    assert writer.deferred is not None
    writer.deferred.sets_wrong = True
    writer.source.line(f"wrong |= {overflow}")


def bail_after_poll(writer: KernelWriter, condition: str) -> None:
    """Emit a bail after a poll, which also looks at the checks that were deferred until then."""
    deferred = writer.deferred
    if deferred is None:
        writer.bail_if(condition, Check.WAITS)
        return
    either = (f"wrong < 0 or {condition}", condition)
    with_wrong, without = (f"if {writer.seldom(one)}:" for one in either)
    deferred.polls.append((writer.source.point(), with_wrong, without))
    with writer.source.indented():
        writer.leave_for(Check.WAITS)
