"""Compares values in the bits that are promised.

The reference runs twice. In each run, NaNs that an operation computed and uninitialised memory are
replaced by that run's marks. The runs then agree in exactly those bits that a backend must
reproduce, including NaNs that were only moved. Where both runs have a NaN, any NaN is right; other
differences between the runs depend on bits that are not promised.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...jit import generators
from ...jit.frozen import dataclass
from ...jit.ir.graph import Node
from ...jit.ir.ops import (
    FILL,
    OPAQUE,
)
from ...jit.ir.primitives import of_node, primitive, ufunc_of
from ...jit.ir.types import is_graph_object
from .memory import Place, places

Array = np.ndarray[Any, Any]

UNFILLED = frozenset({"empty", "empty_like"})
"""Functions that return uninitialised memory."""
MARKS = {2: (0x7E01, 0xFE02), 4: (0x7FC00001, 0xFFC00002), 8: (0x7FF8 << 48 | 1, 0xFFF8 << 48 | 2)}
"""Bits of a computed NaN in the first and second run, by size in bytes."""


def marked(node: Node, inputs: list[Any], result: Any, run: int) -> Any:
    """Return a node's result with the marks of run 0 or 1."""
    if isinstance(result, np.ndarray) and any(
        isinstance(one, np.ndarray) and np.may_share_memory(result, one) for one in inputs
    ):
        return result  # a view of existing memory
    if node.op is FILL and node.attrs["value"] is None:
        return _filled(result, run)
    if not node.op.computes:
        return result
    name = name_of(node)
    if node.op is OPAQUE and name in UNFILLED:
        return _filled(result, run)
    if _passes_nan(node) or (node.op.converts and result.dtype == inputs[0].dtype):
        return result
    return _with_marks(result, run)


def _passes_nan(node: Node) -> bool:
    call = node.attrs.get("call")
    if call is not None and isinstance(call.function, np.ufunc):
        return primitive(call.function).passes_nan
    return of_node(node).passes_nan or ufunc_of(node).passes_nan


def name_of(node: Node) -> str:
    """Return the name of a node's function."""
    for key in ("ufunc", "function"):
        if key in node.attrs:
            return str(node.attrs[key].__name__)
    return str(node.attrs["call"].name) if "call" in node.attrs else node.op.name


def _filled(result: Any, run: int) -> Any:
    if isinstance(result, np.ndarray):
        result[...] = run
    return result


def _with_marks(result: Any, run: int) -> Any:
    """Return a result with its NaNs replaced; arrays are changed in place."""
    kind = type(result)
    if not (isinstance(result, np.ndarray | np.inexact) or kind in (float, complex)):
        return result
    array = result if isinstance(result, np.ndarray) else np.array(result)
    if array.dtype.kind not in "fc" or not array.flags.writeable:
        return result
    for part in (array.real, array.imag) if array.dtype.kind == "c" else (array,):
        nans = np.isnan(part)
        if part.itemsize in MARKS and nans.any():
            part[nans] = _mark(part.dtype, run)
    if isinstance(result, np.ndarray):
        return result
    return kind(array[()])


def _mark(dtype: np.dtype[Any], run: int) -> Any:
    bits = np.array(MARKS[dtype.itemsize][run], f"u{dtype.itemsize}")
    return bits.view(dtype)[()]


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between NumPy's and a backend's value."""

    what: str
    """Type of the value."""
    where: str
    """Place within the value."""
    expected: str
    actual: str


def first_difference(one: Any, other: Any, actual: Any) -> Difference | None:
    """Compare a value with those of both reference runs; None if it is right."""
    what = described(one)
    if type(one) is not type(actual):
        return Difference(what, "its type", type(one).__name__, type(actual).__name__)
    if isinstance(one, np.ndarray):
        for fact in ("dtype", "shape", "strides"):
            facts = [getattr(array, fact) for array in (one, other, actual)]
            if facts[0] != facts[2]:
                # sizes may depend on bits that are not promised
                promised = facts[0] == facts[1]
                return Difference(what, f"its {fact}", *map(str, facts[::2])) if promised else None
        if one.shape != other.shape:
            return None
    if type(one) in generators.KINDS:
        return _other_state(one, actual)
    if isinstance(one, list | tuple) or is_graph_object(one):
        texts = [repr(value) for value in (one, other, actual)]
        right = texts[2] == texts[0] or texts[0] != texts[1]  # or not promised
        return None if right else Difference(what, "it", texts[0], texts[2])
    wrong = ~_right(*map(_floats, (one, other, actual)))
    if not wrong.any():
        return None
    index = tuple(map(int, np.unravel_index(np.argmax(wrong), wrong.shape)))[: np.ndim(one)]
    where = f"element [{', '.join(map(str, index))}]" if index else "it"
    return Difference(what, where, *_pair(np.asarray(one)[index], np.asarray(actual)[index]))


def other_memory(
    one: Sequence[Any], other: Sequence[Any], actual: Sequence[Any], names: Sequence[str]
) -> Difference | None:
    """Return the first value whose memory differs from that in both reference runs, or None.

    Memory is described relative to the values before it, which `names` names for people.
    """
    found = zip(*map(places, (one, other, actual)), strict=True)
    for k, (right, beside, wrong) in enumerate(found):
        if right is not None and right == beside and wrong is not None and right != wrong:
            texts = [_in_memory(k, place, names) for place in (right, wrong)]
            return Difference(described(one[k]), "its memory", *texts)
    return None


def _in_memory(k: int, place: Place, names: Sequence[str]) -> str:
    owner, offset, itself = place
    if owner == k:
        return "its own"
    if itself != k:
        return f"that of {names[itself]}, which is the very object"
    return f"that of {names[owner]}" + (f", from byte {offset} on" if offset else "")


def _other_state(one: Any, actual: Any) -> Difference | None:
    before, after = generators.state_of(one), generators.state_of(actual)
    if generators.is_same_state(before, after):
        return None
    return Difference(described(one), "its state", str(before), str(after))


def _floats(value: Any) -> Array:
    """Return numbers as an array of floats; complex ones as adjacent parts."""
    array = np.array(value, order="C", subok=False)
    return array[..., None].view(array.real.dtype) if array.dtype.kind == "c" else array


def _right(one: Array, other: Array, actual: Array) -> Array:
    """Return a mask of the elements that are as promised."""
    bits = [array.view(f"u{array.itemsize}") for array in (one, other, actual)]
    same: Array = bits[0] == bits[2]
    free: Array = bits[0] != bits[1]
    if one.dtype.kind == "f":
        free &= np.isnan(actual) | ~(np.isnan(one) & np.isnan(other))
    return same | free


def described(value: Any) -> str:
    """Describe a value's type for people: `float64 array of shape (4, 3)`, `int`, `np.float64`."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} array of shape {value.shape}"
    kind = type(value)
    return f"np.{kind.__name__}" if isinstance(value, np.generic) else kind.__name__


def _pair(expected: Any, actual: Any) -> list[str]:
    """Return the texts of two differing numbers, with their bits if they look alike."""
    texts = [str(number.item()) for number in (expected, actual)]
    if texts[0] == texts[1]:
        texts = [f"{number.item()} ({_hex(number)})" for number in (expected, actual)]
    return texts


def _hex(number: Any) -> str:
    parts = (number.real, number.imag) if number.dtype.kind == "c" else (number,)
    return " ".join(f"0x{part.tobytes()[::-1].hex()}" for part in parts)
