"""`np.interp`: NumPy's own search, which begins where the number before was found, and formulas."""

from __future__ import annotations

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, ScalarType
from ..library.names import storage_name
from ..writer import KernelWriter, Place, writes
from .gathers import cell_of, walked

FEW = 4
"""Of so many points NumPy asks one after the other."""
NEAR = 8
"""So many points further on it asks before it halves what is left."""


@writes("interp")
def write_interp(writer: KernelWriter, node: Node) -> bool:
    """One number after the other; nothing that is computed is reported."""
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
    """A number, which may stand in an array of no axes."""
    return (
        writer.scalars[value]
        if isinstance(value.type, ScalarType)
        else cell_of(writer.places[value], {})
    )


class _Curve:
    """What stands at the number in the variable `key`, which is left in `made`."""

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
        """Before the first number. `given`: what there is outside of the points."""
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
        """One number; what is NaN is so in between, too, unless there is one point only."""
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
        """The last point that is not beyond the key: -1 or the length where it is outside."""
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
        """What is left beside where the key before was found; nothing where it is one of those."""
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
        """On the line to the next point; from there where that gives NaN."""
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
