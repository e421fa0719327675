"""The report: records from counts, text from records, JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import numpy as np
import pytest
from report_facts import BREAK, FACTS, HOME, SEGMENT

from framejit import Report, config, disable, explain, jit
from framejit.jit.report import (
    Facts,
    RecompileRecord,
    SkipRecord,
)
from framejit.jit.report.report_sums import captured
from framejit.jit.report.text import WIDTH, report_text

TEXT = """\
heat (prog.py:10), backend numba, 3 calls
  1 segment compiled: 3 operations fused, 1 opaque; 2 graph breaks
  operations that ran: 57 % fused, 19 % opaque, 23 % at graph breaks
  1 of 3 calls answered by one kernel, without a Python frame

segments
               fused  opaque  ran  bailed  ends
  lines 11-13      3       1    9       3  at the break in line 14, FJ201
      for argument `x`: float64[n], argument `n`: int
      bailed twice for a floating point warning: plain Python went on from there
      bailed once for a check: plain Python went on from there
        once as an index is out of bounds
      passes: 2 folded, 1 common
      a note
  1 more was compiled and did not run so far

graph breaks
  line 14: print(x)
    FJ201, 9 times: call of `print`; this function cannot go into a graph
      -> print after the loop
    FJ101, twice or more: a dict display; this function cannot go into a graph

captured again
  line 10: argument `x`: dtype was float64, now float32

left to plain Python
  line 10: 16 entries are kept for one place [cache-limit, 4 times]

errors of framejit itself (please report them; plain Python answered)
  FJ901, in heat:
    Traceback ...
    ZeroDivisionError"""
X = np.arange(6.0)
COUNTS = pytest.mark.counts("the report tells of the segments, breaks and bails of the normal mode")


# ---- from records --------------------------------------------------------------------------------


def test_text() -> None:
    """Every part, in the order of interest."""
    assert report_text(FACTS) == TEXT


def test_text_is_narrow() -> None:
    """Whatever stands in the records, no line is longer than a terminal."""
    long = "word " * 60
    wide = replace(
        FACTS,
        segments=(replace(SEGMENT, types=(long,), notes=(long,)),),
        breaks=(replace(BREAK, source="x" * 200, detail=long, hint=long, title=long),),
        skipped=(SkipRecord("rule", long, HOME),),
        recompiles=(RecompileRecord(HOME, long),),
        failures=(),
    )

    assert max(map(len, report_text(wide).splitlines())) <= WIDTH


def test_nothing_compiled() -> None:
    """The text says so, and leaves out what is empty."""
    assert report_text(Facts(HOME, "eager", 2, 0)) == (
        "heat (prog.py:10), backend eager, 2 calls\n"
        "  nothing was compiled: all of it ran as plain Python"
    )


def test_captured() -> None:
    """Sums over the segments that ran; the share weighs operations by how often they ran."""
    numbers = captured(FACTS)

    assert (numbers.segments, numbers.fused, numbers.opaque, numbers.whole) == (1, 3, 1, False)
    assert numbers.share == pytest.approx(3 * 9 / (4 * 9 + 9 + 2))
    assert captured(Facts(HOME, "numba", 0, 0)).share == 0.0
    assert captured(replace(FACTS, frameless=3)).whole


def test_json() -> None:
    """All of the records, under a format number."""
    report = Report(None, lambda: FACTS)
    body = json.loads(report.to_json())

    assert body["format"] == 1
    assert set(body) == {"format", "captured", *(one.name for one in fields(Facts))}
    assert body["breaks"][0]["source"] == "print(x)"
    assert body["segments"][0]["bails"] == {"flags": 2, "check": 1}


def test_records_are_frozen() -> None:
    """A report does not change under who reads it."""
    with pytest.raises(FrozenInstanceError):
        SEGMENT.hits = 3  # type: ignore[misc]


# ---- from programs -------------------------------------------------------------------------------


@COUNTS
def test_a_whole_function() -> None:
    """One segment, no break, no frame."""

    def whole(x: Any) -> Any:
        y = x * 2
        return y + 1

    report = explain(whole)(X)

    assert np.array_equal(report.result, X * 2 + 1)
    assert report.captured.whole
    assert (report.captured.fused, report.captured.opaque, report.captured.share) == (2, 0, 1.0)
    assert (report.breaks, report.skipped, report.failures) == ((), (), ())
    first = whole.__code__.co_firstlineno
    segment = report.segments[0]
    assert (segment.place.line, segment.last_line, segment.ends) == (first + 1, first + 2, "return")
    assert segment.types == ("argument `x`: float64[n]",)
    assert "every call answered by one kernel, without a Python frame" in str(report)


@COUNTS
def test_breaks_are_counted_as_they_are_passed() -> None:
    """By the segment before, by the stub behind, or by the calls when nothing stands before."""

    def three(x: Any) -> Any:
        print("first")
        y = x * 2
        print("second")
        return y + 1

    jitted = jit(three)
    for _ in range(4):
        jitted(X)
    report = explain(jitted)(X)
    first = three.__code__.co_firstlineno

    assert [(one.place.line - first, one.count, one.exact) for one in report.breaks] == [
        (1, 5, True),
        (3, 5, True),
    ]
    assert [one.source for one in report.breaks] == ['print("first")', 'print("second")']


@COUNTS
def test_a_jitted_function_tells_all_its_calls() -> None:
    """The report has the reason of each capture, in the user's words, and each entry's purpose."""
    jitted = jit(lambda x: x * 2 + 1)
    for array in (X, X.astype("f4"), X[::2], X.reshape(2, 3), X[:0], X):
        jitted(array)
    report = explain(jitted)(X)

    assert [one.reason for one in report.recompiles] == [
        "argument `x`: dtype was float64, now float32",
        "argument `x`: memory order was C, now strided",
        "argument `x`: number of axes was 1, now 2",
        "argument `x`: axes of length 0 and 1 was (n), now (0)",
    ]
    assert [one.hits for one in report.segments] == [3, 1, 1, 1, 1]


@COUNTS
def test_bails() -> None:
    """A launch that met a floating point flag which the program wants to see."""
    jitted = jit(lambda x: 1 / x + 1)
    with np.errstate(all="ignore"):
        jitted(X)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        jitted(X)
    report = explain(jitted)(X + 1)

    assert report.segments[0].bails == {"flags": 1}
    assert "bailed once for a floating point warning" in str(report)
    assert jitted.stats()["bails"] == 1


@COUNTS
def test_checks() -> None:
    """The report counts bails by the check that failed, also behind a write."""

    def program(x: Any, k: Any) -> Any:
        y = x * 2
        if len(x) > 3:
            x[0] = 1.0
        return y[k], x[k] + 1

    jitted = jit(program)
    jitted(np.ones(6), 1)
    for _ in range(2):
        with pytest.raises(IndexError):
            jitted(np.ones(6), 7)
    report = explain(jitted)(np.ones(6), 2)

    assert sum(report.segments[0].bails.values()) == 2
    assert report.segments[0].checks == {"as an index is out of bounds": 2}
    assert "  twice as an index is out of bounds" in str(report)


@COUNTS
def test_rules() -> None:
    """The report names the rule by which a function or a call was not captured."""

    def stars(*args: Any) -> Any:
        return args[0]

    def rules(function: Any, *args: Any) -> list[str]:
        return [record.rule for record in explain(function)(*args).skipped]

    assert rules(lambda x: x, 3) == ["no-arrays"]
    assert rules(stars, 3)[0] == "signature"
    assert rules(jit(lambda x: x + 1, backend="eager"), X) == ["backend"]


@COUNTS
def test_the_cache_limit() -> None:
    """Good entries stay; what is new runs eagerly and is counted."""
    jitted = jit(lambda x: x + 1)
    jitted._manager.max_entries = 2
    results = [jitted(X.astype(dtype)) for dtype in ("f8", "f4", "i4", "f8", "i8")]
    assert len(results) == 5
    stats = jitted.stats()
    report = explain(jitted)(X)

    assert (stats["captures"], stats["recompiles"], stats["hits"]) == (2, 1, 3)
    assert [record.rule for record in report.skipped] == ["cache-limit"]
    assert "argument `x`: dtype was float64, now int32. What helps: " in report.skipped[0].reason


@COUNTS
def test_functions_without_arrays_are_not_tried_for_ever() -> None:
    """A few captures in vain, then calls go straight to the function."""
    jitted = jit(lambda x: x)
    for _ in range(20):
        jitted(3)

    assert jitted.stats()["skipped"] == 4


@COUNTS
def test_a_generator_is_told_when_it_has_run() -> None:
    """explain() calls once; a generator runs later, and the report follows it."""

    def steps(x: Any) -> Iterator[Any]:
        for i in range(3):
            yield x * i + 2

    report = explain(steps)(X)
    before = len(report.breaks)
    list(report.result)

    assert len(report.breaks) > before
    assert report.skipped[0].rule == "generator"


@COUNTS
def test_stats_are_plain_numbers() -> None:
    """The keys, and what they count."""
    jitted = jit(lambda x: x * 2 + 1)
    jitted(X)
    jitted(X.astype("f4"))
    with disable():
        jitted(X)
    stats = jitted.stats()
    assert all(type(number) is int for number in stats.values())
    assert stats.pop("from_disk") + stats.pop("compiled") == 2

    assert stats == {
        "calls": 3,
        "hits": 2,
        "captures": 2,
        "kept": 0,
        "recompiles": 1,
        "bails": 0,
        "breaks": 0,
        "segments": 1,
        "launches": 2,
        "eager_calls": 1,
        "eager_operations": 0,
        "skipped": 0,
        "slower": 0,
        "awaited": 0,
        "failures": 0,
    }


@COUNTS
def test_inspect_has_a_heading_for_each_entry() -> None:
    """One entry: its text alone. Several: which segment, which line, which version."""

    def two(x: Any) -> Any:
        y = x * 2
        print("here")
        return y + 1

    whole, cut = jit(lambda x: x + 1), jit(two)
    whole(X)
    cut(X)
    with config(backend="numpy"):
        cut(X)
    headings = [line for line in cut.inspect("graph").splitlines() if line.startswith("# ")]
    line = two.__code__.co_firstlineno + 1

    assert jit(two).inspect("graph") == "nothing was captured yet"
    assert whole.inspect("graph").startswith("graph(")
    assert whole.inspect("numba").startswith("def kernel(")
    assert headings[0] == f"# segment 1, line {line}, version 1 of 2, 1 hit"
    assert headings[1] == f"# segment 1, line {line}, version 2 of 2, backend numpy, 1 hit"
    assert cut.inspect("guards").count("local `x`: float64[n]") == 2
    assert f"segment 1, line {line}" in cut.inspect("bytecode")
    assert " object at 0x" not in cut.inspect("bytecode")


@COUNTS
def test_loops_are_told_of() -> None:
    """Those of the kernel, and those that were taken apart, with the reason."""

    def f(x: Any, layers: Any) -> Any:
        for weight in layers:
            x = x * weight
        for k in range(len(x)):
            x[k] += k
        for k in range(2):
            x = x + k
            if k > 5:
                print(k)
        return x

    first = f.__code__.co_firstlineno
    (segment,) = explain(jit(f))(X.copy(), (2.0, 3.0)).segments

    assert segment.notes == (
        f"the loop of line {first + 3} runs inside the kernel",
        f"the loop of line {first + 1} is taken apart, 2 iterations: it goes through objects, "
        "which come one by one",
        f"the loop of line {first + 5} is taken apart, 2 iterations: call of `print`",
    )
