"""Counts the functions of public suites that get a kernel, and lists the breaks that cost most.

    python tests/bench/engagement.py {dace,npbench,pythran,programs} [FOLDER] [--calls N]
        [--seconds S] [--breaks N] [--all]

FOLDER is a fetched one: the `tests/numpy` of DaCe, the root of NPBench, the `tests/cases` of
Pythran. "programs" are those of `tests/bench/programs`. Each case runs once as plain Python, where
a profile function notes the functions that are called; those that fail there, or take over a
second, are left out. Then it runs N times (3) under `framejit.capture()`, each kernel compiled at
once; after S seconds of CPU (20) it is stopped. A function counts as

- own: a segment of it with fused operations ran to its end;
- inlined: it has none, and such a segment of a caller has its code inside;
- breaks: neither, and graph breaks of it were met;
- other: neither, and nothing broke: no operation of it is worth a kernel.

A break costs a function that has no kernel; the list has the details of such breaks, those of most
functions first. With FRAMEJIT_BACKEND=numpy nothing is compiled, and the counts are the same.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import signal
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("FRAMEJIT_COMPILE", "now")

import numpy as np
from public_suites import SUITES, Case

import framejit
from framejit.frontends.capture import capturing
from framejit.frontends.report.facts import facts
from framejit.frontends.report.points import capture_points, passes_of
from framejit.frontends.undecorated.caught import hooked_managers

PLAIN_SECONDS = 1.0
WAYS = ("own", "inlined", "breaks", "other")
Function = tuple[str, str, int]
"""File, name and first line of a function."""


class Inlining:
    """Codes that captures have run in line, by their graph."""

    def __init__(self) -> None:
        self.codes: dict[int, set[Function]] = {}
        self._plain = capturing._capture

    def __enter__(self) -> Self:
        def capture(machine: Any, *rest: Any) -> Any:
            run, seen = machine.inlined, set[Function]()
            machine.inlined = _Noting(run, seen)
            outcome = self._plain(machine, *rest)
            if outcome.captured is not None:
                self.codes[id(outcome.captured)] = seen
            return outcome

        capturing._capture = capture
        return self

    def __exit__(self, *exc: object) -> None:
        capturing._capture = self._plain


class _Noting(list[CodeType]):
    """A list that notes all items ever appended."""

    def __init__(self, items: list[CodeType], seen: set[Function]) -> None:
        super().__init__(items)
        self.seen = seen

    def append(self, code: CodeType) -> None:
        self.seen.add(_function(code))
        super().append(code)


def _function(code: CodeType) -> Function:
    return code.co_filename, code.co_qualname, code.co_firstlineno


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def called(case: Case) -> set[Function] | None:
    """Return the functions of the case's files that plain Python calls; None if it fails."""
    seen: set[Function] = set()

    def profile(frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename in case.files and code.co_flags & 2:
            seen.add(_function(code))

    try:
        call = case.load()
        with _limited(PLAIN_SECONDS):
            sys.setprofile(profile)
            try:
                call()
            finally:
                sys.setprofile(None)
    except BaseException:
        return None
    return {one for one in seen if not one[1].endswith(">")}


def run(cases: list[Case], calls: int, seconds: float, kept: list[object]) -> set[Function]:
    """Run all cases under capture; return the functions that they call."""
    functions: set[Function] = set()
    for case in cases:
        if (seen := called(case)) is None:
            continue
        functions |= seen
        call = case.load()
        kept.append(call)
        try:
            with _limited(seconds), framejit.capture():
                for _ in range(calls):
                    call()
        except TimeoutError:
            print("over the limit of time:", case.name, file=sys.stderr)
    return functions


def sorted_out(
    functions: set[Function], inlining: Inlining
) -> tuple[dict[Function, str], dict[str, set[Function]]]:
    """Return the way of each function, and the functions of each break without a kernel."""
    own, inlined = set[Function](), set[Function]()
    broken: defaultdict[Function, set[str]] = defaultdict(set)
    for manager in hooked_managers():
        function = _function(manager.function.__code__)
        for _, entries in capture_points(manager):
            for entry in entries:
                if passes_of(entry) > 0:
                    own.add(function)
                    inlined |= inlining.codes.get(id(getattr(entry, "captured", None)), set())
        for one in facts(manager, manager.dispatcher).breaks:
            broken[function].add(f"{one.code} {_innermost(one.detail)}")
    ways = {
        one: "own"
        if one in own
        else "inlined"
        if one in inlined
        else "breaks"
        if broken[one]
        else "other"
        for one in functions
    }
    costs: defaultdict[str, set[Function]] = defaultdict(set)
    for one, way in ways.items():
        for detail in broken[one] if way == "breaks" else ():
            costs[detail].add(one)
    return ways, costs


def _innermost(detail: str) -> str:
    """Return what broke, without the calls and loops around it and without names and lines."""
    last = re.split(r"breaks at line \d+(?: of [^:]*)?: ", detail)[-1]
    last = re.sub(r"\b(local|variable|argument) `\w+`", r"a \1", last)
    return re.sub(r"\bline \d+", "a line", last)


def main() -> None:
    """Prints a line of counts, then the breaks that cost most functions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suite", choices=list(SUITES))
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--calls", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--breaks", type=int, default=25, help="lists so many")
    parser.add_argument("--all", action="store_true", help="names each function without a kernel")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    kept: list[object] = []
    cases = list(SUITES[chosen.suite](chosen.folder))
    with Inlining() as inlining:
        functions = run(cases, chosen.calls, chosen.seconds, kept)
        ways, costs = sorted_out(functions, inlining)
    counts = Counter(ways.values())
    share = (counts["own"] + counts["inlined"]) / max(1, len(functions))
    told = ", ".join(f"{way} {counts[way]}" for way in WAYS)
    print(f"{chosen.suite}: {len(functions)} functions called, {told}: {share:.1%} have a kernel")
    for detail, of in sorted(costs.items(), key=lambda item: -len(item[1]))[: chosen.breaks]:
        print(f"{len(of):5} {detail}   e.g. {min(of)[1]} in {Path(min(of)[0]).name}:{min(of)[2]}")
    for one, way in sorted(ways.items()) if chosen.all else ():
        if way in ("breaks", "other"):
            print(f"{way:7} {Path(one[0]).name}:{one[2]} {one[1]}")


if __name__ == "__main__":
    main()
