"""Programs made smaller as long as they differ: by calls, statements, parts of expressions."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fuzzing.programs import Program

Differs = Callable[[Program], bool]
Change = Callable[[ast.Module, int, str], int | None]
"""Makes a tree's change of that number, but not to the function of that name: None; or says by how
much the number is beyond those that the tree has."""


def smaller(program: Program, differs: Differs, seconds: float) -> Program:
    """The smallest program found in that time; the program itself where none is smaller."""
    until = time.perf_counter() + seconds
    before = None
    while program != before:
        before = program
        for less in (_fewer_steps, *(_changed_by(one) for one in CHANGES)):
            number = 0
            while (one := less(program, number)) is not None:
                if time.perf_counter() > until:
                    return program
                if one != program and differs(one):
                    program = one  # what follows has this number now
                else:
                    number += 1
    return program


Less = Callable[[Program, int], Program | None]
"""The program with the change of that number; None behind the last one."""


def _fewer_steps(program: Program, number: int) -> Program | None:
    """The first, the second ... half of the calls is left out; then each one."""
    steps = program.steps
    if number >= len(steps) + 2 or len(steps) == 1:
        return None
    half = len(steps) // 2
    cut = (slice(half), slice(half, None))[number] if number < 2 else slice(number - 2, number - 1)
    left = tuple(one for k, one in enumerate(steps) if k not in range(*cut.indices(len(steps))))
    return replace(program, steps=left)


def _changed_by(change: Change) -> Less:
    """The change made to the module's text, behind its last one to the texts of the steps."""

    def less(program: Program, number: int) -> Program | None:
        texts = [program.source, *program.steps]
        for k, text in enumerate(texts):
            tree = ast.parse(text)
            left = change(tree, number, "" if k else "program")
            if left is None:
                texts[k] = ast.unparse(ast.fix_missing_locations(tree))
                return replace(program, source=texts[0], steps=tuple(texts[1:]))
            number = left
        return None

    return less


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield body


def _without_a_statement(tree: ast.Module, number: int, keep: str) -> int | None:
    """Leaves out a statement, the last ones first."""
    for body, k in _places(tree, keep):
        if number == 0:
            body[k : k + 1] = [] if len(body) > 1 else [ast.Pass()]
            return None
        number -= 1
    return number


def _without_what_holds(tree: ast.Module, number: int, keep: str) -> int | None:
    """Puts a block in the place of the statement that holds it."""
    for body, k in _places(tree, keep):
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(body[k], name, None)
            if inner and not hasattr(body[k], "name"):
                if number == 0:
                    body[k : k + 1] = inner
                    return None
                number -= 1
    return number


def _places(tree: ast.Module, keep: str) -> Iterator[tuple[list[ast.stmt], int]]:
    """Yield the places of statements, but for the function of that name and an only `pass`."""
    for body in list(_bodies(tree)):
        for k in range(len(body) - 1, -1, -1):
            kept = keep and getattr(body[k], "name", "") == keep
            if not kept and not isinstance(body[k], ast.Pass):
                yield body, k


def _simpler_expression(tree: ast.Module, number: int, keep: str) -> int | None:
    """Puts a part of an expression in its place, or leaves out an item or an argument."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            items = value if isinstance(value, list) else [value]
            for k, one in enumerate(items):
                if not isinstance(one, ast.expr):
                    continue
                simpler = list(_parts(one))
                if number < len(simpler):
                    _put(node, name, value, k, simpler[number])
                    return None
                number -= len(simpler)
                if isinstance(value, list) and name in ("args", "elts"):
                    if number == 0:
                        del value[k]
                        return None
                    number -= 1
    return number


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        for one in ast.iter_child_nodes(node):
            if isinstance(one, ast.expr) and not isinstance(one, ast.Constant):
                yield one


def _put(node: ast.AST, name: str, value: Any, k: int, new: ast.expr) -> None:
    if isinstance(value, list):
        value[k] = new
    else:
        setattr(node, name, new)


CHANGES = (_without_a_statement, _without_what_holds, _simpler_expression)
"""The changes to try, those that take away most first."""
