"""Constants that a kernel reads from its words: kernels that differ in them only are one.

By primitive, a constant stays in the text where LLVM makes something better of it: a factor or a
divisor of ints, a shift, a quotient by a power of two, the bounds of `clip`. What is read from a
word LLVM knows as little of as of an argument, so that it leaves nothing out: `x * 1.0` and
`x - 0.0` quiet a signalling NaN and report it, as eager does.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from math import frexp, isfinite
from typing import Any

import numpy as np

from ....jit.ir.graph import Node, Value
from ....jit.ir.ops import OPERATOR, UFUNC, WHERE
from ....jit.ir.types import ScalarType
from ..source import Source
from ..words import Tables

DType = np.dtype[Any]
MOST = 2.0**1000
"""Of the divisors that are asked whether they are powers of two."""
_ORDERS = (np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal)
_OF_FLOATS = frozenset((np.add, np.subtract, np.multiply, *_ORDERS))
_OF_INTS = frozenset((np.add, np.subtract, np.bitwise_and, np.bitwise_or, np.bitwise_xor, *_ORDERS))
_ARITHMETIC = (operator.add, operator.sub, operator.mul)
_COMPARISONS = (
    *(operator.lt, operator.le, operator.gt, operator.ge),
    *(operator.eq, operator.ne),
)


def operand_in_word(node: Node, place: int, dtype: DType) -> bool:
    """True if a finite number, as an operand of LLVM's code for elements, is read from a word."""
    if node.op is WHERE:
        return dtype.kind in "fiu" and place > 0
    if node.op is not UFUNC:
        return False
    ufunc = node.attrs["ufunc"]
    if ufunc is np.divide and dtype.kind == "f":
        return place == 0 or not _is_better_known(node.inputs[1].hint)
    return ufunc in (_OF_FLOATS if dtype.kind == "f" else _OF_INTS)


def number_in_word(node: Node, value: Value, kind: str | None) -> bool:
    """The same of an operand of an operator of single numbers that are computed in double.

    Most divisors of Python's floats stay: it raises where they are 0. So do ints beside floats that
    are compared, as they have to be exact.
    """
    if node.op is not OPERATOR or kind != "float64" or value.type.dtype.kind not in "iuf":
        return False
    function = node.attrs["function"]
    if function is operator.truediv:
        divisor = node.inputs[1]
        is_asked = _is_python(node) and divisor.hint not in (-1, 1)
        return value is not divisor or not (is_asked or _is_better_known(divisor.hint))
    if function is operator.mul and value.hint == 2:
        return False  # a sum to LLVM, which needs no register for the number
    compares = function in _COMPARISONS and value.type.dtype.kind == "f"
    return compares or function in _ARITHMETIC


class ConstantWords:
    """The words of one kernel that hold constants."""

    def __init__(self, constants: Mapping[Value, Any], source: Source, tables: Tables) -> None:
        self._constants, self._source, self._tables = constants, source, tables
        self._words: dict[tuple[Value, DType], int] = {}
        self._variables: dict[int, str] = {}

    def word(self, value: Value, dtype: DType) -> int | None:
        """The word that holds a constant as a number of a dtype, as NumPy converts it.

        None where it is no constant, not finite, or too large for the dtype.
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
        """A variable of a constant as a double; it is read before all loops, which write memory."""
        word = self.word(value, np.dtype(np.float64))
        if word is not None and word not in self._variables:
            name = self._variables[word] = self._source.name("c")
            self._source.ahead(f"{name} = {read_word(word, 'float64')}")
        return None if word is None else self._variables[word]


def read_word(word: int, kind: str | None) -> str:
    """An expression of the number in a word."""
    return f"w[{word}]" if kind == "int64" else f"{kind}_at(address_of(w, {word}))[0]"


def _is_python(node: Node) -> bool:
    type_ = node.outputs[0].type
    return isinstance(type_, ScalarType) and type_.python


def _is_better_known(divisor: Any) -> bool:
    """True if LLVM multiplies instead: by the inverse of a power of two, which is none to it."""
    known = isinstance(divisor, int | float) and abs(divisor) < MOST
    return not known or (abs(frexp(divisor)[0]) == 0.5 and divisor not in (-1, 1))
