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
from .intrinsics import storage_name
from .native import Flags
from .scalars import scalar_row
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
        self.tables = Tables(plan.n_slots, plan.objects, n_guards=plan.n_guards)
        self.attribute = attribute
        self.steps: list[Step] = []
        self.call_recipes: list[Recipe] = []
        self.n_exits = len(plan.payloads)
        self.n_opaque = 0
        self.places: dict[Value, Place] = {}
        self.scalars: dict[Value, str] = {}
        self.constants: dict[Value, Any] = {}
        self.words_of: dict[Value, int] = {}
        self.syms: dict[Sym, str] = {}
        self.reports = False
        self._flags: dict[Node, str] = {}
        self.located: list[Node] = []
        self.source.line("raised = 0")
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
        if storage_name(type_.dtype) is not None:
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

    # ---- floating point flags ------------------------------------------------------------------

    def collect(self) -> None:
        """Keeps the flags raised so far: what comes next may clear them."""
        if not self.attribute:
            self.source.line("raised |= raised_flags()")

    def declare_flags(self, node: Node) -> None:
        """A variable for the flags of one node, in the attributing kernel."""
        variable = self._flags[node] = self.source.name("flags")
        self.source.line(f"{variable} = 0")

    def flags_of(self, node: Node) -> str:
        """The variable that collects the flags of a node."""
        return self._flags[node]

    def _log_flags(self) -> None:
        """Hands the flags over, in program order."""
        for node in self.graph.nodes():
            if node in self._flags:
                number = len(self.located)
                self.located.append(node)
                with self.source.indented(f"if {self._flags[node]} != 0:"):
                    self.source.line(f"log_flags(w, {number}, {self._flags[node]})")

    # ---- steps -----------------------------------------------------------------------------

    def write(self) -> None:
        """Writes the whole kernel."""
        self.steps = fuse(self.graph.body, lambda node: lower(node) is not None)
        from .calls import write_call
        from .cluster import write_cluster

        for step in self.steps:
            if isinstance(step, Cluster):
                write_cluster(self, step)
            else:
                writer = getattr(self, f"_write_{step.op.name}", None)
                if writer is None or not writer(step):
                    write_call(self, step)

    def _write_const(self, node: Node) -> bool:
        value = node.outputs[0]
        type_ = value.type
        assert isinstance(type_, ScalarType)
        self.constants[value] = node.attrs["value"]
        if storage_name(type_.dtype) is not None:
            self.scalars[value] = constant_text(node.attrs["value"], type_)
        return True

    def _write_dim(self, node: Node) -> bool:
        type_ = node.inputs[0].type
        assert isinstance(type_, ArrayType)
        self.scalars[node.outputs[0]] = self.dim(type_.dims[node.attrs["axis"]])
        return True

    def _write_operator(self, node: Node) -> bool:
        row = scalar_row(node)
        if row is None:
            return False
        result = node.outputs[0]
        kind = storage_name(result.type.dtype)
        operands = [self.scalars[value] for value in node.inputs]
        if row.bail:
            with self.source.indented(f"if {row.bail.format(*operands)}:"):
                self.source.line(f"return {KERNEL_BAIL}")
        attributed = self.attribute and row.flags is Flags.REPORTS
        if attributed:
            self.declare_flags(node)
            self.source.line("set_status(get_status() & ~63)")
        status = self.source.name("status") if row.flags is Flags.SILENT else None
        if status:
            self.source.line(f"{status} = get_status()")
        self.scalar(result, f"{kind}({row.template.format(*operands)})")
        self.store_scalar(result)  # in memory, so that the operation stays where its flags count
        if status:
            self.source.line(f"set_status({status})")
        if attributed:
            self.source.line(f"{self.flags_of(node)} |= raised_flags()")
        self.reports = self.reports or row.flags is Flags.REPORTS
        return True

    def _write_leave(self, node: Node) -> bool:
        for value in node.inputs:
            if isinstance(value.type, ScalarType):
                self.store_scalar(value)
        if self.attribute:
            self._log_flags()
        else:
            self.source.line(f"w[{WORDS['RAISED']}] = raised")
        self.source.line(f"return {node.attrs['exit']}")
        return True

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
