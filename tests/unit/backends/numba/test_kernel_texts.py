"""Kernels have the same texts in each process, whatever the order of memory and of hashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kernel_texts import HOME, differing, processes

SAMPLE = (
    *("examples", "arrays@20", "loops@10", "families@120"),
    *("training-averaged_perceptron", "training-logistic_with_adam"),
)
"""`tests/campaigns/cache_keys.py` compares all programs."""
SCATTERED = """
import sys
from kernel_texts import install, scatter
install()
import framejit.frontends.api
from framejit.jit.ir.graph import Value
kept = scatter(int(sys.argv[1]))
values = [Value(None, number) for number in range(8)]
print([value.hint for value in {*values}])
"""
TRAINING = """
import sys
from training_programs import load
from framejit import jit
function, args = load()[sys.argv[1]]
jitted = jit(function)
for _ in range(2):
    print(repr(jitted(*args)))
print(jitted.stats()["compiled"], jitted.stats()["from_disk"], "numba" in sys.modules)
"""


def run(program: str, *arguments: str, **environment: str) -> list[str]:
    """The lines that a program prints which knows the modules of the tests."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{HOME}{os.pathsep}{HOME.parent}", **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.counts("a hostile mode ends segments by chance")
def test_processes_come_to_the_same_texts() -> None:
    """Seeds of hashes, the order of memory and of programs do not get into any text."""
    found = processes((0, 1, 2), SAMPLE)

    assert differing(found) == {}
    assert len(found[0]) > 20
    assert sum(map(len, found[0].values())) > 30


def test_the_order_of_sets_is_another_one() -> None:
    """Otherwise the comparison above would find nothing."""
    orders = {line for seed in "1234" for line in run(SCATTERED, seed)}

    assert len(orders) > 1
    assert differing([{"f": ["a", "b"]}, {"f": ["b", "c"]}]) == {"f": [["a"], ["c"]]}


@pytest.mark.counts("a hostile mode ends segments by chance")
@pytest.mark.parametrize("name", ["averaged_perceptron", "logistic_with_adam"])
def test_a_second_process_compiles_nothing(name: str, tmp_path: Path) -> None:
    """A training loop with a generator, a dict of lists and a `print` now and then."""
    *first, last = run(TRAINING, name, FRAMEJIT_CACHE_DIR=str(tmp_path), PYTHONHASHSEED="1")
    *second, again = run(TRAINING, name, FRAMEJIT_CACHE_DIR=str(tmp_path), PYTHONHASHSEED="2")
    compiled, found, _ = last.split()

    assert first == second
    assert int(compiled) > 1
    assert found == "0"
    assert again == f"0 {compiled} False"
