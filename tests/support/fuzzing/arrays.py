"""Arguments of programs as text: arrays of every dtype in every kind of memory, and numbers.

What is drawn is a plan, which is rendered for some lengths and values: the calls of one program
differ in these and agree in dtypes, ranks and layouts, so that they can share a kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from equality import hostile

from fuzzing.choices import Choices, weighted

DTYPES = weighted(
    f8=7, f4=5, i8=4, i4=3, u1=2, i1=2, bool=2, f2=2, c16=2, c8=1, i2=1, u2=1, u4=1, u8=2
)
LENGTHS = (3, 4, 5, 2, 1, 0, 7, 8, 9, 3, 4, 5, 6)
"""Lengths of an axis."""
MORE_LENGTHS = (*LENGTHS, 17, 40)
"""Lengths of an axis of arrays that have one or two."""
LONG = (100, 513, 1030)
"""Lengths beyond a block of scratch memory, for arrays of one axis."""
RANKS = (1, 1, 1, 2, 2, 0, 3)
CUTS = {"": (1, 0), "::-1": (1, 0), "::2": (2, 0), "1:": (1, 1), "1:-1": (1, 2), "::-3": (3, 0)}
"""Slices that cut an axis out of a longer one, with the factor and offset from n to its length."""
LAYOUTS = weighted(plain=8, cut=5, Fortran=2, transposed=2, broadcast=1, cut_transposed=1)
RELATIONS = weighted(none=14, same=1, reversed=1, shifted=2, part=1)
"""Relations of the memory of a second array to that of the first."""

PLAIN_INTS = (1, 2, 3, 0, 5, 7)
PLAIN_FLOATS = (1.0, 2.0, 0.5, 3.0, 0.0, -1.5, 0.1, 7.25)
LARGE = (255, 256, -129, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64)
"""Python ints at the edge of dtypes, and beyond."""
NUMBERS = weighted(int=5, float=6, numpy=4, bool=1, complex=1)


@cache
def texts_of(dtype: str, calm: bool) -> tuple[str, ...]:
    """Values of a dtype as Python writes them; calm ones raise few flags."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return ("False", "True")
    if kind == "c":
        parts = texts_of("f4" if dtype == "c8" else "f8", calm)
        pairs = zip(parts, parts[3:] + parts[:3], strict=True)
        return tuple(f"complex({real}, {imaginary})" for real, imaginary in pairs)
    plain = PLAIN_FLOATS if kind == "f" else PLAIN_INTS
    values = [repr(np.array(value, dtype).item()) for value in plain]
    if not calm:
        values += [repr(value) for value in hostile(dtype).tolist()]
    return tuple(dict.fromkeys(values))


@dataclass(frozen=True, slots=True)
class ArrayPlan:
    """An array without its lengths and values."""

    name: str
    dtype: str
    dims: tuple[str, ...]
    """A letter of a length, or "1"."""
    layout: str
    cuts: tuple[str, ...]
    """A key of CUTS for each axis."""
    relation: str = "none"
    """The relation of its memory to that of array `a`."""

    def text(self, lengths: Mapping[str, int], values: str) -> str:
        """Statements that make it."""
        if self.relation == "same":
            return f"{self.name} = a"
        if self.relation == "reversed":
            return f"{self.name} = a[::-1]"
        if self.relation == "part":
            return f"{self.name} = a[..., 1:]"
        shape = tuple(lengths.get(dim, 1) for dim in self.dims)
        if self.relation == "shifted":
            longer = (shape[0] + 1, *shape[1:])
            made = f"np.resize({values}, {longer})"
            return f"room = {made}\na = room[:-1]\n{self.name} = room[1:]"
        return f"{self.name} = {self._own(shape, values)}"

    def _own(self, shape: tuple[int, ...], values: str) -> str:
        if self.layout == "Fortran":
            return f"np.asfortranarray(np.resize({values}, {shape}))"
        if self.layout == "transposed":
            return f"np.resize({values}, {shape[::-1]}).T"
        if self.layout == "broadcast":
            return f"np.broadcast_to(np.resize({values}, {shape[1:]}), {shape})"
        if self.layout == "plain" or not shape:
            return f"np.resize({values}, {shape})"
        grown = zip(shape, map(CUTS.__getitem__, self.cuts), strict=True)
        room = tuple(length * times + more for length, (times, more) in grown)
        cuts = ", ".join(cut or ":" for cut in self.cuts)
        if self.layout == "cut":
            return f"np.resize({values}, {room})[{cuts}]"
        back = ", ".join(cut or ":" for cut in self.cuts[::-1])
        return f"np.resize({values}, {room[::-1]})[{back}].T"


@dataclass(frozen=True, slots=True)
class NumberPlan:
    """A number without its value."""

    name: str
    kind: str
    dtype: str

    def text(self, choices: Choices, calm: bool) -> str:
        """A statement that makes one."""
        return f"{self.name} = {self._value(choices, calm)}"

    def _value(self, choices: Choices, calm: bool) -> str:
        if self.kind == "bool":
            return choices.one(texts_of("bool", calm))
        if self.kind == "int":
            return repr(choices.one(PLAIN_INTS if calm else PLAIN_INTS + PLAIN_INTS + LARGE))
        if self.kind == "numpy":
            value = choices.one(texts_of(self.dtype, calm))
            return f"np.dtype({self.dtype!r}).type({value})"
        return choices.one(texts_of("c16" if self.kind == "complex" else "f8", calm))


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a program, to be rendered for each call."""

    arrays: tuple[ArrayPlan, ...]
    numbers: tuple[NumberPlan, ...]
    calm: bool

    @property
    def names(self) -> str:
        """The parameters of the program: arrays, numbers, and `n`, a small int."""
        return ", ".join([*(plan.name for plan in (*self.arrays, *self.numbers)), "n"])

    def text(self, choices: Choices) -> str:
        """Statements that make the arguments of one call, of lengths and values that are drawn."""
        dims = [dim for plan in self.arrays for dim in plan.dims]
        rank = max(len(plan.dims) for plan in self.arrays)
        known = LENGTHS if rank > 2 else MORE_LENGTHS
        if rank == 1 and choices.chance(6):
            known = LONG
        lengths = {dim: choices.one(known) for dim in dict.fromkeys(dims)}
        lengths["1"] = 1
        lines = []
        for plan in self.arrays:
            texts = texts_of(plan.dtype, self.calm)
            values = [choices.one(texts) for _ in range(choices.number(1, 7))]
            text = f"np.array([{', '.join(values)}], {plan.dtype!r})"
            if plan.dtype == "bool" and not self.calm:
                text = f"({text} * np.uint8({choices.one((1, 2, 255))})).view(bool)"
            lines.append(plan.text(lengths, text))
        lines += [plan.text(choices, self.calm) for plan in self.numbers]
        return "\n".join([*lines, f"n = {choices.one((2, 3, 1, 0, 4, 5))}"])


def arguments(choices: Choices) -> Arguments:
    """A plan of up to three arrays that mostly broadcast, up to two numbers, and `n`."""
    rank = choices.one(RANKS)
    dims = tuple("klm"[:rank])
    common = choices.one(DTYPES) if choices.chance(60) else ""
    arrays = []
    for name in "abc"[: choices.one((2, 2, 2, 1, 3))]:
        dtype = common or choices.one(DTYPES)
        relation = choices.one(RELATIONS) if name == "b" and rank else "none"
        if relation == "shifted":
            dtype = arrays[0].dtype
        arrays.append(_array(choices, name, dtype, dims, relation))
    numbers = tuple(
        NumberPlan(name, choices.one(NUMBERS), common or choices.one(DTYPES))
        for name in "st"[: choices.one((1, 1, 2, 0))]
    )
    return Arguments(tuple(arrays), numbers, calm=choices.chance(45))


def _array(
    choices: Choices, name: str, dtype: str, dims: tuple[str, ...], relation: str
) -> ArrayPlan:
    own = dims
    if relation == "none" and name != "a" and choices.chance(30):
        own = dims[choices.number(0, len(dims)) :]
        own = tuple("1" if choices.chance(25) else dim for dim in own)
    layout = choices.one(LAYOUTS) if own else "plain"
    cuts = tuple(choices.one(tuple(CUTS)) if "cut" in layout else "" for _ in own)
    return ArrayPlan(name, dtype, own, layout, cuts, relation)
