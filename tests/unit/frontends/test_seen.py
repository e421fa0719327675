"""No frame is left alone in silence: `capture()` tells of all that a profiler sees."""

from __future__ import annotations

import gc
import json
import sys
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally

import framejit
from framejit import capture, explain
from framejit.frontends.undecorated import policy, seen

PROGRAM = """
import json, textwrap
from collections import namedtuple

def whole(x): return x * x * 3 + 1

def broken(x):
    y = x * 2 + 1
    print(end="")
    return y * y - x

def star(*a, **k): return a[0] * 2 + len(k)

def generator(x):
    yield x * 2
    yield x * 3

async def coroutine(x): return x * 2

def plain(n): return n + 1

def fails(n): raise KeyError(n)

def deep(n): return 0 if n == 0 else 1 + deep(n - 1)

def outer(n):
    def inner(x): return x * n + 1
    return inner

class Thing:
    limit = 3
    def __init__(self): self.k = np.ones(5)
    def method(self, x): return self.k * x + 1
    @property
    def size(self): return len(self.k)
    @classmethod
    def make(cls): return cls()
    @staticmethod
    def add(a, b): return a + b
    def __getitem__(self, k): return self.k * k + 1
    def __len__(self): return 3
    def __lt__(self, other): return id(self) < id(other)
    def __enter__(self): return self
    def __exit__(self, *error): return True

def library(x):
    json.dumps({"a": [1, 2]})
    textwrap.wrap("some words", 4)
    np.insert(x, 1, 2.0)
    return namedtuple("Pair", "a b")(1, 2)

def run(coroutine):
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value

def drive(x):
    thing = Thing.make()
    calls = [
        (whole, x), (broken, x), (star, x), (plain, 1), (deep, 5), (library, x),
        (thing.method, x), (Thing.add, x, 1), (thing.__getitem__, 2),
    ]
    for _ in range(6):
        for call, *arguments in calls:
            call(*arguments)
        list(generator(x)), run(coroutine(x)), len(thing), thing[1], thing.size
        sorted([thing, Thing.make()]), [plain(k) for k in (1, 2)], {plain(k): k for k in (3,)}
        with thing:
            fails(1)
        exec("def made(x): return x + 1\\nclass Made: pass\\nmade(1)", {"__name__": "made"})
    for n in range(12):
        outer(n)(x)
"""
"""Frames of every kind."""

Place = tuple[str, str, int]


def place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def program() -> Any:
    """The function that drives a fresh copy of the program."""
    space: dict[str, Any] = {"np": np, "__name__": "program"}
    exec(compile(PROGRAM, "<program>", "exec"), space)
    return space["drive"]


def frames_seen(drive: Any, *arguments: Any) -> Counter[Place]:
    """Return the number of frames of each code object that began, as a profiler sees it."""
    started: Counter[Place] = Counter()
    known: dict[int, FrameType] = {}

    def profile(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and id(frame) not in known:
            known[id(frame)] = frame  # a generator's frame begins once and goes on often
            started[place(frame.f_code)] += 1

    was = sys.getprofile()
    gc.collect()
    gc.disable()  # what other tests have left behind must not run here
    sys.setprofile(profile)
    try:
        drive(*arguments)
    finally:
        sys.setprofile(was)
        gc.enable()
    return started


@pytest.mark.counts("rewritten code of a hostile mode calls what it likes")
def test_every_frame_is_accounted_for() -> None:
    """Each code object that ran was captured or is listed, with a rule and the number of frames."""
    x = np.linspace(0, 1, 5)
    program()(x)  # imports and caches
    gc.collect()  # else what other tests have left dies in between, in frames of its own
    expected = frames_seen(program(), x)
    drive = program()
    gc.collect()
    with capture() as block:
        drive(x)
    report = block.report
    captured = {(one.place.file, one.place.line) for one in report.functions}
    listed: Counter[Place] = Counter()
    for one in report.skipped:
        listed[one.place.file, one.place.function, one.place.line] += one.count
    left = {one for one in listed if one[0].startswith(framejit.__path__[0])}

    missing = {one for one in expected if one not in listed and (one[0], one[2]) not in captured}
    assert missing == set()
    assert set(listed) - left <= set(expected)
    # A call that a captured caller has inlined makes no frame: there may be fewer, never more.
    own = [one for one in listed if one[0] == "<program>"]
    assert [one for one in own if listed[one] > expected[one]] == []
    for name in ("fails", "Thing.__exit__"):
        assert_normally([listed[o] == expected[o] for o in own if o[1] == name], [True])
    assert {one.rule for one in report.skipped} >= {"library", "body", "no-arrays", "closures"}
    assert all(one.reason and one.count > 0 for one in report.skipped)
    names = {one.place.function for one in report.functions}
    assert names >= {"whole", "broken", "star", "generator", "coroutine"}


def test_a_report_is_text_and_json() -> None:
    """The text names each function and rule, libraries by package; JSON has it all."""
    x = np.linspace(0, 1, 5)
    drive = program()
    with capture() as block:
        drive(x)
    text, data = str(block.report), json.loads(block.report.to_json())

    assert "left to plain Python\n  <program>\n" in text
    assert "of libraries left alone: " in text
    assert ", json" in text
    assert "\n  json " in block.report.to_text(verbose=True)
    assert max(map(len, text.splitlines())) <= 100
    assert len(data["skipped"]) == len(block.report.skipped)
    assert [one["place"]["function"] for one in data["functions"]] == [
        one.place.function for one in block.report.functions
    ]
    assert repr(block.report).startswith("<framejit.ProgramReport: ")


def test_reports_of_blocks_are_apart() -> None:
    """A second block tells of its own frames, of functions that were captured before as well."""
    x = np.linspace(0, 1, 5)
    space = program().__globals__
    with capture() as first:
        for _ in range(3):
            space["whole"](x)
    with capture() as second:
        space["plain"](1)
    with capture() as third:
        space["whole"](x)

    names = [[one.place.function for one in block.report.functions] for block in (first, third)]
    assert_normally(names, [["whole"], ["whole"]])
    assert_normally(second.report.functions, ())
    left = [one.place.function for one in second.report.skipped if one.rule != "framejit"]
    assert_normally(left, ["plain"])


def test_code_that_dies_while_frames_are_counted_counts_once() -> None:
    """The collector may come at any allocation, those of the list of records among them."""
    key = ("<dies>", "plain", 1)
    old = gc.get_threshold()
    gc.disable()
    try:
        with capture():
            for k in range(40):
                gc.collect()  # no tuples in stock, which nobody counts
                for _ in range(20):
                    space: dict[str, Any] = {}
                    exec(compile("def plain(n): return n", "<dies>", "exec"), space)
                    space["itself"] = space  # only the collector finds it
                    space["plain"](1)
                gc.set_threshold(gc.get_count()[0] + 2 * k)
                gc.enable()
                frames = seen._frames()[key]
                gc.disable()
                assert_normally(frames, 20 * (k + 1))
    finally:
        gc.set_threshold(*old)
        gc.enable()


def test_functions_are_told_apart_by_more_than_where_they_are_in_memory() -> None:
    """Those that die in a block leave their memory to others, which are called as often."""
    x = np.linspace(0, 1, 5)
    old = [program().__globals__["whole"] for _ in range(60)]
    with capture():
        for k in range(120):
            old[k // 3](x)
    with capture() as block:
        old.clear()
        gc.collect()
        new = [program().__globals__["whole"] for _ in range(60)]
        for k in range(120):
            new[k // 3](x)

    assert_normally([one.place.function for one in block.report.functions], ["whole"] * 40)


def test_what_dies_in_a_block_has_not_run_there_for_that() -> None:
    """A function with the same place as one that runs, collected while the block is open."""
    x = np.linspace(0, 1, 5)
    old, new = (program().__globals__ for _ in range(2))
    with capture():
        for _ in range(3):
            old["whole"](x)
            new["whole"](x)
    with capture() as block:
        new["whole"](x)
        old.clear()
        del old
        gc.collect()

    names = [one.place.function for one in block.report.functions]
    assert_normally(names, ["whole"])


def test_under_a_tool_the_number_of_frames_is_told() -> None:
    """Nothing is captured; the report says so."""
    drive = program()
    was = sys.getprofile()
    sys.setprofile(lambda *_: None)
    try:
        with capture() as block:
            drive(np.ones(5))
    finally:
        sys.setprofile(was)

    skipped = [one for one in block.report.skipped if one.rule == "tools"]
    assert len(skipped) == 1
    assert skipped[0].count > 0
    assert "a debugger, profiler or tracer was watching [tools" in str(block.report)


def test_explain_lists_what_its_function_reached() -> None:
    """Frames that a break led to and that ran as they are: code, rule and count."""
    space = program().__globals__
    source = "def caller(x):\n y = x * 2\n print(end='')\n json.dumps([1])\n return y + 1"
    exec(source, space)
    report = explain(space["caller"])(np.ones(3))
    assert_normally({"library"} <= {one.rule for one in report.skipped})
    assert "library" in str(report) or not report.skipped


def test_what_belongs_to_framejit() -> None:
    """Every subpackage of it, but no example and no test, wherever the package is."""
    home = Path(framejit.__file__).parent
    for name in (
        "jit/filters.py",
        "backends/registry.py",
        "frontends/runtime/function.py",
        "__main__.py",
    ):
        assert policy.is_framejit(str(home / name))
    for path in (home / "examples/kmeans.py", home / "tests/support/oracle.py", Path(np.__file__)):
        assert not policy.is_framejit(str(path))
