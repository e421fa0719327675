"""Compares what rows and decompositions made of a call with NumPy's answer on examples.

Rows and decompositions assume usual arguments: a bool for `copy=`, a number as fill value, a tuple
for a list of axes. NumPy may reject an argument, convert it differently, or return a view of an
argument. So it is asked, on examples and with the actual constants; if it differs, the call becomes
opaque.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from ...jit.filters import filtered
from ...jit.frozen import dataclass
from ...jit.ir import graph as ir
from ...jit.ir.infer import MAX_ITEMS_AT_CAPTURE
from ...jit.ir.opaque import OpaqueCall
from ...jit.ir.ops import RESHAPE, Kind
from ...jit.ir.result_types import MAX_COMPARED
from ...jit.ir.types import PYTHON_SCALARS, ArrayType, ScalarType, Sym
from ...jit.ir.variations import irregular, regular, unlike_one_another
from ..capture.arrays.arguments import CallsBack, example_call
from ..capture.objects.listed import known_items
from ..capture.state.invocation import Invocation
from ..capture.state.machine import Machine
from ..capture.values.breaks import GraphBreak
from ..capture.values.symbolic import Array, Known, List, Scalar, Symbolic, Tuple
from .pure import may_call_back

_SMALL, _HUGE = 256, 1 << 40
"""Lengths between these belong to arrays that are too large for examples."""
_COMPARED = (bool, int, str, bytes, type(None), type, np.dtype)
"""Constants that can be compared by `==`."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """NumPy's answer for one set of examples."""

    result: Any
    given: Sequence[Any]
    """The examples of the inputs."""
    lengths: dict[Any, int]
    """Lengths of the inputs' dims."""


def agrees(
    function: Callable[..., Any],
    call: Invocation,
    made: Symbolic,
    body: Callable[..., Any] | None = None,
) -> bool:
    """True if NumPy returns the same kind of object as the value made for the call.

    Compared are type, dtype, shape, and whose memory it is. If a Python body replaces the function,
    both must also give the same bits. Calls that would run code of the user's are not made.
    """
    machine = call.machine
    if may_call_back(call) or _fits_no_example(machine, made):
        return True
    unread = _is_window(machine, made)
    large = not unread and _is_large(machine, made)
    mark = machine.builder.mark()
    try:
        inputs, numpy_call = example_call(machine, function, call.arguments, call.keywords)
        answer = _answer(machine, inputs, numpy_call, large=large, unread=unread)
    except CallsBack:
        return True
    except GraphBreak:
        return False
    finally:
        machine.builder.forget_nodes(mark)
    if answer is None or not _Comparison(machine, inputs, answer).is_same(made, answer.result):
        return False
    return body is None or _has_the_same_bits(numpy_call, body, answer)


def _has_the_same_bits(numpy_call: OpaqueCall, body: Callable[..., Any], answer: _Answer) -> bool:
    """True if a body gives NumPy's result for distinct numbers.

    A body that raises would leave the call to NumPy, which may depend on the numbers.
    """
    if sum(map(np.size, answer.given)) > MAX_COMPARED:
        return True
    given = unlike_one_another(answer.given)
    both = []
    for one in (numpy_call, replace(numpy_call, function=body)):
        try:
            with filtered("ignore"), np.errstate(all="ignore"):
                both.append(pickle.dumps(one(*given)))
        except Exception:
            return True
    return both[0] == both[1]


def _is_large(machine: Machine, made: Symbolic) -> bool:
    """True if the result at capture was too large to be computed for a comparison."""
    items = known_items(machine, made) or (made,)
    arrays = [one.type.dims for one in items if isinstance(one, Array)]
    at_capture = machine.builder.length_at_capture
    return any(prod(at_capture(dim) or 1 for dim in dims) > MAX_ITEMS_AT_CAPTURE for dims in arrays)


def _is_window(machine: Machine, made: Symbolic) -> bool:
    """True if the value is a view, for which nothing is read."""
    nodes = machine.builder.block.nodes
    if not nodes or not isinstance(made, Array) or nodes[-1].op.kind is not Kind.VIEW:
        return False
    return nodes[-1].outputs[0] is made.value


def _fits_no_example(machine: Machine, made: Symbolic) -> bool:
    """Return True for another view of items of unknown number: examples have other lengths."""
    nodes = machine.builder.block.nodes
    if not nodes or not isinstance(made, Array) or nodes[-1].op is not RESHAPE:
        return False
    reshaped = nodes[-1].inputs[0].type
    assert isinstance(reshaped, ArrayType)
    lengths = map(machine.builder.length_at_capture, map(machine.builder.resolve, reshaped.dims))
    return nodes[-1].outputs[0] is made.value and None in lengths


def _answer(
    machine: Machine,
    inputs: Sequence[ir.Value],
    numpy_call: OpaqueCall,
    *,
    large: bool,
    unread: bool,
) -> _Answer | None:
    """Return NumPy's answer for the first set of examples that it accepts, or None.

    Dims not known to be equal first differ, then are equal if they are at capture, then have the
    lengths at capture.
    """
    if large:
        numpy_call = numpy_call.with_constants(_in_small)
    for examples, given in machine.builder.sets_of_examples(inputs, only_views=unread):
        if large:
            given = list(map(_in_small, given))
        # A matrix of ones is singular, and so is a stack of arrays that is then seen as a matrix.
        for one in (given, list(map(regular, given)), list(map(irregular, given))):
            try:
                result = _from_numpy(numpy_call, one)
            except np.linalg.LinAlgError:
                continue
            except Exception:
                break
            return _Answer(result, one, {} if large else examples.lengths)
    return None


def _from_numpy(numpy_call: OpaqueCall, given: Sequence[Any]) -> Any:
    """Return the call's result; a warning is an error, because nodes do not warn.

    Floating point warnings about the examples' numbers are irrelevant.
    """
    silent = filtered("ignore", RuntimeWarning)
    with filtered("error"), silent, np.errstate(all="ignore"):
        return numpy_call(*given)


def _in_small(constant: Any) -> Any:
    """Replace a length, or a number in its place, by a small one."""
    return _SMALL + 1 if type(constant) is int and _SMALL < constant < _HUGE else constant


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Compares the value made for a call with NumPy's result for examples."""

    machine: Machine
    inputs: Sequence[ir.Value]
    answer: _Answer

    def is_same(self, made: Symbolic, given: Any) -> bool:
        """True if both are the same kind of object."""
        match made:
            case Known(object=known):
                return self._is_constant(known, given)
            case Array(value=value):
                return self._is_array(value, given)
            case Scalar(value=value):
                wanted = value.type
                if not isinstance(wanted, ScalarType) or type(wanted) is not ScalarType:
                    return True
                found = PYTHON_SCALARS.get(type(given))
                if wanted.python or found is not None:
                    return found == wanted
                return isinstance(given, np.generic) and given.dtype.char == wanted.char
            case Tuple() | List():
                items = known_items(self.machine, made)
                return items is None or self._is_sequence(made, items, given)
        return True

    def _is_sequence(self, made: Tuple | List, items: tuple[Symbolic, ...], given: Any) -> bool:
        kind: type = list if isinstance(made, List) else made.named or tuple
        is_exact = type(given) is kind
        return is_exact and len(items) == len(given) and all(map(self.is_same, items, given))

    def _is_constant(self, known: Any, given: Any) -> bool:
        if type(known) in _COMPARED or isinstance(known, np.dtype):
            return type(given) is type(known) and bool(given == known)
        return type(given) is type(known)

    def _is_array(self, value: ir.Value, given: Any) -> bool:
        """True if an array has the type, the lengths and the memory of NumPy's."""
        type_ = value.type
        assert isinstance(type_, ArrayType)
        if type(given) is not np.ndarray or given.dtype.char != type_.char:
            return False
        if not given.dtype.isnative or given.ndim != type_.ndim:
            return False
        dims = map(self.machine.builder.resolve, type_.dims)
        lengths = [self.answer.lengths.get(dim) if isinstance(dim, Sym) else dim for dim in dims]
        shapes = zip(lengths, given.shape, strict=True)
        if self.answer.lengths and any(n is not None and n != there for n, there in shapes):
            return False
        return self._is_in_same_memory(value, given)

    def _is_in_same_memory(self, value: ir.Value, given: np.ndarray[Any, Any]) -> bool:
        """True if both are an input, a view of one, or neither; irrelevant for empty arrays."""
        memory = self.machine.memory
        pairs = [
            (one, numpy_call)
            for one, numpy_call in zip(self.inputs, self.answer.given, strict=True)
            if isinstance(numpy_call, np.ndarray)
        ]
        if any(one is value for one, _ in pairs):
            return any(one is value and numpy_call is given for one, numpy_call in pairs)
        if any(numpy_call is given for _, numpy_call in pairs):
            return False
        if not given.size:
            return True
        shared = [one for one, numpy_call in pairs if np.may_share_memory(numpy_call, given)]
        root = memory.root(value)
        if not shared:
            return all(memory.root(one) is not root for one, _ in pairs)
        return any(memory.root(one) is root for one in shared)
