"""Infers result types by running ops with NumPy on small examples of their inputs.

No promotion, broadcasting or memory order rule is written down here. An example has the dtype and
layout class of the value that it stands for. Each symbolic dim gets a small length of its own, so
that dims of the result can be recognised by their lengths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from itertools import count
from math import prod
from typing import Any

import numpy as np

from ..filters import filtered
from ..generators import is_same_state, throwaway
from .call_limit import TakesLong, with_call_limit
from .opaque import OpaqueCall
from .schema import Kind, Op
from .slow_calls import within_reason
from .types import (
    ANY_LENGTH,
    PYTHON_SCALARS,
    ArrayType,
    Dim,
    Layout,
    ObjectsType,
    ObjectType,
    ScalarType,
    Sym,
    Type,
    captured_dtype,
    fresh_layout_of,
    is_graph_object,
    is_numpy_scalar,
)
from .variations import irregular, regular

FIRST_LENGTH = 5
"""Lengths in examples are this and every second number above, which programs rarely contain."""
MAX_ITEMS = 1 << 20
"""Largest number of items of an example."""
MAX_ITEMS_AT_CAPTURE = 1 << 16
"""The same for examples that have the lengths seen at capture."""
MAX_ITEMS_OF_VIEWS = 1 << 24
"""The same for functions that only make views, so that the memory of examples is never touched."""
MULTIPLYING = frozenset({"c_einsum", "einsum", "einsum_path", "meshgrid"})
"""Functions of many arrays whose result may be as large as the product of their sizes."""


class CannotInfer(Exception):  # noqa: N818 (named for its reason)
    """NumPy rejected the example, or no graph can hold its result; `args[0]` explains."""


class NotHeld(CannotInfer):
    """A call returned an object of a kind that graphs do not hold."""


class NotKnown(CannotInfer):
    """NumPy's answer depends on a length that is unknown before the segment runs."""


class HasOtherItems(CannotInfer):
    """The number of items that a call returns depends on the dims `syms`."""

    def __init__(self, syms: tuple[Sym, ...]) -> None:
        super().__init__("how many items it returns is not known before it runs")
        self.syms = syms


class TooSlow(CannotInfer):
    """A call takes too long on an example to infer its result."""


class HasEffect(CannotInfer):
    """A call has a side effect; `args[0]` names it."""


def is_owned(array: np.ndarray[Any, Any]) -> bool:
    """True if an array owns its memory and is writeable.

    Writes to such an array are invisible to others, provided that nothing else refers to it.
    """
    return array.flags.owndata and array.flags.writeable


class Examples:
    """Makes examples of an op's inputs, and maps results back to types."""

    def __init__(
        self,
        group: Callable[[Sym], Any] = lambda sym: sym,
        lengths: Iterator[int] | None = None,
        at_capture: Callable[[Sym], int | None] | None = None,
        number: int = 1,
        *,
        unlike_first: bool = False,
        only_views: bool = False,
    ) -> None:
        self._most = MAX_ITEMS if at_capture is None else MAX_ITEMS_AT_CAPTURE
        if only_views:
            self._most = MAX_ITEMS_OF_VIEWS
        self.lengths: dict[Sym, int] = {}
        self.group = group
        """Maps dims to groups; dims of one group get the same length."""
        self.fixed: set[int] = set()
        """Constant dims. A symbolic dim gets such a length only if its group is that constant."""
        self._chosen: dict[Any, int] = {}
        self._next = lengths or count(FIRST_LENGTH, 2)
        self._has_only_dims = True
        """True while no example has a length that does not follow from dims."""
        self._number = number
        """Example of numbers about which nothing is known."""
        self._at_capture = at_capture
        """Returns lengths at capture, for when NumPy rejects small ones."""
        self._unlike_first = unlike_first
        """Give dims of equal length at capture their lengths in reverse order, to see if it matters
        which one is smaller."""

    def of(self, type_: Type, hint: Any = None) -> Any:
        """Return an example of the type: an array of ones in its layout, or a scalar."""
        if isinstance(type_, ObjectsType):
            return self._several(type_.item)
        if isinstance(type_, ObjectType):
            return throwaway(type_.kind)
        if isinstance(type_, ScalarType):
            one = type_.dtype.type(self._number) if hint is None else type_.dtype.type(hint)
            return one.item() if type_.python else one
        return self._array(type_)

    def _several(self, item: Type) -> list[Any]:
        """Return a list of objects; its length, and lengths marked ANY_LENGTH, are arbitrary."""
        if self.has_lengths_at_capture:
            raise NotKnown("a list of a length that is not known yet")
        self._has_only_dims = False
        count = next(self._next)
        if isinstance(item, ArrayType):
            dims = tuple(next(self._next) if dim == ANY_LENGTH else dim for dim in item.dims)
            item = replace(item, dims=dims)
        one = self.of(item)
        return [deepcopy(one) for _ in range(count)]

    @property
    def has_lengths_at_capture(self) -> bool:
        """True if the examples have the lengths seen at capture."""
        return self._at_capture is not None

    def _array(self, type_: ArrayType) -> np.ndarray[Any, Any]:
        lengths = [self.length(dim) for dim in type_.dims]
        layout = type_.layout
        if prod(lengths) > self._most:
            raise CannotInfer("an array of too many items")
        moving = [n if sign else 1 for n, sign in zip(lengths, layout.signs, strict=True)]
        array = _packed(moving, layout, type_.dtype)
        if layout.packed:
            return array
        flips = tuple(slice(None, None, -1) if s < 0 else slice(None) for s in layout.signs)
        array = array[flips]
        return np.broadcast_to(array, lengths) if moving != lengths else array

    def length(self, dim: Dim) -> int:
        """Return the length that stands for a dim, choosing one at first use."""
        if isinstance(dim, int):
            return dim
        if dim not in self.lengths and self._at_capture is not None:
            length = self._at_capture(dim)
            if length is None:
                raise NotKnown("an array of a length that is not known yet")
            self.lengths[dim] = length
        if dim not in self.lengths:
            key = self.group(dim)
            if key not in self._chosen:
                free = (length for length in self._next if length not in self.fixed)
                self._chosen[key] = key if key in self.fixed else next(free)
            self.lengths[dim] = self._chosen[key]
        return self.lengths[dim]

    def fix(self, types: Iterable[Type]) -> None:
        """Reserve the constant dims of these types, so that no symbolic dim gets their lengths."""
        for type_ in types:
            if isinstance(type_, ArrayType):
                self.fixed.update(dim for dim in type_.dims if isinstance(dim, int) and dim > 1)

    def choose(self, types: Iterable[Type], at_capture: Callable[[Sym], int | None]) -> None:
        """Choose lengths for the dims of these types, in the order of their lengths at capture.

        Results that depend on the smaller of two dims, as of matrix factorisations, then have the
        dim that was smaller at capture.
        """
        dims = (dim for type_ in types if isinstance(type_, ArrayType) for dim in type_.dims)
        syms = dict.fromkeys(dim for dim in dims if isinstance(dim, Sym))
        chosen = reversed(syms) if self._unlike_first else syms
        for sym in sorted(chosen, key=lambda sym: at_capture(sym) or 0):
            self.length(sym)

    def dims_by_length(self, fresh: Callable[[int | None], Sym]) -> Callable[[int, int], Dim]:
        """Return a function that finds the dim of a result's axis by its length.

        `fresh` makes a dim for a length that no input has. Its argument is that length if all
        inputs are numbers, as it follows from these, else None.
        """
        known = {length: sym for sym, length in self.lengths.items()}
        only_dims = self._has_only_dims

        def dim_of(axis: int, length: int) -> Dim:
            if length < 2 or length in self.fixed:
                return length
            return known.get(length) or fresh(length if only_dims and not known else None)

        return dim_of

    def type_of(self, result: Any, dim_of: Callable[[int, int], Dim]) -> Type | None:
        """Return the type of a result, or None if no graph can hold it.

        `dim_of(axis, length)` finds the dim of an axis of the result.
        """
        python = PYTHON_SCALARS.get(type(result))
        if python is not None:
            return python
        if is_numpy_scalar(type(result)):
            return ScalarType(result.dtype, python=False)
        if is_graph_object(result):
            return ObjectType.of(type(result))
        if type(result) is not np.ndarray or not captured_dtype(result.dtype):
            return None
        dims = tuple(dim_of(axis, length) for axis, length in enumerate(result.shape))
        return ArrayType(result.dtype, dims, fresh_layout_of(result))


class HasItems(CannotInfer):
    """The result is a tuple or list, so the call has to be an ITEMS node."""


def may_be_large(name: str, values: Sequence[Any]) -> bool:
    """True if the named function may return very many items for arguments of this size."""
    items = prod(value.size for value in values if isinstance(value, np.ndarray))
    return name in MULTIPLYING and items > MAX_ITEMS


def evaluate(op: Op, attrs: Mapping[str, Any], values: Sequence[Any]) -> Any:
    """Run the op on these examples.

    Raises:
        CannotInfer: NumPy rejected them.
        HasEffect: an opaque call has a side effect.
    """
    assert op.reference is not None
    try:
        # NumPy's warnings of deprecated calls and dropped imaginary parts do not depend on the
        # numbers: eager would warn at each call, so no graph may contain the call.
        deprecated = filtered("error", DeprecationWarning)
        imaginary = filtered("error", np.exceptions.ComplexWarning)
        with filtered("ignore"), deprecated, imaginary, np.errstate(all="ignore"):
            if op.kind is Kind.OPAQUE:
                if may_be_large(attrs["call"].name, values):
                    raise CannotInfer("its result may have very many items")
                if crashes_on_singular(attrs["call"].function):
                    return run_pure(attrs["call"], list(map(regular, values)))
                try:
                    return run_pure(attrs["call"], values)
                except np.linalg.LinAlgError:  # a matrix of ones is singular
                    return _run_on_regular(attrs["call"], values)
            return op.reference(attrs, *values)
    except CannotInfer:
        raise
    except Exception as error:
        raise CannotInfer(f"{type(error).__name__}: {error}") from error


def crashes_on_singular(function: Callable[..., Any]) -> bool:
    """True for functions that a singular matrix may crash.

    SciPy up to 1.18.1 tries Cholesky in place if it may overwrite its argument (or its own
    converted copy). For a symmetric matrix that is not positive definite it continues with the
    remains, and accesses memory out of bounds: https://github.com/scipy/scipy/issues/26045.
    """
    home = getattr(function, "__module__", None)
    return home == "scipy.linalg._basic" and function.__name__ in ("inv", "solve")


def _run_on_regular(call: OpaqueCall, values: Sequence[Any]) -> Any:
    try:
        return run_pure(call, list(map(regular, values)))
    except np.linalg.LinAlgError:  # of other axes
        return run_pure(call, list(map(irregular, values)))


_WRITES = ("destination is read-only", "output array is read-only")
"""Messages of NumPy's errors when a function writes into a read-only argument."""


def run_pure(call: OpaqueCall, values: Sequence[Any]) -> Any:
    """Return `call(*values)` after checking that it neither writes to arrays nor draws numbers.

    Raises:
        HasEffect: it does.
    """
    if call.may_overwrite():
        raise HasEffect("it may write into an argument")
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    state = np.random.get_state(legacy=False)
    for array in arrays:
        array.flags.writeable = False
    try:
        result = _run_read_only(call, values)
    finally:
        has_drawn = not is_same_state(state, np.random.get_state(legacy=False))
        if has_drawn:
            np.random.set_state(state)
    if has_drawn:
        raise HasEffect("it draws random numbers")
    return result


def _run_read_only(call: OpaqueCall, values: Sequence[Any]) -> Any:
    """Run the call on read-only arrays, or on copies if it rejects these without writing."""
    try:
        return _run_and_compare(call, values)
    except ValueError as error:
        if any(words in str(error) for words in _WRITES):
            raise HasEffect("it writes into an argument") from error
        if "read-only" not in str(error):
            raise
        return _run_on_copies(call, values)


def _run_on_copies(call: OpaqueCall, values: Sequence[Any]) -> Any:
    """Run a call that insists on writeable arrays on copies of them.

    Most such functions only read them. The copies have numbers that a write would change.
    """
    copies = [v.copy(order="K") if isinstance(v, np.ndarray) else v for v in values]
    for array in (copy for copy in copies if isinstance(copy, np.ndarray)):
        step = 1.25 if array.dtype.kind in "fc" else 1  # rounding or sorting would change these
        array.flat[:] = np.arange(array.size, 0, -1) * step
    return _run_and_compare(call, copies)


def _run_and_compare(call: OpaqueCall, values: Sequence[Any]) -> Any:
    """Run the call and compare its arguments: compiled code may write into read-only memory."""
    arrays = [value for value in values if isinstance(value, np.ndarray)]
    before = [array.tobytes() for array in arrays]
    constants = (*call.args, *call.kwargs.values())
    try:
        result = within_reason(call.function, constants, values, partial(_called, call))
    except TakesLong:
        raise TooSlow("it takes very long on an example") from None
    if before != [array.tobytes() for array in arrays]:
        raise HasEffect("it writes into an argument")
    return result


def _called(call: OpaqueCall, values: Sequence[Any]) -> Any:
    home = getattr(call.function, "__module__", None) or ""
    return with_call_limit(lambda: call(*values)) if home.startswith("scipy.") else call(*values)


def _packed(lengths: Sequence[int], layout: Layout, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return ones in this layout, with gaps where it has gaps; uninitialised if it is large."""
    room, moving = list(lengths), [axis for axis in layout.order if layout.signs[axis]]
    strided = not layout.packed and not layout.unit and bool(moving)
    if not layout.packed:
        room = [n + (sign != 0) for n, sign in zip(lengths, layout.signs, strict=True)]
    if strided:
        room[moving[-1]] *= 2
    fresh = np.ones if prod(room) <= MAX_ITEMS else np.empty
    memory = fresh([room[axis] for axis in layout.order], dtype)
    array = memory.transpose(np.argsort(layout.order)) if lengths else memory
    steps = [slice(0, n) for n in lengths]
    if strided:
        steps[moving[-1]] = slice(0, 2 * lengths[moving[-1]], 2)
    return array[tuple(steps)] if not layout.packed else array
