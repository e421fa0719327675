"""Workers of a dask LocalCluster: how much faster two are than one, and who compiles what.

    python tests/bench/cluster.py [--rounds N] [--blocks N]

Blocks are made and worked on in the workers, by a jitted function of this script, which each task
brings along. Clusters of one worker and of two take turns in rounds; told are the medians of wall
time and their ratio, the same for plain NumPy, and how often a kernel was compiled in all. A pool
of two processes then does the same with two threads in each process, and with one.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from framejit import jit

ITEMS = 250_000


@jit(compile="now")
def worked(x: Any) -> Any:
    for k in range(12):
        x = np.sqrt(x * x + k) * 0.5 + np.exp(-x) / (1.0 + x * x)
    return x.sum()


def task(number: int) -> float:
    return float(worked(np.linspace(0.0, 1.0 + number % 7, ITEMS + number)))


def plain(number: int) -> float:
    return float(worked.__wrapped__(np.linspace(0.0, 1.0 + number % 7, ITEMS + number)))


def count_compiles(file: str) -> None:
    """In a worker: notes each kernel that it compiles from now on."""
    from framejit.backends.numba.machine_code import codes

    compiled = codes._compiled

    def counted(text: str, cached: bool) -> Any:
        with open(file, "a") as out:
            out.write(f"{codes.key_of(text)}\n")
        return compiled(text, cached)

    codes._compiled = counted


def seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def clusters(rounds: int, blocks: int) -> None:
    from dask.distributed import Client, LocalCluster

    folder = Path(tempfile.mkdtemp())
    clients = {}
    for workers in (1, 2):
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0", memory_limit=0
        )
        clients[workers] = Client(cluster)
        clients[workers].run(count_compiles, str(folder / "compiles"))
    two = clients[2]
    began = time.perf_counter()
    two.gather(two.map(task, range(4), pure=False))  # both workers come to the kernel at once
    print(f"first tasks, with the compile: {time.perf_counter() - began:.2f} s")
    took: dict[tuple[str, int], list[float]] = {}
    for _ in range(rounds):
        for name, function in (("framejit", task), ("NumPy", plain)):
            for workers, client in clients.items():
                n = blocks if name == "framejit" else max(2, blocks // 4)
                futures = lambda client=client, f=function, n=n: client.gather(  # noqa: E731
                    client.map(f, range(n), pure=False)
                )
                took.setdefault((name, workers), []).append(seconds(futures) / n)
    for name in ("framejit", "NumPy"):
        one, both = (statistics.median(took[name, workers]) for workers in (1, 2))
        spread = [a / b for a, b in zip(took[name, 1], took[name, 2], strict=True)]
        print(
            f"{name}: {one * 1e3:.2f} ms a block with one worker, {both * 1e3:.2f} with two: "
            f"{one / both:.2f} times as fast ({min(spread):.2f} to {max(spread):.2f})"
        )
    compiles = (folder / "compiles").read_text().split() if any(folder.iterdir()) else []
    print(f"{len({*compiles})} kernels, compiled {len(compiles)} times by three workers")
    for client in clients.values():
        cluster = client.cluster
        client.close()
        cluster.close()


def pools(rounds: int, blocks: int) -> None:
    took: dict[str, list[float]] = {}
    executors = {}
    for threads in ("", "1"):
        os.environ["FRAMEJIT_THREADS"] = threads or "2"
        executors[threads] = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
        list(executors[threads].map(task, range(4)))
    for _ in range(rounds):
        for threads, executor in executors.items():
            work = lambda one=executor: list(one.map(task, range(blocks)))  # noqa: E731
            took.setdefault(threads, []).append(seconds(work))
    shared, alone = (statistics.median(took[threads]) for threads in ("", "1"))
    print(f"pool of two: with two threads each {shared / alone:.2f} of the time with one each")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--blocks", type=int, default=60)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FRAMEJIT_CACHE_DIR"] = cache
        os.environ["FRAMEJIT_ENTRIES"] = "1"
        clusters(chosen.rounds, chosen.blocks)
        pools(chosen.rounds, chosen.blocks)
    return 0


if __name__ == "__main__":
    sys.exit(main())
