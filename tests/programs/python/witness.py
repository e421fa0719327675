"""The programs with a witness behind each statement: what a frame shows of itself at a break.

The source of a family is taken apart and put together again with a call of the witness after every
statement of every function. The call breaks the graph, so that segments begin and end between any
two statements, and it prints all that a debugger or a logger would see: the line, the locals,
the callers, and where a warning is said to come from. The oracle compares what is printed.
"""

from __future__ import annotations

import ast
import hashlib
import sys
import types
import warnings
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any

import numpy as np
import python_ladder
from python_ladder import Program

NAME = "__witness__"
DEPTH = 4
"""The number of callers that are printed."""


class _Witnessed(ast.NodeTransformer):
    """Puts the call behind each statement in functions; lines stay what they are."""

    def __init__(self) -> None:
        self._depth = 0

    def _function(self, node: Any) -> Any:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815 (names of ast)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        depth, self._depth = self._depth, 0
        self.generic_visit(node)
        self._depth = depth
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for child in ast.iter_child_nodes(node):
            self.visit(child)
        if self._depth:
            for name, field in ast.iter_fields(node):
                if isinstance(field, list) and field and isinstance(field[0], ast.stmt):
                    setattr(node, name, list(_with_calls(field)))
        return node


def _with_calls(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for place, statement in enumerate(body):
        yield statement
        if place == 0 and isinstance(statement, ast.Expr) and _is_text(statement.value):
            continue  # a docstring
        if isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue):
            continue
        if isinstance(statement, ast.Global | ast.Nonlocal):
            continue
        call = ast.Expr(ast.Call(ast.Name(NAME, ast.Load()), [], []))
        end = ast.copy_location(call, statement)
        end.lineno = end.end_lineno = statement.end_lineno or statement.lineno
        end.col_offset, end.end_col_offset = 0, 1
        yield ast.fix_missing_locations(end)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def witnessed(family: str) -> list[Program]:
    """The programs of a family, with witnesses."""
    file = Path(__file__).parent / "families" / f"{family}.py"
    tree = _Witnessed().visit(ast.parse(file.read_text(encoding="utf-8")))
    name = f"witnessed.{family}"
    module = types.ModuleType(name)
    # Without a loader, formatting an exception of the module warns (3.15).
    module.__spec__ = ModuleSpec(name, SourceFileLoader(name, str(file)), origin=str(file))
    module.__file__ = f"{file}?witnessed"  # a module of its own
    setattr(module, NAME, look)
    was, python_ladder.PROGRAMS[:] = python_ladder.PROGRAMS[:], []
    sys.modules[module.__name__] = module
    try:
        exec(compile(tree, str(file), "exec"), vars(module))
        return python_ladder.PROGRAMS[:]
    finally:
        python_ladder.PROGRAMS[:] = was


def look() -> None:
    """Prints all that can be seen of the caller."""
    caller = sys._getframe(1)
    chain = []
    frame: Any = caller
    while frame is not None and len(chain) < DEPTH and frame.f_globals.get(NAME) is look:
        chain.append((frame.f_code.co_qualname, frame.f_lineno))
        frame = frame.f_back
    held = {name: fingerprint(value) for name, value in sorted(caller.f_locals.items())}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for level in range(2, 2 + len(chain)):
            warnings.warn("seen", stacklevel=level)
    said = [(Path(one.filename).name, one.lineno) for one in caught]
    print(chain, held, said)


def fingerprint(value: Any) -> Any:
    """Return what is compared of a value: plain data whole, other objects by type.

    No code of the value's class runs, since the witness may stand in that very code.
    """
    kind = type(value)
    if issubclass(kind, np.ndarray | np.generic) and value.dtype != object:
        held = hashlib.sha1(value.tobytes(), usedforsecurity=False).hexdigest()[:8]
        return kind.__name__, str(value.dtype), value.shape, held
    if kind in (bool, int, float, complex, str, bytes, type(None)):
        return repr(value)
    if kind in (list, tuple):
        return kind.__name__, [fingerprint(item) for item in value[:20]]
    if kind is dict:
        return {str(key): type(item).__name__ for key, item in value.items() if type(key) is str}
    return kind.__name__
