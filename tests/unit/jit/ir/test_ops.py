"""The table of ops is complete and true, and passes and backends ask its columns."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from picture import ROOT, sources

from framejit.jit.ir import ops, schema
from framejit.jit.ir.indexing import Index, Span
from framejit.jit.ir.ops import OPS, Kind, Op
from framejit.jit.ir.schema import NEEDS, Applies, AxisOrder, Effect, Jump, Writes

ROWS = list(OPS.values())
NAMES = list(OPS)


def has(row: Op, column: str) -> bool:
    """True if a row has a value in a column."""
    if column == "silent":
        return row.silent or row.silent_if is not None
    return bool(getattr(row, column))


# ---- completeness --------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_each_fact_is_there_or_has_a_reason(row: Op) -> None:
    """A row has all columns of its kind, or a reason; a reason for a present column is stale."""
    without = [one for one in NEEDS[row.kind] if not has(row, one) and one not in row.lacks]
    stale = [one for one in row.lacks if has(row, one)]

    assert (without, stale) == ([], [])
    assert set(row.lacks) <= set(NEEDS[row.kind])
    assert all(row.lacks.values())


def test_kinds_need_columns() -> None:
    """Each kind says which columns describe it, and these exist."""
    columns = {field.name for field in fields(Op)}

    assert NEEDS.keys() == set(Kind)
    assert {one for needs in NEEDS.values() for one in needs} <= columns


def test_every_row_has_its_name() -> None:
    """An op is imported by the name that its nodes have in texts."""
    named = {name: one for name, one in vars(ops).items() if isinstance(one, Op)}

    assert {one.name: name.lower() for name, one in named.items()} == {n: n for n in OPS}
    assert {one.name for one in named.values()} == OPS.keys()


# ---- rows agree with themselves ------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_what_nodes_carry(row: Op) -> None:
    """A row that applies something has an attribute for it, another one has not."""
    carried = "function" if row.applies in (Applies.NUMBERS, Applies.LINES) else "ufunc"

    assert (row.applies is not None) == bool({"function", "ufunc"} & row.attrs.keys())
    assert row.applies is None or carried in row.attrs


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_attributes_that_columns_speak_of(row: Op) -> None:
    """Columns name attributes and inputs that nodes have."""
    assert not row.indexes or "index" in row.attrs
    assert not row.converts or "dtype" in row.attrs
    assert not row.is_constant or (row.is_nullary and "value" in row.attrs)
    assert not row.selects or row.takes.least == 3
    assert not row.overwrites or (row.takes.least == 2 and row.writes is Writes.FIRST)
    assert not row.resizes or row.takes.fixed[0].name == "a list of numbers"
    assert not row.counted or (row.loops and row.takes.least == 3)


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_control(row: Op) -> None:
    """Blocks, jumps and ends go together."""
    assert (row.blocks > 0) == (row.branches or row.loops)
    assert (row.jump is not None) == (row.effect is Effect.JUMP)
    assert row.jump is None or row.ends
    assert row.hands_over == (row.blocks > 0 or row.jump is not None)


def test_effects_are_written_effects() -> None:
    """An op that writes to what others can see has an effect in its row."""
    assert [row.name for row in ROWS if row.writes and row.effect is None] == []
    assert [row.name for row in ROWS if row.effect is Effect.WRITE and not row.writes] == []
    assert {row.jump for row in ROWS} == {None, *Jump}


# ---- what rows say is true of the references -----------------------------------------------------

X = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)[:, ::-1])
LINE = np.array([0.5, 1.0, 4.0])
Given = tuple[dict[str, Any], Sequence[Any]]
FULL = Index((Span(None, None, 1),))
EXAMPLES: dict[str, Given] = {
    "ufunc": ({"ufunc": np.add}, (X, X)),
    "where": ({}, (X > 7, X, -X)),
    "cast": ({"dtype": np.dtype("f4")}, (X,)),
    "compress": ({}, (X, X > 7)),
    "nonzero": ({}, (X.ravel() > 7,)),
    "argsort": ({"axis": 0}, (X,)),
    "search": ({"side": "left"}, (LINE, X)),
    "interp": ({"outside": ()}, (X, LINE, LINE)),
    "counts": ({"least": 2}, (np.array([3, 1]),)),
    "arg_reduce": ({"function": np.argmax, "axis": 0}, (X,)),
    "dot": ({}, (X[0], X[0].T)),
    "fill": ({"value": None, "dtype": np.dtype("f8")}, (2, 3)),
    "arange": ({"dtype": np.dtype("f8")}, (3, 0, 1)),
    "list_of": ({"python": True}, (np.array([1.0, 2.0]),)),
    "listed": ({"dtype": np.dtype("f8"), "filled": True}, ([1.0, 2.0],)),
    "const": ({"value": 5}, ()),
    "dim": ({"axis": 1}, (X,)),
    "count": ({}, ([7.0, 8.0],)),
    "store": ({}, (X, -X)),
    "sort": ({"axis": 1}, (X,)),
    "scatter": ({"axes": (0, None, None)}, (X, 7.0, np.array([1]))),
    "append": ({}, ([1.0], 2.0)),
    "set_item": ({}, ([1.0], 0, 2.0)),
    "pop": ({"first": False}, ([1.0, 2.0],)),
}


def computed(row: Op) -> tuple[Any, Sequence[Any], dict[str, Any]]:
    """Return (result, inputs after the call, attributes) of an op's example."""
    attrs, inputs = EXAMPLES[row.name]
    copied = [one.copy(order="K") if isinstance(one, np.ndarray) else one for one in inputs]
    copied = [list(one) if isinstance(one, list) else one for one in copied]
    assert row.reference is not None
    return row.reference(attrs, *copied), copied, attrs


def rows_with(holds: Callable[[Op], Any]) -> Any:
    """Run a test for the rows for which a column has a value."""
    return pytest.mark.parametrize("row", [*filter(holds, ROWS)], ids=lambda row: row.name)


@rows_with(lambda row: row.axis_order)
def test_axis_orders(row: Op) -> None:
    """Operands in Fortran order show in which order the result is."""
    result, *_ = computed(row)
    expected = np.argsort(np.negative(X.strides), kind="stable")

    if row.axis_order is AxisOrder.C:
        assert result.flags.c_contiguous
    else:
        assert list(np.argsort(np.negative(result.strides), kind="stable")) == list(expected)


@rows_with(lambda row: row.interval and row.reference)
def test_intervals(row: Op) -> None:
    """The example's result is in the interval."""
    result, _, attrs = computed(row)
    found = row.interval(attrs) if row.interval is not None else None

    assert found is not None
    assert found.low <= result <= found.high


@rows_with(lambda row: row.selects or row.converts or row.is_constant)
def test_items(row: Op) -> None:
    """Items are those of operands: chosen, converted, or the constant."""
    result, inputs, attrs = computed(row)
    if row.selects:
        assert np.all(np.where(inputs[0], result == inputs[1], result == inputs[2]))
    elif row.converts:
        assert result.dtype == attrs["dtype"]
        assert np.array_equal(result, inputs[0])
    else:
        assert result is attrs["value"]


@rows_with(lambda row: row.reference and row.name in EXAMPLES)
def test_writes(row: Op) -> None:
    """A node changes input 0 if the row says so, and no other input."""
    _, after, _ = computed(row)
    before = EXAMPLES[row.name][1]
    changed = [not np.array_equal(one, other) for one, other in zip(before, after, strict=True)]

    assert changed == [row.writes is Writes.FIRST and not place for place in range(len(before))]
    if row.overwrites:
        assert np.array_equal(after[0], after[1])
    if row.writes and isinstance(before[0], list):
        assert (len(before[0]) != len(after[0])) == row.resizes


def test_each_row_that_writes_has_an_example() -> None:
    """Calls apart, whose functions are the program's."""
    wanted = {row.name for row in ROWS if row.writes or row.axis_order or row.selects}

    assert wanted - EXAMPLES.keys() == {"put", "draw"}


@rows_with(lambda row: row.kind is Kind.SCALAR and not row.reads)
def test_lengths(row: Op) -> None:
    """A result that depends on lengths only is the same for other items."""
    attrs, inputs = EXAMPLES[row.name]
    assert row.reference is not None

    assert row.reference(attrs, *inputs) == row.reference(attrs, *(one * 0 for one in inputs))


LINES: dict[str, Callable[[np.ndarray[Any, Any]], Given]] = {
    "ufunc": lambda x: ({"ufunc": np.exp}, (x,)),
    "where": lambda x: ({}, (x > 1.0, x, 0.0)),
    "cast": lambda x: ({"dtype": np.dtype("f4")}, (x,)),
    "copy": lambda x: ({"order": "K"}, (x,)),
    "compress": lambda x: ({}, (x, x > 0.0)),
    "nonzero": lambda x: ({}, (x > 0.0,)),
    "gather": lambda x: ({"axes": (0,)}, (x, np.arange(len(x)))),
    "reduce": lambda x: ({"ufunc": np.add, "axis": 0, "keepdims": False}, (x,)),
    "fill": lambda x: ({"value": 1.0, "dtype": x.dtype}, (len(x),)),
    "dim": lambda x: ({"axis": 0}, (x,)),
    "index": lambda x: ({"index": FULL}, (x,)),
    "reshape": lambda x: ({}, (x, len(x))),
}
"""Rows that write give nothing, and control has no reference."""


@rows_with(lambda row: row.one_item and row.reference and not row.writes)
def test_lines_of_one_item(row: Op) -> None:
    """The result of one item is like the part of a longer result."""
    assert row.reference is not None
    short, long = (row.reference(*_called(LINES[row.name](LINE[:n].copy()))) for n in (1, 3))

    assert (type(short), np.ndim(short)) == (type(long), np.ndim(long))
    if isinstance(short, np.ndarray):
        assert (short.dtype, short.strides) == (long.dtype, long.strides)
        assert short.tobytes() == long[:1].tobytes()


def _called(given: Given) -> Sequence[Any]:
    return (given[0], *given[1])


# ---- who asks which op a node is -----------------------------------------------------------------

ABOUT = {
    "FILL": "what a new array is filled with is an attribute that no other op has",
    "COPY": "its order is an attribute that no other op has",
    "ARANGE": "one analysis follows what arrays begin with",
    "DIM": "a length is that of an axis of an array",
    "LISTED": "capture and exits make it, and find it again",
    "DRAW": "the owner of the method is its first input",
    "UNDEFINED": "an exit leaves it open",
    "RESHAPE": "NumPy cannot be asked on examples",
    "OPAQUE": "functions that leave memory unfilled",
}
"""Ops that a module outside `jit/ir` may ask for, and why no column stands for that."""
MOST_QUESTIONS = 20
"""In all; rather than raise it, add a column."""


def questions() -> Iterator[str]:
    """Yield the op for each test in code outside `jit/ir` which op a node is."""
    named = {name for name, one in vars(ops).items() if isinstance(one, Op)}
    for path in sources("jit", "guards", "backends", "frontends"):
        if ROOT / "jit" / "ir" in path.parents:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith(".op"):
                for one in ast.walk(node):
                    name = one.id if isinstance(one, ast.Name) else getattr(one, "attr", "")
                    if name in named:
                        yield name


def test_columns_are_asked_instead() -> None:
    """Code that asks a column serves each op of which it is true, those to come included."""
    found = Counter(questions())

    assert found.keys() == ABOUT.keys()
    assert found.total() <= MOST_QUESTIONS


def test_columns_are_used() -> None:
    """A column that nobody asks is no fact that anybody needs."""
    texts = [path.read_text(encoding="utf-8") for path in sources("jit", "backends", "frontends")]
    columns = [field.name for field in fields(Op) if field.name != "lacks"]

    assert [one for one in columns if not any(f".{one}" in text for text in texts)] == []
    assert schema.OPS is OPS
