"""Measures the delay of other threads by kernels, and the throughput of two threads of a program.

    python tests/bench/gil_table.py [ITEMS ...]

For each length of the array: the time of a launch; the longest wait of another thread, which sleeps
half a millisecond and looks at the clock, while five launches run; how many calls two threads make
in the time of one. The same of plain NumPy. Kernels have `FRAMEJIT_THREADS` threads.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import framejit

Work = Callable[[Any], Any]
LENGTHS = (50_000, 100_000, 1_000_000, 8_000_000)
SECONDS = 2.0


def curve(x: Any) -> Any:
    return np.exp(-x * x) * np.sin(x) + np.tanh(x)


def longest_wait(work: Work, x: Any) -> float:
    waits, stop = list[float](), threading.Event()

    def look() -> None:
        last = time.perf_counter()
        while not stop.is_set():
            time.sleep(0.0005)
            now = time.perf_counter()
            waits.append(now - last)
            last = now

    thread = threading.Thread(target=look)
    thread.start()
    for _ in range(5):
        work(x)
    stop.set()
    thread.join()
    return max(waits, default=0.0)


def calls(work: Work, x: Any, threads: int) -> int:
    """Return the number of calls that so many threads make in two seconds."""
    done, until = [0] * threads, time.perf_counter() + SECONDS

    def run(number: int) -> None:
        while time.perf_counter() < until:
            work(x)
            done[number] += 1

    several = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for one in several:
        one.start()
    for one in several:
        one.join()
    return sum(done)


def main(lengths: list[int]) -> None:
    print(f"{'items':>10}  {'':8}{'launch':>10}{'longest wait':>14}{'two threads':>13}")
    for length in lengths:
        x = np.linspace(-3.0, 3.0, length)
        jitted = framejit.jit(curve, compile="now", cache=False)
        jitted(x), jitted(x)
        for name, work in (("framejit", jitted), ("numpy", curve)):
            begun = time.perf_counter()
            work(x)
            took = time.perf_counter() - begun
            waited, gain = longest_wait(work, x), calls(work, x, 2) / calls(work, x, 1)
            print(
                f"{length:10,}  {name:8}{took * 1e3:7.2f} ms{waited * 1e3:11.2f} ms{gain:12.2f}x",
                flush=True,
            )


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [*LENGTHS])
