"""Turns loops whose iterations threads may share into functions of the kernel's text.

Such a function runs the iterations from `begin` to `end`. The run time decides who calls it, how
often, and whether the GIL is released meanwhile (jit/native/parallel.c). It reads the words of the
launch, of which each thread has a copy, and returns the floating point flags that it collected. All
else that it needs is passed. A loop that carries a variable from one iteration to the next is left
alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from math import prod

from ...jit.frozen import dataclass
from ...jit.ir.types import Dim, Sym
from ...jit.threads import EVERYWHERE
from .library.names import ANY_THREAD, EXITS, RUN_TIME
from .lines import NAME, Line, Point, in_order
from .row_loops import RowLoop
from .source import Source
from .statements import KNOWN
from .writer import KernelWriter, Place

LARGE = 1 << 15
"""Number of items of simple arithmetic, at capture, from which a loop becomes a function."""
_BITS, _MOST = 6, 9
"""Bits per variable of flags, and the maximum number of these that a loop may return."""
_BAIL = 1 << _BITS * _MOST + 1
_BAILS = 8
"""The bit of the first bail, and the number of bits; those of further bails have the last one."""
_ASKS = frozenset((*RUN_TIME, *EXITS, "poll")) - ANY_THREAD
"""Functions that may end the kernel, or call the interpreter."""
_LITERAL = re.compile(r"(?:\w+\()?-?[\d.]+(?:e[+-]?\d+)?\)?$")
"""A number that LLVM shall see as a constant: in the text, as any line may assign one."""


@dataclass(frozen=True, slots=True)
class Iterations:
    """The iterations of one call, as names in the text."""

    begin: str
    end: str
    step: str


def is_large(writer: KernelWriter, dims: Sequence[Dim], weight: int = 1) -> bool:
    """Return True if a loop over axes of these lengths was long at capture.

    `weight` is the cost of an item, in items of simple arithmetic. The writer counts loops that
    were short: their arrays may be larger when the kernel runs. Inside of a loop that threads share
    none is large.
    """
    if writer.in_threads:
        return False
    large = was_large(writer, dims, weight)
    writer.array_loops["short"] += not large and any(isinstance(dim, Sym) for dim in dims)
    return large


def was_large(writer: KernelWriter, dims: Sequence[Dim], weight: int = 1) -> bool:
    """Return True if a loop over axes of these lengths was long at capture, wherever it stands."""
    lengths = writer.graph.lengths
    known = [dim if isinstance(dim, int) else lengths.get(dim, 0) for dim in dims]
    return EVERYWHERE or prod(known) * weight >= LARGE


@contextmanager
def shared_iterations(
    writer: KernelWriter, dims: Sequence[Dim], order: Sequence[int]
) -> Iterator[str]:
    """Emit loops over axes in the block; yield the range of the outermost one, "" for all of it.

    No iteration may depend on another.
    """
    if not order or not is_large(writer, dims):
        yield ""
        return
    total, *others = (writer.dim(dims[axis]) for axis in order)
    with parallel(writer, total, "1", " * ".join(others) or "1") as iterations:
        yield f"range({iterations.begin}, {iterations.end})"


@contextmanager
def shared_loops(
    writer: KernelWriter,
    dims: Sequence[Dim],
    around: Sequence[int],
    inner: Sequence[int],
    *,
    shared: bool = True,
) -> Iterator[dict[int, str]]:
    """Emit loops over the axes `around`, outermost first; yield the index of each axis.

    Threads may share the outermost loop. `inner` are the axes that the body goes over by itself.
    """
    with ExitStack() as stack:
        axes = (*around, *inner) if shared and around else ()
        iterations = stack.enter_context(shared_iterations(writer, dims, axes))
        indices: dict[int, str] = {}
        for axis in around:
            index = indices[axis] = writer.source.name("i")
            whole = f"range({writer.dim(dims[axis])})"
            mine = iterations if iterations and axis == around[0] else whole
            stack.enter_context(writer.source.indented(f"for {index} in {mine}:"))
        yield indices


@contextmanager
def released(writer: KernelWriter, dims: Sequence[Dim], work: str) -> Iterator[None]:
    """Emit work on items of these axes in the block, for one thread.

    The GIL is released if the work is long. `work` is the number of items of an elementwise loop
    that takes as long.
    """
    if writer.in_threads or not was_large(writer, dims):
        yield
        return
    with parallel(writer, "1", "1", work):
        yield


@contextmanager
def parallel(
    writer: KernelWriter,
    total: str,
    step: str,
    size: str,
    holds: str = "",
    notes: Mapping[str, int] | None = None,
) -> Iterator[Iterations]:
    """Emit in the block a loop over `total` iterations of `size` items each.

    Threads may split it at multiples of `step`. `holds` is the variable that is true while all
    checked numbers are valid. `notes` are given for a loop of the program: variables that an
    iteration may set to a number. It may also bail; the kernel does so after the loop.
    """
    source = writer.source
    begin, end, stride, extent = (source.name(name) for name in ("begin", "end", "step", "size"))
    known = source.taken()
    with source.captured() as text:
        yield Iterations(begin, end, stride)
    constant = _assigned_once(source.lines(), _carried(writer))
    lines = _naming_originals(writer, text, constant)
    made = _Function.of(writer, lines, (known, constant), holds, notes)
    writer.row_loops.flush()
    if made is None:
        writer.array_loops["sequential"] += 1
        source.line(f"{begin} = 0")
        source.line(f"{end} = {total}")
        source.line(f"{stride} = {step}")
        source.append(lines)
        return
    writer.array_loops["sequential" if total == "1" else "parallel"] += 1
    handed = made.named(source, "@parallel", [begin, end, stride, extent])
    call = f"{made.name}({', '.join(['w', '0', total, step, size, *handed])})"
    made.results.write(source, call)


@contextmanager
def row_loop(writer: KernelWriter, loop: RowLoop) -> Iterator[Iterations]:
    """Emit in the block a loop over rows, which waits for those of other steps (row_loops.py)."""
    source = writer.source
    begin, end = source.name("begin"), source.name("end")
    known = source.taken()
    with source.captured() as text:
        yield Iterations(begin, end, "")
    constant = _assigned_once(source.lines(), _carried(writer))
    lines = _naming_originals(writer, text, constant)
    made = _Function.of(writer, lines, (known, constant), "", None)
    if made is None or not {*made.results.names} <= {"raised"}:
        writer.array_loops["sequential"] += 1
        writer.row_loops.flush()
        source.line(f"{begin} = 0")
        source.line(f"{end} = {loop.rows} * {loop.per_row}")
        source.append(lines)
        return
    writer.array_loops["parallel"] += 1
    handed = made.named(source, "@chunk", [begin, end])
    writer.row_loops.add(replace(loop, name=made.name, handed=handed), made.results.names)


@dataclass(frozen=True, slots=True)
class _Function:
    """A loop as a function of the kernel's text."""

    name: str
    lines: Sequence[Line]
    given: Sequence[str]
    """Variables that it reads."""
    ahead: Mapping[str, str]
    """Those that it defines by itself, with the lines that do so."""
    results: _Results

    @staticmethod
    def of(
        writer: KernelWriter,
        lines: Sequence[Line],
        before: tuple[AbstractSet[str], Mapping[str, str]],
        holds: str,
        notes: Mapping[str, int] | None,
    ) -> _Function | None:
        """Return the function of some lines; None if these have to stay in the kernel.

        `before` tells of the text ahead of them: the names in use, and the variables that are
        assigned once, with their expressions.
        """
        source, (known, constant) = writer.source, before
        stored = dict.fromkeys(line.target for line in lines)
        read = dict.fromkeys(name for line in lines for name in line.names if name not in KNOWN)
        bails, notes = notes is not None, notes or {}
        given = [name for name in read if name not in stored and name not in source.parts]
        given += [name for name in stored if name in notes]
        own = {"wrong", "held"} if bails else set()  # deferred checks, all within the loop
        outer = (name for name in stored if name in known and name not in own and name not in notes)
        results = _Results([*outer], holds, {name: notes[name] for name in notes if name in stored})
        flags = {"raised", holds, *writer.attributed.variables}
        asked = [line for line in lines if not (bails and line.exit is not None)]
        if not flags.issuperset(results.names) or len(results.flags) > _MOST or _asks(asked):
            return None
        ahead = {name: source.scratch[name] for name in given if name in source.scratch}
        for name in given:
            if name not in ahead and _LITERAL.match(constant.get(name, "")):
                ahead[name] = constant[name]
        chunk = [*results.without_bails(lines)] if bails else lines
        return _Function(source.name("loop"), chunk, given, ahead, results)

    def named(self, source: Source, kind: str, bounds: Sequence[str]) -> list[str]:
        """Add the function to the text; return the variables that calls hand over."""
        handed = [name for name in self.given if name not in self.ahead and name not in bounds]
        ahead = [f"{name} = {code}" for name, code in self.ahead.items()]
        source.parts[self.name] = [
            Line(kind),
            Line(f"def {self.name}({', '.join(['w', *bounds, *handed])}):"),
            *(Line(code, 1) for code in (*self.results.begin(), *ahead)),
            *self.lines,
            Line(f"return {self.results.text()}", 1),
        ]
        return handed


class _Results:
    """The result of a loop in one int: flags, whether all checks held, bails and notes.

    In a loop of the program, which is the only one with notes, there is one variable of flags.
    """

    def __init__(self, names: Sequence[str], holds: str, notes: Mapping[str, int]) -> None:
        self.names = names
        self._notes = notes
        self._bails: dict[str, Line] = {}
        self.flags = [name for name in names if name != holds]
        self._holds = holds if holds in names else ""

    def without_bails(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield lines that return a bit where these bail."""
        for line in lines:
            if line.exit is None:
                yield line
                continue
            self._bails.setdefault(line.code, line)
            bit = min([*self._bails].index(line.code), _BAILS - 1)
            yield replace(line, code=f"return {_BAIL << bit}", exit=None)

    def begin(self) -> Iterator[str]:
        """Yield the lines before the loop, in each call."""
        yield from (f"{name} = 0" for name in self.flags)
        if self._holds:
            yield f"{self._holds} = True"

    def text(self) -> str:
        """Return the expression that a call returns."""
        parts = [f"{name} << {_BITS * at}" if at else name for at, name in enumerate(self.flags)]
        if self._holds:
            parts.append(f"(0 if {self._holds} else {1 << _BITS * _MOST})")
        for bit, (name, number) in enumerate(self._notes.items(), _BITS):
            parts.append(f"({1 << bit} if {name} == {number} else 0)")
        return " | ".join(parts) or "0"

    def write(self, source: Source, call: str) -> None:
        """Emit the call, and the unpacking of its result."""
        more = self._bails or self._notes
        if not self.names and not more:
            source.line(call)
        elif self.names == self.flags and len(self.flags) == 1 and not more:
            source.line(f"{self.flags[0]} |= {call}")
        else:
            result = source.name("result")
            source.line(f"{result} = {call}")
            for bit, line in enumerate([*self._bails.values()][:_BAILS]):
                with source.indented(f"if unlikely({result} & {_BAIL << bit} != 0):"):
                    source.append([replace(line, depth=1)])
            for bit, (name, number) in enumerate(self._notes.items(), _BITS):
                source.line(f"{name} = int64({number}) if {result} & {1 << bit} != 0 else {name}")
            for at, name in enumerate(self.flags):
                source.line(f"{name} |= {result} >> {_BITS * at} & {(1 << _BITS) - 1}")
            if self._holds:
                source.line(f"{self._holds} = {self._holds} & ({result} < {1 << _BITS * _MOST})")


def _carried(writer: KernelWriter) -> set[str]:
    """Return the variables that loops of the program around assign again at an iteration's end.

    Those lines are not written yet, so that the text so far may assign each only once.
    """
    values = {value for loop in writer.loops for value in (*loop.state, *loop.left)}
    arrays = _variables_of(writer.places[value] for value in values if value in writer.places)
    return {*arrays, *(writer.scalars[value] for value in values if value in writer.scalars)}


def _variables_of(places: Iterable[Place]) -> set[str]:
    """Return the variables that tell where arrays are."""
    return {name for place in places for name in (place.address, *place.strides)}


def _assigned_once(lines: Iterable[Line], carried: AbstractSet[str]) -> dict[str, str]:
    """Return the variables that keep the value which the text assigns, with their expressions."""
    found: dict[str, str] = {}
    again = {*carried}
    for line in lines:
        if line.target in found:
            again.add(line.target)
        made = line.assignment
        found[line.target] = made[2] if made is not None and not made[1] else ""
    return {name: expression for name, expression in found.items() if name not in again}


def _naming_originals(
    writer: KernelWriter, text: Iterable[Line | Point], constant: Mapping[str, str]
) -> list[Line]:
    """Return the lines of a loop that say where an array is by one name, not by copies of it.

    LLVM vectorises a loop that overwrites what it reads only if it sees that each item is read
    before it is written. Other variables may be assigned again in lines that are not written yet.
    """
    known = _variables_of(writer.places.values())

    def original(found: re.Match[str]) -> str:
        name = found[0]
        while (other := constant.get(name, "")) in known and other in constant:
            name = other
        return name

    return [replace(line, code=NAME.sub(original, line.code)) for line in in_order(text)]


def _asks(lines: Iterable[Line]) -> bool:
    """True if the loop may end the kernel, or call the run time."""
    return any(line.returns or not _ASKS.isdisjoint(line.names) for line in lines)
