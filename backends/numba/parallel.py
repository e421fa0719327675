"""Loops over items whose turns threads may share: they become functions of the kernel's text.

Such a function goes over the turns from `begin` to `end`. Who calls it, how often, and whether the
GIL is released meanwhile is decided when the kernel runs (jit/native/parallel.c). It reads the
words of the launch, of which each thread has a copy, and gives the floating point flags that it has
collected. All else that it needs is handed over. A loop whose turns hand a variable on to the next
one stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod

from ...jit.frozen import dataclass
from ...jit.ir.types import Dim, Sym
from ...jit.threads import EVERYWHERE
from .library.names import EXITS, RUN_TIME
from .source import Source
from .statements import KNOWN
from .writer import KernelWriter

LARGE = 1 << 15
"""Items, at capture, of a loop that is written so: with fewer, a call is not worth it."""
_BITS, _MOST = 6, 9
"""Of a variable of flags, and how many of these a loop may hand on."""
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")
_ASSIGNED = re.compile(r"(?:for )?(\w+) (?:[^\s=]{0,2}= |in )")
_ASKS = re.compile(rf"\b(?:{'|'.join((*RUN_TIME, *EXITS, 'poll'))})\(")
_LITERAL = re.compile(r"\w+ = (?:\w+\()?-?[\d.]+(?:e[+-]?\d+)?\)?$")
"""The line of a number that LLVM is to know."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns that one call goes over, as names in the text."""

    begin: str
    end: str
    step: str


def is_large(writer: KernelWriter, dims: Sequence[Dim]) -> bool:
    """True if a loop over axes of these lengths had many items at capture.

    The writer counts others whose arrays may be larger when the kernel runs.
    """
    large = _was_large(writer, dims)
    writer.small_loops += not large and any(isinstance(dim, Sym) for dim in dims)
    return large


def _was_large(writer: KernelWriter, dims: Sequence[Dim]) -> bool:
    lengths = writer.graph.lengths
    known = [dim if isinstance(dim, int) else lengths.get(dim, 0) for dim in dims]
    return EVERYWHERE or prod(known) >= LARGE


@contextmanager
def shared_turns(writer: KernelWriter, dims: Sequence[Dim], order: Sequence[int]) -> Iterator[str]:
    """Around loops over axes in an order: the range of the outermost one, "" for all of it.

    No turn needs what another one makes.
    """
    if not order or not is_large(writer, dims):
        yield ""
        return
    total, *others = (writer.dim(dims[axis]) for axis in order)
    with parallel(writer, total, "1", " * ".join(others) or "1") as turns:
        yield f"range({turns.begin}, {turns.end})"


@contextmanager
def released(writer: KernelWriter, dims: Sequence[Dim], work: str) -> Iterator[None]:
    """Around what one thread does with items of these axes; the GIL is released if it is long.

    `work` says how long: how many items of an elementwise loop take as long.
    """
    if not _was_large(writer, dims):
        yield
        return
    with parallel(writer, "1", "1", work):
        yield


@contextmanager
def parallel(
    writer: KernelWriter, total: str, step: str, size: str, holds: str = ""
) -> Iterator[Turns]:
    """Around a loop over `total` turns of `size` items each, which may be cut at each `step`.

    `holds` is the variable that says whether all numbers so far were as they should be.
    """
    source = writer.source
    begin, end, stride, extent = (source.name(name) for name in ("begin", "end", "step", "size"))
    known, first, depth = source.taken(), len(source.lines), source.depth
    source.depth = 1
    yield Turns(begin, end, stride)
    source.depth = depth
    lines = source.lines[first:]
    del source.lines[first:]
    stored, read = _stored(lines), _read(lines)
    given = [name for name in read if name in known and name not in stored]
    results = _Results([name for name in stored if name in known], holds)
    flags = {"raised", holds, *writer.attributed.variables}
    if not flags.issuperset(results.names) or len(results.flags) > _MOST or _asks(lines):
        source.line(f"{begin} = 0")
        source.line(f"{end} = {total}")
        source.line(f"{stride} = {step}")
        source.lines += ["    " * (depth - 1) + line for line in lines]
        return
    given = [name for name in given if name not in (begin, end, stride)]
    own = {name: source.scratch[name] for name in given if name in source.scratch}
    ahead = [f"{name} = {place}" for name, place in own.items()]
    ahead += _literals(source.lines, {*given} - {*own})
    handed = [name for name in given if not any(line.startswith(f"{name} = ") for line in ahead)]
    name = source.name("loop")
    source.parts[name] = [
        "@parallel",
        f"def {name}({', '.join(['w', begin, end, stride, extent, *handed])}):",
        *("    " + line for line in (*results.begin(), *ahead)),
        *lines,
        f"    return {results.text()}",
    ]
    call = f"{name}({', '.join(['w', '0', total, step, size, *handed])})"
    results.write(source, call)


class _Results:
    """The variables that a loop hands on, as one int: flags, and whether all held."""

    def __init__(self, names: Sequence[str], holds: str) -> None:
        self.names = names
        self.flags = [name for name in names if name != holds]
        self._holds = holds if holds in names else ""

    def begin(self) -> Iterator[str]:
        """The lines before the loop, in each call."""
        yield from (f"{name} = 0" for name in self.flags)
        if self._holds:
            yield f"{self._holds} = True"

    def text(self) -> str:
        """What a call gives."""
        parts = [f"{name} << {_BITS * at}" if at else name for at, name in enumerate(self.flags)]
        if self._holds:
            parts.append(f"(0 if {self._holds} else {1 << _BITS * _MOST})")
        return " | ".join(parts) or "0"

    def write(self, source: Source, call: str) -> None:
        """Emits the call, and what becomes of the variables."""
        if not self.names:
            source.line(call)
        elif self.names == self.flags and len(self.flags) == 1:
            source.line(f"{self.flags[0]} |= {call}")
        else:
            result = source.name("result")
            source.line(f"{result} = {call}")
            for at, name in enumerate(self.flags):
                source.line(f"{name} |= {result} >> {_BITS * at} & {(1 << _BITS) - 1}")
            if self._holds:
                source.line(f"{self._holds} = {self._holds} & ({result} < {1 << _BITS * _MOST})")


def _literals(lines: Sequence[str], wanted: set[str]) -> Iterator[str]:
    """The lines of variables that are assigned once, a number of the text."""
    found: dict[str, list[str]] = {}
    for line in lines:
        code = line.split("  # ", 1)[0].strip()
        name = code.partition(" ")[0]
        if name in wanted:
            found.setdefault(name, []).append(code)
    for one in found.values():
        if len(one) == 1 and _LITERAL.match(one[0]):
            yield one[0]


def _asks(lines: Sequence[str]) -> bool:
    """Whether the loop may end the kernel, or asks the run time for something."""
    return any(code.startswith("return ") or _ASKS.search(code) for code in _codes(lines))


def _codes(lines: Sequence[str]) -> Iterator[str]:
    return (line.split("  # ", 1)[0].strip() for line in lines)


def _stored(lines: Sequence[str]) -> dict[str, None]:
    """The variables that are assigned in some lines."""
    found = (_ASSIGNED.match(code) for code in _codes(lines))
    return dict.fromkeys(each[1] for each in found if each is not None)


def _read(lines: Sequence[str]) -> dict[str, None]:
    """The variables that are named in some lines."""
    names = (name for code in _codes(lines) for name in _NAME.findall(code))
    return dict.fromkeys(name for name in names if name not in KNOWN)
