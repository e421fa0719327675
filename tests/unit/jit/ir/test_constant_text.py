"""Attributes, constants and types as text, which comes back as the very thing, to the last bit."""

from __future__ import annotations

import math
import operator
import struct
from typing import Any

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from reading_back import are_same, check_round_trip

from framejit.jit.ir.constant_parser import attribute
from framejit.jit.ir.constant_text import attribute_text
from framejit.jit.ir.graph import (
    Block,
    Constant,
    Exit,
    Graph,
)
from framejit.jit.ir.indexing import Index, NewAxis, Ref, Span
from framejit.jit.ir.library_names import NotReadBackError, Placeholder
from framejit.jit.ir.nests import nest_of
from framejit.jit.ir.numbers import StoredAs, pick
from framejit.jit.ir.opaque import Bounds, ListOf, OpaqueCall
from framejit.jit.ir.scanner import Scanner
from framejit.jit.ir.type_parser import type_
from framejit.jit.ir.types import (
    PY_INT,
    ArrayType,
    Layout,
    ListType,
    ObjectsType,
    ObjectType,
    ScalarType,
    Sym,
    layout_of,
)

# ---- attributes and constants --------------------------------------------------------------------


class Mine:
    """A class of the user's."""


def mine(x: Any) -> Any:
    """A function of the user's."""
    return x


def read(text: str, name: str = "") -> Any:
    """An attribute from its text."""
    scan = Scanner(text, 1)
    found = attribute(scan, name)
    scan.end()
    return found


CONSTANTS = {
    "None": None,
    "True": True,
    "Ellipsis": Ellipsis,
    "-3": -3,
    "0.1": 0.1,
    "-0.0": -0.0,
    "inf": np.inf,
    "-inf": -np.inf,
    "nan": math.nan,
    "complex(-0.0, nan)": complex(-0.0, math.nan),
    "np.True_": np.True_,
    "np.int64(3)": np.int64(3),
    "np.longlong(3)": np.longlong(3),
    "np.float32(0.1)": np.float32(0.1),
    "np.float64(-0.0)": np.float64(-0.0),
    "np.float16(inf)": np.float16(np.inf),
    "np.complex64(0.1, -0.0)": np.complex64(complex(0.1, -0.0)),
    "'a\\n\\'\"; <b>'": "a\n'\"; <b>",
    "b'\\x00'": b"\0",
    "()": (),
    "(1,)": (1,),
    "(1, (None, 'x'))": (1, (None, "x")),
    "slice(None, 3, -1)": slice(None, 3, -1),
    "range(0, 3, 1)": range(3),
    "dtype('int64')": np.dtype(np.int64),
    "dtype('longlong')": np.dtype(np.longlong),
    "dtype('<U3')": np.dtype("U3"),
    "add": np.add,
    "scipy.special.erf": scipy.special.erf,
    "np.linalg._umath_linalg.det": vars(np.linalg._umath_linalg)["det"],
    "operator.add": operator.add,
    "builtins.abs": abs,
    "operator.abs": operator.abs,
    "math.sqrt": math.sqrt,
    "builtins.int": int,
    "np.int64": np.int64,
    "np.bool": np.bool,
    "np.argmax": np.argmax,
    "np.add.reduce": np.add.reduce,
    "np.ndarray.sort": np.ndarray.sort,
    "builtins.list.append": list.append,
    "builtins.dict.fromkeys": dict.fromkeys,
    "builtins.object.__setattr__": object.__setattr__,
    "np.random._generator.Generator.normal": np.random.Generator.normal,
    "np.dtypes.Float32DType": type(np.dtype(np.float32)),
    "operator.attrgetter('real', 'imag')": operator.attrgetter("real", "imag"),
    "framejit.jit.ir.numbers.pick": pick,
    "module math": math,
    "module numpy.linalg": np.linalg,
    "stored as longlong": StoredAs(np.dtype(np.longlong)),
}


@pytest.mark.parametrize(("text", "value"), CONSTANTS.items(), ids=CONSTANTS)
def test_constants(text: str, value: Any) -> None:
    """To the last bit, and the very function."""
    assert attribute_text(value) == text
    assert are_same(value, read(text))


NAMED = {
    "<function mine>": mine,
    "<function test_what_is_only_named.(locals).inner>": None,
    f"<class '{__name__}.Mine'>": Mine,
    "<Mine>": Mine(),
    "<dict>": {},
    "<list>": [1],
    "<ndarray>": np.ones(3),
    "<ufunc mine (vectorized)>": np.frompyfunc(mine, 1, 1),
    "<dtype>": np.dtype([("a", "f8")]),
}


@pytest.mark.parametrize(("text", "value"), NAMED.items(), ids=NAMED)
def test_what_is_only_named(text: str, value: Any) -> None:
    """The text is the same in each process, and the placeholder prints it again."""

    def inner() -> None:
        """A function that has no path."""

    placeholder = read(text)

    assert attribute_text(inner if value is None else value) == text
    assert placeholder == Placeholder(text[1:-1])
    assert attribute_text(placeholder) == text


def test_a_placeholder_is_not_run() -> None:
    """Neither as a function, nor as an argument, nor as a source."""
    message = "^function mine: the text of a graph names this object only$"
    with pytest.raises(NotReadBackError, match=message):
        read("<function mine>")(3)
    with pytest.raises(NotReadBackError, match=message):
        read("<function mine>(#0)", "call")(3)
    with pytest.raises(NotReadBackError, match=message):
        read("np.sum(#0, <function mine>)", "call")(3)
    with pytest.raises(NotReadBackError):
        Placeholder("argument `x`").reach(())
    with pytest.raises(NotReadBackError):
        Placeholder("argument `x`").fetch(None)


def test_a_name_that_leads_elsewhere_is_no_path() -> None:
    """A function of the user's that says it is NumPy's."""

    def add() -> None:
        """A function of the user's with the name of one of `operator`."""

    add.__module__, add.__qualname__ = "operator", "add"
    assert attribute_text(add) == "<function add>"


ATTRIBUTES: dict[str, tuple[str, Any]] = {
    "[0, -1, #0, None, :, 1:, :-1, ::2, #1:#2:#3]": (
        "index",
        Index(
            (
                *(0, -1, Ref(0), NewAxis(), Span(), Span(1), Span(None, -1)),
                *(Span(None, None, 2), Span(Ref(1), Ref(2), Ref(3))),
            )
        ),
    ),
    "tuple(_, list(_, _), tuple())": ("nest", nest_of((1, [2, 3], ()))),
    "np.linalg._linalg.SlogdetResult(_, _)": ("nest", nest_of(np.linalg.slogdet(np.eye(2)))),
    "np.full(#0, 1.5, dtype=dtype('float32'), order='C')": (
        "call",
        OpaqueCall(np.full, (Ref(0), 1.5), {"dtype": np.dtype("f4"), "order": "C"}),
    ),
    "operator.getitem(#0, (slice(#1, None, None), list(#2), tolist(#3), [1, #0], range(0, #1)))": (
        "call",
        OpaqueCall(
            operator.getitem,
            (
                Ref(0),
                (
                    *(Bounds(slice, (Ref(1), None, None)), ListOf(Ref(2), False)),
                    *(ListOf(Ref(3), True), [1, Ref(0)], Bounds(range, (0, Ref(1)))),
                ),
            ),
            {},
        ),
    ),
    "operator.attrgetter('imag')(#0)": (
        "call",
        OpaqueCall(operator.attrgetter("imag"), (Ref(0),), {}),
    ),
    "np.add.at(#0, #1, np.float64(1.0))": (
        "call",
        OpaqueCall(np.add.at, (Ref(0), Ref(1), np.float64(1.0)), {}),
    ),
}


@pytest.mark.parametrize("text", ATTRIBUTES, ids=range(len(ATTRIBUTES)))
def test_attributes(text: str) -> None:
    """Indices, nests and calls."""
    name, value = ATTRIBUTES[text]

    assert attribute_text(value) == text
    assert are_same(value, read(text, name))


def test_an_opaque_call_can_be_made() -> None:
    """With its real function, on the real arguments."""
    call = read("np.full(#0, 1.5, dtype=dtype('float32'))", "call")

    np.testing.assert_array_equal(call(2), np.full(2, 1.5, np.float32), strict=True)


BITS = st.integers(0, 2**64 - 1)


@given(BITS)
def test_floats(bits: int) -> None:
    """Floats of all bits, NaNs among them, are read back."""
    number = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    assert are_same(number, read(attribute_text(number)))


@pytest.mark.parametrize("char", "?bBhHiIlLqQefdFD")
@given(bits=st.binary(min_size=16, max_size=16))
def test_scalars(char: str, bits: bytes) -> None:
    """NumPy's, of all bits and with or without its legacy printing."""
    dtype = np.dtype(char)
    number = np.frombuffer(bits[: dtype.itemsize], "u1" if char == "?" else dtype)[0]
    number = number.astype(bool) if char == "?" else number
    assert are_same(number, read(attribute_text(number)))
    with np.printoptions(legacy="1.13"):
        assert are_same(number, read(attribute_text(number)))


@given(st.integers())
def test_ints(number: int) -> None:
    """Ints of any size are read back."""
    for value in (number, number << 40_000):
        assert are_same(value, read(attribute_text(value)))


@given(st.text() | st.binary())
def test_strings(text: str | bytes) -> None:
    """Whatever is in them."""
    graph = Graph((), Block((), []), [Exit(0, "return", pushes=(Constant(text),))])
    check_round_trip(graph)


# ---- types ---------------------------------------------------------------------------------------

F8 = np.dtype(np.float64)
ROWS = (Sym(0), 3)
TYPES = {
    "int": PY_INT,
    "np.longlong": ScalarType(np.dtype("q"), False),
    "longlong[3]": ArrayType(np.dtype("q"), (3,), Layout.contiguous(1)),
    "ulonglong[3]": ArrayType(np.dtype("Q"), (3,), Layout.contiguous(1)),
    "int64[3]": ArrayType(np.dtype("l"), (3,), Layout.contiguous(1)),
    "bool[]": ArrayType(np.dtype(bool), (), Layout.contiguous(0)),
    "float64[s0, 3] +1+0": ArrayType(F8, ROWS, Layout.contiguous(2, "F")),
    "float64[s0, 3] -001 gaps strided": ArrayType(
        F8, ROWS, Layout((0, 1), (-1, 0), packed=False, unit=False)
    ),
    "float64[s0, 3] +0+1 gaps crossing": ArrayType(
        F8, ROWS, Layout((0, 1), (1, 1), packed=False, unit=True, nested=False)
    ),
    "float64[s0, 3] +0+1 crossing": ArrayType(
        F8, ROWS, Layout((0, 1), (1, 1), packed=True, unit=True, nested=False)
    ),
    "list of int": ListType(PY_INT.dtype, True),
    "list of np.float32": ListType(np.dtype("f4"), False),
    "list of objects int": ObjectsType.of_items(PY_INT),
    "list of own objects float64[s-1]": ObjectsType.of_items(
        ArrayType(F8, (Sym(-1),), Layout.contiguous(1)), ours=True
    ),
    "np.random._generator.Generator": ObjectType.of(np.random.Generator),
    "builtins.bytes": ObjectType.of(bytes),
}


@pytest.mark.parametrize(("text", "made"), TYPES.items(), ids=TYPES)
def test_types(text: str, made: Any) -> None:
    """No two have one text."""
    scan = Scanner(text, 1)
    found = type_(scan)
    scan.end()

    assert str(made) == text
    assert (type(found), found) == (type(made), made)


@given(st.data())
def test_layouts(data: st.DataObject) -> None:
    """Layouts of windows on arrays of up to three axes, and of their transposes, are read back."""
    shape = data.draw(st.lists(st.integers(1, 4), max_size=3))
    key = tuple(slice(None, None, data.draw(st.sampled_from((1, 2, -1)))) for _ in shape)
    window = np.ones(shape)[key].transpose(data.draw(st.permutations(range(len(shape)))))
    stretched = np.broadcast_to(window, (2, *window.shape))
    for array in (window, stretched):
        made = ArrayType(F8, array.shape, layout_of(array))
        assert type_(Scanner(str(made), 1)) == made
