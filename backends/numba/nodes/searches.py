"""`np.searchsorted` and `np.bincount`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, Dim, ScalarType
from ..library.names import storage_name
from ..parallel import is_large, parallel
from ..writer import KernelWriter, Place, writes
from .gathers import cell_of, walked
from .masks import of_so_many

BLOCK = 256
"""Number of keys that are searched side by side."""
Compares = Callable[[Any, Any], bool]


@cache
def _search_kind() -> str | None:
    """Return how the installed NumPy searches, which matters if the array is not sorted.

    Since 2.5 it bisects each time; before, it started from the previous key's place.
    """
    line, keys = np.arange(64) * 37 % 64, np.arange(70) * 29 % 70
    ways = {"halving": _by_halving, "from the last": _from_the_last}
    sides: dict[Any, Compares] = {"left": operator.lt, "right": operator.le}
    fits = (
        all(
            way(line, keys, sides[side]) == list(np.searchsorted(line, keys, side))
            for side in sides
        )
        for way in ways.values()
    )
    return next((name for name, fit in zip(ways, fits, strict=True) if fit), None)


def is_known() -> bool:
    """True if kernels search as the installed NumPy does."""
    return _search_kind() is not None


def _by_halving(line: Any, keys: Any, before: Compares) -> list[int]:
    places = []
    for key in keys:
        low, rest = 0, len(line)
        while rest > 1:
            half = rest >> 1
            rest -= half
            low += half if before(line[low + half], key) else 0
        places.append(low + int(before(line[low], key)))
    return places


def _from_the_last(line: Any, keys: Any, before: Compares) -> list[int]:
    places = []
    low, high, last = 0, len(line), keys[0]
    for key in keys:
        low, high = (low, len(line)) if before(last, key) else (0, min(high + 1, len(line)))
        last = key
        while low < high:
            middle = (low + high) >> 1
            low, high = (middle + 1, high) if before(line[middle], key) else (low, middle)
        places.append(low)
    return places


@writes("search")
def write_search(writer: KernelWriter, node: Node) -> bool:
    """Write searches, one key after another; flags of comparisons with NaN are dropped."""
    line, (value, result) = writer.places[node.inputs[0]], (node.inputs[1], node.outputs[0])
    kind, type_ = storage_name(line.type.dtype), result.type
    if kind is None or line.type.dtype.kind not in "biuf" or line.type.dtype.char == "e":
        return False
    if _search_kind() is None or (isinstance(type_, ArrayType) and not type_.layout.is_c):
        return False
    source = writer.source
    status, search = source.name("status"), _Search(writer, line, node.attrs["side"])
    source.line(f"{status} = get_status()")
    search.begin()
    if isinstance(type_, ScalarType):
        whole = isinstance(value.type, ArrayType)  # an array of no axes
        key = cell_of(writer.places[value], {}) if whole else writer.scalars[value]
        source.line(f"{search.key} = {kind}({key})")
        search.write()
        writer.scalar(result, search.low)
    else:
        made, keys = writer.new_array(result), writer.places[value]
        if _search_kind() == "halving" and keys.type.layout.is_c:
            search.write_blocks(keys, made, type_.dims)
        else:
            with walked(writer, type_.dims) as names:
                source.line(f"{search.key} = {cell_of(keys, names)}")
                search.write()
                source.line(f"{cell_of(made, names)} = {search.low}")
    source.line(f"set_status({status})")
    writer.n_fused += 1
    return True


class _Search:
    """The search for the key in variable `key`; the result is left in `low`."""

    def __init__(self, writer: KernelWriter, line: Place, side: str) -> None:
        self.writer = writer
        self.source = writer.source
        self.line = line
        self.side = side
        self.length = writer.dim(line.type.dims[0])
        self.low, self.high, self.last, self.key, self.middle = (
            writer.source.name(name) for name in ("low", "high", "last", "key", "middle")
        )

    def begin(self) -> None:
        """Write code before the first key."""
        if _search_kind() == "from the last":
            self.source.line(f"{self.low} = 0")
            self.source.line(f"{self.high} = {self.length}")
            self.source.line(f"{self.last} = {storage_name(self.line.type.dtype)}(0)")

    def write(self) -> None:
        """Write one search."""
        if _search_kind() == "halving":
            self._halve()
        else:
            self._go_on()

    def _halve(self) -> None:
        source, half = self.source, self.middle
        source.line(f"{self.low} = 0")
        source.line(f"{self.high} = {self.length}")
        with source.indented(f"while {self.high} > 1:"):
            source.line(f"{half} = {self.high} >> 1")
            source.line(f"{self.high} -= {half}")
            item = cell_of(self.line, {0: f"({self.low} + {half})"})
            source.line(f"{self.low} += {half} if {self._goes_before(item)} else 0")
        with source.indented(f"if {self.length} > 0:"):
            item = cell_of(self.line, {0: self.low})
            source.line(f"{self.low} += 1 if {self._goes_before(item)} else 0")

    def write_blocks(self, keys: Place, made: Place, dims: Sequence[Dim]) -> None:
        """Write searches for a block of keys side by side, which need not wait for each other."""
        total = self.source.name("n")
        self.source.line(f"{total} = {' * '.join(map(self.writer.dim, dims)) or '1'}")
        if is_large(self.writer, dims):
            with parallel(self.writer, total, str(BLOCK), "1") as iterations:
                self._write_blocks(keys, made, (iterations.begin, iterations.end))
        else:
            self._write_blocks(keys, made, ("0", total))

    def _write_blocks(self, keys: Place, made: Place, bounds: tuple[str, str]) -> None:
        source, (low, total) = self.source, bounds
        first, end, index = (source.name(name) for name in ("first", "end", "j"))
        self.high, self.key, half = (source.name(name) for name in ("high", "key", "middle"))
        kind = storage_name(keys.type.dtype)
        key, place = f"{kind}_at({keys.address})[{index}]", f"int64_at({made.address})[{index}]"
        with source.indented(f"for {first} in range({low}, {total}, {BLOCK}):"):
            source.line(f"{end} = min({first} + {BLOCK}, {total})")
            with source.indented(f"for {index} in range({first}, {end}):"):
                source.line(f"{place} = 0")
            source.line(f"{self.high} = {self.length}")
            with source.indented(f"while {self.high} > 1:"):
                source.line(f"{half} = {self.high} >> 1")
                source.line(f"{self.high} -= {half}")
                with source.indented(f"for {index} in range({first}, {end}):"):
                    item = cell_of(self.line, {0: f"({place} + {half})"})
                    source.line(f"{self.key} = {key}")
                    source.line(f"{place} += {half} if {self._goes_before(item)} else 0")
            with (
                source.indented(f"if {self.length} > 0:"),
                source.indented(f"for {index} in range({first}, {end}):"),
            ):
                item = cell_of(self.line, {0: place})
                source.line(f"{self.key} = {key}")
                source.line(f"{place} += 1 if {self._goes_before(item)} else 0")

    def _go_on(self) -> None:
        """Search from the previous key's place, as NumPy before 2.5."""
        source = self.source
        with source.indented(f"if {self._goes_before(self.last)}:"):
            source.line(f"{self.high} = {self.length}")
        with source.indented("else:"):
            source.line(f"{self.low} = 0")
            source.line(f"{self.high} = min({self.high} + 1, {self.length})")
        source.line(f"{self.last} = {self.key}")
        with source.indented(f"while {self.low} < {self.high}:"):
            source.line(f"{self.middle} = {self.low} + (({self.high} - {self.low}) >> 1)")
            item = cell_of(self.line, {0: self.middle})
            with source.indented(f"if {self._goes_before(item)}:"):
                source.line(f"{self.low} = {self.middle} + 1")
            with source.indented("else:"):
                source.line(f"{self.high} = {self.middle}")

    def _goes_before(self, item: str) -> str:
        """Return a condition that the key belongs after the item; NaN is the largest number."""
        if self.side == "left":
            return self._less(item, self.key)
        return f"not ({self._less(self.key, item)})"

    def _less(self, one: str, other: str) -> str:
        if self.line.type.dtype.kind != "f":
            return f"{one} < {other}"
        return f"{one} < {other} or ({other} != {other} and {one} == {one})"


@writes("counts")
def write_counts(writer: KernelWriter, node: Node) -> bool:
    """Find the largest number, then count.

    Weights are added one by one, without reporting flags.
    """
    line, result = writer.places[node.inputs[0]], node.outputs[0]
    if storage_name(line.type.dtype) is None or line.type.dtype.char in "LQ":
        return False
    source = writer.source
    most, number, index = (source.name(name) for name in ("most", "number", "i"))
    item = f"int64({cell_of(line, {0: index})})"
    length = writer.dim(line.type.dims[0])
    source.line(f"{most} = {node.attrs['least']} - 1")
    source.line(f"{number} = 0")
    with source.indented(f"for {index} in range({length}):"):
        source.line(f"{most} = max({most}, {item})")
        source.line(f"{number} = min({number}, {item})")
    writer.bail_if(f"{number} < 0 or {most} >= {MANY}", Check.RAISES)
    made = of_so_many(writer, result, f"{most} + 1")
    kind = storage_name(result.type.dtype)
    with source.indented(f"for {index} in range({most} + 1):"):
        source.line(f"{kind}_at({made.address})[{index}] = {kind}(0)")
    status = source.name("status")
    source.line(f"{status} = get_status()")
    with source.indented(f"for {index} in range({length}):"):
        place = f"{kind}_at({made.address})[{item}]"
        source.line(f"{place} = {place} + {_weight(writer, node.inputs[1:], index)}")
    source.line(f"set_status({status})")
    writer.n_fused += 1
    return True


MANY = 2**40
"""More items than any array has."""


def _weight(writer: KernelWriter, weights: tuple[Value, ...], index: str) -> str:
    return cell_of(writer.places[weights[0]], {0: index}) if weights else "1"
