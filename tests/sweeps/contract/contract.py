"""Tables of the contract: each row is a line of a user's, each input is a case of it.

    compare(("x // y", "x % y", "x[1:] += x[:-1]"), inputs("x, y", "i4", "i4"))

The rows of a table go into few functions, one row a line, so that a warning names its row and that
compilations stay few. A row that eager refuses for an input gets a function of its own. A row that
is a statement gets arrays of its own, whose memory the oracle compares; an expression is returned.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from copies import deep_copy
from equality import LAYOUTS, hostile
from oracle import check
from samples import namespace

Array = np.ndarray[Any, Any]
Arguments = dict[str, Any]

EXPRESSIONS, STATEMENTS = 20, 6
"""Rows of one function; a longer display is not captured whole, and many writes take long."""
CASES: Counter[str] = Counter()
"""Numbers of rows compared, of inputs, and of calls that eager refuses."""
BOTH = ("numpy", "numba")
NUMPY = ("numpy",)
NUMBA = ("numba",)
KERNELS = ("strided reversed", "Fortran", "0-d")
"""Layouts for the numba backend, where each costs compilations."""


@dataclass(frozen=True, slots=True)
class Input:
    """Fresh arguments by name; what they are, for messages."""

    name: str
    make: Callable[[], Arguments]


def given(name: str = "", **arguments: Any) -> Input:
    """These arguments; each use gets copies, with their memory."""
    return Input(name, lambda: deep_copy(arguments))


def inputs(
    *dtypes: str, layouts: Iterable[str] = LAYOUTS, size: int = 30, names: str = "xyz"
) -> Iterator[Input]:
    """`x`, `y`, `z` of these dtypes, all of one layout, for each of the layouts."""
    for layout in layouts:
        arrays = {
            name: LAYOUTS[layout](_spread(dtype, size, k))
            for k, (name, dtype) in enumerate(zip(names, dtypes, strict=False))
        }
        yield given(f"{', '.join(dtypes)} {layout}", **arrays)


def some_layouts(k: int, of: int) -> list[str]:
    """Each so many-th layout, from the k-th on: a share of them for each of some dtypes."""
    return list(LAYOUTS)[k % of :: of]


def _spread(dtype: str, size: int, which: int) -> Array:
    """Hostile values; those of two operands meet each other in another way at each round."""
    values = values_of(dtype)
    return np.resize(np.roll(values, 3 * which), size) if which == 0 else _skewed(values, size)


def _skewed(values: Array, size: int) -> Array:
    return values[(np.arange(size) * 5 + np.arange(size) // len(values)) % len(values)]


def values_of(dtype: str) -> Array:
    """Hostile values of a dtype, complex ones too."""
    kind = np.dtype(dtype)
    if kind.kind != "c":
        return hostile(dtype)
    parts = hostile("f4" if kind.itemsize == 8 else "f8")[::2]
    with np.errstate(all="ignore"):
        made = np.empty(3 * len(parts), kind)
        made.real = np.concatenate([parts, parts[::-1], parts])
        made.imag = np.concatenate([parts[::-1], np.roll(parts, 3), np.zeros_like(parts)])
    return made


# ---- rows ----------------------------------------------------------------------------------------


def table(text: str) -> tuple[str, ...]:
    """Rows, with two spaces or more between them."""
    return tuple(re.split(r"\s{2,}", text.strip()))


def compare(
    rows: Sequence[str],
    cases: Iterable[Input],
    *,
    backends: Sequence[str] = NUMPY,
    nan: str = "any",
    errstate: str = "warn",
    **names: Any,
) -> None:
    """Each row on each input against eager, cold and cached; `names` are globals of the rows.

    Rows that eager refuses are compared on the numpy backend only where others are on both, since
    each of them would be a kernel of its own.

    Raises:
        AssertionError: some of them differ; all of these are told.
    """
    wrong: list[str] = []
    for case in cases:
        plain, refused = _divided(rows, case, names)
        with np.errstate(all=errstate):  # type: ignore[call-overload]
            for group in _groups(plain):
                wrong += _differing(group, case, names, backends, nan)
            for row in refused:
                few = NUMPY if "numpy" in backends else backends
                wrong += _differing([row], case, names, few, nan)
        CASES["cases"] += len(rows)
        CASES["refused"] += len(refused)
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong)


def _differing(
    rows: Sequence[str], case: Input, names: Arguments, backends: Sequence[str], nan: str
) -> list[str]:
    """Return the complaints about these rows together; if any, about each of them alone."""
    function, arguments = together(rows, case, names)
    try:
        check(function, *arguments, backends=backends, nan=nan)
    except AssertionError as error:
        if len(rows) == 1:
            return [f"---- {rows[0]}, {case.name}\n{error}"]
        alone = [one for row in rows for one in _differing([row], case, names, backends, nan)]
        legend = "\n".join(f"line {k + 2}: {row}" for k, row in enumerate(rows))
        return alone or [f"---- only together, {case.name}\n{error}\n{legend}"]
    return []


def _groups(rows: Sequence[str]) -> Iterator[list[str]]:
    """Rows that go into one function."""
    for expressions, size in ((True, EXPRESSIONS), (False, STATEMENTS)):
        alike = [row for row in rows if is_expression(row) is expressions]
        yield from (alike[k : k + size] for k in range(0, len(alike), size))


def _divided(rows: Sequence[str], case: Input, names: Arguments) -> tuple[list[str], list[str]]:
    """The rows that eager computes for an input, and those that it refuses."""
    plain, refused = [], []
    for row in rows:
        function, arguments = together([row], case, names)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                function(*arguments)
            except Exception:
                refused.append(row)
            else:
                plain.append(row)
    return plain, refused


def together(
    rows: Sequence[str], case: Input, names: Arguments
) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    """One function of some rows, and its arguments."""
    own = {k: case.make() for k, row in enumerate(rows) if not is_expression(row)}
    shared = case.make()
    parameters = [*shared, *(f"{name}_{k}" for k, made in own.items() for name in made)]
    lines = [_line(k, row, own.get(k, {})) for k, row in enumerate(rows)]
    results = "".join(f"r{k}, " for k in range(len(rows)) if k not in own)
    source = "\n".join([f"def rows({', '.join(parameters)}):", *lines, f"    return ({results})"])
    arguments = (*shared.values(), *(array for made in own.values() for array in made.values()))
    return namespace(source, **names)["rows"], arguments


def is_expression(row: str) -> bool:
    """True if a row has a value; else it is a statement, which writes into its arguments."""
    return isinstance(ast.parse(row).body[0], ast.Expr) and len(ast.parse(row).body) == 1


def _line(k: int, row: str, own: Arguments) -> str:
    if is_expression(row):
        return f"    r{k} = {row}"
    return "    " + ast.unparse(_Renamed(k, own).visit(ast.parse(row))).replace("\n", "; ")


class _Renamed(ast.NodeTransformer):
    """A statement with arguments that are its own."""

    def __init__(self, k: int, names: Iterable[str]) -> None:
        self.k, self.names = k, frozenset(names)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Another name for an argument."""
        name = f"{node.id}_{self.k}" if node.id in self.names else node.id
        return ast.Name(name, node.ctx)
