"""Builds the hint of a break: the registry's text with the names of the user's program."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...jit.frozen import dataclass
from .entry import BreakCode, Cause
from .registry import BREAKS
from .rewriting import Line, parsed, rewritten

_INSIDE = re.compile(r", which breaks at line (\d+)(?: of [^:]+)?: ")
"""Separates the call in the user's line from the break inside it."""
_PATH = re.compile(r"`(\w+)`((?:\.\w+|\[[^\]`]*\])+)")
"""A variable with attributes and items, as written in details."""
_ABOUT_OUTPUT = ("file", "end", "sep", "flush")
"""Keywords of `print` that are not printed."""


MAX_SHOWN = 40
"""Maximum length of an argument that is quoted."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a break in the user's program."""

    source: str
    """The text of the line; "" if it cannot be read."""
    function: str
    """The qualified name of the function."""
    names: Mapping[str, Any]
    """Its globals."""
    in_loop: bool = False


def hint_for(code: str, detail: str, spot: Spot) -> str | None:
    """Return what to write instead; None for an unknown code."""
    row = BREAKS.get(code)
    if row is None:
        return None
    first, *inner = _INSIDE.split(_PATH.sub(r"`\1\2`", detail))
    line = parsed(spot.source)
    for cause in row.causes:
        match = re.search(cause.found, first)
        if match is None:
            continue
        new = None if line is None else rewritten(line, cause.rewrites)
        if new is None and cause.only_rewritten:
            continue
        return _first_filled(cause, _places(line, first, match, spot, new), spot)
    return _of_callee(first, inner) or _first_filled(row, _row_places(row, line, first, spot), spot)


def _of_callee(callee: str, inner: list[str]) -> str | None:
    """Return the hint for a break inside a function that the line calls."""
    for number, detail in zip(inner[::2], inner[1::2], strict=True):
        for row in BREAKS.values():
            for cause in row.causes:
                if not cause.only_rewritten and re.search(cause.found, detail):
                    return f"in {callee.removeprefix('call of ')}, line {number}: {cause.fix}"
        callee = detail
    return None


def _first_filled(entry: Cause | BreakCode, places: Mapping[str, str], spot: Spot) -> str:
    """Return the first text whose placeholders can all be filled."""
    looped = entry.looped if isinstance(entry, Cause) and spot.in_loop else ()
    for text in (*looped, *entry.named):
        try:
            return text.format_map(places)
        except KeyError:
            continue
    return entry.fix if isinstance(entry, Cause) else entry.hint


# ---- placeholders --------------------------------------------------------------------------------


def _row_places(row: BreakCode, line: Line | None, detail: str, spot: Spot) -> dict[str, str]:
    match = re.search(row.found, detail) if row.found else re.match("", detail)
    return {} if match is None else _places(line, detail, match, spot, None)


def _places(
    line: Line | None, detail: str, match: re.Match[str], spot: Spot, new: str | None
) -> dict[str, str]:
    places = {name: text for name, text in match.groupdict().items() if text}
    name = spot.function.rpartition(".")[2]
    if name.isidentifier():
        places |= {"f": name, "call": f"the call of `{name}`"}
    else:
        places["call"] = "the loop" if name == "<module>" else "the call"
    if new is not None and line is not None and new != line.text:
        places["new"] = new
    if line is not None:
        places |= dict(_of_line(line, _broken(line, detail), spot))
    return places


def _of_line(line: Line, broken: ast.expr | None, spot: Spot) -> Iterator[tuple[str, str]]:
    statement = line.statement
    whole = isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.Import)
    whole = whole or isinstance(statement, ast.ImportFrom)
    if whole:
        yield "line", line.of(statement)
        if isinstance(statement, ast.Expr):
            yield "alone", line.of(statement)
    elif isinstance(statement, ast.With | ast.ClassDef):
        yield "line", line.text.removesuffix(" pass")
    elif broken is not None:
        yield "line", line.of(broken)
    reads = _needed(statement.value if isinstance(statement, ast.Expr) else broken, line, spot)
    if reads:
        yield "reads", _listed(reads)
    if broken is not None:
        yield "value", line.of(broken)
    if isinstance(broken, ast.Call) and broken.args and _is_short(broken.args[0]):
        yield "arg", line.of(broken.args[0])
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        made = statement.targets[0].id
        if not _reads(statement.value, spot):
            yield "taken", line.of(statement)
            yield "made", made
            return
    if isinstance(broken, ast.Call) and not reads and not isinstance(statement, ast.With):
        yield "taken", f"value = {line.of(broken)}"
        yield "made", "value"


def _broken(line: Line, detail: str) -> ast.expr | None:
    """Return the call that the detail names; else the first call or formatted text."""
    nodes = list(ast.walk(line.statement))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    named = re.search(r"`([^`]+)`", detail)
    last = named[1].rpartition(".")[2] if named else ""
    for call in calls:
        if _last_name(call.func) == last:
            return call
    texts = [node for node in nodes if isinstance(node, ast.JoinedStr)]
    if detail.startswith("the text of") and texts:
        return texts[0]
    return next(iter(calls), None)


def _last_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_short(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript)


def _listed(names: list[str]) -> str:
    *others, last = [f"`{name}`" for name in names]
    return f"{', '.join(others)} and {last}" if others else last


def _needed(node: ast.AST | None, line: Line, spot: Spot) -> list[str]:
    """Return the names that a call reads: its arguments, or the variables in long ones."""
    if not isinstance(node, ast.Call):
        return _reads(node, spot)
    found: dict[str, None] = {}
    owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    named = (one.value for one in node.keywords if one.arg not in _ABOUT_OUTPUT)
    for one in (*owner, *node.args, *named):
        for part in _parts(one):
            names = _reads(part, spot)
            text = line.of(part)
            plain = isinstance(part, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
            short = plain and len(text) <= MAX_SHOWN
            found |= dict.fromkeys([text] if names and short else names)
    return list(found)


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """Yields the values that an f-string or `%` formats, or the expression itself."""
    if isinstance(node, ast.JoinedStr):
        yield from (one.value for one in node.values if isinstance(one, ast.FormattedValue))
    elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
        yield from node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    else:
        yield node


def _reads(node: ast.AST | None, spot: Spot) -> list[str]:
    """Return the variables of the function that an expression reads, with their attributes."""
    if node is None:
        return []
    own = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and _is_stored(one)}
    own |= {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
    found: dict[str, None] = {}
    for text in _paths(node):
        root = text.partition(".")[0]
        if root not in own and root not in spot.names and not hasattr(builtins, root):
            found[text] = None
    return [text for text in found if not any(text.startswith(f"{one}.") for one in found)]


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _paths(node: ast.AST) -> Iterator[str]:
    """Yield names, and attributes of names; for a method call, its object."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield from _paths(node.func.value)
        for one in (*node.args, *node.keywords):
            yield from _paths(one)
    elif isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield f"{node.value.id}.{node.attr}"
    else:
        for child in ast.iter_child_nodes(node):
            yield from _paths(child)
