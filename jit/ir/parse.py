"""Parses the text of graphs: the inverse of `print_graph`.

   print_graph(parse_graph(text)) == text

for each text that was printed. Values may have any name after the `%`; blank lines and lines that
begin with `#` are skipped. A parsed graph lacks what the text does not hold (`text.py`): hints and
names of values, and locations of nodes except their np.errstate modes. Objects that the text only
names, in angle brackets, become Placeholders, which can be printed but not run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..flags import NO_MODES, Modes
from .constant_parser import NAME, attribute, listed, modes
from .graph import Block, Exit, Graph, Location, Node, Value
from .ops import OPS, Op
from .recipe_parser import exit_
from .scanner import ParseError, Scanner
from .type_parser import VALUE, Names, type_

__all__ = ["ParseError", "parse_graph"]


def parse_graph(text: str) -> Graph:
    """Return the graph that a text describes.

    Raises:
        ParseError: the text is not that of a graph; the message has the line and the column.
    """
    return _Parser(text).graph()


@dataclass(slots=True)
class _Line:
    number: int
    indent: int
    text: str

    def scanner(self) -> Scanner:
        """Return a scanner at the first word of the line."""
        return Scanner(self.text, self.number)


class _Parser:
    def __init__(self, text: str) -> None:
        self._lines = [
            _Line(number, len(line) - len(line.lstrip(" ")), line.rstrip(" "))
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip(" ") and not line.startswith("#")
        ]
        self._end = _Line(text.count("\n") + 1, 0, "")
        self._place = 0
        self._names = Names()

    @property
    def _line(self) -> _Line:
        return self._lines[self._place] if self._place < len(self._lines) else self._end

    def graph(self) -> Graph:
        """Parse the whole text."""
        scan = self._line.scanner()
        scan.expect("graph")
        bounds: dict[Value, int] = {}
        params = tuple(listed(scan, "(", ")", lambda: self._param(scan, bounds)))
        scan.end()
        self._place += 1
        body = self._block((), 2)
        exits: list[Exit] = []
        while self._line is not self._end:
            exits.append(self._exit(len(exits)))
        return Graph(params, body, exits, bounds)

    def _param(self, scan: Scanner, bounds: dict[Value, int]) -> Value:
        value = self._names.define(scan)
        if scan.take("below"):
            bounds[value] = scan.integer()
        return value

    def _exit(self, number: int) -> Exit:
        scan = self._line.scanner()
        if self._line.indent:
            scan.fail("an exit, which is not indented", 0)
        scan.expect("exit")
        at = scan.place
        if scan.integer() != number:
            scan.fail(f"number {number}", at)
        scan.expect(":")
        made = exit_(scan, self._names)
        scan.end()
        self._place += 1
        return made

    def _block(self, params: tuple[Value, ...], indent: int) -> Block:
        """Parse the nodes of a block, which are the lines with this indent, and its results."""
        nodes: list[Node] = []
        while self._line.indent >= indent:
            scan = self._line.scanner()
            if self._line.indent > indent:
                scan.fail(f"{indent} spaces before it", indent)
            if scan.match(r"else\b"):
                scan.fail("a node, or `yield`", indent)
            self._place += 1
            if scan.take("yield"):
                return Block(params, nodes, self._values(scan))
            nodes.append(self._node(scan, indent))
        return Block(params, nodes)

    def _values(self, scan: Scanner) -> tuple[Value, ...]:
        """Parse references to values until the end of a line."""
        values = [self._names.read(scan)]
        while scan.take(","):
            values.append(self._names.read(scan))
        scan.end()
        return tuple(values)

    def _node(self, scan: Scanner, indent: int) -> Node:
        outputs: list[tuple[int, str]] = []
        while not outputs or scan.take(","):
            at = scan.place
            name = scan.match(VALUE)
            if name is None:
                if outputs:
                    scan.fail("a value")
                break
            outputs.append((at, name[0]))
        if outputs:
            scan.expect("=")
        op = _op(scan)
        inputs = tuple(listed(scan, "(", ")", lambda: self._names.read(scan)))
        attrs = _attributes(scan)
        said = modes(scan)
        made = self._outputs(scan, outputs)
        scan.end()
        blocks = self._blocks(op, indent)
        return Node(op, inputs, attrs, made, _location(said), blocks)

    def _outputs(self, scan: Scanner, names: list[tuple[int, str]]) -> tuple[Value, ...]:
        values = []
        for place, (at, name) in enumerate(names):
            scan.expect("," if place else ":")
            values.append(self._names.add(scan, name, type_(scan), at))
        return tuple(values)

    def _blocks(self, op: Op, indent: int) -> tuple[Block, ...]:
        """Parse the regions of a node; an empty block without results has no lines."""
        blocks = []
        for place in range(op.blocks):
            if place and not self._takes_else(indent):
                blocks.append(Block((), []))
            else:
                blocks.append(self._region(indent + 2))
        return tuple(blocks)

    def _takes_else(self, indent: int) -> bool:
        if self._line.indent != indent or self._line.text.strip() != "else":
            return False
        self._place += 1
        return True

    def _region(self, indent: int) -> Block:
        scan = self._line.scanner()
        params: list[Value] = []
        if self._line.indent == indent and scan.take("with"):
            params.append(self._names.define(scan))
            while scan.take(","):
                params.append(self._names.define(scan))
            scan.end()
            self._place += 1
        return self._block(tuple(params), indent)


def _op(scan: Scanner) -> Op:
    at = scan.place
    name = scan.need(NAME, "the name of an op")
    return OPS[name] if name in OPS else scan.fail("the name of an op", at)


def _attributes(scan: Scanner) -> dict[str, Any]:
    attrs: dict[str, Any] = {}
    while (found := scan.match(rf"({NAME})=")) is not None:
        attrs[found[1]] = attribute(scan, found[1])
    return attrs


def _location(said: Modes) -> Location | None:
    """Return a location that carries these np.errstate modes, or None if there are none."""
    return None if said == NO_MODES else Location("<text>", 0, "", "", {}, said)
