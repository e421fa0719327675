"""From a graph to the text of one kernel, and the tables that go with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...jit.ir.graph import Node, Recipe, Value
from ...jit.ir.types import ArrayType, Dim, ScalarType, Sym
from ...jit.native import KERNEL_BAIL, WORDS
from ...jit.passes.fuse import Cluster, Step, fuse
from ...jit.pipeline import Plan
from .lower import lower
from .source import Source
from .words import Tables


@dataclass(eq=False, slots=True)
class Place:
    """Where an array lives while the kernel runs."""

    address: str
    """Variable: address of the first element."""
    word: int
    """Words: data, dims, strides."""
    slot: int
    """Slot of the object, -1 while there is none."""
    type: ArrayType

    def stride(self, axis: int) -> str:
        """Expression: step of an axis in bytes."""
        return f"w[{self.word + 1 + self.type.ndim + axis}]"


class KernelWriter:
    """Writes one kernel; `attribute` keeps the flags of each op apart (DESIGN 5.1)."""

    def __init__(self, plan: Plan, attribute: bool) -> None:
        self.graph = plan.graph
        self.source = Source()
        self.tables = Tables(plan.n_slots, plan.objects)
        self.attribute = attribute
        self.steps: list[Step] = []
        self.call_recipes: list[Recipe] = []
        self.n_opaque = 0
        self.places: dict[Value, Place] = {}
        self.scalars: dict[Value, str] = {}
        self.words_of: dict[Value, int] = {}
        self.syms: dict[Sym, str] = {}
        self.reports = False
        self.collects = False
        self.located: list[Node] = []
        for param, slot in zip(plan.graph.params, plan.param_slots, strict=True):
            self._param(param, slot)
        self.tables.n_entry_loads = len(self.tables.loads)

    # ---- values ----------------------------------------------------------------------------

    def _param(self, param: Value, slot: int) -> None:
        type_ = param.type
        if isinstance(type_, ArrayType):
            word = self.tables.load_array(slot, type_.ndim)
            self.array(param, word, slot)
            return
        word = self.tables.load_scalar(slot, type_)
        self.words_of[param] = word
        self.scalar(param, self.read_scalar(word, type_), param.name or "c")

    def array(self, value: Value, word: int, slot: int) -> Place:
        """Makes an array known whose words are filled: its address, and dims not met before."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        address = self.source.name(value.name or "a")
        self.source.line(f"{address} = w[{word}]  # {type_}")
        for axis, dim in enumerate(type_.dims):
            if isinstance(dim, Sym) and dim not in self.syms:
                self.syms[dim] = self.source.name(str(dim))
                self.source.line(f"{self.syms[dim]} = w[{word + 1 + axis}]")
        place = self.places[value] = Place(address, word, slot, type_)
        return place

    def scalar(self, value: Value, expression: str, name: str = "c") -> str:
        """A variable that holds a scalar value."""
        variable = self.scalars[value] = self.source.name(name)
        self.source.line(f"{variable} = {expression}  # {value.type}")
        return variable

    def read_scalar(self, word: int, type_: ScalarType) -> str:
        """Expression that reads a scalar from its word."""
        name = type_.dtype.name if type_.dtype.kind != "b" else "uint8"
        return f"w[{word}]" if name == "int64" else f"{name}_at(address_of(w, {word}))[0]"

    def dim(self, dim: Dim) -> str:
        """Expression for a length."""
        return str(dim) if isinstance(dim, int) else self.syms[dim]

    def new_array(self, value: Value) -> Place:
        """Emits the allocation of a value."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        index, slot, word = self.tables.new_array(type_)
        for axis, dim in enumerate(type_.dims):
            self.source.line(f"w[{word + 1 + axis}] = {self.dim(dim)}")
        with self.source.indented(f"if alloc(w, {index}) != 0:"):
            self.source.line(f"return {KERNEL_BAIL}")
        return self.array(value, word, slot)

    # ---- steps -----------------------------------------------------------------------------

    def write(self) -> None:
        """Writes the whole kernel."""
        self.steps = fuse(self.graph.body, lambda node: lower(node) is not None)
        for step in self.steps:
            if isinstance(step, Cluster):
                from .cluster import write_cluster

                write_cluster(self, step)
            else:
                getattr(self, f"_write_{step.op.name}")(step)

    def _write_const(self, node: Node) -> None:
        value = node.outputs[0]
        type_ = value.type
        assert isinstance(type_, ScalarType)
        self.scalars[value] = constant_text(node.attrs["value"], type_)

    def _write_dim(self, node: Node) -> None:
        type_ = node.inputs[0].type
        assert isinstance(type_, ArrayType)
        self.scalars[node.outputs[0]] = self.dim(type_.dims[node.attrs["axis"]])

    def _write_leave(self, node: Node) -> None:
        for value in node.inputs:
            if isinstance(value.type, ScalarType):
                self.store_scalar(value)
        if self.collects:
            self.source.line(f"w[{WORDS['RAISED']}] = raised")
        self.source.line(f"return {node.attrs['exit']}")

    def store_scalar(self, value: Value) -> int:
        """Emits the scalar into a word, for recipes and inner loops; returns the word."""
        if value in self.words_of:
            return self.words_of[value]
        type_ = value.type
        assert isinstance(type_, ScalarType)
        word = self.words_of[value] = self.tables.reserve(2)
        name = type_.dtype.name if type_.dtype.kind != "b" else "uint8"
        self.source.line(f"{name}_at(address_of(w, {word}))[0] = {self.scalars[value]}")
        return word


def constant_text(value: Any, type_: ScalarType) -> str:
    """A literal with exactly these bits."""
    if type_.dtype.kind == "b":
        return f"uint8({int(value)})"
    if type_.dtype.kind in "iu":
        return f"{type_.dtype.name}({int(value)})"
    number = float(value)
    if np.isfinite(number):
        return f"{type_.dtype.name}({number!r})"
    return f"{type_.dtype.name}({'nan' if number != number else 'inf' if number > 0 else '-inf'})"
