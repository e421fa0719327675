"""Prints graphs as text; `parse.py` reads it back.

The text has nodes with types and attributes, and exits. It lacks names of values, values at
capture, user locations (except np.errstate modes), statistics of passes, and objects that belong to
no library, which are named in angle brackets. Functions appear by path, NumPy's ufuncs by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from .constant_text import attribute_text, constant_text, modes_text
from .graph import (
    Block,
    Build,
    Call,
    Constant,
    Do,
    Exit,
    Graph,
    Leaf,
    Live,
    Node,
    Recipe,
    Slot,
    Value,
    parts,
)
from .library_names import text_of

SOURCE = re.compile(r"[a-z][a-z ]*`[^`\n]*`(?:\.\w+|\[-?\d+\])*")
"""Sources that are printed without quotes."""


class _Names(dict[Value, str]):
    def __missing__(self, value: Value) -> str:
        name = self[value] = f"%{len(self)}"
        return name

    def typed(self, values: Iterable[Value]) -> str:
        """Return definitions of values, with their types."""
        return ", ".join(f"{self[value]}: {value.type}" for value in values)

    def of(self, values: Iterable[Value]) -> str:
        """Return references to values."""
        return ", ".join(self[value] for value in values)


def print_graph(graph: Graph) -> str:
    """Return the text: a line per node (results, op, inputs, attributes, type), then the exits."""
    return _print(graph, _Names())


def names_in_text(graph: Graph) -> Mapping[Value, str]:
    """Return the names that the text of the graph gives to its values."""
    names = _Names()
    _print(graph, names)
    return dict(names)


def _print(graph: Graph, names: _Names) -> str:
    params = (
        names.typed((param,)) + (f" below {graph.bounds[param]}" if param in graph.bounds else "")
        for param in graph.params
    )
    lines = [f"graph({', '.join(params)})"]
    _print_block(graph.body, names, lines, "  ")
    lines += [f"exit {k}: {_ExitText(names, exit_).text()}" for k, exit_ in enumerate(graph.exits)]
    return "\n".join(lines)


def print_node(graph: Graph, node: Node) -> str:
    """Return the line of one node in its graph's text."""
    names = _Names()
    for param in graph.params:
        names[param]
    _print_block(graph.body, names, [], "")
    return _node(node, names)


def _print_block(block: Block, names: _Names, lines: list[str], indent: str) -> None:
    for node in block.nodes:
        lines.append(indent + _node(node, names))
        for place, inner in enumerate(node.blocks):
            if place and (inner.nodes or inner.results):
                lines.append(f"{indent}else")
            if inner.params:
                lines.append(f"{indent}  with {names.typed(inner.params)}")
            _print_block(inner, names, lines, indent + "  ")
    if block.results:
        lines.append(f"{indent}yield {names.of(block.results)}")


def _node(node: Node, names: _Names) -> str:
    attrs = "".join(f" {key}={attribute_text(value)}" for key, value in node.attrs.items())
    modes = modes_text(node.location.modes) if node.location is not None else ""
    line = f"{node.op.name}({names.of(node.inputs)}){attrs}{modes}"
    if node.outputs:
        types = ", ".join(str(value.type) for value in node.outputs)
        line = f"{names.of(node.outputs)} = {line} : {types}"
    return line


class _ExitText:
    """Prints one exit.

    A recipe that occurs several times makes a single object; it is numbered at its first
    occurrence.
    """

    def __init__(self, names: _Names, exit_: Exit) -> None:
        self._names = names
        self._exit = exit_
        self._shared = _shared((*exit_.effects, *exit_.recipes))
        self._numbers: dict[Recipe, int] = {}

    def text(self) -> str:
        exit_ = self._exit
        said = [f"do {self._recipe(recipe)}" for recipe in exit_.effects]
        said += [f"local {slot} = {self._recipe(recipe)}" for slot, recipe in exit_.stores]
        said += [f"push {self._recipe(recipe)}" for recipe in exit_.pushes]
        said += [f"del local {slot}" for slot in exit_.deletes]
        said += [f"null at {place}" for place in exit_.nulls]
        return f"{exit_.kind} at {exit_.at}: " + ("; ".join(said) or "nothing")

    def _recipe(self, recipe: Recipe) -> str:
        if recipe in self._numbers:
            return f"@{self._numbers[recipe]}"
        if recipe not in self._shared:
            return self._made(recipe)
        text = self._made(recipe)
        number = self._numbers[recipe] = len(self._numbers)
        return f"@{number}={text}"

    def _made(self, recipe: Recipe) -> str:
        match recipe:
            case Leaf(value):
                # a pass may have removed the path to this exit, with the nodes that define the
                # value
                return self._names[value] if value in self._names else self._names.typed((value,))
            case Slot(number):
                return f"slot {number}"
            case Constant(value):
                return constant_text(value)
            case Live(source):
                text = str(source)
                return text if SOURCE.fullmatch(text) else f"source {text!r}"
            case Do(effects, result):
                done = "; ".join(f"do {self._recipe(effect)}" for effect in effects)
                return f"({done}; {self._recipe(result)})"
            case Build(kind, items):
                return f"{kind}({', '.join(map(self._recipe, items))})"
            case Call(function, args):
                return f"call {text_of(function)}({', '.join(map(self._recipe, args))})"


def _shared(recipes: Iterable[Recipe]) -> set[Recipe]:
    """Return the recipes that make an object and occur several times."""
    seen: set[Recipe] = set()
    shared: set[Recipe] = set()
    waiting = [*recipes]
    while waiting:
        recipe = waiting.pop()
        if not isinstance(recipe, Build | Call | Do):
            continue
        if recipe in seen:
            shared.add(recipe)
        else:
            seen.add(recipe)
            waiting += parts(recipe)
    return shared
