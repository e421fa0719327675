"""Processes that find on disk what one with another number of threads has captured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

PROGRAM = """
    import json
    import numpy as np
    import framejit
    from framejit.jit.native import parallel_counts, share_everywhere

    @framejit.jit(compile="now")
    def items(x):
        return np.sqrt(x * x + 1.0) / (x + 2.0), np.exp(x)

    @framejit.jit(compile="now")
    def rows(x):
        y = x - x.mean(axis=1, keepdims=True)
        return y / np.sqrt((y * y).mean(axis=1, keepdims=True) + 1e-5), np.argmax(y, axis=1)

    @framejit.jit(compile="now")
    def totals(x):
        return (x * x).sum(), x.sum(), x.max(), x[x > 0.5].sum(), x.cumsum()

    @framejit.jit(compile="now")
    def in_place(x):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        e /= e.sum(axis=1, keepdims=True)
        return e

    @framejit.jit(compile="now")
    def loop_of_the_program(x):
        out = np.zeros_like(x)
        for i in range(len(x)):
            out[i] = x[i] * x[i] - 1.0
        return out

    share_everywhere(True)
    line = np.random.default_rng(3).normal(size=300_000)
    table = line.reshape(1000, 300) * 1e-3
    same = []
    for function, x in (
        (items, line), (totals, line), (rows, table), (rows, table.astype("f4")),
        (in_place, table.astype("f4")), (loop_of_the_program, np.tile(line, 10)),
    ):
        for _ in range(3):
            found = []
            for way in (function, function.__wrapped__):
                results = way(x)
                results = results if isinstance(results, tuple) else (results,)
                found.append([np.asarray(one).tobytes() for one in results])
            same.append(found[0] == found[1])
    stats = [f.stats() for f in (items, rows, totals, in_place, loop_of_the_program)]
    captures, kept, found = (
        sum(one[word] for one in stats) for word in ("captures", "kept", "from_disk")
    )
    shared = parallel_counts()["shared"] > 0
    print(json.dumps([all(same), captures, found - kept, shared]))
"""


@pytest.mark.parametrize(("first", "other"), [(1, 3), (7, 2)])
def test_another_number_of_threads(tmp_path: Path, first: int, other: int) -> None:
    """Entries are kept under their options: one with other threads takes the machine code only."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    plain = {k: v for k, v in os.environ.items() if not k.startswith("FRAMEJIT_")}
    plain["FRAMEJIT_CACHE_DIR"] = str(cache)

    def told(threads: int) -> Any:
        done = subprocess.run(
            [sys.executable, program],
            env={**plain, "FRAMEJIT_THREADS": str(threads)},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        return json.loads(done.stdout)

    assert told(first) == [True, 6, 0, first > 1]
    assert told(first) == [True, 0, 0, first > 1]
    assert told(other) == [True, 6, 6, other > 1]
    assert told(other) == [True, 0, 0, other > 1]
