"""Finds the tests that notice a wrong kernel: the suite on backends with one wrong operation.

    python tests/campaigns/mutants.py FILE [--tries N] [--whole] [--by-file] [PYTEST ARGUMENT ...]

A mutant is the numpy backend with another result of one operation on one dtype: "ufunc add d",
"reduce maximum f". First the tests run as they are, and what each of them computes is noted: only
these tests can notice the mutant. Then, for each mutant, N of them from each group of tests run
with it, the quickest first; random programs, which take long, only where nobody else has noticed.
FILE gets a line of JSON a mutant as soon as it is done: how many tests meet it, how many were run,
how many noticed it, by group. The summary tells for each group the mutants that it meets, those
that it noticed, those that no other group meets, and those that nobody noticed.

Without `--whole` the tests are those of the core suite, among the files that are named. Groups are
folders; files with `--by-file`. `--tries 0` only notes which tests meet what.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

os.environ.setdefault("FRAMEJIT_DEBUG", "strict")
os.environ.setdefault("FRAMEJIT_COMPILE", "now")
sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy as np
import pytest
from _pytest.runner import runtestprotocol

GROUPS = ("sweeps/functions", "sweeps/contract", "sweeps/ops_table", "sweeps/numpy_table", "sweeps")
"""Folders of tests that are told apart; all others are "programs and units"."""
OTHERS = "programs and units"
SECONDS = 30
"""For one test: a loop that never ends with a wrong number is noticed."""
AGAIN = 3
"""Seconds to the next try to stop it: what stops a kernel is not seen by a loop around it."""
RANDOM = "sweeps"
"""The group of tests without a folder of their own: random programs, most of all."""


def group_of(item: pytest.Item, *, by_file: bool) -> str:
    """The folder, or the file, that a test is counted with."""
    if by_file:
        return item.path.as_posix().partition("tests/")[2]
    return next((one for one in GROUPS if f"tests/{one}" in item.path.as_posix()), OTHERS)


# ---- mutants -------------------------------------------------------------------------------------


def name_of(node: Any) -> str:
    """The mutant that gets a node wrong; empty for what has no result."""
    if not node.outputs or node.op.reference is None:
        return ""
    called = node.attrs.get("ufunc") or node.attrs.get("function") or node.attrs.get("call")
    called = getattr(called, "function", called)
    name = getattr(called, "__name__", "") if called is not None else ""
    return " ".join(filter(None, (node.op.name, name, node.outputs[0].type.char)))


def _wrong(result: Any) -> Any:
    """Another value of the same type and shape: its first item is not the same."""
    if isinstance(result, tuple | list):
        return type(result)((_wrong(result[0]), *result[1:])) if result else result
    if type(result) in (bool, np.bool_):
        return type(result)(not result)
    if isinstance(result, int | float | complex) and not isinstance(result, np.generic):
        return result + 1
    if not isinstance(result, np.ndarray | np.generic) or result.dtype.kind not in "?buifc":
        return result
    other = np.array(result)
    items = other.reshape(-1)
    if items.size:
        items[0] = ~items[0] if other.dtype.kind == "b" else items[0] + np.ones((), other.dtype)[()]
        if other.dtype.kind in "fc" and not np.isfinite(items[0]):
            items[0] = 3
    return other if isinstance(result, np.ndarray) else other[()]


class Mutants:
    """The numpy backend, listened to, and with one mutant in it."""

    def __init__(self) -> None:
        from framejit.backends.numpy.backend import NumpyBackend

        self.met: set[str] = set()
        self.active = ""
        self._compile = NumpyBackend.compile
        NumpyBackend.compile = self._listening()  # type: ignore[method-assign]

    def _listening(self) -> Any:
        def compile_(backend: Any, plan: Any, attribute: bool = False) -> Any:
            self.met.update(filter(None, map(name_of, plan.graph.nodes())))
            if self.active:
                from falsifying import changed

                plan.graph = changed(plan.graph, self._change)
            return self._compile(backend, plan, attribute)

        return compile_

    def _change(self, node: Any) -> Any:
        if name_of(node) != self.active:
            return node
        right = node.op.reference

        def reference(*args: Any) -> Any:
            with np.errstate(all="ignore"):
                return _wrong(right(*args))

        return replace(node, op=replace(node.op, reference=reference))


# ---- the two runs --------------------------------------------------------------------------------


class Recording:
    """Runs each test once, and notes the mutants that it meets."""

    def __init__(self, *, by_file: bool) -> None:
        self.by_file = by_file
        self.mutants: Mutants
        self.met: dict[str, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
        self.took: dict[pytest.Item, float] = {}
        """Seconds of each test."""
        self._began = 0.0

    def pytest_collection_finish(self) -> None:
        """Imports framejit behind the conftest, which sets its options."""
        self.mutants = Mutants()

    def pytest_runtest_setup(self) -> None:
        """Begin the time and the notes of the test."""
        import oracle

        oracle.BACKENDS[:] = ["numpy"]
        self.mutants.met.clear()
        self._began = perf_counter()

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Note the time that the test took, and the mutants that it met."""
        self.took.setdefault(item, perf_counter() - self._began)
        for name in self.mutants.met:
            self.met[name][group_of(item, by_file=self.by_file)].append(item)


class Killing(Recording):
    """After the last test runs some again, with mutants."""

    def __init__(self, tries: int, file: Path, *, by_file: bool) -> None:
        super().__init__(by_file=by_file)
        self.tries = tries
        self.file = file
        self.lines: list[dict[str, Any]] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Every mutant against some of the tests of each group that meet it."""
        met = {
            name: {group: [*items] for group, items in by.items()} for name, by in self.met.items()
        }
        with self.file.open("w", encoding="utf-8") as written:
            for name, by in sorted(met.items()):
                line = {"mutant": name, "groups": dict(self._groups(name, by))}
                self.lines.append(line)
                written.write(json.dumps(line) + "\n")
                written.flush()

    def _groups(
        self, name: str, by: dict[str, list[pytest.Item]]
    ) -> Iterator[tuple[str, list[int]]]:
        """For each group how many tests meet a mutant, were run with it, noticed it."""
        alive = True
        for group in sorted(by, key=RANDOM.__eq__):
            items = sorted(by[group], key=self.took.__getitem__)
            chosen = items[: self.tries] if alive or group != RANDOM else []
            noticed = sum(self._notices(name, item) for item in chosen)
            alive &= not noticed
            yield group, [len(items), len(chosen), noticed]

    def _notices(self, name: str, item: pytest.Item) -> bool:
        item._initrequest()  # type: ignore[attr-defined]
        self.mutants.active = name
        signal.setitimer(signal.ITIMER_REAL, SECONDS, AGAIN)
        try:
            reports = runtestprotocol(item, log=False, nextitem=None)
        except TimeoutError:
            return True
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.mutants.active = ""
        return any(report.failed for report in reports)


def _too_long(*_: object) -> None:
    raise TimeoutError(f"no end after {SECONDS} s")


def summary(lines: list[dict[str, Any]]) -> Iterator[str]:
    """The table, and what nobody noticed."""
    met, only, noticed = Counter[str](), Counter[str](), Counter[str]()
    for line in lines:
        met.update(line["groups"].keys())
        noticed.update(group for group, (_, _, n) in line["groups"].items() if n)
        if len(line["groups"]) == 1:
            only.update(line["groups"].keys())
    yield f"{len(lines)} mutants"
    yield f"{'met':>6} {'noticed':>8} {'only here':>10}"
    for group, number in met.most_common():
        yield f"{number:6} {noticed[group]:8} {only[group]:10}  {group}"
    alive = [one["mutant"] for one in lines if not any(n for _, _, n in one["groups"].values())]
    yield f"noticed by no test that was run: {len(alive)}"
    yield from (f"  {one}" for one in alive)


def main() -> int:
    """Runs the tests twice and prints the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--tries", type=int, default=2)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--by-file", action="store_true")
    chosen, rest = parser.parse_known_args()
    signal.signal(signal.SIGALRM, _too_long)
    killing = Killing(chosen.tries, chosen.file, by_file=chosen.by_file)
    options = [
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-m",
        "not alone",
        "-q",
        "--numba",
        "none",
    ]
    pytest.main([*options, *([] if chosen.whole else ["--core"]), *rest], plugins=[killing])
    print("\n".join(summary(killing.lines)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
