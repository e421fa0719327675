"""Functions that a worker unpickles for each task: what is captured of one serves the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_programs import START, run

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


@pytest.mark.parametrize(("when", "hits"), [("now", 8), ("auto", 2)])
def test_tasks(when: str, hits: int, tmp_path: Path) -> None:
    """Each function is called once, and dies before the next one comes: one capture for all.

    With "auto" that comes as soon as it is paid for, which depends on what else the machine does.
    """
    program = START + TASKS.format(compile=when)
    first = run(program, tmp_path)
    second = run(program, tmp_path)

    assert first.printed == second.printed
    assert first.stats["told"]["captures"] == 1
    assert first.stats["told"]["hits"] >= hits
    assert (second.stats["told"]["captures"], second.stats["told"]["hits"]) == (0, 8)
