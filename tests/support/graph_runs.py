"""Graphs run by the numpy backend on hostile inputs: what a pass must leave as it was.

`compared(before, after)` runs both on the same numbers, in arrays that lie apart, in one array and
in windows of one that overlap, and asserts that nobody could tell them apart: the exit, each object
that it hands back to the last bit, which of them is which and shares memory with which, all that is
written, and the floating point errors. A run that bails must leave the arrays as the other graph
has them at a checkpoint, or at the start, where eager then goes on.
"""

from __future__ import annotations

import itertools
import random
import warnings
from collections import Counter
from typing import Any

import numpy as np

from framejit.backends.numpy.backend import Bail, OtherSize, Run
from framejit.jit.flags import FLAG_KINDS, Modes
from framejit.jit.ir.graph import Exit, Graph, Node, Value, leaves
from framejit.jit.ir.ops import CHECKPOINT, DISJOINT
from framejit.jit.ir.types import ArrayType, Dim, Layout, ObjectType, ScalarType, Sym, Type

ROUNDS = 24
FLOATS = (1.0, -0.0, 0.0, 3.0, -2.5, np.nan, np.inf, -np.inf, 1e308, 5e-324, 0.1)
TAME = (1.0, 2.0, -3.0, 0.5, 4.0, -0.25)
INTS = (0, 1, -1, 3, 7, -2, 2)
MOST_ITERATIONS = 200
"""Limit for all loops of a run together."""

Observed = tuple[Any, ...]


class TooLongError(Exception):
    """More iterations than a test needs."""


class Outcome:
    """The observable results of one run."""

    def __init__(self) -> None:
        self.exit: int | None = None
        self.handed_back: Observed = ()
        self.memory: Observed = ()
        self.relations: Observed = ()
        self.bailed = False
        self.errors: list[str] = []
        """Kinds of floating point errors, and other warnings, in the order of the nodes."""
        self.snapshots: list[Observed] = []
        """The arrays at the start, and behind each checkpoint, with its exit."""

    @property
    def at_bail(self) -> Observed:
        """The state from which eager goes on."""
        return self.exit, self.handed_back, self.memory


class _Run(Run):
    """A run that notes eager's reports, and the state at each checkpoint."""

    def __init__(self, graph: Graph, given: dict[Value, Any], outcome: Outcome) -> None:
        super().__init__(dict(given), 1)
        self._graph = graph
        self._given = given
        self._outcome = outcome
        self._iterations_left = MOST_ITERATIONS

    def memory(self) -> Observed:
        """The contents of the arrays, and the states of the generators."""
        return tuple(map(bits_of, self._given.values()))

    def handed_back(self) -> list[Any]:
        """Return the values that the exit makes its objects of, in the order of its recipes."""
        if self.exit is None:
            return []
        exit_: Exit = self._graph.exits[self.exit]
        recipes = (*exit_.effects, *exit_.recipes)
        return [self.state[value] for recipe in recipes for value in leaves(recipe)]

    def _node(self, node: Node) -> Any:
        if node.op is DISJOINT:
            if np.may_share_memory(*(self.values[value] for value in node.inputs)):
                raise Bail
            return None
        following = super()._node(node)
        if node.op is CHECKPOINT:
            shown = (self.exit, tuple(map(bits_of, self.handed_back())), self.memory())
            self._outcome.snapshots.append(shown)
        return following

    def _one_iteration(self, *args: Any) -> Any:
        self._iterations_left -= 1
        if not self._iterations_left:
            raise TooLongError
        return super()._one_iteration(*args)

    def _enforced(self, modes: Modes) -> np.errstate:
        states: dict[str, Any] = {kind: "call" for _, kind, _ in FLAG_KINDS}
        states.update(dict.fromkeys(modes.ignored, "ignore"))
        return np.errstate(**states)


def run(graph: Graph, given: dict[Value, Any]) -> Outcome:
    """One run of a graph on these objects, which are changed."""
    outcome = Outcome()
    one = _Run(graph, given, outcome)
    outcome.snapshots.append((None, (), one.memory()))
    states: dict[str, Any] = {kind: "call" for _, kind, _ in FLAG_KINDS}

    def note(kind: str, flag: int) -> None:
        outcome.errors.append(kind)

    with warnings.catch_warnings(record=True) as shown, np.errstate(**states, call=note):
        warnings.simplefilter("always")
        try:
            for param, value in given.items():
                one.match(param, value)
            one.block(graph.body)
        except (Bail, OtherSize, ArithmeticError, ValueError, IndexError, TypeError):
            outcome.bailed = True
            one.undo()
    outcome.errors += [str(item.message) for item in shown]
    outcome.exit, back = one.exit, one.handed_back()
    outcome.handed_back = tuple(map(bits_of, back))
    outcome.memory = one.memory()
    outcome.relations = _relations([*given.values(), *back])
    return outcome


def bits_of(value: Any) -> Any:
    """A value to the last bit."""
    if isinstance(value, np.ndarray):
        strides = None if value.size == 0 else value.strides
        return "array", value.dtype.char, value.shape, strides, value.tobytes()
    if isinstance(value, np.generic):
        return "scalar", value.dtype.char, value.tobytes()
    if isinstance(value, list):
        return "list", tuple(map(bits_of, value))
    if isinstance(value, np.random.Generator):
        return "generator", repr(value.bit_generator.state)
    if isinstance(value, float | complex):
        return type(value).__name__, np.array(value).tobytes()
    return type(value).__name__, repr(value)


def _relations(objects: list[Any]) -> Observed:
    """Tell for each pair of objects if they are one, and if their memory overlaps."""
    arrays = [one if isinstance(one, np.ndarray | list) else None for one in objects]
    return tuple(
        (one is other, _share(one, other)) for one, other in itertools.combinations(arrays, 2)
    )


def _share(one: Any, other: Any) -> bool:
    both_arrays = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
    return both_arrays and np.shares_memory(one, other)


# ---- inputs --------------------------------------------------------------------------------------


def compared(before: Graph, after: Graph, *, each_error: bool) -> int:
    """Asserts that nobody can tell two graphs apart; gives the rounds that came to an exit.

    With `each_error` floating point errors are reported as often, else their kinds are the same.
    """
    ended = 0
    for number in range(ROUNDS):
        try:
            first = run(before, _Inputs(before, number).made())
        except TooLongError:
            continue
        given = _Inputs(before, number).made().values()
        second = run(after, dict(zip(after.params, given, strict=True)))
        if first.bailed:
            assert second.bailed, "it bailed before the pass"
            assert first.at_bail in first.snapshots, "the graph itself does not take back a write"
        if second.bailed:
            assert second.at_bail in first.snapshots, "eager would go on from another state"
            continue
        ended += 1
        assert second.exit == first.exit
        assert second.handed_back == first.handed_back
        assert second.memory == first.memory
        assert second.relations == first.relations
        count = Counter if each_error else frozenset
        assert count(second.errors) == count(first.errors)
    return ended


class _Inputs:
    """The objects of one round."""

    def __init__(self, graph: Graph, number: int) -> None:
        self._graph = graph
        self._number = number
        self._random = random.Random(number)
        self._lengths: dict[Dim, int] = {}
        self._floats = (TAME, FLOATS)[number % 2]
        self._overlap = (None, "same", None, "shifted")[number // 2 % 4]
        """The overlap of arrays of one type."""

    def made(self) -> dict[Value, Any]:
        made: dict[Value, Any] = {}
        before: dict[Type, Any] = {}
        for param in self._graph.params:
            type_ = param.type
            if isinstance(type_, ArrayType):
                made[param] = self._beside(type_, before)
            elif isinstance(type_, ObjectType):
                made[param] = np.random.default_rng(self._number)
            else:
                made[param] = self._scalar(type_, self._graph.bounds.get(param))
        return made

    def _beside(self, type_: ArrayType, before: dict[Type, Any]) -> Any:
        """An array, which may be one of those before or overlap it."""
        if self._overlap == "same" and type_ in before:
            return before[type_]
        if self._overlap == "shifted" and type_.layout == Layout.contiguous(type_.ndim):
            shape = [self._length(dim) for dim in type_.dims]
            size = int(np.prod(shape, dtype=int))
            memory, shift = before.get(type_, (self._filled(type_, (size + 2,)), 0))
            before[type_] = memory, (shift + 1) % 3
            return memory[shift : shift + size].reshape(shape)
        made = before[type_] = self._array(type_)
        return made

    def _array(self, type_: ArrayType) -> Any:
        """An array of that layout class."""
        lengths = [self._length(dim) for dim in type_.dims]
        layout = type_.layout
        shape, cut = [], []
        for axis in layout.order:
            if not layout.signs[axis]:
                shape.append(1)
                cut.append(slice(None))
                continue
            stretch = 2 if axis == layout.order[-1] and not layout.unit else 1
            more = 0 if layout.packed else 1
            shape.append(lengths[axis] * stretch + more)
            cut.append(slice(0, lengths[axis] * stretch, stretch))
        window = self._filled(type_, tuple(shape))[(*cut, ...)]
        window = window.transpose(np.argsort(layout.order)) if type_.ndim else window
        flipped = window[(*(slice(None, None, sign or 1) for sign in layout.signs), ...)]
        still = not all(layout.signs)
        return np.broadcast_to(flipped, lengths) if still else flipped

    def _length(self, dim: Dim) -> int:
        if isinstance(dim, Sym):
            return self._lengths.setdefault(dim, self._random.choice((2, 3, 4, 7)))
        return dim

    def _filled(self, type_: Type, shape: tuple[int, ...]) -> Any:
        count = int(np.prod(shape, dtype=int))
        numbers = [self._number_of(type_.dtype) for _ in range(count)]
        return np.array(numbers, type_.dtype).reshape(shape)

    def _number_of(self, dtype: np.dtype[Any]) -> Any:
        choose = self._random.choice
        if dtype.kind == "b":
            return choose((True, False))
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            ends = (info.min, info.max) if self._floats is FLOATS else ()
            return choose([n for n in (*INTS, *ends) if info.min <= n <= info.max])
        with np.errstate(all="ignore"):
            real, imaginary = (np.float64(choose(self._floats)) for _ in "ri")
            return dtype.type(complex(real, imaginary) if dtype.kind == "c" else real)

    def _scalar(self, type_: ScalarType, bound: int | None) -> Any:
        made = self._number_of(type_.dtype)
        if type_.python and type_.dtype.kind == "i":
            return self._random.choice((*INTS, *((2**62,) if self._is_straight() else ())))
        return type_.dtype.type(made).item() if type_.python else type_.dtype.type(made)

    def _is_straight(self) -> bool:
        """True for a graph without loops, in which a large int does not run for ever."""
        return not any(node.op.name in ("for", "loop") for node in self._graph.nodes())
