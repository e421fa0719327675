"""Type rules of ops: checks that result types follow from inputs and attributes.

Dtypes are compared with those that NumPy returns (`numpy_types.py`). Rules for dims are written
here, as they define the ops: broadcasting, removed axes, views.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .indexing import Index, NewAxis, Ref, Span
from .numpy_types import matches_numpy
from .schema import TypeRule, Typing
from .types import (
    PY_INT,
    ArrayType,
    Dim,
    Layout,
    ListType,
    ObjectType,
    ScalarType,
    Type,
    scalar_type,
)


def freely(typing: Typing) -> str | None:
    """Accept any result types, for ops whose inputs do not determine them."""
    return None


def both(*rules: TypeRule) -> TypeRule:
    """Return a rule that checks several rules and reports the first one violated."""

    def rule(typing: Typing) -> str | None:
        return next((said for one in rules if (said := one(typing)) is not None), None)

    return rule


# ---- dims ----------------------------------------------------------------------------------------


def _dims(type_: Type) -> tuple[Dim, ...]:
    return type_.dims if isinstance(type_, ArrayType) else ()


def _said(dims: Iterable[Any]) -> str:
    return f"dims [{', '.join(map(str, dims))}]"


def _has_dims(typing: Typing, dims: Sequence[Dim]) -> str | None:
    return None if _dims(typing.outputs[0]) == tuple(dims) else _said(dims)


def _broadcast(shapes: Sequence[Sequence[Dim]]) -> list[Dim] | None:
    """Return the broadcast dims; None if the dims are not known to be compatible."""
    made: list[Dim] = []
    for axis in range(1, max(map(len, shapes), default=0) + 1):
        found = {dims[-axis] for dims in shapes if axis <= len(dims)} - {1}
        if len(found) > 1:
            return None
        made.insert(0, found.pop() if found else 1)
    return made


def broadcast(typing: Typing) -> str | None:
    """Dims broadcast: along each axis the inputs have the same length, or 1."""
    made = _broadcast([_dims(type_) for type_ in typing.inputs])
    if made is None:
        return "inputs whose dims broadcast"
    return _has_dims(typing, made)


def like(place: int) -> TypeRule:
    """Return a rule: the result has the dims of this input."""
    return lambda typing: _has_dims(typing, _dims(typing.inputs[place]))


elementwise = both(matches_numpy, broadcast)
like_first = both(matches_numpy, like(0))
searched = both(matches_numpy, like(1))


def _has_axis(typing: Typing, place: int = 0) -> str | None:
    ndim, axis = len(_dims(typing.inputs[place])), typing.attrs["axis"]
    return None if -ndim <= axis < ndim else f"an axis of {ndim}"


def reduced(typing: Typing) -> str | None:
    """The reduced axes are missing, or have length 1 with `keepdims`."""
    dims, axis = _dims(typing.inputs[0]), typing.attrs["axis"]
    axes = range(len(dims)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if not dims and axis in (0, -1):
        axes = ()  # NumPy lets a 0-d array be reduced along axis 0
    if not all(-len(dims) <= one < len(dims) for one in axes):
        return f"axes of {len(dims)}"
    gone = {one % len(dims) for one in axes}
    if typing.attrs.get("keepdims"):
        made = [1 if at in gone else dim for at, dim in enumerate(dims)]
    else:
        made = [dim for at, dim in enumerate(dims) if at not in gone]
    return _has_dims(typing, made) or matches_numpy(typing)


def along_axis(typing: Typing) -> str | None:
    """Input 0 has this axis; there is no result."""
    return _has_axis(typing)


def length(typing: Typing) -> str | None:
    """The axis exists, counted from the front; the result is a Python int."""
    if not 0 <= typing.attrs["axis"] < len(_dims(typing.inputs[0])):
        return f"an axis of {len(_dims(typing.inputs[0]))}, counted from the front"
    return None if typing.outputs[0] == PY_INT else "int"


def constant(typing: Typing) -> str | None:
    """The result has the type of the constant."""
    type_ = scalar_type(typing.attrs["value"])
    return None if typing.outputs[0] == type_ else str(type_)


# ---- views ---------------------------------------------------------------------------------------


def _refers(index: Index) -> set[int]:
    """Return the inputs from which an index takes numbers."""
    parts = [
        one
        for part in index.parts
        for one in ((part.start, part.stop, part.step) if isinstance(part, Span) else (part,))
    ]
    return {one.position for one in parts if isinstance(one, Ref)}


def _fits_index(typing: Typing) -> str | None:
    index: Index = typing.attrs["index"]
    ndim = len(_dims(typing.inputs[0]))
    if sum(not isinstance(part, NewAxis) for part in index.parts) != ndim:
        return f"an index of {ndim} axes"
    refers = _refers(index)
    return (
        None if refers == {*range(len(typing.inputs) - 1)} else "an input for each # of the index"
    )


def indexed(typing: Typing) -> str | None:
    """A view: the array's dtype, an axis per slice and per None; uncut axes keep their dim."""
    said = _fits_index(typing)
    index: Index = typing.attrs["index"]
    if said is not None:
        return said
    base, made = typing.inputs[0], typing.outputs[0]
    axes, parts = index.axes(), [one for one in index.parts if not isinstance(one, NewAxis)]
    dims, found = _dims(base), _dims(made)
    whole = [1 if a is None else dims[a] if parts[a] == Span() else "?" for a in axes]
    fits = len(found) == len(whole) and all(
        want in (dim, "?") for want, dim in zip(whole, found, strict=True)
    )
    return None if fits and made.char == base.char else f"{base.dtype}, {_said(whole)}"


def element(typing: Typing) -> str | None:
    """The result is a NumPy scalar of the array's dtype; the index has no slices."""
    said = _fits_index(typing)
    if said is None and typing.attrs["index"].axes():
        said = "an index without slices"
    type_ = ScalarType(typing.inputs[0].dtype, False)
    return said or (None if typing.outputs[0] == type_ else str(type_))


def transposed(typing: Typing) -> str | None:
    """The result has the permuted dims."""
    dims, axes = _dims(typing.inputs[0]), typing.attrs["axes"]
    if sorted(axes) != [*range(len(dims))]:
        return f"the axes of {len(dims)} in some order"
    return _has_dims(typing, [dims[axis] for axis in axes]) or same_dtype(typing)


def same_dtype(typing: Typing) -> str | None:
    """The result has the dtype of input 0."""
    dtype = typing.inputs[0].dtype
    return None if typing.outputs[0].char == dtype.char else str(dtype)


def dtype_of_attr(typing: Typing) -> str | None:
    """The result has the dtype that the attribute names."""
    dtype = typing.attrs["dtype"]
    return None if typing.outputs[0].char == dtype.char else str(dtype)


def axis_for_each(first: int) -> TypeRule:
    """Return a rule: the result has one axis per input, counted from input `first` on."""

    def rule(typing: Typing) -> str | None:
        count = len(typing.inputs) - first
        fits = len(_dims(typing.outputs[0])) == count
        return None if fits else f"{count} axes, one for each number"

    return rule


def c_contiguous(typing: Typing) -> str | None:
    """The result is C-contiguous."""
    type_ = typing.outputs[0]
    assert isinstance(type_, ArrayType)
    return None if type_.layout == Layout.contiguous(type_.ndim) else "memory in C order"


def line(typing: Typing) -> str | None:
    """The result is a 1-d array without gaps."""
    ndim = len(_dims(typing.outputs[0]))
    return c_contiguous(typing) if ndim == 1 else "one axis"


reshaped = both(same_dtype, axis_for_each(1), c_contiguous)
filled = both(dtype_of_attr, axis_for_each(0), c_contiguous)
counted = both(dtype_of_attr, line)


# ---- indices that are arrays ---------------------------------------------------------------------


def _picked(typing: Typing, indices: Sequence[Type]) -> list[Dim] | str:
    """Return the dims of what the indices select, or what was expected of them."""
    dims, axes = _dims(typing.inputs[0]), typing.attrs["axes"]
    if len(axes) != len(dims):
        return f"a place or None for each of {len(dims)} axes"
    if sorted(one for one in axes if one is not None) != [*range(len(indices))]:
        return "an axis for each index"
    if any(type_.dtype.kind not in "iu" for type_ in indices):
        return "indices that are ints"
    made = _broadcast([_dims(type_) for type_ in indices])
    if made is None:
        return "indices whose dims broadcast"
    return [*made, *(dim for dim, place in zip(dims, axes, strict=True) if place is None)]


def gathered(typing: Typing) -> str | None:
    """The result has the broadcast dims of the indices, then the other axes; 0-d is a scalar."""
    made = _picked(typing, typing.inputs[1:])
    if isinstance(made, str):
        return made
    if not made:
        type_ = ScalarType(typing.inputs[0].dtype, False)
        return None if typing.outputs[0] == type_ else str(type_)
    return _has_dims(typing, made) or same_dtype(typing)


def scattered(typing: Typing) -> str | None:
    """Input 1 broadcasts to what the indices select."""
    made = _picked(typing, typing.inputs[2:])
    if isinstance(made, str):
        return made
    return _fits_into(_dims(typing.inputs[1]), made)


def stored(typing: Typing) -> str | None:
    """Input 1 broadcasts to input 0; its leading axes of length 1 are ignored."""
    return _fits_into(_dims(typing.inputs[1]), _dims(typing.inputs[0]))


def written_somewhere(typing: Typing) -> str | None:
    """At least one input can be written to."""
    given = any(isinstance(one, ArrayType | ObjectType) for one in typing.inputs)
    return None if given else "an array or an object among the inputs"


def _fits_into(value: Sequence[Dim], target: Sequence[Dim]) -> str | None:
    padded = [1] * (len(value) - len(target)) + [*target]
    pairs = zip(reversed(value), reversed(padded), strict=False)
    return None if all(one in (1, want) for one, want in pairs) else f"a value of {_said(target)}"


# ---- transforms, lists, calls --------------------------------------------------------------------


def transform(typing: Typing) -> str | None:
    """The result has the dims of input 3, except along the transformed axis."""
    dims, axis, found = _dims(typing.inputs[3]), typing.attrs["axis"], _dims(typing.outputs[0])
    if not 0 <= axis < len(dims):
        return f"an axis of {len(dims)}, counted from the front"
    wanted = [*dims[:axis], *(found[axis : axis + 1] or ("?",)), *dims[axis + 1 :]]
    return dtype_of_attr(typing) or (None if found == tuple(wanted) else _said(wanted))


def _item(type_: Type) -> ScalarType:
    assert isinstance(type_, ListType)
    return type_.item


def new_list(typing: Typing) -> str | None:
    """All inputs have the item type of the list."""
    item = _item(typing.outputs[0])
    return None if all(type_ == item for type_ in typing.inputs) else f"inputs that are {item}"


def list_of(typing: Typing) -> str | None:
    """The input is a contiguous line, and the list holds numbers of its dtype."""
    (given,), item = typing.inputs, _item(typing.outputs[0])
    if not isinstance(given, ArrayType) or given.ndim != 1 or not given.layout.is_c:
        return "a contiguous array with one axis"
    wanted = ScalarType(given.dtype, typing.attrs["python"])
    return None if item == wanted else f"a list of {wanted}"


def put_in_list(typing: Typing) -> str | None:
    """The last input has the item type of the list."""
    item = _item(typing.inputs[0])
    return None if typing.inputs[-1] == item else f"an item that is {item}"


def item_of_list(typing: Typing) -> str | None:
    """The result has the item type of the list."""
    item = _item(typing.inputs[0])
    return None if typing.outputs[0] == item else str(item)


def count_of_list(typing: Typing) -> str | None:
    """The result is a Python int."""
    return None if typing.outputs[0] == PY_INT else "int"


listed = both(same_dtype, dtype_of_attr, line)
found = both(matches_numpy, line)


def nested(typing: Typing) -> str | None:
    """There is one result for each item of the nest."""
    count = _leaves(typing.attrs["nest"])
    return None if len(typing.outputs) == count else f"{count} results, as the nest has items"


def nested_and_matches_numpy(typing: Typing) -> str | None:
    """There is one result for each item of the nest, of the types that NumPy returns for ones."""
    return nested(typing) or matches_numpy(typing)


def _leaves(nest: Any) -> int:
    return 1 if nest is None else sum(map(_leaves, nest.items))
