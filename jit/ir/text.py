"""Graphs as text."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

import numpy as np

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
)


class _Names(dict[Value, str]):
    def __missing__(self, value: Value) -> str:
        name = self[value] = f"%{len(self)}"
        return name


def print_graph(graph: Graph) -> str:
    """One line a node: results, op, inputs, attributes, type; then the exits."""
    return _print(graph, _Names())


def names_in_text(graph: Graph) -> Mapping[Value, str]:
    """What the text of a graph calls its values."""
    names = _Names()
    _print(graph, names)
    return dict(names)


def _print(graph: Graph, names: _Names) -> str:
    params = ", ".join(f"{names[p]}: {p.type}" for p in graph.params)
    lines = [f"graph({params})"]
    _print_block(graph.body, names, lines, "  ")
    lines += [f"exit {k}: {_exit(exit_, names)}" for k, exit_ in enumerate(graph.exits)]
    return "\n".join(lines)


def print_node(graph: Graph, node: Node) -> str:
    """The line of one node in the text of its graph."""
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
                params = ", ".join(f"{names[p]}: {p.type}" for p in inner.params)
                lines.append(f"{indent}  with {params}")
            _print_block(inner, names, lines, indent + "  ")
    if block.results:
        lines.append(f"{indent}yield {', '.join(names[v] for v in block.results)}")


def _node(node: Node, names: _Names) -> str:
    inputs = ", ".join(names[v] for v in node.inputs)
    attrs = "".join(f" {key}={_attr(value)}" for key, value in node.attrs.items())
    line = f"{node.op.name}({inputs}){attrs}"
    if node.outputs:
        results = ", ".join(names[v] for v in node.outputs)
        types = ", ".join(str(v.type) for v in node.outputs)
        line = f"{results} = {line} : {types}"
    return line


def _attr(value: Any) -> str:
    return getattr(value, "__name__", None) or repr(value)


_SHOWN = (bool, int, float, complex, str, bytes, range, type(None), type(Ellipsis), type)
_SHOWN_TOO = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType)


def _constant(value: Any) -> str:
    """In words; of what may have a `repr` of the user's only the class is named."""
    kind = type(value)
    if kind is tuple:
        return f"({', '.join(map(_constant, value))}{',' * (len(value) == 1)})"
    if kind in _SHOWN or kind in _SHOWN_TOO or issubclass(kind, np.generic | np.dtype | np.ufunc):
        return repr(value)
    name: str = type.__dict__["__name__"].__get__(kind)
    return f"<{name}>"


def _exit(exit_: Exit, names: _Names) -> str:
    parts = [f"do {_recipe(recipe, names)}" for recipe in exit_.effects]
    parts += [f"local {slot} = {_recipe(recipe, names)}" for slot, recipe in exit_.stores]
    parts += [f"push {_recipe(recipe, names)}" for recipe in exit_.pushes]
    parts += [f"del local {slot}" for slot in exit_.deletes]
    return f"{exit_.kind} at {exit_.at}: " + ("; ".join(parts) or "nothing")


def _recipe(recipe: Recipe, names: _Names) -> str:
    match recipe:
        case Leaf(value):
            return names[value]
        case Slot(number):
            return f"slot {number}"
        case Constant(value):
            return _constant(value)
        case Live(source):
            return str(source)
        case Do(effects, result):
            done = "; ".join(f"do {_recipe(effect, names)}" for effect in effects)
            return f"{done}; {_recipe(result, names)}"
        case Build(kind, items):
            return f"{kind}({', '.join(_recipe(item, names) for item in items)})"
        case Call(function, args):
            return f"{_attr(function)}({', '.join(_recipe(item, names) for item in args)})"
