"""Compares, word for word, the kernels of processes that differ in all that must not matter.

    python tests/campaigns/cache_keys.py                  # all programs, three processes
    python tests/campaigns/cache_keys.py loops families@10 tests/programs/arrays/test_writes.py

A group of `kernel_texts.py`, or files of tests, which run under pytest: what their functions are
compiled to counts, not what they assert. The processes have other seeds of hashes, memory that is
handed out in another order, and another order of programs. It ends with 1 where a program has
other texts in one of them, and prints the differences.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS / "support")]

from kernel_texts import Texts, differing, install, processes, scatter  # noqa: E402

ALL = ("examples", "arrays", "loops", "training", "families", str(TESTS / "programs"))
SHOWN = 20
"""Lines of a difference."""


class Plugin:
    """Lets the tests of a session run with a recorder, and writes down the texts of each."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.found: Texts = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """In another order, on the recorder alone."""
        self.recorder = install()
        self.kept = scatter(self.seed) if self.seed else []
        random.Random(self.seed).shuffle(items)

    def pytest_runtest_call(self, item: Any) -> None:
        """Begin to record when the fixtures have run."""
        import oracle

        oracle.BACKENDS[:] = ["numba"]
        self.recorder.texts.clear()

    def pytest_runtest_teardown(self, item: Any) -> None:
        """Note the kernels that the test compiled."""
        self.found[item.nodeid] = sorted(set(self.recorder.texts))


def under_pytest(seed: int, paths: Sequence[str]) -> Texts:
    """Return the kernels that the tests of this process write."""
    import pytest

    plugin = Plugin(seed)
    options = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly"]
    pytest.main([*options, *paths], plugins=[plugin])
    return plugin.found


def of_tests(seeds: Sequence[int], paths: Sequence[str]) -> list[Texts]:
    """Return the kernels that processes of these seeds write under pytest, at the same time."""
    started = []
    for seed in seeds:
        environment = {
            "FRAMEJIT_COMPILE": "now",
            "PYTHONHASHSEED": str(seed),
            "FRAMEJIT_CACHE_DIR": "off",
        }
        command = [sys.executable, __file__, "--child", str(seed), *paths]
        started.append(
            subprocess.Popen(
                command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
            )
        )
    with ThreadPoolExecutor(len(started)) as readers:
        outputs = list(readers.map(lambda one: one.communicate()[0], started))
    return [json.loads(output.splitlines()[-1]) for output in outputs]


def shown(parts: list[list[str]]) -> str:
    """A difference between two texts that only one process has."""
    own = [texts for texts in parts if texts]
    if len(own) < 2:
        return f"    {[len(texts) for texts in parts]} texts that not all of them have"
    one = own[0][0]
    other = max(own[1], key=lambda text: difflib.SequenceMatcher(None, one, text).quick_ratio())
    lines = difflib.unified_diff(one.splitlines(), other.splitlines(), lineterm="", n=1)
    return "\n".join(f"    {line}" for line, _ in zip(lines, range(SHOWN), strict=False))


def main() -> int:
    """Compares; 1 where something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="how many processes")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    parser.add_argument("what", nargs="*", default=ALL)
    arguments = parser.parse_args()
    if arguments.child is not None:
        print(json.dumps(under_pytest(arguments.child, arguments.what)))
        return 0
    seeds = range(arguments.seeds)
    paths = [one for one in arguments.what if Path(one).exists()]
    groups = [one for one in arguments.what if one not in paths]
    found = processes(seeds, groups) if groups else [{} for _ in seeds]
    if paths:
        found = [a | b for a, b in zip(found, of_tests(seeds, paths), strict=True)]
    different = differing(found)
    for name, parts in different.items():
        print(f"{name}\n{shown(parts)}")
    texts = sum(map(len, found[0].values()))
    print(
        f"{len(found[0])} programs, {texts} texts, {len(seeds)} processes: "
        f"{len(different)} programs differ"
    )
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main())
