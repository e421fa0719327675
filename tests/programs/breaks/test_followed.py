"""Hints that are followed to the letter: the program is edited as they say, and does not break."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from break_pairs import IDS, PAIRS, run, surroundings
from compare import portrait

from framejit.frontends.breaks.registry import BREAKS
from framejit.frontends.breaks.rewriting import parsed, rewritten
from framejit.jit.report import BreakRecord

CALL = re.compile(r"(?m)^answer = f\((?P<first>.*?\)), ?(?P<rest>.*)\)|^answer = f\((?P<all>.*)\)")
"""The line that calls the function."""
Edit = Callable[[str, BreakRecord, re.Match[str]], str]


def _before(script: str, found: BreakRecord, hint: re.Match[str]) -> str:
    """The line stands before the call, and what it makes is one argument more."""
    script = re.sub(
        r"def f\((.*)\):", rf"def f(\1, {hint['name']}):", without(script, found.source)
    )
    (call,) = re.findall(r"(?m)^answer = f\(.*\)", script)
    return script.replace(call, f"{hint['line']}\n{call[:-1]}, {hint['name']})")


def _behind(script: str, found: BreakRecord, hint: re.Match[str]) -> str:
    """The function returns one thing more, with which the line stands behind the call."""
    script = re.sub(r"(?m)^    return (.*)$", rf"    return \1, {hint['name']}", script)
    script = without(script, found.source).replace("answer = f(", f"answer, {hint['name']} = f(")
    return f"{script}{hint['line']}\n"


def _alone(script: str, found: BreakRecord, hint: re.Match[str]) -> str:
    return f"{without(script, found.source)}{hint['line']}\n"


def _with_answer(script: str, found: BreakRecord, hint: re.Match[str]) -> str:
    return f"{without(script, found.source)}{hint['name']} = answer\n{hint['line']}\n"


def _on_top(script: str, found: BreakRecord, hint: re.Match[str]) -> str:
    return f"{hint['line']}\n{without(script, found.source)}"


def _around(script: str, found: BreakRecord, hint: re.Match[str]) -> str:
    script = without(script, found.source).replace("        return", "    return")
    return script.replace("answer =", f"{hint['line']}\n    answer =")


def _other_argument(script: str, _: BreakRecord, hint: re.Match[str]) -> str:
    """The last argument of the call is the expression of the hint."""
    call = CALL.search(script)
    assert call is not None
    given = re.sub(rf"\b{hint['name']}\b", lambda _: f"({call['rest']})", hint["line"])
    return script.replace(call[0], f"answer = f({call['first']}, {given})")


def _a_dict(script: str, _: BreakRecord, hint: re.Match[str]) -> str:
    return script.replace(f"{hint['name']} = set()", f"{hint['name']} = {{}}")


EDITS: tuple[tuple[str, Edit], ...] = (
    (r"write `(?P<name>\w+) = (?P<line>.*)` before .*, and pass that", _other_argument),
    (r"make `(?P<name>\w+)` a dict, and add items as", _a_dict),
    (r"make it .* before .*: `(?P<name>\w+) = (?P<line>.*)`", _other_argument),
    (r"pass `(?P<line>.*)` in place of `(?P<name>\w+)`$", _other_argument),
    (r"write `(?P<line>.*)` before .*, and pass `(?P<name>\w+)`", _before),
    (r"return `(?P<name>\w+)` too, and do it behind .*: `(?P<line>.*)`", _behind),
    (r"return `(?P<name>\w+)` from `f`, and write `(?P<line>.*)` behind", _with_answer),
    (r"do it before or behind .*: `(?P<line>.*)`", _alone),
    (r"move `(?P<line>.*)` to the top of the file", _on_top),
    (r"put `(?P<line>.*)` around the call", _around),
    (r"(?P<line>)remove the call", _alone),
)
"""Patterns of hints, each with the function that follows the hint."""
FOLLOWED = [
    "FJ101",
    "FJ101-set",
    "FJ101-in-set",
    "FJ101-in-own-set",
    "FJ101-import",
    "FJ101-with",
    "FJ201",
    "FJ201-print",
    "FJ201-logging",
    "FJ201-sleep",
    "FJ201-random",
    "FJ201-input",
    "FJ201-copy",
    "FJ201-complex",
    "FJ201-set",
    "FJ201-defaultdict",
    "FJ201-nditer",
    "FJ201-math",
    "FJ201-bisect",
    "FJ202-set",
    "FJ203-long-list",
    "FJ204",
    "FJ302-percent",
    "FJ302-object-array",
    "FJ302-subclass",
    "FJ302-unaligned",
    "FJ303-cast",
    "FJ303-defaultdict",
    "FJ303-list-as-argument",
    "FJ401-truth",
    "FJ402-set",
    "FJ402-array",
    "FJ402-nditer",
    "FJ501-setflags",
]
"""Programs that follow from the others by what their hints say alone."""


def without(script: str, line: str) -> str:
    """A program without a line."""
    return re.sub(rf"(?m)^ *{re.escape(line)}\n", "", script)


def followed(script: str, found: BreakRecord) -> str:
    """The program after one hint; as it was after a hint that says nothing more than others."""
    for pattern, edit in EDITS:
        hint = re.match(pattern, found.hint)
        if hint is not None:
            return edit(script, found, hint)
    line = parsed(found.source)
    for cause in BREAKS[found.code].causes:
        new = None if line is None else rewritten(line, cause.rewrites)
        if new is not None and f"`{new}`" in found.hint:
            return script.replace(found.source, new)
    return script


@pytest.mark.counts("which hints there are")
@pytest.mark.parametrize("id_", FOLLOWED)
def test_followed(id_: str, tmp_path: Path) -> None:
    """After as many hints as there are breaks nothing breaks, and the answer is as before."""
    _, _, pair = PAIRS[IDS.index(id_)]
    script = pair.breaks
    with surroundings():
        first = run(script, tmp_path, None)
    for _ in range(4):
        with surroundings():
            done = run(script, tmp_path, "numpy")
        if not done.breaks:
            break
        for found in done.breaks:
            if found.source in script:
                script = followed(script, found)

    assert [f"{one.code} {one.detail}: {one.hint}" for one in done.breaks] == [], script
    assert any(one.segments for one in done.reports)
    assert portrait(answer=done.answer) == portrait(answer=first.answer)
    assert done.printed == first.printed
