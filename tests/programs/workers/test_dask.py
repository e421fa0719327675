"""Jitted functions in dask: blocks of arrays, delayed calls, futures of a real LocalCluster."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally

from framejit import jit, wait_for_compiles
from framejit.frontends.tiers.accounts import ACCOUNT

pytest.importorskip("dask.array")
pytest.importorskip("distributed")

ROOT = Path(__file__).parents[3]
SECONDS = 300


def scaled(x: Any) -> Any:
    return np.sqrt(x * x + 1.0) * 0.5 - x.mean(axis=1, keepdims=True)


@pytest.fixture
def _time_to_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests before these have not used up what captures may take."""
    monkeypatch.setattr(ACCOUNT, "allowed_inside", lambda: 1.0)


@pytest.mark.usefixtures("_time_to_spare")
@pytest.mark.parametrize("scheduler", ["sync", "threads"])
def test_blocks_of_unequal_size_are_one_kernel(scheduler: str) -> None:
    """Calls with empty arrays, by which dask asks for the type of the result, are none of it."""
    import dask.array as da

    x = np.random.default_rng(1).normal(size=(110, 30))
    blocks = da.from_array(x, chunks=((50, 20, 37, 3), (30,)))
    expected = da.map_blocks(scaled, blocks).compute(scheduler="sync")
    jitted = jit(scaled, compile="auto", backend="numba")
    for _ in range(3):
        found = da.map_blocks(jitted, blocks).compute(scheduler=scheduler)
        wait_for_compiles()

        assert found.tobytes() == expected.tobytes()
    stats = jitted.stats()
    assert_normally((stats["captures"], stats["recompiles"]), (1, 0))
    assert_normally(stats["hits"] >= 4)


@pytest.mark.usefixtures("_time_to_spare")
def test_empty_arrays_are_captured_when_they_are_many() -> None:
    """Work on arrays of one item gets kernels, too."""
    jitted = jit(scaled, compile="auto", backend="numba")
    for _ in range(70):
        jitted(np.ones((1, 1)))
        if jitted.stats()["captures"]:
            break

    assert_normally(20 < jitted.stats()["calls"] < 70)


CLUSTER = """
import functools, os, sys
import numpy as np, dask, dask.array as da
from dask.distributed import Client, LocalCluster
from framejit import jit

K = 1.5
@jit
def top(x):
    return np.sqrt(x * x + K) * 2.0
def made(offset):
    @jit(static=("n",))
    def inner(x, n=2):
        return (x * K + offset) ** n
    return inner
class Model:
    def __init__(self, weights):
        self.weights = weights
    @jit
    def score(self, x):
        return (x * self.weights).sum(axis=-1)
nameless = jit(lambda x: x - K)
def plain(x):
    return x + K
jitted = jit(plain, compile="now")

def count_compiles(file):
    from framejit.backends.numba.machine_code import codes
    compiled = codes._compiled
    def counted(text, cached):
        with open(file, "a") as out:
            out.write(f"{codes.key_of(text)}\\n")
        return compiled(text, cached)
    codes._compiled = counted

def told(name, result):
    print(name, [np.asarray(one).tobytes().hex() for one in result])

if __name__ == "__main__":
    x = np.linspace(0.0, 4.0, 6000).reshape(60, 100)
    blocks = da.from_array(x, chunks=((13, 20, 7, 20), 100))
    parts = [x[k : k + 7 + k] for k in range(0, 24, 3)]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0",
                      memory_limit=0) as cluster, Client(cluster) as client:
        client.run(count_compiles, "compiles.txt")
        for _ in range(3):
            told("blocks", [da.map_blocks(top, blocks).compute()])
            told("closures", client.gather(client.map(made(x[0]), parts)))
            told("partial", client.gather(client.map(functools.partial(made(2.0), n=3), parts)))
            told("method", dask.compute(*[dask.delayed(Model(x[0]).score)(one) for one in parts]))
            told("lambda", client.gather(client.map(nameless, parts)))
            told("plain", client.gather([client.submit(jitted, one) for one in parts]))
            told("delayed", dask.compute(*[dask.delayed(top)(one) for one in parts]))
        told("threads", da.map_blocks(top, blocks).compute(scheduler="threads")[None])
        told("processes", da.map_blocks(top, blocks).compute(scheduler="processes")[None])
        threads = client.run(lambda: sys.modules["framejit.jit.threads"]._default())
        print("threads", sorted(threads.values()))
"""


def run(script: str, folder: Path, **environment: str) -> list[str]:
    (folder / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        env={
            **os.environ,
            "FRAMEJIT_ENTRIES": "1",
            "FRAMEJIT_CACHE_DIR": str(folder / "cache"),
            **environment,
        },
    )
    assert done.returncode == 0, done.stderr
    assert "framejit" not in done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("when", ["now", "auto"])
def test_a_cluster(when: str, tmp_path: Path) -> None:
    """Two workers have eager's bits, and compile each kernel once in all."""
    script = CLUSTER
    *expected, _ = run(script, tmp_path, FRAMEJIT_DISABLE="1")
    *found, threads = run(script, tmp_path, FRAMEJIT_COMPILE=when)
    file = tmp_path / "compiles.txt"
    compiles = file.read_text().split() if file.exists() else []

    assert found == expected
    assert_normally(threads, "threads [1, 1]")  # as dask says with OMP_NUM_THREADS
    assert_normally(len(compiles), len({*compiles}))
    assert_normally(when == "auto" or len(compiles) >= 5)


KERNELS_SERVE = """
import numpy as np
from dask.distributed import Client, LocalCluster
from framejit import jit
@jit
def f(x):
    for k in range(8):
        x = np.sqrt(x * x + k)
    return x
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0",
                      memory_limit=0) as cluster, Client(cluster) as client:
        for k in range(20):
            client.gather(client.map(f, [np.full(1000, k + 1.0 / n) for n in range(1, 9)]))
"""


@pytest.mark.counts("calls in workers")
def test_reports_of_workers_come_back(tmp_path: Path) -> None:
    """`run --report` sums them up; a function of the script, new for each task, has kernels."""
    (tmp_path / "script.py").write_text(KERNELS_SERVE)
    subprocess.run(
        [sys.executable, "-m", "framejit", "run", "--report", "r.json", "script.py"],
        cwd=tmp_path,
        check=True,
        timeout=SECONDS,
        env={
            **os.environ,
            "FRAMEJIT_ENTRIES": "1",
            "FRAMEJIT_CACHE_DIR": str(tmp_path / "cache"),
        },
    )
    report = json.loads((tmp_path / "r.json").read_text())
    facts = next(one for one in report["functions"] if one["place"]["function"] == "f")

    assert report["processes"] == 3
    assert facts["calls"] == 160
    assert sum(one["hits"] for one in facts["segments"]) >= 160


def test_the_example(tmp_path: Path) -> None:
    """`examples/with_dask.py`, small."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "with_dask.py"), "6"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "FRAMEJIT_CACHE_DIR": str(tmp_path)},
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("same bits: yes\n")
