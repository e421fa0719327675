"""Outlining: moves repeated statements of a kernel's text into functions.

Eighteen calls of `np.roll` are the same lines with other variables and words. Sequences of
statements count as equal if only variables and ints differ; those become arguments, and LLVM
optimises the function once. In loops over blocks only calls of NumPy's loops are outlined, and
kernels with loops of the program are left alone, as calls would cost too much there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .library.names import OF_LINES
from .lines import Line
from .outlined import Occurrence, Outlined, outlined
from .source import Source
from .statements import Statement, kinds_of, names_in, statements, without_copies
from .words import Tables

FEWEST, MOST = 100, 12_000
"""Number of lines of kernels for which it is tried; longer ones are not compiled in any case."""
GAIN = 8
"""Least number of lines that a function must save."""
SHORT = 11
"""Sequences of at most this many lines, without a loop, stay: a call would take as long."""
OFTEN = 4
"""Least number of occurrences in loops over blocks."""
TRIED = 10
"""Number of candidates whose arguments are determined in each round."""
_CALLS = frozenset(("inner_loop", *OF_LINES))
_BLOCKS = "range(0, "
HEADER = Line("def kernel(w):")


def text_of(source: Source, tables: Tables, *, has_loops: bool) -> str:
    """Return the text of a kernel; outlining is skipped for kernels with loops of the program."""
    lines = [*source.lines()]
    if FEWEST <= len(lines) <= MOST and not has_loops:
        lines = Outlining(without_copies(lines), source, tables).run()
    else:
        lines = [HEADER, *lines, *loops_of(source)]
    return "".join(f"{line}\n" for line in lines)


def loops_of(source: Source) -> list[Line]:
    """Return the lines of the functions for loops that threads share."""
    return [line for lines in source.parts.values() for line in lines]


@dataclass(eq=False, slots=True)
class Block:
    """Consecutive statements in a function of the text."""

    statements: list[Statement]
    names: Counter[str]
    """Names used in the whole function; shared by its blocks."""
    header: Line | None = None
    """First line of a loop over blocks; None for the function itself."""
    before: int = 0
    """Number of statements that precede the loop in the enclosing block."""
    inner: list[Block] = field(default_factory=list)


class Outlining:
    """Outlines repeated sequences of one kernel, those that save most first."""

    def __init__(self, lines: Sequence[Line], source: Source, tables: Tables) -> None:
        """Create it for the lines of the kernel, without its `def` line."""
        self._source, self._tables = source, tables
        self._known = {*source.parts}
        self._kinds = kinds_of(lines)
        self._kernel = self._block(lines, 1)
        self._parts: dict[str, tuple[Line, Block]] = {}
        self._blocks = [self._kernel, *self._kernel.inner]

    def run(self) -> list[Line]:
        """Return the lines of the kernel and of the outlined functions."""
        while (found := self._best()) is not None:
            self._take_out(found)
        lines = [HEADER, *_lines(self._kernel, 1)]
        for header, block in self._parts.values():
            lines += [header, *_lines(block, 1)]
        return [*lines, *loops_of(self._source)]

    def _block(self, lines: Sequence[Line], depth: int) -> Block:
        made = Block(statements(lines, depth, self._known), Counter())
        made.names.update(names_in(made.statements))
        for place in reversed(range(len(made.statements))):
            each = made.statements[place]
            if _is_loop_over_blocks(each):
                within = statements(each.lines[1:], 1, self._known)
                made.inner.insert(0, Block(within, made.names, each.lines[0], place))
                made.statements.pop(place)
        for number, loop in enumerate(made.inner):
            loop.before -= number
        return made

    def _fresh(self, name: str) -> str:
        made = self._source.name(name)
        self._kinds[made] = self._kinds.get(name, "")
        return made

    # ---- what is taken out -----------------------------------------------------------------------

    def _best(self) -> Outlined | None:
        """Return the outlining that saves most, among the most promising candidates, or None."""
        row = _Row(self._blocks)
        best: Outlined | None = None
        for rough, length, starts in sorted(row.repeated(), key=lambda one: -one[0])[:TRIED]:
            if rough < GAIN or (best is not None and rough <= best.gain):
                break
            made = outlined([row.occurrence(start, length) for start in starts], self._kinds)
            if made is not None and made.gain >= GAIN and (best is None or made.gain > best.gain):
                best = made
        return best

    def _take_out(self, found: Outlined) -> None:
        name = self._source.name("part")
        self._known.add(name)
        outs = self._tables.reserve(len(found.outs)) if found.by_words else 0
        header, body = found.function(name, self._fresh, outs)
        block = self._block(body, 1)
        block.names.update([name])
        self._parts[name] = header, block
        for occurrence in sorted(found.occurrences, key=lambda one: -one.start):
            of = occurrence.block
            call = statements(found.call(name, occurrence, outs), 0, self._known)
            of.names.subtract(names_in(occurrence.statements))
            of.names.update(names_in(call))
            of.statements[occurrence.start : occurrence.start + occurrence.length] = call
            for loop in of.inner:
                if loop.before > occurrence.start:
                    loop.before += len(call) - occurrence.length
        self._blocks += [block, *block.inner]


def _is_loop_over_blocks(statement: Statement) -> bool:
    """True for a loop that calls NumPy's inner loops."""
    head, *body = statement.lines
    over = head.is_loop and _BLOCKS in head.code
    return over and not all(_CALLS.isdisjoint(line.names) for line in body)


class _Row:
    """The statements of all blocks as numbers, which are equal for equal statements."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._numbers: list[int] = []
        self._at: list[tuple[Block, int]] = []
        self._lines = [0]
        self._end(blocks[0])
        shapes: dict[str, int] = {}
        for block in blocks:
            ends = {loop.before for loop in block.inner}
            for place, each in enumerate(block.statements):
                if place in ends:
                    self._end(block)
                number = shapes.setdefault(each.shape, len(shapes))
                self._numbers.append(number if each.shape else -1 - len(self._numbers))
                self._at.append((block, place))
                self._lines.append(self._lines[-1] + len(each.lines))
            self._end(block)

    def _end(self, block: Block) -> None:
        """Append a number that equals no other, so that no sequence crosses the end of a block."""
        self._numbers.append(-1 - len(self._numbers))
        self._at.append((block, -1))
        self._lines.append(self._lines[-1])

    def occurrence(self, start: int, length: int) -> Occurrence:
        """Return the sequence that begins at this position."""
        block, place = self._at[start]
        return Occurrence(block, place, length, block.statements, block.names)

    def repeated(self) -> Iterator[tuple[int, int, list[int]]]:
        """Yield repeated sequences: (estimate of lines saved, length, start positions)."""
        seen: set[tuple[int, ...]] = set()
        for size, groups in self._equal():
            for starts in groups:
                length = self._grown(starts, size)
                places = _without_overlaps(starts, length)
                lines = self._lines[places[0] + length] - self._lines[places[0]]
                rough = len(places) * (lines - 1) - lines
                key = (length, *places)
                if rough < GAIN or len(places) < 2 or key in seen:
                    continue
                seen.add(key)
                if self._may_be(places, length):
                    yield rough, length, places

    def _may_be(self, starts: Sequence[int], length: int) -> bool:
        """False if outlining a sequence would make it slower.

        In loops over blocks only frequent sequences that call NumPy's loops qualify.
        """
        block, place = self._at[starts[0]]
        lines = [line for one in block.statements[place : place + length] for line in one.lines]
        calls = not all(_CALLS.isdisjoint(line.names) for line in lines)
        if any(self._at[start][0].header for start in starts):
            return calls and len(starts) >= OFTEN
        return calls or len(lines) > SHORT or any(line.is_loop for line in lines)

    def _equal(self) -> Iterator[tuple[int, list[list[int]]]]:
        """Yield (length, groups of starts) of equal sequences that do not extend to the left."""
        row, ranks, size = self._numbers, self._numbers, 1
        while True:
            places = defaultdict[int, list[int]](list)
            for start, rank in enumerate(ranks):
                if rank >= 0:
                    places[rank].append(start)
            groups = [found for found in places.values() if len(found) > 1]
            if not groups:
                return
            yield (
                size,
                [found for found in groups if len({row[start - 1] for start in found}) > 1],
            )
            pairs: dict[tuple[int, int], int] = {}
            following = [*ranks[size:], *[-1] * size]
            ranks = [
                pairs.setdefault((one, other), len(pairs)) if one >= 0 <= other else -1
                for one, other in zip(ranks, following, strict=True)
            ]
            size *= 2

    def _grown(self, starts: Sequence[int], size: int) -> int:
        """Return how far the sequences from these starts on are equal."""
        row, first, others = self._numbers, starts[0], starts[1:]
        while row[first + size] >= 0:
            number = row[first + size]
            if any(row[start + size] != number for start in others):
                break
            size += 1
        return size


def _without_overlaps(starts: Sequence[int], length: int) -> list[int]:
    """Return the starts, leaving out those whose sequence overlaps an earlier one."""
    found: list[int] = []
    for start in starts:
        if not found or start >= found[-1] + length:
            found.append(start)
    return found


def _lines(block: Block, depth: int) -> Iterator[Line]:
    for place in range(len(block.statements) + 1):
        for loop in block.inner:
            if loop.before == place:
                if loop.header is not None:
                    yield loop.header.deeper(depth)
                yield from _lines(loop, depth + 1)
        if place < len(block.statements):
            yield from (line.deeper(depth) for line in block.statements[place].lines)
