"""A few of the programs that the fuzzer writes, and the fuzzer itself.

`tests/campaigns/fuzz.py` runs as many as one likes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzzing import Fuzzer, Program
from oracle import BACKENDS, Jit, assert_normally

SEED = f"the suite {sys.version_info[:2]}"
"""Each version has some of its own, always the same."""
KINDS = ("if", "elif", "else:", "for", "while", "break", "return", "enumerate", "zip", "out=")
TEXTS = ("np.where", "clip", "select", "astype", "axis=", "keepdims", "[::-1]", "+= ", "] =")
ARGUMENTS = ("'f2'", "'c8'", "'u1'", "'i8'", "'bool'", ".T", "broadcast_to", "[::2]", "= a", "nan")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_programs_on_the_reference() -> None:
    """Of which most have a segment of three operations or more."""
    tally = Fuzzer(("numpy",)).run(60, SEED)

    assert tally.differing == []
    assert_normally(tally.fused >= 0.75 * tally.programs)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_programs_in_kernels() -> None:
    tally = Fuzzer(BACKENDS).run(6, f"{SEED}, kernels")

    assert tally.differing == []
    assert_normally(tally.fused >= 0.5 * tally.programs)


def test_the_programs_have_statements_and_arguments_of_every_kind() -> None:
    drawn = _drawn(200)
    source = "\n".join(program.source for program in drawn)
    calls = "\n".join(call for program in drawn for call in program.calls)

    assert [word for word in (*KINDS, *TEXTS) if source.count(word) < 2] == []
    assert [word for word in ARGUMENTS if calls.count(word) < 2] == []
    assert {program.errstate for program in drawn} == {"ignore", "warn", "raise"}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_most_programs_come_to_their_end() -> None:
    ended = 0
    for program in _drawn(50):
        with np.errstate(all="ignore"):
            try:
                program.function()(*program.arguments(program.calls[0]))
            except Exception:
                continue
        ended += 1
    assert ended > 40


def _instead(change: Callable[..., Any]) -> Jit:
    """A decorator that does something else."""

    def jit(function: Any, backend: str) -> Any:
        def wrong(*args: Any) -> Any:
            return change(function(*args))

        return wrong

    return jit


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_difference_is_found_and_made_small() -> None:
    """A jit that turns tables round: all that is needed is a program that returns one."""
    fuzzer = Fuzzer(("numpy",), jit=_instead(lambda found: getattr(found, "T", found)))
    script = ""
    while "\n#   result: " not in script:  # what raises has another traceback
        fuzzer.run(1, f"turned {fuzzer.tally.programs}")
        script = fuzzer.tally.differing[-1] if fuzzer.tally.differing else ""
    body = script[script.index("def program") : script.index("def arguments0")].split("\n")

    assert len([line for line in body if line.strip()]) <= 3


def _drawn(count: int) -> list[Program]:
    drawn: list[Program] = []
    Fuzzer((), watch=drawn.append).run(count, "kinds")
    return drawn
