"""Functions of NumPy that the program has replaced before framejit makes its tables of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
{replaced}
from framejit import explain, jit
def f(x):
    return np.roll(x, 0) * 2 + np.diff(x, prepend=0)
x = np.arange(5.0)
made = jit(f, compile="now")
assert np.array_equal(made(x), f(x)) and np.array_equal(made(x), f(x))
print(made.stats()["captures"] > 0, "numpy.roll" in str(explain(made)(x)))
"""
OTHERS = ("numpy.ma", "numpy.testing", "numpy.fft", "numpy.random", "numpy.polynomial")


def run(replaced: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(replaced=replaced)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.counts("what is captured")
@pytest.mark.parametrize("by", ["lambda x, n: x[::-1]", "np.flip", "np.multiply"])
def test_nothing_is_captured(by: str) -> None:
    """The tables would take what stands there for NumPy's own."""
    assert run(f"np.roll = {by}") == "False True"


@pytest.mark.counts("what is captured")
def test_names_of_other_modules_are_no_matter() -> None:
    """NumPy has functions of the same names in `numpy.ma`, for example."""
    assert run(f"import {', '.join(OTHERS)}") == "True False"
