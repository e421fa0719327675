"""Programs of Python's features around arrays, by the rules of some families each."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from fuzzing.choices import Choices, weighted
from fuzzing.grammar import Family, Rule, Writer, lines_of, named_in, pieces, rules_in
from fuzzing.programs import Program
from fuzzing.rules import ARRAYS, FAMILIES, FLOW
from fuzzing.steps import Steps

PARAMETERS = {
    "a": "array", "b": "array", "n": "count", "m": "number", "flag": "flag", "l": "list",
    "d": "dict", "o": "object", "s": "set", "w": "bytes", "q": "queue", "f": "function",
}  # fmt: skip
"""The names of all programs, with their kinds: a program has those that it uses."""
ALWAYS = ("a", "b", "n", "m", "flag")
MODULES = {
    "np": "import numpy as np",
    **{
        name: f"import {name}"
        for name in (
            *("array", "collections", "contextlib", "dataclasses", "enum", "functools", "inspect"),
            *("itertools", "math", "sys", "types", "warnings"),
        )
    },
}
ERRSTATES = weighted(ignore=8, warn=2, **{"raise": 1})
BEGINNING = Rule(1, "<new array> = <array name> * <operand> + <number>")
"""Work for a kernel: without any, nothing is captured."""
ENCLOSING = ("def enclosing():", "    kept, tally = np.ones(1), 1")
NONLOCAL = "    nonlocal kept, tally"
ENCLOSED = (
    "    def put(value):",
    "        nonlocal kept, tally",
    "        kept, tally = value, tally + 1",
    "    return program, put",
    "program, put = enclosing()",
)
"""A program that is made in a function, whose variables it shares with `put`."""
PUTS = ["M.put(np.arange(4.0))", "M.put(3)", "M.put(np.full(1, 2.0))", "M.put(np.ones(4, 'f4'))"]
RARE = ("frames", "exceptions", "odd")
"""Families whose programs are seldom captured whole."""
LOOPS = (
    "for turn in range(3):",
    "for turn in range(40):",
    "for turn in range(n % 7):",
    "for turn, item in enumerate(a):",
    "turn = 0\nwhile turn < 20:\n    turn += 1",
    "turn = 0.0\nwhile (turn := turn + 0.5) < 6.0:",
)
"""Around what stands at module level."""
RESULTS = 3
"""Names that a program returns at most."""


def program_by_rules(choices: Choices, only: tuple[str, ...] = (), lines: int = 0) -> Program:
    """A program of two to seven statements, or of so many lines; `only`: names of families."""
    known = [one for one in FAMILIES if not only or one.name in only]
    weights = [one for one in known for _ in range(1 if one.name in RARE else 3)]
    chosen = _once(choices.some(weights, choices.one((1, 1, 1, 2, 2))))
    families = [ARRAYS, *([FLOW] if choices.chance(50) else []), *chosen, *chosen]
    enclosed = choices.chance(12)
    bound = _bound(choices)
    if enclosed:
        bound["array"] += ["kept"]
        bound["count"] += ["tally"]
    writer = Writer(choices, _once(families), bound)
    body = writer.written(BEGINNING) if choices.chance(50) else []
    body += writer.block(choices.one((1, 1, 2, 2, 3, 3, 4)))
    while len(body) < lines:
        body += writer.block(1)
    body.append(f"return {', '.join(_results(writer, body))}")
    used = [one for one in PARAMETERS if re.search(rf"\b{one}\b", "\n".join(body))] or ["a"]
    parameters = ", ".join(used)
    head = [f"global {', '.join(sorted(writer.declared))}"] if writer.declared else []
    function = [f"def program({parameters}):", *lines_of(head + body)]
    rebinding = _rebinding("\n".join(function), families)
    if enclosed:
        function = [*ENCLOSING, *lines_of([function[0], NONLOCAL, *function[1:]]), *ENCLOSED]
        rebinding += PUTS
    texts = Steps(choices, used).texts(rebinding)
    source = module_text(
        "\n".join(function) + "\n", "\n".join((*texts, "M.Box" if "o" in used else ""))
    )
    return Program(source, parameters, texts, choices.one(ERRSTATES), keeps=choices.chance(60))


def program_at_module_level(choices: Choices) -> Program:
    """The same with its statements at module level, and most of them in a loop.

    Raises:
        SyntaxError: they cannot stand there: it is no program.
    """
    program = program_by_rules(choices)
    tree = ast.parse(program.source)
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    function = next(one for one in functions if one.name in ("program", "enclosing"))
    head = [one for one in function.body if isinstance(one, ast.Global)]
    *body, last = function.body[len(head) :]
    if body and choices.chance(70):
        header = choices.one(LOOPS)
        loop = ast.parse(f"{header}\n    pass").body
        around = loop[-1]
        assert isinstance(around, ast.For | ast.While)
        around.body[-1:] = body
        function.body = [*head, *loop, last]
    steps = (*program.steps, *program.steps[:1])
    return replace(program, source=ast.unparse(tree), at_module_level=True, steps=steps)


def _once(families: list[Family]) -> list[Family]:
    return list(dict.fromkeys(families))


def _bound(choices: Choices) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for name, kind in PARAMETERS.items():
        if name in ALWAYS or choices.chance(70):
            names.setdefault(kind, []).append(name)
    return names


def _results(writer: Writer, body: list[str]) -> list[str]:
    """Names to return: those that the body works with, in any order."""
    text = "\n".join(body)
    bound = [one for names in writer.names.values() for one in names]
    used = [one for one in bound if re.search(rf"\b{one}\b", text)]
    return writer.choices.some(used, writer.choices.number(1, RESULTS)) or ["a"]


def helpers() -> dict[str, str]:
    """All functions, classes and data that rules name."""
    found: dict[str, str] = {}
    for family in (ARRAYS, FLOW, *FAMILIES):
        found.update(pieces(family.helpers))
    return found


_HELPERS = helpers()


def _rebinding(text: str, families: list[Family]) -> list[str]:
    """Statements between calls that change what a program uses."""
    named = set(named_in(text, _HELPERS))
    found = []
    for family in _once(families):
        for rule in rules_in(family.rebinding):
            first = re.findall(r"\bM\W+(\w+)", rule.text)
            if first and first[0] in named:
                found += [rule.text] * rule.weight
    return found


def module_text(function: str, steps: str) -> str:
    """The module of a function: with what it names, and what the steps name."""
    parts = [_HELPERS[one] for one in named_in(f"{function}\n{steps}", _HELPERS)]
    body = "\n\n".join([*parts, function])
    text = body + steps
    used = [line for name, line in MODULES.items() if re.search(rf"\b{name}\b", text)]
    return "\n".join(used) + "\n\n" + body
