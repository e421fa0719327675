"""Every public function of NumPy: eager's answer, and what the page in the docs says of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

from every_function import LEFT_OUT, Example, examples, values
from modes import HOSTILE
from oracle import check
from table import PAGE, STATE_BEFORE_2_5, row, state_of

LINES = frozenset(PAGE.read_text().splitlines())
EXAMPLES = list(examples())
MODULES = (
    *("np", "np.emath", "np.fft", "np.lib.stride_tricks", "np.linalg"),
    *("np.polynomial.polynomial", "np.random", "np.strings"),
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: one.expression)
def test_example(example: Example) -> None:
    """Cold and cached; its line stands in the page."""
    (jitted,) = check(example.make(), *values().values(), backends=["numpy"])
    if HOSTILE:
        return
    before = STATE_BEFORE_2_5.get(example.expression)
    if before is not None and np.lib.NumpyVersion(np.__version__) < "2.5.0":
        assert state_of(example, jitted)[0] == before
        return
    line = row(example, *state_of(example, jitted))
    assert line in LINES, f"{PAGE.name} lacks {line}: run tests/sweeps/numpy_table/table.py"


@pytest.mark.parametrize("module", MODULES)
def test_every_public_function_has_an_example(module: str) -> None:
    """Or a reason why not."""
    owner: Any = np
    for part in module.split(".")[1:]:
        owner = getattr(owner, part)
    names = {
        name
        for name in dir(owner)
        if not name.startswith("_")
        and callable(getattr(owner, name))
        and not isinstance(getattr(owner, name), type)
    }
    known = {one.function.rpartition(".")[2] for one in EXAMPLES}
    assert names - known - LEFT_OUT.keys() == set()
