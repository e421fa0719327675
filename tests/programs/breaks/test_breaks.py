"""One minimal program for each code of the table of graph breaks, with the text that it gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from oracle import Decorator, assert_normally, check, check_script

from framejit import explain, graph_break
from framejit.frontends.breaks.registry import BREAKS
from framejit.frontends.runtime import function, whole_calls

X = np.arange(4.0)
Program = Callable[..., Any]
PROGRAMS: dict[str, tuple[Program, tuple[Any, ...], str]] = {}
"""Code -> (program, arguments behind X, detail)."""


def shows(code: str, detail: str, *arguments: Any) -> Callable[[Program], Program]:
    """Registers the program of a code."""

    def register(program: Program) -> Program:
        PROGRAMS[code] = program, arguments, detail
        return program

    return register


class Holder:
    """An object that looks its attributes up in its own way."""

    def __getattr__(self, name: str) -> int:
        return len(name)


@shows("FJ101", "a set display")
def statement(x: Any) -> Any:
    y = x * 2
    kinds = {y.dtype}
    return y, kinds


@shows("FJ102", "local variable `z`", False)
def unbound(x: Any, flag: bool) -> Any:
    if flag:
        z = x
    y = x * 2
    try:
        return y + z
    except UnboundLocalError:
        return y


@shows("FJ201", "call of `print`")
def call(x: Any) -> Any:
    y = x * 2
    print("half way")
    return y + 1


@shows(
    "FJ202",
    "attribute `factor` of argument `holder` (Holder): its class has __getattr__",
    Holder(),
)
def attribute(x: Any, holder: Holder) -> Any:
    y = x * 2
    return y * holder.factor


@shows("FJ203", "argument `axis` (object)", object())
def argument(x: Any, axis: Any) -> Any:
    y = x * 2
    try:
        return np.sum(y, axis=axis)
    except TypeError:
        return y


@shows("FJ204", "graph_break()")
def asked_for(x: Any) -> Any:
    y = x * 2
    graph_break()
    return y + 1


@shows("FJ301", "add: ValueError: operands could not be broadcast together with shapes", np.ones(3))
def refused(x: Any, other: Any) -> Any:
    y = x * 2
    try:
        return y + np.ones(3)
    except ValueError:
        return y


@shows("FJ302", "argument `other` (an array of dtype object)", np.array([1, 2, 3, 4], object))
def not_plain(x: Any, other: Any) -> Any:
    y = x * 2
    return y + other


@shows("FJ303", "a write of complex128 to where an array says", np.array([0, 2]))
def indexing(x: Any, places: Any) -> Any:
    y = x * 2
    y[places] = y[:2] * 1j
    return y


@shows("FJ304", "a list of 1001 items", [1.0] * 1001)
def large(x: Any, numbers: Any) -> Any:
    y = x * 2
    return y + sum(numbers[1:3])


@shows("FJ401", "the truth of a value that is known only at run time")
def branch(x: Any) -> Any:
    y = x * 2
    if y[:1] > 1:
        return y + 1
    return y


@shows("FJ402", "iteration over argument `kinds` (set)", {1, 2, 3})
def loop(x: Any, kinds: set[int]) -> Any:
    y = x * 2
    for kind in kinds:
        y = y + kind
    return y - 1


@shows("FJ501", "the method `setflags` of an array")
def effect(x: Any) -> Any:
    y = x * 2
    y.setflags(write=False)
    return y


def test_every_code_has_a_program() -> None:
    """A new code needs a program here; these have tests of their own."""
    assert sorted({*PROGRAMS, "FJ305", "FJ403", "FJ901"}) == sorted(BREAKS)


@pytest.mark.counts("the report counts passes of one break; instructions of their own have more")
@pytest.mark.parametrize("code", sorted(PROGRAMS))
def test_break(code: str) -> None:
    """The report names the break, its line, the reason, a hint, and how often it was passed."""
    program, arguments, detail = PROGRAMS[code]
    report = explain(program)(X.copy(), *arguments)
    found = [record for record in report.breaks if record.code == code]

    assert [record.code for record in report.breaks][:1] == [code]
    assert found[0].detail.startswith(detail)
    assert found[0].title == BREAKS[code].title
    assert found[0].hint
    assert found[0].count == 1
    assert found[0].source in Path(__file__).read_text(encoding="utf-8")
    assert f"{code}, once: {detail}" in " ".join(str(report).split())
    assert report.failures == ()


@pytest.mark.parametrize("code", sorted(PROGRAMS))
def test_the_answer_is_eagers(code: str) -> None:
    """A break changes nothing that a program can see."""
    program, arguments, _ = PROGRAMS[code]

    check(program, X.copy(), *arguments)


@pytest.mark.counts("a call that is declined captures nothing, so nothing fails")
def test_an_error_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """FJ901: eager answers, the report holds the traceback."""

    def fails(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("as a test")

    monkeypatch.setattr(whole_calls, "capture", fails)
    monkeypatch.setattr(function, "debug_mode", lambda name: False)
    # The suite fails a test that makes a real Failure; this one wants one.
    monkeypatch.setattr(
        function, "Failure", lambda where, text: SimpleNamespace(where=where, text=text)
    )
    report = explain(call)(X)

    assert np.array_equal(report.result, X * 2 + 1)
    assert [record.code for record in report.failures] == ["FJ901"]
    assert "ZeroDivisionError: as a test" in report.failures[0].traceback
    assert "FJ901, in call:" in str(report)


@pytest.mark.counts("which breaks there are")
def test_what_varies_breaks_after_some_calls() -> None:
    """FJ305: kernels bail at the call until captures end before it."""

    def roots(x: Any, p: Any) -> Any:
        y = np.roots(p) * 2
        return x[:2] + y

    def script(jit: Decorator) -> Any:
        f = jit(roots)
        return [f(X, p) for p in ([1.0, -3.0, 2.0], [1.0, 2.0, 3.0]) * 6]

    for (made,) in check_script(script, backends=["numba"]):
        report = explain(made)(X, [1.0, 2.0, 3.0])
        (found,) = report.breaks

        assert found.code == "FJ305"
        assert found.detail.startswith("kernels were left here again and again, as a call gave")
        assert "kernels have been left at line" in " ".join(str(report).split())


def test_codes_are_plain() -> None:
    """A code is FJ and three digits; its texts end without a full stop and fit a line."""
    for row in BREAKS.values():
        assert row.code[:2] == "FJ"
        assert row.code[2:].isdigit()
        for text in (row.title, row.hint):
            assert text
            assert text[-1] != "."
            assert len(text) <= 100


def test_what_is_walked_is_named_in_english() -> None:
    """An array, an object: the machine's own words for values are no user's."""

    def unpacked(x: Any) -> Any:
        y = x * 2
        first, *_ = y
        return first + 1

    found = explain(unpacked)(np.ones(3)).breaks

    assert_normally([one.detail for one in found] == ["iteration over an array"])
