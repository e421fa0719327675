"""Pattern matching and rewriting of a line of source.

A pattern is Python in which names that begin with `_` match any expression and `*_name` all
arguments of a call. Text around the matched expression stays as the user wrote it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from ...jit.frozen import dataclass
from ...jit.parsing import parse

Found = dict[str, str]
"""Source text that each name of a pattern matched."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a program that is a statement, or the header of one."""

    text: str
    statement: ast.stmt
    before: str = ""
    """Text removed at the start, such as `el` of `elif`, so that the rest parses."""

    def of(self, node: ast.expr | ast.stmt) -> str:
        """Return the source text of a node."""
        return ast.get_source_segment(self.text, node) or ast.unparse(node)


def parsed(source: str) -> Line | None:
    """Parse a line; None if it is a part of a longer statement."""
    before = "el" if source.startswith("elif") else ""
    text = source.removeprefix(before)
    for tail in ("", " pass"):
        try:
            statements = parse(text + tail).body
        except (SyntaxError, ValueError):
            continue
        if len(statements) == 1:
            return Line(text + tail, statements[0], before)
    return None


def rewritten(line: Line, rewrites: tuple[tuple[str, str], ...]) -> str | None:
    """Return the line rewritten by the first pattern that matches; None if none does."""
    for pattern, replacement in rewrites:
        wanted = _pattern(pattern)
        for node in _candidates(line, pattern):
            found: Found = {}
            if not _fits(line, wanted, node, found):
                continue
            make = _SPECIAL.get(replacement)
            new = _filled(replacement, found) if make is None else make(line, node)
            if new is not None and parsed(text := _spliced(line, node, new)) is not None:
                return line.before + text
    return None


def _candidates(line: Line, pattern: str) -> Iterator[ast.expr | ast.stmt]:
    if pattern.startswith("if "):
        if isinstance(line.statement, ast.If | ast.While):
            test = line.statement.test
            if not isinstance(test, ast.BoolOp | ast.UnaryOp):
                yield test
        return
    for node in ast.walk(line.statement):
        if isinstance(node, ast.expr | ast.stmt):
            yield node


def _pattern(text: str) -> ast.AST:
    """Return the syntax tree of a pattern; for an expression without the enclosing statement."""
    statement = parse(text.removeprefix("if ")).body[0]
    return statement.value if isinstance(statement, ast.Expr) else statement


def _fits(line: Line, wanted: object, actual: object, found: Found) -> bool:
    """True if the tree matches the pattern; records what its names match."""
    if isinstance(wanted, ast.Name) and wanted.id.startswith("_"):
        if not isinstance(actual, ast.expr) or isinstance(actual, ast.Starred):
            return False
        found[wanted.id] = line.of(actual)
        return True
    if isinstance(wanted, list) and len(wanted) == 1 and isinstance(wanted[0], ast.Starred):
        assert isinstance(wanted[0].value, ast.Name)
        found[wanted[0].value.id] = ", ".join(line.of(one) for one in _as_list(actual))
        return True
    if isinstance(wanted, list):
        others = _as_list(actual)
        return len(wanted) == len(others) and all(
            _fits(line, one, other, found) for one, other in zip(wanted, others, strict=True)
        )
    if not isinstance(wanted, ast.AST):
        return wanted == actual
    if type(wanted) is not type(actual):
        return False
    takes_all = isinstance(wanted, ast.Call) and any(
        isinstance(one, ast.Starred) for one in wanted.args
    )
    for name in wanted._fields:
        if name == "ctx":
            continue
        if name == "keywords" and takes_all:
            if not _note_keywords(line, wanted, actual, found):
                return False
        elif not _fits(line, getattr(wanted, name), getattr(actual, name), found):
            return False
    return True


def _note_keywords(line: Line, wanted: ast.AST, actual: object, found: Found) -> bool:
    """Add keyword arguments to what `*_name` matches; False for `**` arguments."""
    assert isinstance(wanted, ast.Call)
    assert isinstance(actual, ast.Call)
    (star,) = wanted.args
    assert isinstance(star, ast.Starred)
    assert isinstance(star.value, ast.Name)
    named = [ast.get_source_segment(line.text, one) or "" for one in actual.keywords]
    found[star.value.id] = ", ".join(filter(None, [found[star.value.id], *named]))
    return all(one.arg is not None for one in actual.keywords)


def _as_list(value: object) -> list[ast.expr]:
    return value if isinstance(value, list) else []


_NAME = re.compile(r"(?P<star>\*?)(?<![\w.])(?P<name>_[a-z]\w*)")


def _filled(replacement: str, found: Found) -> str:
    """Return the replacement with texts filled in, parenthesised if precedence may require it."""

    def text_of(match: re.Match[str]) -> str:
        text = found.get(match["name"])
        if text is None:
            return match[0]
        before, behind = replacement[: match.start()], replacement[match.end() :]
        between = before.endswith(("(", "[", ", ", "= ")) and behind[:1] in (")", "]", ",", "")
        if match["star"]:
            return text
        node = parse(text, "eval").body
        if isinstance(node, ast.Tuple) and not text.startswith("("):
            between = between and before.endswith("[")
        return text if between or _is_bare(text, node) else f"({text})"

    return _NAME.sub(text_of, replacement)


def _is_bare(text: str, node: ast.expr) -> bool:
    """True if an expression can be followed by any operator without parentheses."""
    if text.startswith("(") and isinstance(node, ast.Tuple):
        return True
    bare = ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.List | ast.Dict | ast.Set
    return isinstance(node, bare) or (isinstance(node, ast.Constant) and type(node.value) is str)


def _spliced(line: Line, node: ast.expr | ast.stmt, new: str) -> str:
    """Return the line with a node replaced, without text after the statement, such as comments."""
    text = line.text.encode()
    assert node.end_col_offset is not None
    begin, end = node.col_offset, node.end_col_offset
    last = line.statement.end_col_offset or len(text)
    body = getattr(line.statement, "body", None)
    if body:  # the header of a compound statement
        last = body[0].col_offset
    if isinstance(node, ast.stmt):
        return new
    return (text[:begin] + new.encode() + text[end:last]).decode().strip()


# ---- replacements that are computed --------------------------------------------------------------


def _f_string(line: Line, node: ast.expr | ast.stmt) -> str | None:
    """Rewrites `"..." % values` whose places are plain ones."""
    if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Constant):
        right = node.right
        values = right.elts if isinstance(right, ast.Tuple) else [right]
        return _of_percent(line, node.left.value, values)
    return None


_PLACE = re.compile(r"%(?:(?P<text>s)|(?P<float>\d*\.\d+[fgeE])|(?P<int>\d*)[di]|(?P<mark>%))")


def _of_percent(line: Line, text: object, values: list[ast.expr]) -> str | None:
    if not isinstance(text, str):
        return None
    rest = iter(values)
    parts = []
    end = 0
    for match in _PLACE.finditer(text):
        parts.append(_literal(text[end : match.start()]))
        end = match.end()
        if match["mark"]:
            parts.append("%")
            continue
        value = next(rest, None)
        if value is None:
            return None
        if match["int"] is None:
            parts.append(_place(line.of(value), match["float"] or ""))
        else:  # `%` would truncate
            number = line.of(value)
            number = number if number.startswith("int(") else f"int({number})"
            parts.append(_place(number, match["int"]))
    parts.append(_literal(text[end:]))
    if "%" in _PLACE.sub("", text) or next(rest, None) is not None:
        return None
    return _quoted("".join(parts))


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("{", "{{").replace("}", "}}").replace("\n", "\\n")


def _place(text: str, spec: str) -> str:
    return f"{{{text}:{spec}}}" if spec else f"{{{text}}}"


def _quoted(text: str) -> str | None:
    """Return the f-string; None if it contains both kinds of quotes, which older Pythons reject."""
    mark = next((mark for mark in "\"'" if mark not in text), None)
    return None if mark is None else f"f{mark}{text}{mark}"


def _dict_display(line: Line, node: ast.expr | ast.stmt) -> str | None:
    """Rewrite a set display as a dict display with True for each key."""
    assert isinstance(node, ast.Set)
    if any(isinstance(one, ast.Starred) for one in node.elts):
        return None
    return "{" + ", ".join(f"{line.of(one)}: True" for one in node.elts) + "}"


_SPECIAL: dict[str, Callable[[Line, ast.expr | ast.stmt], str | None]] = {
    "f-string": _f_string,
    "dict display": _dict_display,
}
"""Replacements that are computed."""
