"""The table of primitives is complete, true of NumPy and Python, and the only one of its kind."""

from __future__ import annotations

import ast
import itertools
import operator
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from picture import ROOT, sources

from framejit.jit.ir import intervals, ops, primitives
from framejit.jit.ir.primitives import OPERATORS, UFUNCS, Alike, Answers, Flags
from framejit.jit.ir.primitives.operators import ROWS, STORED
from framejit.jit.ir.primitives.schema import Primitive
from framejit.jit.ir.primitives.ufuncs import LINALG, LINES
from framejit.jit.ir.primitives.ufuncs import ROWS as UFUNC_ROWS

ALL = (*ROWS, STORED, *UFUNC_ROWS, *LINALG, *LINES)
NAMES = [f"{row.family.name}: {row.name}" for row in ALL]
INTS = (-(2**40), -1000, -7, -2, -1, 0, 1, 2, 5, 64, 2**40)
REALS = (0.0, -0.0, 1.5, -2.5, 5e-324, 1.7e308, np.inf, -np.inf, np.nan)
EMPTY: dict[str, Any] = {
    field.name: field.default for field in fields(Primitive) if type(field.default) is not object
}


def has(row: Primitive, column: str) -> bool:
    """True if a row has a value in a column."""
    return bool(getattr(row, column) != EMPTY[column])


# ---- completeness --------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ALL, ids=NAMES)
def test_each_fact_is_there_or_has_a_reason(row: Primitive) -> None:
    """A row has all columns of its family, or a reason; a reason for a present column is stale."""
    without = [one for one in row.family.needs if not has(row, one) and not row.missing(one)]
    stale = [one for one in row.lacks if has(row, one)]

    assert (without, stale) == ([], [])


def test_families_name_columns() -> None:
    """A family needs columns that exist, and none that it also says it lacks."""
    for family in (row.family for row in ALL):
        assert set(family.needs) | set(family.lacks) <= EMPTY.keys()
        assert not set(family.needs) & set(family.lacks)


def test_rows_are_found_by_what_nodes_carry() -> None:
    """A function has one row; the ufunc of an operator has a row too, or needs none."""
    assert len(ROWS) == len({row.function for row in ROWS})
    assert len(UFUNC_ROWS) == len(UFUNCS)
    for row in ROWS:
        assert primitives.primitive(row.function) is row
        if row.ufunc is not None and row.ufunc is not np.matmul:
            assert row.ufunc in UFUNCS, row.name


# ---- what rows say is true -----------------------------------------------------------------------


@pytest.mark.parametrize("row", [row for row in ALL if row.compares], ids=lambda row: row.name)
def test_comparisons(row: Primitive) -> None:
    """The mirrored comparison gives the same of exchanged operands, bounds the same of big ints."""
    assert row.compares is not None
    for one, other in itertools.product(REALS, REALS):
        assert row.function(one, other) == row.compares.mirrored(other, one)
    if row.compares.above is not None and row.compares.below is not None:
        for number in (-128, 0, 127):
            assert row.compares.above(number, 127) == row.function(number, 300)
            assert row.compares.below(number, -128) == row.function(number, -300)


@pytest.mark.parametrize("row", [row for row in ROWS if row.ufunc], ids=lambda row: row.name)
def test_ufuncs(row: Primitive) -> None:
    """NumPy applies the ufunc of an operator to arrays."""
    asked: list[np.ufunc] = []

    class Asked(np.ndarray):
        def __array_ufunc__(self, ufunc: np.ufunc, *given: Any, **named: Any) -> Any:
            asked.append(ufunc)
            return self

    given = np.ones((2, 2), int).view(Asked)
    if row.ufunc is not None:
        row.function(*[given] * row.ufunc.nin)

    assert asked == [row.ufunc]


@pytest.mark.parametrize("row", [row for row in ROWS if row.interval], ids=lambda row: row.name)
def test_intervals(row: Primitive) -> None:
    """The result for numbers of some intervals is in the interval of the rule."""
    assert row.interval is not None
    unary = row.linear in (primitives.Linear.NEGATION, primitives.Linear.SAME) or row.name in (
        *("abs", "int64"),
    )
    count = 1 if unary else 3 if row.name == "pick" else 2
    ranges = [intervals.Interval(*ends) for ends in ((None, None), (0, None), (None, 5))]
    ranges += [intervals.Interval(a, b) for a, b in ((-7, 5), (0, 64), (1, 2), (-2, -1), (5, 5))]
    for given in itertools.product(ranges, repeat=count):
        found = row.interval(given)
        chosen = [[n for n in INTS if is_in(n, one)] for one in given]
        for numbers in itertools.product(*chosen):
            try:
                result = int(row.function(*numbers))
            except (ZeroDivisionError, ValueError):
                continue  # a shift by a negative number, if some row has a rule for that
            assert is_in(result, found), (given, numbers)


def is_in(number: int, interval: intervals.Interval) -> bool:
    """True if a number is in an interval."""
    above = interval.low is None or interval.low <= number
    return above and (interval.high is None or number <= interval.high)


@pytest.mark.parametrize("row", [row for row in UFUNC_ROWS if row.flags], ids=lambda row: row.name)
def test_flags(row: Primitive) -> None:
    """A ufunc raises no flag for hostile numbers of the kinds of which its row says so."""
    dtypes = "?bBhHiIlLfd" if row.flags is Flags.NEVER else "bBhHiIlL"
    for char in dtypes:
        numbers = REALS if char in "fd" else (0, 1, 127)
        with np.errstate(all="ignore"):
            line = np.array(numbers, np.float64).astype(char)
        pairs = np.meshgrid(*[line] * row.function.nin)
        with np.errstate(all="raise"):
            try:
                row.function(*pairs)
            except TypeError:
                continue  # there is no loop for the dtype


@pytest.mark.parametrize("row", [row for row in ROWS if row.answers], ids=lambda row: row.name)
def test_answers(row: Primitive) -> None:
    """A function answers for all numbers of which its row says so."""
    real = row.answers is Answers.REALS and row.name != "pick"
    numbers: list[Any] = [*INTS, True, False, *([*REALS, *map(np.float64, REALS)] if real else [])]
    count = 3 if row.name == "pick" else 2 if row.symbol else 1
    with np.errstate(all="raise"):
        for given in itertools.product(numbers, repeat=min(count, 2)):
            row.function(*given, *given[: count - len(given)])


@pytest.mark.parametrize("row", [row for row in ROWS if row.alike], ids=lambda row: row.name)
def test_alike(row: Primitive) -> None:
    """Python's and NumPy's numbers give equal results where a row says so."""
    if row.alike is Alike.CONVERSIONS:
        return  # of math there are many, and they convert themselves
    count = 2 if row.symbol else 1
    numbers: tuple[Any, ...] = (-7, -1, 1, 2, 5)
    if row.alike is not Alike.INTS:
        numbers = (*numbers, 1.5, -2.5, np.inf)
    if row.name == "rshift":
        numbers = (1, 2, 5)
    for given in itertools.product(numbers, repeat=count):
        if row.alike is Alike.ONE_TYPE and len({*map(type, given)}) > 1:
            continue
        with np.errstate(all="ignore"):
            numpys = row.function(*(np.array(one)[()] for one in given))
        assert np.array_equal(row.function(*given), numpys, equal_nan=True)


@pytest.mark.parametrize("row", [row for row in ROWS if row.chooses], ids=lambda row: row.name)
def test_choices(row: Primitive) -> None:
    """The comparison tells which operand is the result, also of equal and of unordered ones."""
    for one, other in itertools.product(REALS, repeat=2):
        assert row.chooses is not None
        expected = other if row.chooses(other, one) else one

        assert row.function(one, other) is expected


@pytest.mark.parametrize("row", [row for row in ALL if row.extreme], ids=lambda row: row.name)
def test_extremes(row: Primitive) -> None:
    """No item of a line satisfies the comparison with what the row's function finds."""
    line = np.array([2, 7, -3, 7, -3, 5])
    found = line[row.function(line)] if row in LINES else row.function.reduce(line)
    signs = {">": np.greater, "<": np.less}

    assert not signs[row.extreme](line, found).any()
    assert found in line


@pytest.mark.parametrize("row", [row for row in ROWS if row.returns_operand])
def test_operands_that_are_results(row: Primitive) -> None:
    """Python returns the very object for the kinds of numbers that the row has, for no others."""
    numbers = {"f": 1.5, "c": 1.5j, "b": True}

    kept = {kind for kind, number in numbers.items() if row.function(number) is number}
    assert kept == set(row.returns_operand)


@pytest.mark.parametrize("row", UFUNC_ROWS, ids=lambda row: row.name)
def test_ints_that_raise(row: Primitive) -> None:
    """A ufunc raises an exception for hostile ints if its row says so."""
    line = np.array([-3, 0, 2])
    pairs = np.meshgrid(*[line] * row.function.nin)
    raised = False
    with np.errstate(all="ignore"):
        try:
            row.function(*pairs)
        except ValueError:
            raised = True
        except TypeError:
            pass  # there is no loop for ints

    assert raised == ("i" in row.raises)


def test_selected_bits() -> None:
    """A constant operand says which bits of the other one are in the result."""
    for row in ROWS:
        if row.selects_bits:
            assert all(row.function(n, 5) == row.function(n & 5, 5) == n & 5 for n in INTS)


def test_one_ufunc_adds() -> None:
    """Kernels add items where a row says so."""
    assert [row.function for row in ALL if row.adds] == [np.add]


# ---- no table of operations outside --------------------------------------------------------------


EVIDENCE = "points at which NumPy's own loops are compared with the kernels' versions of them"
ALLOWED = {
    "backends/numba/library/libm_proofs.py NAMES": EVIDENCE,
    "backends/numba/library/loop_points.py NEAR": EVIDENCE,
    "backends/numba/library/loop_points.py BOUND": EVIDENCE,
    "backends/numba/machine_code/operations.py _SIGNS": "LLVM's comparisons, for Numba",
    "backends/numba/machine_code/operations.py _OF_INTS": "LLVM's instructions, for Numba",
    "backends/numba/machine_code/operations.py _OF_FLOATS": "LLVM's instructions, for Numba",
    "backends/numba/machine_code/operations.py _BITS": "LLVM's instructions, for Numba",
    "backends/numba/numbers/libm.py _ONE": "names of the C library",
    "backends/numba/numbers/libm.py TWO": "names of the C library",
    "backends/numba/native.py NATIVE": "the code of each ufunc, for Numba",
    "backends/numba/numbers/table.py CODE": "the code of each function of numbers, for Numba",
}
"""Tables with operations as keys that are no facts about them, by file and name."""
LEAST = 3
"""Names and operations that make a table; fewer are a condition. Two ops make one."""
UFUNC_NAMES = {name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)}
OPERATOR_NAMES = {name for name in dir(operator) if not name.startswith("_")}


def tables(
    path: Path, holds: Callable[[ast.expr], bool] | None = None
) -> Iterator[tuple[str, int]]:
    """Yield name and line of each collection of operations, or of objects that `holds` accepts."""
    holds = holds or is_operation
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if is_table(list(items(node.value)), holds):
                yield ast.unparse(target), node.lineno
        elif isinstance(node, ast.Compare) and any(
            is_table(list(items(one)), holds) for one in node.comparators
        ):
            yield "<condition>", node.lineno


def items(node: ast.expr) -> Iterator[ast.expr]:
    """The keys or items of a collection's text, and of collections within."""
    match node:
        case ast.Dict():
            for key, value in zip(node.keys, node.values, strict=True):
                yield from items(value if key is None else key)
        case ast.Set() | ast.Tuple() | ast.List():
            for item in node.elts:
                yield from items(item)
        case ast.Starred():
            yield from items(node.value)
        case ast.Call() if ast.unparse(node.func) in ("frozenset", "set", "tuple", "dict.fromkeys"):
            for argument in node.args[:1]:
                yield from items(argument)
        case ast.BinOp():
            yield from items(node.left)
            yield from items(node.right)
        case ast.Constant() if isinstance(node.value, str):
            yield from map(ast.Constant, node.value.split())
        case _:
            yield node


def is_table(found: list[ast.expr], holds: Callable[[ast.expr], bool]) -> bool:
    """True if most of these stand for operations."""
    count = sum(map(holds, found))
    return count >= (2 if holds is is_op else LEAST) and 2 * count > len(found)


def is_operation(node: ast.expr) -> bool:
    """True if an expression is a function of `operator`, a ufunc of NumPy, or a name of one."""
    match node:
        case ast.Attribute(value=ast.Name(id="operator")):
            return True
        case ast.Attribute(value=ast.Name(id="np"), attr=name):
            return name in UFUNC_NAMES
        case ast.Attribute(value=ast.Name(id="math")):
            return True
        case ast.Constant(value=str() as name):
            return name in UFUNC_NAMES or name in OPERATOR_NAMES
    return False


def test_no_table_of_operations_elsewhere() -> None:
    """Facts about an operation are in its row; other modules ask for the row."""
    home = ROOT / "jit" / "ir" / "primitives"
    found = {
        f"{path.relative_to(ROOT)} {name}": line
        for path in sources("jit", "guards", "backends", "frontends")
        if home not in path.parents
        for name, line in tables(path)
    }

    assert sorted(found.keys() - ALLOWED.keys()) == []
    assert sorted(ALLOWED.keys() - found.keys()) == []


ALLOWED_OPS = {
    "jit/analysis/side_effects.py <condition>": "nodes that make numbers are of these kinds",
    "frontends/capture/arrays/nodes.py <condition>": "calls whose results others may refer to",
    "backends/numba/llvm_flags/constant_to_llvm.py _OUT_OF_SIGHT": "what LLVM sees of kernels",
}
"""Tables of ops or kinds that are no facts about them, by file and name."""
OP_NAMES = {name for name, one in vars(ops).items() if isinstance(one, ops.Op)}


def is_op(node: ast.expr) -> bool:
    """True if an expression is an op of graphs, or a kind of ops."""
    match node:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="ops"), attr=name):
            return name in OP_NAMES
        case ast.Attribute(value=ast.Name(id="Kind"), attr=name):
            return name in ops.Kind.__members__
    return False


def test_no_table_of_ops_elsewhere() -> None:
    """Facts about an op of graphs are columns of its row."""
    home = ROOT / "jit" / "ir"
    found = {
        f"{path.relative_to(ROOT)} {name}"
        for path in sources("jit", "guards", "backends", "frontends")
        if home not in path.parents
        for name, _ in tables(path, is_op)
    }

    assert sorted(found - ALLOWED_OPS.keys()) == []
    assert sorted(ALLOWED_OPS.keys() - found) == []


def test_aliases() -> None:
    """`operator.abs` and `pow` are the operations of other names."""
    assert OPERATORS[operator.abs] is OPERATORS[abs]
    assert OPERATORS[pow] is OPERATORS[operator.pow]
    assert primitives.of_numbers(operator.iadd) is OPERATORS[operator.add]
