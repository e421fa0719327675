"""Asking NumPy about a call that rows and decompositions have made something of.

They are written in our own words, and take an argument for what it mostly is: `copy=` for a bool,
a fill value for a number, a list of axes for a tuple. What NumPy refuses, converts in another way,
or answers with a window of an argument, it is asked, on examples and with the very constants of the
call. Where it gives anything else than what stands in its place, the call is made as it is.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from ....jit.filters import filtered
from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ....jit.ir.infer import MAX_REAL
from ....jit.ir.opaque import OpaqueCall
from ....jit.ir.ops import Kind
from ....jit.ir.result_types import MAX_COMPARED
from ....jit.ir.types import PYTHON_SCALARS, ArrayType, ScalarType, Sym
from ....jit.ir.variations import irregular, regular, unlike_one_another
from ..breaks import GraphBreak
from ..invocation import Invocation
from ..machine import Machine
from ..objects.listed import known_items
from ..values import Array, Known, List, Scalar, Symbolic, Tuple
from .arguments import CallsBack, as_it_is
from .pure import may_call_back

_SMALL, _HUGE = 256, 1 << 40
"""Between them lie the lengths of arrays that are too large to ask with."""
_COMPARED = (bool, int, str, bytes, type(None), type, np.dtype)
"""Constants that are told from one another by `==`."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What NumPy gave for one set of examples."""

    result: Any
    given: Sequence[Any]
    """The examples of the inputs."""
    lengths: dict[Any, int]
    """Of the dims of the inputs."""


def agrees(
    function: Callable[..., Any],
    call: Invocation,
    made: Symbolic,
    body: Callable[..., Any] | None = None,
) -> bool:
    """Whether NumPy gives the kind of thing that is to stand for the call.

    That is its type, its dtype and shape, and whose memory it is. Where a body in Python is to do
    what the function does, both have to give the same bits, too. Calls that would come to code of
    the user's are not made.
    """
    if may_call_back(call):
        return True
    machine = call.machine
    unread = _is_window(machine, made)
    large = not unread and _is_large(machine, made)
    mark = machine.builder.mark()
    try:
        inputs, asked = as_it_is(machine, function, call.arguments, call.keywords)
        answer = _answer(machine, inputs, asked, large=large, unread=unread)
    except CallsBack:
        return True
    except GraphBreak:
        return False
    finally:
        machine.builder.forget_nodes(mark)
    if answer is None or not _Comparison(machine, inputs, answer).is_same(made, answer.result):
        return False
    return body is None or _has_the_same_bits(asked, body, answer)


def _has_the_same_bits(asked: OpaqueCall, body: Callable[..., Any], answer: _Answer) -> bool:
    """Whether a body gives what NumPy does, for numbers of which none is like another.

    A body raises where it leaves a call to NumPy: which way it goes may depend on the numbers.
    """
    if sum(map(np.size, answer.given)) > MAX_COMPARED:
        return True
    given = unlike_one_another(answer.given)
    both = []
    for one in (asked, replace(asked, function=body)):
        try:
            with filtered("ignore"), np.errstate(all="ignore"):
                both.append(pickle.dumps(one(*given)))
        except Exception:
            return True
    return both[0] == both[1]


def _is_large(machine: Machine, made: Symbolic) -> bool:
    """Whether what was made was, at capture, too large to be made for asking."""
    items = known_items(machine, made) or (made,)
    arrays = [one.type.dims for one in items if isinstance(one, Array)]
    at_capture = machine.builder.length_at_capture
    return any(prod(at_capture(dim) or 1 for dim in dims) > MAX_REAL for dims in arrays)


def _is_window(machine: Machine, made: Symbolic) -> bool:
    """Whether what was made is a window, for which nothing is read."""
    nodes = machine.builder.block.nodes
    if not nodes or not isinstance(made, Array) or nodes[-1].op.kind is not Kind.VIEW:
        return False
    return nodes[-1].outputs[0] is made.value


def _answer(
    machine: Machine,
    inputs: Sequence[ir.Value],
    asked: OpaqueCall,
    *,
    large: bool,
    unread: bool,
) -> _Answer | None:
    """What NumPy gives for the first examples that it does not refuse.

    Dims of which nobody knows that they are equal are unlike one another first, then equal where
    they are at capture, then as long as they are there.
    """
    if large:
        asked = asked.with_constants(_in_small)
    for examples, given in machine.builder.sets_of_examples(inputs, unread=unread):
        if large:
            given = list(map(_in_small, given))
        # A matrix of ones is singular, and so is a stack of such that is then seen as a matrix.
        for one in (given, list(map(regular, given)), list(map(irregular, given))):
            try:
                result = _from_numpy(asked, one)
            except np.linalg.LinAlgError:
                continue
            except Exception:
                break
            return _Answer(result, one, {} if large else examples.lengths)
    return None


def _from_numpy(asked: OpaqueCall, given: Sequence[Any]) -> Any:
    """What the call gives, or an error where it warns: the node, or a body's own nodes, do not.

    What NumPy reports of the numbers of examples says nothing.
    """
    silent = filtered("ignore", RuntimeWarning)
    with filtered("error"), silent, np.errstate(all="ignore"):
        return asked(*given)


def _in_small(constant: Any) -> Any:
    """A length, or a number in its place of which no large array is made."""
    return _SMALL + 1 if type(constant) is int and _SMALL < constant < _HUGE else constant


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What stands for a call, beside what NumPy gave for examples."""

    machine: Machine
    inputs: Sequence[ir.Value]
    answer: _Answer

    def is_same(self, made: Symbolic, given: Any) -> bool:
        """Whether it is the same kind of thing."""
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
        """Also as long as it is to be, and in the memory that it is to be in."""
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
        """Whether both are an input, a window on one, or neither; nobody sees it of no items."""
        memory = self.machine.memory
        pairs = [
            (one, example)
            for one, example in zip(self.inputs, self.answer.given, strict=True)
            if isinstance(example, np.ndarray)
        ]
        if any(one is value for one, _ in pairs):
            return any(one is value and example is given for one, example in pairs)
        if any(example is given for _, example in pairs):
            return False
        if not given.size:
            return True
        shared = [one for one, example in pairs if np.may_share_memory(example, given)]
        root = memory.root(value)
        if not shared:
            return all(memory.root(one) is not root for one, _ in pairs)
        return any(memory.root(one) is root for one in shared)
