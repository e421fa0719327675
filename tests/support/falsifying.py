"""Backends that get something wrong on purpose, for the tests of verify=True."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import framejit
from framejit.backends import registry
from framejit.jit.ir.graph import Block, Graph, Node
from framejit.jit.ir.ops import Op
from framejit.jit.pipeline import Backend, Parts, Plan, compile_plan

Change = Callable[[Node], Node]


class Falsifying:
    """Another backend, with some nodes of each graph changed."""

    def __init__(self, inner: str, change: Change, attribute: bool | None = None) -> None:
        self.name = f"false-{inner}"
        self._inner: Backend = registry.load_backend(inner)
        self._change = change
        self._attribute = attribute

    def compile(self, plan: Plan, attribute: bool = False) -> Parts:
        if self._attribute in (None, attribute):
            plan.graph = changed(plan.graph, self._change)
        return compile_plan(self._inner, plan, attribute)


def changed(graph: Graph, change: Change) -> Graph:
    """The graph with `change` applied to each node."""

    def block(one: Block) -> Block:
        return Block(one.params, [node(inner) for inner in one.nodes], one.results)

    def node(one: Node) -> Node:
        return change(replace(one, blocks=tuple(map(block, one.blocks))))

    return Graph(graph.params, block(graph.body), graph.exits, graph.bounds)


def substituting(op: Op, key: str, right: Any, wrong: Any) -> Change:
    """Nodes of an op with another attribute: every backend computes what that says."""

    def change(node: Node) -> Node:
        if node.op is op and node.attrs.get(key) is right:
            return replace(node, attrs={**node.attrs, key: wrong})
        return node

    return change


def computing(op: Op, reference: Callable[..., Any]) -> Change:
    """Nodes of an op that compute something else, on the numpy backend."""

    def change(node: Node) -> Node:
        return replace(node, op=replace(op, reference=reference)) if node.op is op else node

    return change


def complaint(function: Callable[..., Any], backend: str, *args: Any) -> str:
    """Return the error message of a call with verify=True, without the name of the test's file."""
    file = sys._getframe(1).f_code.co_filename
    jitted = framejit.jit(function, backend=backend, verify=True) if backend else function
    with pytest.raises(framejit.VerifyError) as caught:
        jitted(*args)
    return str(caught.value).replace(file, "here.py")
