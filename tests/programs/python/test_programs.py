"""Programs of all of Python's features around array code: the answers are eager's, counts are kept.

    python -m pytest tests/programs/python --regenerate        writes the counts of this Python anew
    python tests/programs/python/regenerate.py PYTHON...       of several Pythons
    python -m pytest tests/programs/python --all-backends      each program on numba too

Every program runs on the numpy backend, one in four on numba as well: a kernel takes a while to
compile, and what these programs are about is the same on both.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import count_tables
import pytest
from count_tables import HERE
from modes import HOSTILE
from oracle import BACKENDS, assert_normally
from python_ladder import FAMILIES, PROGRAMS, Function, Program

import framejit

for _family in FAMILIES:
    importlib.import_module(f"families.{_family}")
NOT_COUNTED = "not counted yet on this Python: run with --regenerate"
ON_NUMBA = 4
"""One program in so many is compiled by numba."""


def names_of(family: str) -> list[str]:
    """The programs of a family, in order."""
    return [one.name for one in PROGRAMS if one.family == family]


def _parameters(wanted: Callable[[Program], bool] = lambda one: True) -> list[object]:
    marked = []
    for one in filter(wanted, PROGRAMS):
        marks = []
        if not one.runs_here:
            marks.append(pytest.mark.skip(reason="needs Python {}.{}".format(*one.since)))
        elif one.is_open:
            # A hostile mode may happen to go around it.
            strict = not HOSTILE
            marks.append(pytest.mark.xfail(reason=one.bug, strict=strict, raises=AssertionError))
        marked.append(pytest.param(one, id=f"{one.family}-{one.name}", marks=marks))
    return marked


@pytest.mark.parametrize("program", _parameters())
def test_program(program: Program, pytestconfig: pytest.Config) -> None:
    """The same as eager, cold and from the cache; and as much of it captured as before."""
    regenerate = pytestconfig.getoption("--regenerate")
    chosen = PROGRAMS.index(program) % ON_NUMBA == 0 and "numba" in BACKENDS
    numba = pytestconfig.getoption("--all-backends") or chosen
    backends = ["numpy", "numba"] if numba and not regenerate else ["numpy"]
    jitted = program.check(backends)
    if program.is_open:
        return  # its counts would hide that it is open no more
    actual = count_tables.counts_of(jitted[0])
    if regenerate:
        table = count_tables.read(program.family)
        table.setdefault(program.name, {})[HERE] = actual
        count_tables.write(program.family, table, names_of(program.family))
    expected = count_tables.read(program.family).get(program.name, {}).get(HERE, NOT_COUNTED)

    assert_normally(actual, expected)


def captured(function: Function, backend: str) -> Function:
    """Not decorated: called where the frame hook looks for work."""

    def call(*args: Any, **kwargs: Any) -> Any:
        with framejit.config(backend=backend), framejit.capture():
            return function(*args, **kwargs)

    return call


@pytest.mark.parametrize("program", _parameters(lambda one: not one.looks_out))
def test_undecorated(program: Program) -> None:
    """The same as eager when the frame hook finds it; it has one frame more around it."""
    frames = [("exception", "frames"), ("exception", "locals")]

    program.check(["numpy"], jit=captured, ignore=[*program.ignore, *frames])


@pytest.mark.counts("which programs there are")
@pytest.mark.parametrize("family", FAMILIES)
def test_tables_hold_what_there_is(family: str) -> None:
    """No line is left over from a program that is no more, or was given twice."""
    names = names_of(family)

    assert len(names) == len(set(names))
    assert [name for name in count_tables.read(family) if name not in names] == []


def test_the_ladder_is_long_enough() -> None:
    """300 programs are asked for."""
    assert len(PROGRAMS) >= 300
