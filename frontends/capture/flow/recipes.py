"""Makes the recipes of an exit, which build its objects from symbolic values."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType
from typing import TYPE_CHECKING, Any

import numpy as np

from ....jit.ir import graph as ir
from ....jit.ir.types import ObjectsType
from ....jit.native import one_of_kinds
from ...runtime import exit_calls
from ..objects.contents import lists_of_stand_in
from ..objects.dicts import is_laid_out_as
from ..objects.fields import extensions, stores
from ..objects.grown import Columns, Growing, array_of, as_array, grown_of, table_of
from ..objects.handed_over import recipe
from ..objects.lists_of_objects import copied
from ..objects.records import ScalarRecord
from ..state.forks import one_kind
from ..values.breaks import INSTRUCTION, NOT_PLAIN, GraphBreak
from ..values.either_number import NUMPY
from ..values.folding import is_made_since
from ..values.models import MODELS, model_of
from ..values.symbolic import (
    NULL,
    Array,
    BoundMethod,
    Cell,
    Dict,
    Instance,
    Iterator,
    Known,
    List,
    Method,
    NewFunction,
    Object,
    Opaque,
    PositionalIter,
    Scalar,
    Symbolic,
    Tuple,
    Union,
    Unknown,
)
from ..values.wording import in_words
from .iterators import Over, recipe_of_iterator, recipe_of_positional_iter

if TYPE_CHECKING:
    from ..state.machine import Machine


class Recipes:
    """The recipes of one exit; a value that occurs several times is one object."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._heap = machine.heap
        self._made: dict[Symbolic, ir.Recipe | None] = {}
        self.is_seen = True
        """True if the program can see what is being built, which it cannot if nothing reads the
        variable."""
        self._numbers: set[ir.Value] = set()
        """Numbers that the program can see."""
        self._grown: set[Object] = set()
        """Lists that have grown."""
        self._rows: set[Tuple] = set()
        """Tuples that the program can see."""
        self._constants: set[int] = set()
        """Addresses of constants that the program can see."""
        self._tables: dict[str, ir.Recipe] = {}
        """Tables of numbers whose identity matters."""
        self._empty: list[tuple[Cell, ir.Recipe]] = []
        """Cells to be filled at the end: a recursive function is in its own cell."""

    def effects(self) -> tuple[ir.Recipe, ...]:
        """Return the effects that precede the payload; call it last."""
        stored = [*stores(self._machine), *extensions(self._machine)]
        done: list[ir.Recipe] = [
            ir.Call(effect.function, tuple(map(self.of, effect.arguments)))
            for effect in self._heap.effects + stored
        ]
        for owner, stand_in in self._heap.stood_in.items():
            if owner in self._machine.touched:
                done.append(self._changed(owner, stand_in))
        filled = []
        while self._empty:
            cell, made = self._empty.pop()
            held = self._heap.state(cell)
            if held is not None:
                filled.append(ir.Call(exit_calls.set_cell, (made, self.of(held))))
        identities = self._machine.identities
        identities.check(self._numbers, self._grown, self._rows, self._constants)
        return (*done, *filled)

    def _changed(self, owner: Object, made: Object) -> ir.Recipe:
        """Return the recipe that does to an outside container what was done to its stand-in."""
        history = self._history(made)
        if history:
            return ir.Call(exit_calls.replay, (self.of(owner), *map(self.of, history)))
        lists = lists_of_stand_in(self._machine, made)
        self._grown.update(lists)
        states = [grown_of(self._machine, one) for one in lists]
        items = [self._items(one) for one in states if one is not None]
        last = states[-1]
        if isinstance(made, List):
            return ir.Call(exit_calls.refill, (self.of(owner), *items))
        if isinstance(last, Growing) and last.origins is not None:
            origins = ir.Leaf(array_of(self._machine, last.origins).value)
            function = (
                exit_calls.put_into_dict if isinstance(made, Dict) else exit_calls.refill_deque
            )
            return ir.Call(function, (self.of(owner), *items, origins))
        before = ir.Leaf(self._heap.counts[lists[0]])
        return ir.Call(exit_calls.add_to_set, (self.of(owner), *items, before))

    def _history(self, made: Object) -> list[List]:
        """Return the lists in which a set notes its changes; of one that only grows nothing."""
        if not isinstance(made, Instance):
            return []
        held = self._heap.state(made)
        return [held[name] for name in ("left", "right") if isinstance(held.get(name), List)]

    def of(self, value: Symbolic) -> ir.Recipe:
        """Return the recipe of an object.

        Raises:
            GraphBreak: it cannot be built.
            ForkOfKinds: it is one of several.
        """
        value = self._machine.one_of(value) or value
        if not (isinstance(value, Union) and value.either_number):
            value = one_kind(self._machine, value)
        if value in self._made:
            made = self._made[value]
            if made is None:
                raise GraphBreak(INSTRUCTION, "an object that holds itself")
            return made
        self._made[value] = None
        made = self._made[value] = self._of(value)
        if isinstance(value, Cell) and value.source is None:
            self._empty.append((value, made))
        return made

    def _of(self, value: Symbolic) -> ir.Recipe:
        is_outside = isinstance(value, List | Dict | Instance)
        outside = self._heap.outside_of(value) if is_outside else None
        source = getattr(value if outside is None else outside, "source", None)
        if source is not None:
            return ir.Live(source)
        match value:
            case Unknown():
                return ir.Constant(None)  # exploring needs only the shape of the exit
            case Known(object=known):
                self._constants.add(id(known))
                if isinstance(known, np.generic) and is_made_since(known, 0):  # new each time
                    return ir.Call(np.generic.copy, (ir.Constant(known),))
                return ir.Constant(known)
            case Array(value=inner) | Scalar(value=inner):
                if self.is_seen:
                    self._numbers.add(inner)
                box = value.box if isinstance(value, Scalar) else None
                return ir.Leaf(inner) if box is None else self._boxed(value, box, ir.Leaf(inner))
            case Opaque(value=inner):
                return ir.Leaf(inner)
            case Union(tag=tag, alternatives=numbers):
                both = [self.of(number) for _, number in numbers if number is not None]
                made = ir.Call(one_of_kinds, (ir.Leaf(tag), *both))
                return made if value.box is None else self._boxed(value, value.box, made)
            case _:
                return self._of_parts(value)

    def _of_parts(self, value: Symbolic) -> ir.Recipe:
        """Return the recipe of an immutable object, from its parts; `_of_object` has the others."""
        match value:
            case Tuple(items=items, named=named):
                self._rows.add(value)
                if named is not None:
                    return self._call(named, *items)
                return ir.Build("tuple", self._all(items))
            case PositionalIter():
                return recipe_of_positional_iter(value, self.of)
            case Method(owner=owner, name=name):
                return ir.Call(getattr, (self.of(owner), ir.Constant(name)))
            case _:
                return value.recipe(self.of) or self._of_object(value)

    def _of_object(self, value: Symbolic) -> ir.Recipe:
        """Return the recipe of an object with a state, from what the heap holds for it."""
        if (made := self._of_model(value)) is not None:
            return made
        match value:
            case List() if (grown := grown_of(self._machine, value)) is not None:
                self._grown.add(value)
                return self._items(grown)
            case List():
                return ir.Build("list", self._all(self._heap.state(value).items))
            case Dict() if (table := table_of(self._machine, value)) is not None:
                return self._call(exit_calls.dict_of, table.keys, table.values)
            case Dict():
                entries = self._heap.state(value).entries
                flat = [part for key, item in entries.items() for part in (Known(key), item)]
                return ir.Build("dict", self._all(tuple(flat)))
            case Cell():
                return ir.Call(CellType, ())
            case Instance(kind=kind):
                state = self._heap.state(value)
                names = ir.Constant(tuple(state))
                return ir.Call(
                    exit_calls.instance, (ir.Constant(kind), names, *self._all((*state.values(),)))
                )
            case Iterator():
                state = self._heap.state(value)
                if isinstance(state, Over) and not state.exhausted:
                    self._refuse_changed_dict(state)
                return recipe_of_iterator(state, self.of)
            case _:
                return self._of_callable(value)

    def _of_callable(self, value: Symbolic) -> ir.Recipe:
        """Return the recipe of a function or method made here.

        Raises:
            GraphBreak: the value is anything else, which no exit can build.
        """
        match value:
            case NewFunction():
                return self._function(value)
            case BoundMethod(function=function, owner=owner):
                return self._call(exit_calls.bound, function, owner)
        assert value is not NULL, "a NULL is no object"
        raise GraphBreak(INSTRUCTION, f"{in_words(value)} cannot leave a segment")

    def _of_model(self, value: Symbolic) -> ir.Recipe | None:
        """Return the recipe of an object that a model stands for, or of a method of one."""
        match value:
            case Instance(class_=kind) if kind in MODELS:
                held = [*self._heap.state(value).values()][: MODELS[kind].parts]
                if self._history(value):
                    held[0] = Known(None)  # its keys are in there
                return self._call(MODELS[kind].build, *held)
            case BoundMethod(function=Known(object=function), owner=Instance() as owner):
                known = model_of(owner.class_)
                if known is not None and function in known.methods.values():
                    return self._call(getattr, owner, Known(known.name_of(function)))
        return None

    def _refuse_changed_dict(self, state: Over) -> None:
        """Break for an iterator over a changed dict, on which eager would raise."""
        if not is_laid_out_as(self._machine, state.iterable, state.layout):
            raise GraphBreak(INSTRUCTION, "an iterator over a dict that has changed")

    def _items(self, grown: Growing | Columns) -> ir.Recipe:
        """Return the recipe of a list that has grown, with its present items."""
        if grown.places is not None:
            places = array_of(self._machine, grown.places)
            return ir.Call(
                exit_calls.at_places, (self._table(_char_of(grown)), ir.Leaf(places.value))
            )
        if isinstance(grown, Columns):
            return recipe(self._machine, grown)
        if grown.nested:
            raise GraphBreak(NOT_PLAIN, "a list that is an item of another one is handed over")
        if isinstance(grown.type, ObjectsType):
            return ir.Leaf(copied(self._machine, grown.value, grown.type))
        array = as_array(self._machine, grown)
        made = np.ndarray.tolist if grown.type.python else list
        return ir.Call(made, (ir.Leaf(array.value),))

    def _boxed(self, number: Symbolic, box: ir.Value, made: ir.Recipe) -> ir.Recipe:
        """Return the recipe of a number that is the same object as the one in a table."""
        plain = number.alternatives[NUMPY][1] if isinstance(number, Union) else number
        assert isinstance(plain, Scalar)
        char = plain.type.char
        if char not in self._heap.tables:
            return made
        return ir.Call(exit_calls.boxed, (self._table(char), ir.Leaf(box), made))

    def _table(self, char: str) -> ir.Recipe:
        """Return the recipe of the objects in a table."""
        made = self._tables.get(char)
        if made is None:
            table = self.of(self._heap.tables[char])
            entries = [one for one in self._heap.entries.values() if one.char == char]
            places = [ir.Leaf(entry.place) for entry in entries]
            objects = [self.of(entry.object) for entry in entries]
            count = ir.Constant(len(entries))
            made = (
                ir.Call(exit_calls.with_objects, (table, count, *places, *objects))
                if entries
                else table
            )
            self._tables[char] = made
        return made

    def _all(self, values: tuple[Symbolic, ...]) -> tuple[ir.Recipe, ...]:
        return tuple(map(self.of, values))

    def _call(self, function: Callable[..., Any], *arguments: Symbolic) -> ir.Recipe:
        return ir.Call(function, self._all(arguments))

    def _function(self, value: NewFunction) -> ir.Recipe:
        if len(value.closure) != len(value.code.co_freevars):  # 3.13 sets the closure later
            raise GraphBreak(INSTRUCTION, "a function that has no closure yet")
        known = (ir.Constant(value.code), ir.Constant(value.namespace))
        names = ir.Constant(tuple(value.kwdefaults))
        counts = ir.Constant((len(value.defaults), len(value.kwdefaults), len(value.closure)))
        rest = (
            *value.defaults,
            *value.kwdefaults.values(),
            *value.closure,
            *value.annotations,
        )
        return ir.Call(exit_calls.new_function, (*known, names, counts, *self._all(rest)))


def _char_of(grown: Growing | Columns) -> str:
    """Return the dtype character of a list's numbers."""
    if isinstance(grown, Growing):
        return grown.item.char
    assert isinstance(grown.item, ScalarRecord)
    return grown.item.numbers[0].char
