"""`np.interp` with NumPy's own formulas and its search that starts at the previous interval."""

from __future__ import annotations

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, ScalarType
from ..library.names import storage_name
from ..writer import KernelWriter, Place, writes
from .gathers import cell_of, walked

FEW = 4
"""Up to this many points NumPy searches linearly."""
NEAR = 8
"""NumPy looks this far from the previous interval before it bisects the rest."""


@writes("interp")
def write_interp(writer: KernelWriter, node: Node) -> bool:
    """Write np.interp, number by number; no flags are reported."""
    value, points, values, *_ = node.inputs
    result = node.outputs[0]
    if any(_is_not_read(one) for one in node.inputs):
        return False
    curve = _Curve(writer, writer.places[points], writer.places[values])
    source, status = writer.source, writer.source.name("status")
    writer.bail_if(f"{curve.length} < 1", Check.RAISES)
    made = None if isinstance(result.type, ScalarType) else writer.new_array(result)
    source.line(f"{status} = get_status()")
    curve.begin(dict(zip(node.attrs["outside"], node.inputs[3:], strict=True)))
    if made is None:
        curve.write(f"pinned(float64({_item(writer, value)}))")
        writer.scalar(result, f"pinned({curve.made})")
    else:
        assert isinstance(value.type, ArrayType)
        with walked(writer, value.type.dims) as names:
            curve.write(f"float64({cell_of(writer.places[value], names)})")
            source.line(f"{cell_of(made, names)} = {curve.made}")
    source.line(f"set_status({status})")
    writer.n_fused += 1
    return True


def _is_not_read(value: Value) -> bool:
    return storage_name(value.type.dtype) is None or value.type.dtype == np.float16


def _item(writer: KernelWriter, value: Value) -> str:
    """Return a scalar, which may be a 0-d array."""
    return (
        writer.scalars[value]
        if isinstance(value.type, ScalarType)
        else cell_of(writer.places[value], {})
    )


class _Curve:
    """Interpolates at the number in variable `key` and leaves the result in `made`."""

    def __init__(self, writer: KernelWriter, points: Place, values: Place) -> None:
        self.writer = writer
        self.source = writer.source
        self.points = points
        self.values = values
        self.length = writer.dim(points.type.dims[0])
        self.key, self.at, self.low, self.high, self.made, self.slope = (
            writer.source.name(name) for name in ("key", "at", "low", "high", "made", "slope")
        )
        self.ends = {name: writer.source.name(name) for name in ("left", "right")}

    def begin(self, given: dict[str, Value]) -> None:
        """Write code before the first number. `given`: results outside of the points."""
        places = {"left": "0", "right": f"{self.length} - 1"}
        for name, variable in self.ends.items():
            number = (
                self._value(places[name])
                if name not in given
                else f"float64({self.writer.scalars[given[name]]})"
            )
            self.source.line(f"{variable} = {number}")
        self.source.line(f"{self.at} = 0")

    def write(self, key: str) -> None:
        """Write one number; a NaN gives NaN, unless there is a single point."""
        source = self.source
        source.line(f"{self.key} = {key}")
        with source.indented(f"if {self.key} != {self.key} and {self.length} > 1:"):
            source.line(f"{self.made} = {self.key}")
        with source.indented("else:"):
            self._search()
            self._read()

    def _point(self, place: str) -> str:
        return f"float64({cell_of(self.points, {0: f'({place})'})})"

    def _value(self, place: str) -> str:
        return f"float64({cell_of(self.values, {0: f'({place})'})})"

    def _search(self) -> None:
        """Find the last point not beyond the key; -1 or the length if it is outside."""
        source, key = self.source, self.key
        with source.indented(f"if {key} > {self._point(f'{self.length} - 1')}:"):
            source.line(f"{self.at} = {self.length}")
        with source.indented(f"elif {key} < {self._point('0')}:"):
            source.line(f"{self.at} = -1")
        with source.indented(f"elif {self.length} <= {FEW}:"):
            source.line(f"{self.low} = 1")
            with source.indented(
                f"while {self.low} < {self.length} and {key} >= {self._point(self.low)}:"
            ):
                source.line(f"{self.low} += 1")
            source.line(f"{self.at} = {self.low} - 1")
        with source.indented("else:"):
            self._narrow()
            self._halve()

    def _narrow(self) -> None:
        """Restrict the range to search by looking near the previous interval.

        It is empty if the interval was found there.
        """
        source, key, at = self.source, self.key, self.at
        source.line(f"{at} = max(min({at}, {self.length} - 3), 1)")
        with source.indented(f"if {key} < {self._point(at)}:"):
            with source.indented(f"if {key} < {self._point(f'{at} - 1')}:"):
                near = f"{at} > {NEAR} and {key} >= {self._point(f'{at} - {NEAR}')}"
                source.line(f"{self.low} = 0")
                with source.indented(f"if {near}:"):
                    source.line(f"{self.low} = {at} - {NEAR}")
                source.line(f"{self.high} = {at} - 1")
            with source.indented("else:"):
                source.line(f"{self.low} = {self.high} = {at}")
        with source.indented(f"elif {key} < {self._point(f'{at} + 1')}:"):
            source.line(f"{self.low} = {self.high} = {at} + 1")
        with source.indented(f"elif {key} < {self._point(f'{at} + 2')}:"):
            source.line(f"{self.low} = {self.high} = {at} + 2")
        with source.indented("else:"):
            last, near = f"{self.length} - {NEAR + 1}", f"{key} < {self._point(f'{at} + {NEAR}')}"
            source.line(f"{self.low} = {at} + 2")
            source.line(f"{self.high} = {self.length}")
            with source.indented(f"if {at} < {last} and {near}:"):
                source.line(f"{self.high} = {at} + {NEAR}")

    def _halve(self) -> None:
        source, middle = self.source, self.source.name("middle")
        with source.indented(f"while {self.low} < {self.high}:"):
            source.line(f"{middle} = {self.low} + (({self.high} - {self.low}) >> 1)")
            with source.indented(f"if {self.key} >= {self._point(middle)}:"):
                source.line(f"{self.low} = {middle} + 1")
            with source.indented("else:"):
                source.line(f"{self.high} = {middle}")
        source.line(f"{self.at} = {self.low} - 1")

    def _read(self) -> None:
        """Interpolate from the left point, or from the right one if that gives NaN."""
        source, at, made, after = self.source, self.at, self.made, f"{self.at} + 1"
        with source.indented(f"if {at} < 0:"):
            source.line(f"{made} = {self.ends['left']}")
        with source.indented(f"elif {at} == {self.length}:"):
            source.line(f"{made} = {self.ends['right']}")
        with source.indented(f"elif {at} == {self.length} - 1 or {self._point(at)} == {self.key}:"):
            source.line(f"{made} = {self._value(at)}")
        with source.indented("else:"):
            rise = f"({self._value(after)} - {self._value(at)})"
            source.line(f"{self.slope} = {rise} / ({self._point(after)} - {self._point(at)})")
            self._extend(at)
            with source.indented(f"if {made} != {made}:"):
                self._extend(after)
                same = f"{self._value(at)} == {self._value(after)}"
                with source.indented(f"if {made} != {made} and {same}:"):
                    source.line(f"{made} = {self._value(at)}")

    def _extend(self, place: str) -> None:
        way = f"({self.key} - {self._point(place)})"
        self.source.line(f"{self.made} = {self.slope} * {way} + {self._value(place)}")
