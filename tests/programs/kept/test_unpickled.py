"""Functions that a worker unpickles for each task: what is captured of one serves the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_programs import START, run

from framejit.jit import native
from framejit.jit.cores import cores

pytestmark = pytest.mark.counts("what was captured, kept and taken")

TASKS = """
import gc, cloudpickle
from framejit import wait_for_compiles
K = 2.0
def made(offset):
    @jit(compile={compile!r})
    def inner(x):
        return (x * K + offset).sum()
    return inner
content = [cloudpickle.dumps(made(X + k)) for k in range(2)]
found = []
for task in range(8):
    inner = cloudpickle.loads(content[task % 2])
    print(float(inner(X)).hex())
    found.append(inner.stats())
    del inner
    gc.collect()
    wait_for_compiles()
class told:
    def stats(found=found):
        return {{name: sum(one[name] for one in found) for name in found[0]}}
"""


@pytest.mark.parametrize(
    ("when", "copies", "captures", "hits"),
    [
        ("now", "0", 1, 8),
        ("auto", "0", 1, 2),
        pytest.param(
            *("auto", "1", 0, 2),
            marks=pytest.mark.skipif(cores() < 2 or native.adopts_orphans(), reason="no copies"),
        ),
    ],
)
def test_tasks(when: str, copies: str, captures: int, hits: int, tmp_path: Path) -> None:
    """Each function is called once, and dies before the next one comes: one capture for all.

    With "auto" that comes as soon as it is paid for, which depends on other work of the machine.
    """
    program = START + TASKS.format(compile=when)
    first = run(program, tmp_path, FRAMEJIT_COPIES=copies)
    second = run(program, tmp_path, FRAMEJIT_COPIES=copies)

    assert first.printed == second.printed
    assert first.stats["told"]["captures"] == captures
    assert first.stats["told"]["hits"] >= hits
    assert (second.stats["told"]["captures"], second.stats["told"]["hits"]) == (0, 8)
