"""Writes one kernel: places of values, floating point flags, and the ways out.

steps.py iterates over the graph; the modules registered in writers.py write the code of each op.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from ...jit.analysis.aliases import Aliases
from ...jit.analysis.dependence import Dependence
from ...jit.checks import Check
from ...jit.ir import ops
from ...jit.ir.graph import Node, Recipe, Value, leaves
from ...jit.ir.schema import AxisOrder
from ...jit.ir.types import ArrayType, Dim, ObjectType, ScalarType, Sym
from ...jit.native import KERNEL_BAIL, WORDS
from ...jit.passes.clusters import Fused
from ...jit.passes.halts import halts_in, outermost
from ...jit.pipeline import Plan
from .attribution import Attribution
from .checked_facts import CheckedFacts
from .clusters.direct import Direct
from .exit_lists import ExitLists
from .library.names import NAMES, storage_name
from .llvm_flags.flag_barriers import FlagBarriers
from .memory import Memory
from .numbers.constants import ConstantWords, read_word
from .numbers.known import known_of
from .numbers.no_overflow import NEAR
from .numbers.origins import Origins
from .places import Deferred, Place, Trust, narrow_axes, variable_strides
from .row_loops import RowLoops
from .source import Source
from .spots import Spots
from .view_objects import make_object
from .words import FRESH, SORTED, Tables
from .writers import writes

__all__ = ["KernelWriter", "Place", "Trust", "writes"]
_OWN_NAMES = ("w", "raised", "work", "wrong", "held", "kernel")


class KernelWriter:
    """Writes one kernel; `attribute` keeps the flags of each op apart (docs/decisions/flags.md)."""

    def __init__(self, plan: Plan, attribute: bool) -> None:
        self.graph = plan.graph
        self.as_captured = plan.as_captured or plan.graph
        self.attribute = attribute
        self.source = Source((*NAMES, *_OWN_NAMES))
        self.tables = Tables(plan.n_slots, plan.objects, n_guards=plan.n_guards)
        self.n_exits = len(plan.payloads)
        self.n_fused = self.n_common = self.n_opaque = 0
        self.fusion: list[Fused] = []
        self.places: dict[Value, Place] = {}
        self.scalars: dict[Value, str] = {}
        self.known = known_of(plan.graph)
        self.spots = Spots(plan.spots)
        wanted = {value for payload in plan.payloads for value in leaves(payload)}
        self.origins = Origins(plan.graph, wanted, self.source, self.tables)
        self.words_of: dict[Value, int] = {}
        self.dying: list[Value] = []  # arrays that the present step is the last to read
        self.memory = Memory()
        self.direct: dict[Value, Direct] = {}  # stores that clusters may do, by the value stored
        self.syms: dict[Sym, str] = {}
        self._may_be_one = plan.may_be_one
        self._wide: set[Dim] = set()  # dims of live-ins, which guards ensure to be at least 2
        self.call_recipes: list[Recipe] = []
        self._begin_flags()
        self._begin_loops(plan)
        self.undefined: set[Value] = set()  # values that are not read
        self.noted: dict[Value, int] = {}  # words of notes, by their values: see notes.py
        self.noted_before: set[Value] = set()  # those that are set before a loop
        self.lists: dict[Value, Any] = {}  # made by the kernel: see lists.py
        self.exit_lists = ExitLists(plan.graph.body)
        self.objects: dict[Value, int] = {}  # slots of objects that are passed on
        self.flag_barriers = FlagBarriers(plan.graph, self.known)
        self.array_loops = Counter[str]()  # "parallel", "sequential", "short": see parallel.py
        self.in_order = Counter[str]()  # reasons why threads do not share loops
        self.row_loops = RowLoops(self.source)  # those that wait for others
        self.in_threads = False  # True inside a loop of the program that threads share
        self.regions = 0  # around the code being written
        self.checked_facts = CheckedFacts()
        self._stored: set[Value] = set()  # numbers that are in their words on the present path
        self._objects: set[Place] = set()  # views that exist as objects on the present path
        self._specs: dict[Place, tuple[int, int]] = {}
        """For views that are objects on some path: their `alloc` index and first word."""
        self.attributed = Attribution(self.source, self.known.makers)
        self._begin(plan)

    def _begin_flags(self) -> None:
        """Set what is known of floating point flags and of ways out before the first node."""
        self.reports = False
        """True if an op so far may raise a flag that eager reports."""
        self.unsettled = False
        """True if such an op was written after flags were last checked."""
        self.leaves = ""  # variable: true if flags were logged; eager goes on at the checkpoint
        self.checkpoint: int | None = None
        """Exit of the last checkpoint, or None: a bail then restarts the segment."""

    def _begin_loops(self, plan: Plan) -> None:
        """Set what is known of loops: those that may be halted, and the ones being written."""
        self.halt_of = {halt.loop: halt for halt in halts_in(plan.graph.body)}
        """The halt of each loop that may be halted."""
        self.halt_words = {loop: self.tables.reserve(2) for loop in self.halt_of}
        """For each of these loops, the word with the number of the next iteration."""
        self.all_halt = {*self.halt_words} == {*outermost(plan.graph.body)}
        """True if all outermost loops may be halted."""
        self.tables.words[WORDS["HALTS"]] = int(self.all_halt)
        self.loops: list[Any] = []  # variables of those being written, innermost last
        self.counted_ahead = False
        """True inside a loop nest whose iterations were added to `work` before it began."""
        self.x87_in_loops = False  # True if a loop over one item may have left flags in the x87
        self.deferred: Deferred | None = None
        """Checks that the innermost loop being written defers; None outside of such loops."""
        self.checked: dict[tuple[str, str], str] = {}
        """Variables of indices found to be in bounds, by the texts of index and length."""
        self.trust: Trust | None = None
        """Accesses that need no check in this nest; None if it was not analysed."""
        self.checked_after_branch: set[Node] = set()
        """Operations whose checks follow the branch that contains them: see branch_checks.py."""

    def _begin(self, plan: Plan) -> None:
        """Write what precedes the first node: loads of the live-ins."""
        self.source.line("raised = 0")
        if self.known.has_loops:
            self.source.line("work = 0")
        for param, slot in zip(plan.graph.params, plan.param_slots, strict=True):
            self._param(param, slot)
        self.tables.n_entry_loads = len(self.tables.loads)
        self.origins.make_slots()
        if self.known.has_loops and self.syms:
            self.bail_if(f"{' | '.join(self.syms.values())} > {NEAR}", Check.SIZE)
        self.constants = ConstantWords(self.known.constants, self.source, self.tables)

    @cached_property
    def aliases(self) -> Aliases:
        """Return the alias analysis of the graph."""
        return Aliases(self.graph)

    @cached_property
    def dependence(self) -> Dependence:
        """Return the analysis of dependences between iterations of loops."""
        return Dependence(self.graph, self.known.makers, self.aliases)

    # ---- regions ---------------------------------------------------------------------------

    def begin_region(self) -> None:
        """Prepare for a branch or loop."""
        self.checked_facts.only_warns = False
        if self.attribute:
            self.settle_flags()  # flags are logged in program order
        self.regions += 1

    def end_region(self, outputs: tuple[Value, ...]) -> None:
        """Finish a branch or loop: store its floating point results before flags are checked."""
        self.checked_facts.only_warns = False
        self.regions -= 1
        for value in outputs:
            self.origins.found(value)
        if not self.regions:
            for value in outputs:
                if value.type.dtype.kind in "fc" and isinstance(value.type, ScalarType):
                    self.store_scalar(value)

    def settle_block(self) -> None:
        """Settle flags at the end of a block of a region."""
        if self.attribute:
            self.settle_flags()

    @contextmanager
    def scope(self) -> Iterator[None]:
        """Restrict facts recorded inside to this block, as they do not hold on other paths."""
        syms, stored, objects = dict(self.syms), set(self._stored), set(self._objects)
        unsettled, checked, facts = self.unsettled, dict(self.checked), self.checked_facts.copy()
        yield
        self.syms, self._stored, self._objects = syms, stored, objects
        self.checked, self.checked_facts = checked, facts
        self.unsettled = self.unsettled or unsettled

    # ---- values ----------------------------------------------------------------------------

    def _param(self, param: Value, slot: int) -> None:
        type_ = param.type
        if isinstance(type_, ArrayType):
            self.array(param, self.tables.load_array(slot, type_.ndim), slot)
            self._wide |= {one for one in type_.dims if isinstance(one, Sym)} - self._may_be_one
            return
        if isinstance(type_, ObjectType):
            self.objects[param] = slot
            return
        word = self.tables.load_scalar(slot, type_)
        self.stands_in(param, word)
        self.origins.stands_in(param, slot)
        if storage_name(type_.dtype) is not None:
            self.scalar(param, self.read_scalar(word, type_), param.name or "c")

    def array(self, value: Value, word: int, slot: int) -> Place:
        """Register an array whose words are filled: define its address and new dims."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        address = self.source.name(value.name or "a")
        self.source.line(f"{address} = w[{word}]", str(type_))
        for axis, dim in enumerate(type_.dims):
            self.define_dim(dim, f"w[{word + 1 + axis}]")
        first = word + 1 + type_.ndim
        words = tuple(f"w[{first + axis}]" for axis in range(type_.ndim))
        length = self.dim if self.known.has_loops else None
        strides = variable_strides(self.source, type_, words, length)
        place = Place(address, strides, type_, slot, word)
        self.places[value] = place
        return place

    def match_known_dims(self, type_: ArrayType, word: int, if_any: bool, least: int) -> None:
        """Check an array's lengths: known ones of variables, and fixed ones of at least `least`.

        `if_any`: the words may be empty (address 0); then nothing reads the array.
        """
        known = [
            f"w[{word + 1 + axis}] != {self.dim(dim)}"
            for axis, dim in enumerate(type_.dims)
            if (isinstance(dim, int) and dim >= least) or dim in self.syms
        ]
        if known:
            wrong = " or ".join(known)
            condition = f"w[{word}] != 0 and ({wrong})" if if_any else wrong
            self.bail_if(condition, Check.SIZE)

    def define_dim(self, dim: Dim, expression: str) -> None:
        """Define the variable of a symbolic dim where the dim occurs first."""
        if isinstance(dim, Sym) and dim not in self.syms:
            is_variable = expression.isidentifier() and not self.known.has_loops
            name = self.syms[dim] = expression if is_variable else self.source.name(str(dim))
            if not is_variable:
                self.source.line(f"{name} = {expression}")

    def dim(self, dim: Dim) -> str:
        """Return an expression for a length."""
        return str(dim) if isinstance(dim, int) else self.syms[dim]

    def is_wide(self, dim: Dim) -> bool:
        """True if the length is at least 2 in every launch."""
        return dim > 1 if isinstance(dim, int) else dim in self._wide

    def scalar(self, value: Value, expression: str, name: str = "c") -> str:
        """Define a variable for a scalar and return its name."""
        variable = self.scalars[value] = self.source.name(name)
        self.source.line(f"{variable} = {expression}", str(value.type))
        return variable

    def read_scalar(self, word: int, type_: ScalarType) -> str:
        """Return an expression that reads a scalar from its word."""
        return read_word(word, storage_name(type_.dtype))

    def store_scalar(self, value: Value) -> int:
        """Emit the store of a scalar to its word, for recipes and inner loops; return the word."""
        if value not in self.words_of:
            self.words_of[value] = self.tables.reserve(3)
        word = self.words_of[value]
        if value not in self._stored:
            self._stored.add(value)
            name = storage_name(value.type.dtype)
            self.source.line(f"{name}_at(address_of(w, {word}))[0] = {self.scalars[value]}")
            if self.origins.of(value) != "0":
                self.source.line(f"w[{word + 2}] = {self.origins.of(value)}")
        return word

    def origin_word(self, value: Value) -> int | None:
        """Return the word from which a recipe reads a number's origin; None if it has none."""
        origin = self.origins.of(value)
        if origin.isdigit():
            return self.tables.constant_word(int(origin)) if origin != "0" else None
        return self.words_of[value] + 2

    def stands_in(self, value: Value, word: int) -> None:
        """Note that the scalar is in this word already."""
        self.words_of[value] = word
        self._stored.add(value)

    def new_array(self, value: Value) -> Place:
        """Emit the allocation of a value, reusing free memory if possible."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        maker = self.known.makers.get(value)
        # The type fixes the place of axes of length 1 at capture.
        order = None if maker is None else maker.op.axis_order
        sorts = order is AxisOrder.OPERANDS and 1 not in type_.dims
        copies = not sorts and maker is not None and maker.op.kind is not ops.Kind.CREATE
        if copies and (narrow := narrow_axes(type_, self.dim, self.is_wide)):
            self.bail_if(narrow, Check.ORDER)
        if free := self.memory.free(value):
            return self._put_into(value, free)
        index, slot, word = self.tables.new_array(type_, SORTED if sorts else FRESH)
        for axis, dim in enumerate(type_.dims):
            self.source.line(f"w[{word + 1 + axis}] = {self.dim(dim)}")
        made = "room" if self.in_threads else "alloc"
        self.bail_if(f"{made}(w, {index}) != 0", Check.MEMORY)
        return self.memory.made(value, self.array(value, word, slot))

    def own(self, value: Value) -> None:
        """Treat the result of a call, to which nothing else refers, as memory of the kernel."""
        assert isinstance(value.type, ArrayType)  # strides of length 1 are arbitrary
        if value.type.layout.packed and 1 not in value.type.dims:
            self.memory.made(value, self.places[value])

    def take_over(self, value: Value, dying: Value) -> Place:
        """Place a value in the memory of another that is read for the last time."""
        return self._put_into(value, self.memory.given_up(dying, value))

    def _put_into(self, value: Value, place: Place) -> Place:
        address = self.source.name(value.name or "a")
        self.source.line(f"{address} = {place.address}", f"{value.type}, in memory that is free")
        made = Place(address, place.strides, place.type, place.slot, place.word)
        self.places[value] = self.memory.made(value, made)
        return made

    def n_in_place(self) -> int:
        """Return the number of views that are not needed as objects."""
        places = {*self.places.values()}
        return sum(place.root is not None and place not in self._specs for place in places)

    def objects_ready(self, values: tuple[Value, ...]) -> None:
        """Ensure that recipes find these values: scalars in words, views as objects."""
        for value in values:
            if value in self.known.constants or value in self.objects:
                continue
            if isinstance(value.type, ScalarType):
                self.store_scalar(value)
            elif (place := self.places[value]).root is not None and place not in self._objects:
                self._objects.add(place)
                make_object(self, place, self._specs)

    # ---- leaving ---------------------------------------------------------------------------

    @property
    def bail_code(self) -> int:
        """Return the number with which the kernel exits to its last checkpoint."""
        return KERNEL_BAIL if self.checkpoint is None else self.checkpoint

    def bail_if(self, condition: str, check: Check = Check.OTHER, note: str = "") -> None:
        """Emit a bail to the last checkpoint under a condition."""
        with self.source.indented(f"if {self.seldom(condition)}:"):
            self.leave_for(check, note)

    def leave_for(self, check: Check, note: str = "") -> None:
        """Emit the bail itself, with the check that failed."""
        self.source.bail(self.spots.number_of(check), self.bail_code, note or check.value)

    def seldom(self, condition: str) -> str:
        """Mark a condition as unlikely for LLVM if it is evaluated repeatedly in a loop."""
        return f"unlikely({condition})" if self.loops else condition

    def settle_flags(self) -> None:
        """Report pending flags before an effect that must not be repeated, by a bail."""
        if self.attribute:
            self.attributed.log(self)
        elif self.unsettled:
            self.collect()
            self.bail_if("raised != 0 and reported(w, raised) != 0", Check.FLAG)
            self.source.line("raised = 0")
            self.unsettled = False

    @contextmanager
    def attributing(self) -> Iterator[None]:
        """Keep the flags of each op apart in code written inside, as in the attributing kernel."""
        before, self.attribute = self.attribute, True
        yield
        self.attribute = before

    def leave_normally(self, number: int) -> None:
        """Emit the normal end of the kernel.

        If checkpoints exist, flags have been settled, and C must not check them again.
        """
        raised, work = "w[{}]".format(WORDS["RAISED"]), "work" if self.known.has_loops else "0"
        if self.attribute or self.known.has_checkpoints:
            self.settle_flags()
        else:
            if self.x87_in_loops:
                self.collect()
            raised = "raised"
        self.source.line(f"return left(w, {raised}, {work}, {number})")

    def may_report(self) -> None:
        """Note that an op written here may raise a flag that eager reports."""
        if not self.attribute:
            self.reports = self.unsettled = True

    # ---- floating point flags ------------------------------------------------------------------

    def collect(self) -> None:
        """Save the flags raised so far, as the following code may clear them."""
        if not self.attribute:
            beside = " | x87_status()" if self.x87_in_loops or self.loops else ""
            self.source.line(f"raised |= raised_flags(){beside}")
