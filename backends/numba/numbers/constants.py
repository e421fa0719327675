"""Constants read from words, so that kernels which differ only in them share machine code.

A constant stays in the text if LLVM can exploit its value: an int factor or divisor, a shift,
division by a power of two, bounds of `clip`. LLVM treats a number from a word like an argument and
so drops nothing: `x * 1.0` and `x - 0.0` quiet a signalling NaN and report it, as in eager.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import frexp, isfinite
from typing import Any

import numpy as np

from ....jit.ir.graph import Node, Value
from ....jit.ir.primitives import Linear, of_node, ufunc_of
from ....jit.ir.schema import Applies
from ....jit.ir.types import ScalarType
from ..source import Source
from ..words import Tables

DType = np.dtype[Any]
MOST = 2.0**1000
"""Bound on divisors that are tested for being powers of two."""


def operand_in_word(node: Node, place: int, dtype: DType) -> bool:
    """True if a constant operand of elementwise LLVM code is read from a word.

    It must be finite.
    """
    if node.op.selects:
        return dtype.kind in "fiu" and place > 0
    if node.op.applies is not Applies.ITEMS:
        return False
    row = ufunc_of(node)
    if row.linear is Linear.QUOTIENT and dtype.kind == "f":
        return place == 0 or not _is_better_known(node.inputs[1].hint)
    return ("f" if dtype.kind == "f" else "i") in row.plain_constants


def number_in_word(node: Node, value: Value, kind: str | None) -> bool:
    """True if a constant operand of scalar double arithmetic is read from a word.

    Most divisors of Python floats are not, because a zero would raise; nor are ints compared with
    floats, because comparisons are exact.
    """
    if (
        node.op.applies is not Applies.NUMBERS
        or kind != "float64"
        or value.type.dtype.kind not in "iuf"
    ):
        return False
    row = of_node(node)
    if row.linear is Linear.QUOTIENT:
        divisor = node.inputs[1]
        is_asked = _is_python(node) and divisor.hint not in (-1, 1)
        return value is not divisor or not (is_asked or _is_better_known(divisor.hint))
    if row.linear is Linear.PRODUCT and value.hint == 2:
        return False  # LLVM treats it as a sum, which needs no register
    exact = row.compares is not None and value.type.dtype.kind != "f"
    return "f" in row.plain_constants and not exact


class ConstantWords:
    """The words with constants of one kernel; variables are loaded where this is created."""

    def __init__(self, constants: Mapping[Value, Any], source: Source, tables: Tables) -> None:
        self._constants, self._source, self._tables = constants, source, tables
        self._words: dict[tuple[Value, DType], int] = {}
        self._variables: dict[int, str] = {}
        self._loads = source.point()

    def word(self, value: Value, dtype: DType) -> int | None:
        """Return the word with a constant converted to a dtype as NumPy does.

        None if it is no constant, not finite, or overflows the dtype.
        """
        number = self._constants.get(value)
        if number is None or value.type.dtype.kind not in "biuf" or not isfinite(number):
            return None
        if dtype.kind not in "fiu" or dtype == np.float16 or dtype.itemsize > 8:
            return None
        key = value, dtype
        if key not in self._words:
            with np.errstate(all="ignore"):
                converted = np.array(number, value.type.dtype).astype(dtype)
            if not np.isfinite(converted):
                return None
            content = int.from_bytes(converted.tobytes().ljust(8, b"\0"), "little", signed=True)
            self._words[key] = self._tables.constant_word(content)
        return self._words[key]

    def variable(self, value: Value) -> str | None:
        """Return a variable with a constant as a double.

        It is loaded before loops, which write memory.
        """
        word = self.word(value, np.dtype(np.float64))
        if word is not None and word not in self._variables:
            name = self._variables[word] = self._source.name("c")
            with self._source.at(self._loads):
                self._source.line(f"{name} = {read_word(word, 'float64')}")
        return None if word is None else self._variables[word]


def read_word(word: int, kind: str | None) -> str:
    """Return an expression for the number in a word."""
    return f"w[{word}]" if kind == "int64" else f"{kind}_at(address_of(w, {word}))[0]"


def _is_python(node: Node) -> bool:
    type_ = node.outputs[0].type
    return isinstance(type_, ScalarType) and type_.python


def _is_better_known(divisor: Any) -> bool:
    """True if LLVM would multiply by an exact inverse, as it can for known powers of two only."""
    known = isinstance(divisor, int | float) and abs(divisor) < MOST
    return not known or (abs(frexp(divisor)[0]) == 0.5 and divisor not in (-1, 1))
