"""Writes the page of native forms by op, dtype and layout (`tests/sweeps/ops_table/ops_table.py`).

Nothing of it is a list kept by hand: nodes are made of all ufuncs of NumPy on all dtypes in all
classes of layouts, and the backend is asked about each, with the functions by which it decides.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

from equality import elementwise_ufuncs

from framejit.backends.numba.clusters.fusion import fusable
from framejit.backends.numba.clusters.lower import DOUBLES, lower, lower_cast
from framejit.backends.numba.nodes.walks import is_exact, loop_of, walk_of
from framejit.jit.ir.builder import Builder
from framejit.jit.ir.graph import Node
from framejit.jit.ir.infer import CannotInfer
from framejit.jit.ir.ops import REDUCE, UFUNC, WHERE, Op
from framejit.jit.ir.types import ArrayType, Dim, Layout, ScalarType, Sym, Type

PAGE = Path(__file__).parents[3] / "docs" / "ops.md"
DTYPES = ("?", *(f"{k}{n}" for k in "iu" for n in (1, 2, 4, 8)), "f2", "f4", "f8", "c8", "c16")
MIXED = ("i4", "f8")
NATIVE, LOOP, CALLED, REFUSED = "native", "loop", "called", ""

_A, _B = Sym(0), Sym(1)
_LINE, _ROWS, _COLUMNS = (Layout.contiguous(*a) for a in ((1,), (2,), (2, "F")))
_STEPS, _BACK = (Layout((0,), (sign,), packed=False, unit=False) for sign in (1, -1))
_GAPS = Layout((0, 1), (1, 1), packed=False, unit=True)
_TURNED = Layout((1, 0), (1, 1), packed=False, unit=True)

LAYOUTS: dict[str, tuple[tuple[tuple[Dim, ...], Layout] | None, ...]] = {
    "one axis": (((_A,), _LINE),) * 2,
    "one axis in steps": (((_A,), _STEPS),) * 2,
    "one axis reversed": (((_A,), _BACK),) * 2,
    "one item": (((1,), _LINE),) * 2,
    "a number": (((_A,), _LINE), None),
    "C": (((_A, _B), _ROWS),) * 2,
    "F": (((_A, _B), _COLUMNS),) * 2,
    "rows with gaps": (((_A, _B), _GAPS),) * 2,
    "columns with gaps": (((_A, _B), _TURNED),) * 2,
    "C and F": (((_A, _B), _ROWS), ((_A, _B), _COLUMNS)),
    "C and one row": (((_A, _B), _ROWS), ((_B,), _LINE)),
    "C and one column": (((_A, _B), _ROWS), ((_A, 1), _ROWS)),
}
"""Classes by name: dims and layout of both operands; None is a NumPy scalar."""
REDUCTIONS: dict[str, tuple[str, int | tuple[int, ...] | None]] = {
    **{f"{name}, all": (name, None) for name in LAYOUTS if name[:3] == "one"},
    **{
        f"{name}, {text}": (name, axis)
        for name in ("C", "F", "rows with gaps", "columns with gaps")
        for text, axis in (("all", None), ("axis 0", 0), ("axis 1", 1))
    },
}
"""Classes of reductions: the layout of the operand, and the axes that go."""


def operand(which: int, dtype: str, layout: str) -> Type:
    """The type of one operand in a class of layouts."""
    made = LAYOUTS[layout][which]
    if made is None:
        return ScalarType(np.dtype(dtype), python=False)
    return ArrayType(np.dtype(dtype), *made)


def node_of(op: Op, types: list[Type], attrs: Mapping[str, Any]) -> Node | None:
    """A node on parameters of these types; None where NumPy refuses it or gives no number."""
    builder = Builder()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            builder.add(op, [builder.param(type_) for type_ in types], attrs)
        except CannotInfer:
            return None
    return builder.block.nodes[-1]


def elementwise(name: str, dtypes: tuple[str, str], layout: str) -> str:
    """Return the form of a ufunc."""
    ufunc = getattr(np, name)
    types = [operand(k, dtypes[k], layout) for k in range(ufunc.nin)]
    return _state(node_of(UFUNC, types, {"ufunc": ufunc}))


def selection(dtype: str, layout: str) -> str:
    """Return the form of `np.where`."""
    types = [operand(0, "?", layout), operand(0, dtype, layout), operand(1, dtype, layout)]
    return _state(node_of(WHERE, types, {}))


def _state(node: Node | None) -> str:
    if node is None:
        return REFUSED
    lowering = lower(node)
    if lowering is None or not fusable(node):
        return CALLED
    by_lines = lowering.loop == (np.divide, DOUBLES)  # see quotients.py
    return NATIVE if lowering.loop is None or by_lines else LOOP


def cast(source: str, target: str) -> str:
    """Return the form of a cast, in whatever layout."""
    half = "f2" in (source, target) and source != target
    found = None if half else lower_cast(np.dtype(source), np.dtype(target))
    return CALLED if found is None else NATIVE


def reduction(name: str, dtype: str, layout: str) -> str:
    """Return the form of a reduction."""
    memory, axis = REDUCTIONS[layout]
    attrs = {"ufunc": getattr(np, name), "axis": axis, "keepdims": False}
    node = node_of(REDUCE, [operand(0, dtype, memory)], attrs)
    if node is None:
        return REFUSED
    if walk_of(node) is None or not (is_exact(node) or loop_of(node) is not None):
        return CALLED
    return NATIVE if is_exact(node) else LOOP


# ---- the page ------------------------------------------------------------------------------------

HEAD = """# Ops, dtypes and layouts

What a kernel makes of each elementwise op, cast and reduction. The page is written by
`python tests/sweeps/ops_table/ops_table.py` from what the numba backend decides, and a test
compares it on each NumPy that is supported ({minors} when it was written) and proves what is
native.

- **n**: native. LLVM code that was proved to give NumPy's bits and flags.
- **l**: NumPy's own inner loop, called from the kernel on blocks.
- **c**: called. NumPy's function runs on whole arrays from within the kernel.
- **c** with a number: called in the classes of layouts that stand under this number below, and the
  letter before it everywhere else. Layouts that NumPy refuses do not count; a dot stands where it
  refuses all of them.

If no operand has an axis the result is a number; most ops are then called.
"""


class Notes:
    """Numbers for the sets of classes in which something is called."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, ...], int] = {}

    def cell(self, states: Mapping[str, str]) -> str:
        """The states of all classes of layouts in a few letters."""
        states = {name: state for name, state in states.items() if state != REFUSED}
        if not states:
            return "."
        found = set(states.values())
        best = next(state for state in (NATIVE, LOOP, CALLED) if state in found)
        rest = tuple(name for name, state in states.items() if state != best)
        if not rest:
            return best[0]
        others = {states[name] for name in rest}
        assert others == {CALLED}, (states, "a class of its own would be needed")
        return f"{best[0]}c{self.numbers.setdefault(rest, len(self.numbers) + 1)}"

    def text(self) -> str:
        """Return a line for each number in the table: the functions that it stands for."""
        return "\n".join(f"- c{n}: {', '.join(names)}" for names, n in self.numbers.items())


def rows(notes: Notes) -> Iterator[tuple[str, str, list[str]]]:
    """(section, name, cells) of each line."""
    pairs = [*((dtype, dtype) for dtype in DTYPES), MIXED]
    for name in elementwise_ufuncs():
        yield "Elementwise", name, _cells(notes, LAYOUTS, elementwise, name, pairs)
    yield "Elementwise", "where", _cells(notes, LAYOUTS, lambda _, *a: selection(*a), "", DTYPES)
    for source in DTYPES:
        yield "Casts", source, [cast(source, target)[0] for target in DTYPES]
    for name in elementwise_ufuncs():
        if getattr(np, name).nin == 2:
            cells = _cells(notes, REDUCTIONS, reduction, name, DTYPES)
            if set(cells) - {"c", "."}:
                yield "Reductions", name, cells


def _cells(
    notes: Notes, layouts: Mapping[str, Any], ask: Callable[..., str], name: str, columns: Any
) -> list[str]:
    return [
        notes.cell({layout: ask(name, column, layout) for layout in layouts}) for column in columns
    ]


def page(minors: str) -> str:
    """The text."""
    notes, parts, last = Notes(), [HEAD.format(minors=minors)], ""
    for section, name, cells in rows(notes):
        if section != last:
            columns = [*DTYPES, " ".join(MIXED)][: len(cells)]
            corner = "from \\ to" if section == "Casts" else "op"
            parts.append(f"\n## {section}\n\n| {corner} | {' | '.join(columns)} |")
            parts.append(f"| --- {'| --- ' * len(columns)}|")
            last = section
        parts.append(line(name, cells))
    return "\n".join([*parts, "\n## Where it is called\n", notes.text(), ""])


def line(name: str, cells: list[str]) -> str:
    """One row of a table."""
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page("2.4, 2.5"))
