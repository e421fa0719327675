"""A few of the programs that the fuzzer writes, and the fuzzer itself.

`tests/campaigns/fuzz.py` runs as many as one likes.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fuzzing import KINDS, Fuzzer, Program
from fuzzing.by_rules import PARAMETERS, helpers
from fuzzing.calls import callables
from fuzzing.choices import Choices
from fuzzing.grammar import Family, Rule, Writer, lines_of, rules_in
from fuzzing.programs import endings
from fuzzing.rules import ARRAYS, FAMILIES, FLOW
from fuzzing.table_calls import in_tables, name_of, table_functions, targets
from oracle import BACKENDS, Jit, assert_normally

from framejit.frontends.runtime import entry
from framejit.jit import native

SEED = f"the suite {sys.version_info[:2]} 0"
"""Each version has some of its own, always the same."""
WORDS = ("if", "elif", "else:", "for", "while", "break", "return", "enumerate", "zip", "out=")
TEXTS = ("np.where", "clip", "select", "astype", "axis=", "keepdims", "[::-1]", "+= ", "] =")
ARGUMENTS = ("'f2'", "'c8'", "'u1'", "'i8'", "'bool'", ".T", "broadcast_to", "[::2]", "= a", "nan")
STATEMENTS = ("try:", "except", "finally:", "with", "match", "nonlocal", "del", "yield", "global")

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.mark.parametrize(
    ("kind", "count"), [("rules", 25), ("arrays", 50), ("calls", 200), ("tables", 200)]
)
def test_programs_on_the_reference(kind: str, count: int) -> None:
    """Most programs of arrays have a segment of three operations or more."""
    tally = Fuzzer(KINDS[kind], ("numpy",)).run(count, SEED)

    assert tally.differing == []
    if kind == "arrays":
        assert_normally(tally.fused >= 0.75 * tally.programs)
    if kind == "rules":
        assert_normally(tally.launches >= tally.programs)


@pytest.mark.parametrize("kind", ["rules", "arrays"])
def test_programs_in_kernels(kind: str) -> None:
    tally = Fuzzer(KINDS[kind], BACKENDS).run(6, f"{SEED}, kernels")

    assert tally.differing == []
    assert_normally(tally.fused >= 0.3 * tally.programs)


@pytest.mark.parametrize("kind", ["rules", "arrays"])
def test_kernels_and_plain_python_in_turns(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As while they are measured, which nobody can tell."""
    monkeypatch.setattr(entry, "REFERENCE", "another backend")  # this one has iterations, too
    launches = []
    for mode in (2, 0):
        before = native.set_trials(mode)
        try:
            tally = Fuzzer(KINDS[kind], ("numpy",)).run(15, f"{SEED}, in turns")
        finally:
            native.set_trials(before)
        assert tally.differing == []
        launches.append(tally.launches)

    assert_normally(launches[0] < launches[1])


def test_programs_of_arrays_have_statements_and_arguments_of_every_kind() -> None:
    drawn = _written("arrays", 200)
    source = "\n".join(program.source for program in drawn)
    calls = "\n".join(step for program in drawn for step in program.steps)

    assert [word for word in (*WORDS, *TEXTS) if source.count(word) < 2] == []
    assert [word for word in ARGUMENTS if calls.count(word) < 2] == []
    assert {program.errstate for program in drawn} == {"ignore", "warn", "raise"}


def test_programs_by_rules_have_statements_of_every_kind() -> None:
    source = "\n".join(program.source for program in _written("rules", 400))

    assert [word for word in (*WORDS, *STATEMENTS) if source.count(word) < 2] == []


@pytest.mark.parametrize(
    ("kind", "percent"), [("rules", 50), ("arrays", 80), ("calls", 10), ("tables", 30)]
)
def test_programs_come_to_their_end(kind: str, percent: int) -> None:
    written = _written(kind, 50)
    ended = sum(endings(program)[0] == "return" for program in written)

    assert ended >= 0.01 * percent * len(written)


def test_the_calls_are_many() -> None:
    assert len(callables()) > 800


UNDERLYING = {"count_nonzero", "interp"}
"""Functions of C behind those of the same names."""


def test_every_row_and_decomposition_is_called() -> None:
    """They come from the tables themselves; what has no name is called by functions that have."""
    unnamed = [one for one in table_functions() if name_of(one) is None]
    of_numpy = [one for one in unnamed if str(getattr(one, "__module__", "")).startswith("numpy.")]

    assert len(in_tables()) > 250
    assert [name for name in in_tables() if name not in targets()] == []
    assert {one.__name__ for one in of_numpy if not one.__name__.startswith("_")} == UNDERLYING


@pytest.mark.parametrize("family", [ARRAYS, FLOW, *FAMILIES], ids=lambda family: family.name)
def test_each_rule_is_a_statement_or_an_expression(family: Family) -> None:
    """Whatever fills its holes; and what it names is a name of the program or of its module."""
    families = [ARRAYS, FLOW, family, *FAMILIES]
    for number in range(3):
        writer = Writer(Choices((family.name, number)), families, _all_names())
        for rule in rules_in(family.statements):
            block = writer.written(rule)
            ast.parse("def program():\n" + "\n".join(lines_of(["while 1:", *lines_of(block)])))
        for text in family.expressions.values():
            for rule in rules_in(text):
                writer.written(rule)
    for rule in rules_in(family.rebinding):
        ast.parse(rule.text.replace("<number>", "1"))


def test_a_seed_writes_the_same_programs_in_another_process() -> None:
    """Though sets have another order there."""
    code = (
        "from fuzzing import KINDS; from fuzzing.choices import Choices\n"
        "print([KINDS[kind](Choices(k)) for kind in KINDS for k in range(5)])"
    )
    here = str([KINDS[kind](Choices(k)) for kind in KINDS for k in range(5)])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={"PYTHONPATH": str(Path(__file__).parents[1] / "support"), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == here


def _instead(change: Callable[..., Any]) -> Jit:
    """A decorator that does something else."""

    def jit(function: Any, backend: str) -> Any:
        def wrong(*args: Any) -> Any:
            return change(function(*args))

        return wrong

    return jit


def test_a_difference_is_found_and_made_small() -> None:
    """A jit that turns tables round: all that is needed is a program that returns one."""
    turned = _instead(lambda found: getattr(found, "T", found))
    fuzzer = Fuzzer(KINDS["arrays"], ("numpy",), jit=turned)
    script = ""
    while "\n#   result: " not in script:  # what raises has another traceback
        fuzzer.run(1, f"turned {fuzzer.tally.programs}")
        script = fuzzer.tally.differing[-1] if fuzzer.tally.differing else ""
    body = script[script.index("def program") : script.index("def step0")].split("'''")[0]

    assert len([line for line in body.split("\n") if line.strip()]) <= 3
    assert script.count("def step") == 1
    assert sum(fuzzer.tally.kinds.values()) == len(fuzzer.tally.differing)


def test_a_change_of_the_surroundings_is_a_difference() -> None:
    """A global of the program's module that changes between calls is found."""
    source = "import numpy as np\nTOTAL = [0]\ndef program(x):\n    TOTAL[0] += 1\n    return x"
    program = Program(source, "x", ("x = 1", "M.TOTAL = [5]\nx = 2"))

    def late(function: Any, backend: str) -> Any:
        total = function.__globals__.get("TOTAL", [0])

        def wrong(x: Any) -> Any:
            total[0] += 1
            return x

        return wrong

    fuzzer = Fuzzer(lambda choices: program, ("numpy",), jit=late)
    assert fuzzer.run(1, "").kinds == {"module: value": 1}


def _all_names() -> dict[str, list[str]]:
    """Return the parameters by kind, and of other kinds that rules name one each."""
    texts = [rule.text for family in [ARRAYS, FLOW, *FAMILIES] for rule in _rules_of(family)]
    kinds = sorted({kind for text in texts for kind in re.findall(r"<([a-z ]+) name>", text)})
    parameters = PARAMETERS.values()
    names = {kind: [f"{kind[0]}0"] for kind in kinds if kind not in parameters}
    for name, kind in PARAMETERS.items():
        names.setdefault(kind, []).append(name)
    assert helpers()
    return names


def _rules_of(family: Family) -> list[Rule]:
    texts = (family.statements, *family.expressions.values())
    return [rule for text in texts for rule in rules_in(text)]


def _written(kind: str, count: int) -> list[Program]:
    fuzzer = Fuzzer(KINDS[kind], ())
    found = (fuzzer.written("kinds", k) for k in range(count))
    with np.errstate(all="ignore"):
        return [program for program in found if program is not None]
