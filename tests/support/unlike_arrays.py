"""Objects that NumPy takes for an array and the graph does not: one maker for each kind."""

from __future__ import annotations

import array
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

X = np.linspace(0.5, 3.5, 6)
RECORDS = np.zeros(6, [("a", "f8"), ("b", "i4")])
RECORDS["a"], RECORDS["b"] = X, np.arange(6)


class Tagged(np.ndarray[Any, Any]):
    """It has an attribute, which its results inherit."""

    tag: str

    def __array_finalize__(self, origin: Any) -> None:
        self.tag = getattr(origin, "tag", "made")


class Loud(np.ndarray[Any, Any]):
    """It says which ufuncs it sees."""

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **kwargs: Any
    ) -> Any:
        print(ufunc.__name__, method)
        if out is not None:
            kwargs["out"] = tuple(map(_plain, out))
        result = getattr(ufunc, method)(*map(_plain, inputs), **kwargs)
        return result.view(Loud) if isinstance(result, np.ndarray) else result


class Overriding(np.ndarray[Any, Any]):
    """It says which functions it sees."""

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        print(function.__name__)
        return super().__array_function__(function, types, args, kwargs)


class Wrapping(np.ndarray[Any, Any]):
    """It is asked to wrap results of others, too."""

    __array_priority__ = 15.0

    def __array_wrap__(self, made: Any, context: Any = None, return_scalar: bool = False) -> Any:
        print("wraps", return_scalar)
        return super().__array_wrap__(made, context, return_scalar)


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Loud) else value


class Duck:
    """It answers NumPy's protocols and holds an array."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __repr__(self) -> str:
        return f"Duck({self.held})"

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        held = [one.held if isinstance(one, Duck) else one for one in inputs]
        if "out" in kwargs:
            return NotImplemented
        return Duck(getattr(ufunc, method)(*held, **kwargs))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return "asked for", function.__name__, len(args), sorted(kwargs)

    def __add__(self, other: Any) -> Any:
        return Duck(self.held + (other.held if isinstance(other, Duck) else other))

    __radd__ = __mul__ = __rmul__ = __add__

    def __getitem__(self, key: Any) -> Any:
        return Duck(self.held[key])

    def __len__(self) -> int:
        return len(self.held)

    @property
    def shape(self) -> Any:
        return self.held.shape


class Series:
    """As those of pandas: an index beside the values, operators that keep it."""

    __array_priority__ = 1000
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: Any, index: Any = None) -> None:
        self.values = np.asarray(values)
        self.index = tuple(range(len(self.values))) if index is None else index

    def __repr__(self) -> str:
        return f"Series({self.values})"

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(self.values, dtype=dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs:
            return NotImplemented
        values = [one.values if isinstance(one, Series) else one for one in inputs]
        return Series(ufunc(*values), self.index)

    def __add__(self, other: Any) -> Any:
        return np.add(self, other)

    __radd__ = __add__

    def __eq__(self, other: object) -> Any:
        return np.equal(self, other)  # type: ignore[call-overload]

    def __getitem__(self, key: Any) -> Any:
        return self.values[key]

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def sum(self, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        return self.values.sum()


class ArrayOnly:
    """It has `__array__` and nothing else."""

    def __init__(self, held: Any) -> None:
        self.held = held

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        print("asked for an array")
        return np.array(self.held, dtype=dtype)


class Refusing:
    """Arrays leave operators to it."""

    __array_ufunc__ = None

    def __init__(self, held: Any) -> None:
        self.held = held

    def __radd__(self, other: Any) -> str:
        return "right"

    def __add__(self, other: Any) -> str:
        return "left"


class Interface:
    """Memory by `__array_interface__`."""

    def __init__(self, held: Any) -> None:
        self.held = held
        self.__array_interface__ = held.__array_interface__


def unaligned() -> Any:
    """One byte off."""
    made = np.zeros(6 * 8 + 1, np.uint8)[1:].view("f8")
    made[:] = X
    return made


def memmap(file: str, mode: Any) -> Callable[[], Any]:
    """Return a maker of maps of a file that has X in it."""
    X.tofile(file)
    return lambda: np.memmap(file, "f8", mode)


KINDS: dict[str, tuple[Callable[[], Any], str]] = {
    "attribute": (lambda: X.copy().view(Tagged), "Tagged, a subclass of ndarray"),
    "__array_ufunc__": (lambda: X.copy().view(Loud), "Loud, a subclass of ndarray"),
    "__array_function__": (lambda: X.copy().view(Overriding), "Overriding, a subclass of ndarray"),
    "__array_wrap__": (lambda: X.copy().view(Wrapping), "Wrapping, a subclass of ndarray"),
    "masked": (lambda: np.ma.array(X, mask=X > 3, copy=True), "MaskedArray, a subclass of ndarray"),
    "masked constant": (lambda: np.ma.masked, "MaskedConstant, a subclass of ndarray"),
    "matrix": (lambda: X.copy().view(np.matrix), "matrix, a subclass of ndarray"),
    "records": (lambda: RECORDS.copy().view(np.recarray), "recarray, a subclass of ndarray"),
    "structured": (lambda: RECORDS.copy(), "a structured array"),
    "record": (lambda: RECORDS[1], "void, a NumPy scalar of a kind that is not captured"),
    "object": (lambda: X.astype(object), "an array of dtype object"),
    "str": (lambda: X.astype("U4"), "an array of dtype <U4"),
    "bytes": (lambda: X.astype("S4"), "an array of dtype |S4"),
    "StringDType": (
        lambda: X.astype(np.dtypes.StringDType()),
        "an array of dtype StringDType()",
    ),
    "datetime": (lambda: np.arange(6).astype("M8[D]"), "an array of dtype datetime64[D]"),
    "timedelta": (lambda: np.arange(6).astype("m8[s]"), "an array of dtype timedelta64[s]"),
    "one datetime": (
        lambda: np.datetime64("2020-01-01"),
        "datetime64, a NumPy scalar of a kind that is not captured",
    ),
    "longdouble": (lambda: X.astype("g"), f"an array of dtype {np.dtype('g')}"),
    "one longdouble": (
        lambda: np.longdouble(1.5),
        "longdouble, a NumPy scalar of a kind that is not captured",
    ),
    "big-endian": (lambda: X.astype(">f8"), "an array of dtype >f8"),
    "big-endian, no axis": (lambda: np.array(2.5, ">f8"), "an array of dtype >f8"),
    "metadata": (
        lambda: X.astype(np.dtype("f8", metadata={"unit": "m"})),
        "an array of dtype <f8 with metadata",
    ),
    "unaligned": (unaligned, "an array that is not aligned in memory"),
    "duck": (lambda: Duck(X.copy()), "Duck, a class with __array_ufunc__"),
    "series": (lambda: Series(X.copy()), "Series, a class with __array_ufunc__"),
    "__array__": (lambda: ArrayOnly(X.copy()), "ArrayOnly, a class with __array__"),
    "no ufuncs": (lambda: Refusing(X.copy()), "Refusing, a class with __array_ufunc__"),
    "__array_interface__": (lambda: Interface(X.copy()), "Interface"),
    "poly1d": (lambda: np.poly1d([1.0, 2.0]), "poly1d, a class with __array__"),
    "array.array": (lambda: array.array("d", X), "array"),
    "memoryview": (lambda: memoryview(X.copy()), "memoryview"),
}
"""Name -> (maker, what a break says of it). memmap() is another, which needs a file."""
