"""Packs recipes into the postfix code that recipe.c runs."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .ir.graph import Build, Call, Constant, Do, Leaf, Live, Recipe, Slot, Value, parts
from .ir.types import ArrayType, ObjectType, ScalarType
from .native import RECIPE_OPS

STEP = struct.Struct("=3i")
RECIPE = struct.Struct("=2i")
_PYTHON = {"?": "BOOL", "l": "INT", "d": "FLOAT", "D": "COMPLEX"}


class RecipePacker:
    """Collects the recipes of one entry."""

    def __init__(
        self,
        slot_of: Callable[[Any], int],
        object_slot: Callable[[Value], int],
        scalar_word: Callable[[Value], int],
        object_index: Callable[[Any], int],
        fresh_slot: Callable[[], int],
        origin_word: Callable[[Value], int | None],
    ) -> None:
        self._slot_of = slot_of
        self._object_slot = object_slot
        self._scalar_word = scalar_word
        self._object = object_index
        self._fresh_slot = fresh_slot
        self._origin_word = origin_word
        self._times: Counter[Recipe] = Counter()
        self._kept: dict[Recipe, int] = {}
        self._steps: list[bytes] = []
        self._recipes: list[bytes] = []

    def add(self, recipe: Recipe) -> int:
        """Append a recipe and return its index."""
        start = len(self._steps)
        self._times = Counter(_all_parts(recipe))
        self._kept = {}
        self._emit(recipe)
        self._recipes.append(RECIPE.pack(start, len(self._steps) - start))
        return len(self._recipes) - 1

    def packed(self) -> tuple[bytes, bytes]:
        """Return (recipes, steps) in the layout that C reads."""
        return b"".join(self._recipes), b"".join(self._steps)

    def _step(self, name: str, a: int, b: int = 0) -> None:
        self._steps.append(STEP.pack(RECIPE_OPS[name], a, b))

    def _emit(self, recipe: Recipe) -> None:
        """Emit a recipe; one that occurs several times is built once and kept in a slot."""
        if recipe in self._kept:
            self._step("SLOT", self._kept[recipe])
            return
        self._make(recipe)
        if self._times[recipe] > 1 and not isinstance(recipe, Live | Constant | Slot):
            self._kept[recipe] = self._fresh_slot()
            self._step("KEEP", self._kept[recipe])

    def _make(self, recipe: Recipe) -> None:
        match recipe:
            case Live(source):
                self._step("SLOT", self._slot_of(source))
            case Constant(value):
                self._step("CONST", self._object(value))
            case Slot(number):
                self._step("SLOT", number)
            case Leaf(value):
                self._leaf(value)
            case Build(kind, items):
                for item in items:
                    self._emit(item)
                count = len(items) // 2 if kind == "dict" else len(items)
                self._step(kind.upper(), count)
            case Call(function, args):
                self._step("CONST", self._object(function))
                for item in args:
                    self._emit(item)
                self._step("CALL", len(args))
            case Do(effects, result):
                for effect in effects:
                    self._emit(effect)
                    self._step("DROP", 0)
                self._emit(result)

    def _leaf(self, value: Value) -> None:
        type_ = value.type
        if isinstance(type_, ArrayType | ObjectType):
            self._step("SLOT", self._object_slot(value))
            return
        assert isinstance(type_, ScalarType)
        word = self._scalar_word(value)
        if type_.python:
            self._step(_PYTHON[type_.dtype.char], word)
        else:
            self._step("SCALAR", word, self._object(type_.dtype))
        origin = self._origin_word(value)
        if origin is not None:
            self._step("ORIGIN", origin)


def _all_parts(recipe: Recipe) -> Iterator[Recipe]:
    """Yield a recipe's parts recursively, with repetitions.

    The parts of a repeated one only once.
    """
    seen = set()
    waiting = [recipe]
    while waiting:
        one = waiting.pop()
        yield one
        if one not in seen:
            seen.add(one)
            waiting += parts(one)
