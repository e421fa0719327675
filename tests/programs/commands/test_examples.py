"""The example programs: each one small through the oracle, and the command that shows them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from oracle import check

from framejit.examples import PROGRAMS
from framejit.frontends.commands.demo import COLUMNS, main

SCALE = 0.002
"""Factor from the size that the demo runs."""
HOME = Path(__file__).parents[3] / "examples"


def module_of(name: str) -> ModuleType:
    """The module of a program."""
    return import_module(f"framejit.examples.{name}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_bits(name: str) -> None:
    """Every program gives eager's results, output and warnings on each backend."""
    module = module_of(name)
    function = getattr(module, PROGRAMS[name][0])

    check(function.__wrapped__, *module.problem(SCALE), calls=3)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_problem_is_the_same_each_time(name: str) -> None:
    """Eager and compiled get equal arguments that share no memory: some programs write to them."""
    from framejit.frontends.commands.side_by_side import same_bits

    problem = module_of(name).problem
    first, second = problem(SCALE), problem(SCALE)

    assert same_bits(first, second)
    assert all(a is not b for a, b in zip(first, second, strict=True) if hasattr(a, "dtype"))


def test_the_table_names_all_programs() -> None:
    """The folder holds the programs of the table, and one that needs dask."""
    assert sorted(path.stem for path in HOME.glob("[!_]*.py")) == sorted([*PROGRAMS, "with_dask"])


def test_a_program_runs_by_itself() -> None:
    """`python examples/nbody.py` compares, prints a short result and exits with 0."""
    command = [sys.executable, str(HOME / "nbody.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("same bits: yes\n")


@pytest.mark.parametrize("backend", ["numba", "numpy"])
def test_the_demo_prints_a_row_for_each_program(
    backend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`python -m framejit demo --quick` ends with 0, and each row with "yes"."""
    code = main(["--quick", "--backend", backend, "heat", "mandelbrot"])
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if line.startswith(("Heat", "Mandelbrot"))]

    assert code == 0
    assert lines[0].startswith("framejit ")
    assert f"({backend})" in lines[0]
    assert all(column.heading.strip() in lines[2] for column in COLUMNS)
    assert [row.split()[-1] for row in rows] == ["yes", "yes"]


def test_the_demo_tells_when_bits_differ(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program whose bits differ is marked, explained, and makes the exit code 1."""

    def differ(a: object, b: object) -> bool:
        return False

    monkeypatch.setattr("framejit.frontends.commands.side_by_side.same_bits", differ)
    code = main(["--quick", "mandelbrot"])
    out = capsys.readouterr().out

    assert code == 1
    assert "Mandelbrot set: not eager's: result of call 1, arguments of call 1" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pastry"], "unknown program 'pastry': use one of black_scholes, heat"),
        (["--backend", "pastry"], "invalid choice: 'pastry'"),
    ],
)
def test_wrong_arguments(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong word on the command line is named, and the right ones are listed."""
    with pytest.raises(SystemExit):
        main(arguments)

    assert said in capsys.readouterr().err
