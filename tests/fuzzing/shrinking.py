"""Programs made smaller as long as they differ: by calls, statements, parts of expressions."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fuzzing.programs import Program

Differs = Callable[[Program], bool]


def smaller(program: Program, differs: Differs, seconds: float) -> Program:
    """The smallest program found in that time; the program itself where none is smaller."""
    until = time.perf_counter() + seconds
    found = True
    while found and time.perf_counter() < until:
        found = False
        for one in _candidates(program):
            if time.perf_counter() > until:
                break
            if differs(one):
                program, found = one, True
                break
    return program


def _candidates(program: Program) -> Iterator[Program]:
    """Programs with something less, those with much less first."""
    steps = program.steps
    for size in (len(steps) // 2, 1):
        for k in range(len(steps) - size, -1, -1) if 0 < size < len(steps) else ():
            yield replace(program, steps=steps[:k] + steps[k + size :])
    for source in _less(program.source, keep="program"):
        yield replace(program, source=source)
    for k, step in enumerate(steps):
        for less in _less(step):
            yield replace(program, steps=(*steps[:k], less, *steps[k + 1 :]))


def _less(text: str, keep: str = "") -> Iterator[str]:
    """Texts with a statement less, a block in place of what holds it, or a simpler expression."""
    for change in (_without_a_statement, _simpler_expression):
        number = 0
        while True:
            tree = ast.parse(text)
            if not change(tree, number, keep):
                break
            number += 1
            less = ast.unparse(ast.fix_missing_locations(tree))
            if less != ast.unparse(ast.parse(text)):
                yield less


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield body


def _without_a_statement(tree: ast.Module, number: int, keep: str) -> bool:
    """Makes the tree's change of that number: first removals, then what is inside put in place."""
    bodies = list(_bodies(tree))
    places = [(body, k) for body in bodies for k in range(len(body) - 1, -1, -1)]
    places = [(body, k) for body, k in places if getattr(body[k], "name", "") != keep or not keep]
    inner = [
        (body, k, name)
        for body, k in places
        for name in ("body", "orelse", "finalbody")
        if getattr(body[k], name, None) and not hasattr(body[k], "name")
    ]
    if number < len(places):
        body, k = places[number]
        body[k : k + 1] = [] if len(body) > 1 else [ast.Pass()]
        return True
    if number < len(places) + len(inner):
        body, k, name = inner[number - len(places)]
        body[k : k + 1] = getattr(body[k], name)
        return True
    return False


def _simpler_expression(tree: ast.Module, number: int, keep: str) -> bool:
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
                    return True
                number -= len(simpler)
                if isinstance(value, list) and name in ("args", "elts"):
                    if number == 0:
                        del value[k]
                        return True
                    number -= 1
    return False


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
