"""Costs of each test: CPU seconds of this process and of those that it waited for, and wall time.

    python -m pytest --costs FILE ...             appends a line of JSON for each test
    python tests/support/costs.py FILE [DEPTH]    sums them by folder, file or function

The dearest come first. The core suite (`python -m pytest` without `--all`) has a budget of CPU
time, and this lists its spenders. Start with an empty FRAMEJIT_CACHE_DIR: a kernel that lies there
costs nothing.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

SHOWN = 60
"""Lines of a summary."""


class Costs:
    """A plugin that writes down what each test costs, set up and taken down included."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measures one test."""
        before, began = os.times(), time.perf_counter()
        result = yield
        after, took = os.times(), time.perf_counter() - began
        cpu = sum(after[:4]) - sum(before[:4])
        line = json.dumps({"test": item.nodeid, "cpu": round(cpu, 3), "wall": round(took, 3)})
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        return result


def _group(test: str, depth: int) -> str:
    """The folder, file or function that a test is summed with."""
    file, _, function = test.partition("::")
    parts = [*file.split("/"), function.partition("[")[0]]
    return "/".join(parts[:depth])


def main(path: str, depth: str = "2") -> None:
    """Prints the sums."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0])
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        for group in (_group(told["test"], int(depth)), "all"):
            for k, value in enumerate((1, told["cpu"], told["wall"])):
                sums[group][k] += value
    print(f"{'tests':>6} {'CPU s':>8} {'wall s':>8}")
    for group, (count, cpu, wall) in sorted(sums.items(), key=lambda one: -one[1][1])[:SHOWN]:
        print(f"{count:6.0f} {cpu:8.1f} {wall:8.1f}  {group}")


if __name__ == "__main__":
    main(*sys.argv[1:])
