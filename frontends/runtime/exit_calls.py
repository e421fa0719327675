"""Functions called by exits and kernels, which build or change objects of the program.

They are loaded with entries kept on disk, so they do not depend on the symbolic machine.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from collections.abc import Iterator as PythonIterator
from functools import partial
from itertools import starmap
from types import (
    CellType,
    CodeType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)
from typing import Any

import numpy as np


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function."""
    return function(*arguments)


def joined(*parts: str) -> str:
    """Join the parts of a string."""
    return "".join(parts)


def percent(given: str, *values: Any) -> str:
    """`given % values`."""
    return given % values


def dict_of(keys: Iterable[Any], values: Iterable[Any]) -> dict[Any, Any]:
    """Return a dict with these entries in order."""
    return dict(zip(keys, values, strict=True))


def counter_of(keys: Iterable[Any], values: Iterable[Any]) -> Counter[Any]:
    """Return a `collections.Counter` with these counts in order."""
    return Counter(dict_of(keys, values))


def default_dict_of(
    keys: Iterable[Any], values: Iterable[Any], factory: Callable[[], Any]
) -> defaultdict[Any, Any]:
    """Return a `collections.defaultdict` with these entries in order."""
    return defaultdict(factory, dict_of(keys, values))


def over_range(*parts: int) -> PythonIterator[int]:
    """Return an iterator over a range."""
    return iter(range(*parts))


def zipped(strict: bool, *iterators: Iterable[Any]) -> Any:
    """Return `zip` with its keyword argument."""
    return zip(*iterators, strict=strict)


def exhausted(iterator: PythonIterator[Any]) -> PythonIterator[Any]:
    """Return an exhausted iterator."""
    for _ in iterator:
        pass
    return iterator


def going_down(walked: list[Any], index: int) -> PythonIterator[Any]:
    """Return `reversed(walked)` at `index`; beyond the end it is exhausted."""
    made: Any = reversed(walked)
    made.__setstate__(index if index < len(walked) else -1)
    return made  # type: ignore[no-any-return]


def advanced(iterator: PythonIterator[Any], steps: int) -> PythonIterator[Any]:
    """Return an iterator advanced by some steps."""
    for _ in range(steps):
        next(iterator)
    return iterator


def rest_of_array(array: Any, backward: bool, position: int) -> Any:
    """Return a forward or backward iterator over an array, past a position."""
    made: Any = reversed(array) if backward else iter(array)
    if position >= 0:
        made.__setstate__(len(array) - 2 - position if backward else position + 1)
    return made


def rest_of_numbers(start: int, stop: int, step: int, position: int) -> Any:
    """Return an iterator over the items of a range past a position."""
    return iter(range(start + (position + 1) * step, stop, step))


def rest_of_list(numbers: list[Any], position: int) -> Any:
    """Return an iterator over a list, past a position."""
    made: Any = iter(numbers)
    made.__setstate__(position + 1)
    return made


def rest_of_indices(position: int, *lengths: int) -> Any:
    """Return `np.ndindex` past a position."""
    return advanced(np.ndindex(*lengths), position + 1)


def rest_of_items(array: Any, position: int) -> Any:
    """Return `np.ndenumerate` past a position."""
    return advanced(np.ndenumerate(array), position + 1)


def rest_counted(inner: Any, start: int, position: int) -> Any:
    """Return `enumerate` past a position."""
    return enumerate(inner, start + position + 1)


def boxed(table: list[Any], place: int | None, number: Any) -> Any:
    """Return the object at a place in the table, or the number itself if it is not there.

    A number that is not read on this path has an arbitrary place.
    """
    return table[place] if place is not None and 0 <= place < len(table) else number


def at_places(table: list[Any], places: np.ndarray[Any, Any]) -> list[Any]:
    """Return the objects at these places."""
    return [table[place] for place in places.tolist()]


def with_objects(table: list[Any], count: int, *rest: Any) -> list[Any]:
    """Return the table with the program's own objects at their places."""
    for place, object_ in zip(rest[:count], rest[count:], strict=True):
        table[place] = object_
    return table


def copy_of_lists(made: list[Any], known: dict[int, list[Any]] | None = None) -> list[Any]:
    """Copy a list with the lists in it, preserving their sharing."""
    known = {} if known is None else known
    if id(made) not in known:
        known[id(made)] = copy = []
        copy += [copy_of_lists(one, known) if type(one) is list else one for one in made]
    return known[id(made)]


def fill(owner: list[Any], *items: Any) -> None:
    """Assign `owner[:] = items`."""
    owner[:] = items


def refill(owner: list[Any], items: list[Any]) -> None:
    """Assign `owner[:] = items`, where the items are in one list that the kernel has filled."""
    owner[:] = items


def set_of(
    keys: list[Any], function: Callable[[Any, Any], set[Any]] | None, left: Any, right: Any
) -> set[Any]:
    """Return the set that a function makes of two others, or else the set of these keys."""
    return set(keys) if function is None else function(left, right)


def set_with_history(past: list[Any], marks: list[int]) -> set[Any]:
    """Return the set that these changes make; see `replay`."""
    made: set[Any] = set()
    replay(made, past, marks)
    return made


def replay(owner: set[Any], past: list[Any], marks: list[int]) -> None:
    """Change a set as eager has, since a loop goes through it in the order that this gives.

    `marks` has pairs of a place in `past` and a number that tells how many items from there on are
    no additions, and the place of the change that they make in `_CHANGES`.
    """
    begun = 0
    for place, what in zip(marks[::2], marks[1::2], strict=True):
        owner.update(past[begun:place])
        count, change = divmod(what, len(_CHANGES))
        begun = place + count
        _CHANGES[change](owner, set(past[place:begun]))
    owner.update(past[begun:])


def _discard(owner: set[Any], items: set[Any]) -> None:
    """Remove items one by one, after which a set stays as large as it is."""
    for item in items:
        owner.discard(item)


_CHANGES: tuple[Callable[[set[Any], set[Any]], object], ...] = (
    *(_discard, set.__ior__, set.__isub__, set.__iand__, set.__ixor__),
)
"""Changes of a set by another one, in the order of decompositions/sets.py."""


def add_to_set(owner: set[Any], items: list[Any], before: int) -> None:
    """Add the items that follow the first `before` ones."""
    owner.update(items[before:])


def put_into_dict(
    owner: dict[Any, Any], keys: list[Any], values: list[Any], origins: np.ndarray[Any, Any]
) -> None:
    """Assign the values that are not the dict's own, whose origin is below zero, in their order."""
    for place in np.flatnonzero(origins < 0).tolist():
        owner[keys[place]] = values[place]


def refill_deque(owner: deque[Any], items: list[Any], origins: np.ndarray[Any, Any]) -> None:
    """Replace the items; those with an origin are the objects that have been at that place."""
    before = list(owner)
    owner.clear()
    owner.extend(
        item if origin < 0 else before[origin]
        for item, origin in zip(items, origins.tolist(), strict=True)
    )


def item_of_flat(array: Any, key: Any) -> Any:
    """Return `array.flat[key]`: a number or a copy."""
    return array.flat[key]


def set_items_of_flat(array: Any, key: Any, value: Any) -> None:
    """Assign `array.flat[key] = value`, which repeats `value` as needed."""
    array.flat[key] = value


def set_attribute(array: Any, name: str, value: Any) -> None:
    """Assign `array.name = value`."""
    setattr(array, name, value)


def error_state(given: tuple[tuple[str, Any], ...], *handler: Any) -> np.errstate:
    """Return an errstate with these modes, and with this handler if given."""
    return np.errstate(**dict(given), **dict(zip(("call",), handler, strict=False)))


def entered(manager: np.errstate) -> Callable[..., Any]:
    """Return the exit of a `with` block in whose middle the program continues."""
    manager.__enter__()
    return manager.__exit__


def bound(function: Any, owner: Any) -> Any:
    """Return a bound method; those of builtin types are no MethodType."""
    if type(function) in (MethodDescriptorType, WrapperDescriptorType):
        return function.__get__(owner)
    return MethodType(function, owner)


def instance(kind: type, names: tuple[str, ...], *values: Any) -> Any:
    """Return an object with these attributes without running code of its class."""
    made: Any = object.__new__(kind)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, name, value)
    return made


def partly_called(names: tuple[str, ...], function: Any, *arguments: Any) -> Any:
    """Return `functools.partial` with the last arguments passed by these names."""
    plain = len(arguments) - len(names)
    return partial(function, *arguments[:plain], **dict(zip(names, arguments[plain:], strict=True)))


def new_function(
    code: CodeType,
    namespace: dict[str, Any],
    names: tuple[str, ...],
    counts: tuple[int, int, int],
    *rest: Any,
) -> FunctionType:
    """Return a function like MAKE_FUNCTION; `counts`: defaults, keyword defaults and cells."""
    parts: list[tuple[Any, ...]] = []
    start = 0
    for count in (*counts, len(rest) - sum(counts)):
        parts.append(rest[start : start + count])
        start += count
    defaults, kwdefaults, closure, annotations = parts
    made = FunctionType(code, namespace, None, defaults or None, closure or None)
    if names:
        made.__kwdefaults__ = dict(zip(names, kwdefaults, strict=True))
    if len(annotations) == 1:
        made.__annotate__ = annotations[0]  # type: ignore[attr-defined]
    elif annotations:
        made.__annotations__ = dict(zip(annotations[::2], annotations[1::2], strict=True))
    return made


def of_kinds(tags: np.ndarray[Any, Any], *kinds: Iterable[Any]) -> list[Any]:
    """Return for each item the object of the kind that its tag selects."""
    rows = zip(*kinds, strict=False)  # constants are endless iterators
    return [row[tag] for row, tag in zip(rows, tags.tolist(), strict=False)]


def tuples(named: type | None, *columns: list[Any]) -> list[Any]:
    """Return tuples of corresponding items of the columns."""
    rows = zip(*columns, strict=True)
    return list(rows) if named is None else list(starmap(named, rows))


def set_cell(cell: CellType, contents: Any) -> None:
    """Assign a closure variable."""
    cell.cell_contents = contents
