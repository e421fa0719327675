"""Many kinds of calls: sizes cost an entry or two; at the limit the log gives advice."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from oracle import assert_counts

import framejit
from framejit.jit import log

LIMIT = 16


@pytest.fixture(autouse=True)
def _no_warning(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever is told of performance, filters and recorders of the program see nothing."""
    monkeypatch.setattr(log, "_told", set())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the messages of the log; handlers of the program get them as warnings."""
    records = [record for record in caplog.records if record.name == "framejit"]
    assert {record.levelno for record in records} <= {logging.WARNING}
    return [record.getMessage() for record in records]


def scaled(x: Any, n: Any) -> Any:
    y = x[:n] * 2.0 + x[-n:]
    if n > 10:
        y = y - 1.0
    total = 0.0
    for k in range(n):
        total += y[k]
    return y, total


@pytest.mark.counts("entries, of a thousand calls")
def test_a_thousand_sizes_cost_two_captures_at_most() -> None:
    """Sizes 0 and 1 are others to NumPy."""
    jitted = framejit.jit(scaled)
    for n in range(2, 1002):
        x = np.linspace(0.0, 1.0, n + n % 7)
        ours, eager = jitted(x, n), scaled(x, n)
        assert ours[0].tobytes() == eager[0].tobytes()
        assert ours[1] == eager[1]

    stats = jitted.stats()
    assert stats["captures"] <= 2
    assert stats["hits"] == 1000
    assert stats["bails"] == 0


def decided(x: Any, mode: Any) -> Any:
    if mode == "double":
        return x * 2.0
    return x + len(mode)


@pytest.mark.counts("the limit of entries")
def test_the_limit_of_entries(caplog: pytest.LogCaptureFixture) -> None:
    """Existing entries go on to serve; other calls are eager's, and the user is told once."""
    jitted = framejit.jit(decided)
    x = np.arange(4.0)
    for k in range(LIMIT):
        assert jitted(x, "m" * k).tolist() == (x + k).tolist()
    answers = [jitted(x, "m" * k).tolist() for k in range(LIMIT, LIMIT + 9)]

    assert answers == [(x + k).tolist() for k in range(LIMIT, LIMIT + 9)]
    line = decided.__code__.co_firstlineno
    assert told(caplog) == [
        f"decided ({__file__}:{line}) was compiled 16 times, and calls like this one need another "
        "kernel: argument `mode`: was '', which decided something; now 'mmmmmmmmmmmmmmmm'. The "
        "kernels that are there stay; calls that none of them fits run as plain Python from now "
        "on. What helps: its value decides: pass few different ones, or decide before the call."
    ]
    [skipped] = framejit.explain(jitted)(x, "").skipped
    assert skipped.reason == (
        "16 entries are kept for one place; what is new runs as plain Python: argument `mode`: was "
        "'', which decided something; now 'mmmmmmmmmmmmmmmm'. What helps: its value decides: pass "
        "few different ones, or decide before the call."
    )
    hits = jitted.stats()["hits"]
    for k in range(LIMIT):
        jitted(x, "m" * k)
    assert jitted.stats()["hits"] == hits + LIMIT


def in_segments(x: Any, mode: Any, log: list[int]) -> Any:
    y = x * 2.0
    log.sort()
    return y + len(mode)


@pytest.mark.counts("the limit of entries")
def test_the_limit_of_a_segment(caplog: pytest.LogCaptureFixture) -> None:
    jitted = framejit.jit(in_segments)
    x = np.arange(4.0)
    answers = [jitted(x, "m" * k, [2, 1]).tolist() for k in range(LIMIT + 4)]

    assert answers == [(x * 2 + k).tolist() for k in range(LIMIT + 4)]
    [message] = told(caplog)
    assert message.startswith(f"in_segments ({__file__}:")
    assert ") was compiled 16 times, and calls like this one need another kernel:" in message


class Raises(logging.Handler):
    """A handler of a program that stops at whatever is logged."""

    def emit(self, record: logging.LogRecord) -> None:
        raise RuntimeError(record.getMessage())


@pytest.mark.counts("the limit of entries")
def test_an_error_of_a_handler() -> None:
    """Eager logs nothing there: what a handler of the program raises does not end the call."""
    handler = Raises()
    logging.getLogger("framejit").addHandler(handler)
    try:
        jitted = framejit.jit(decided)
        x = np.arange(4.0)
        for k in range(LIMIT + 2):
            assert jitted(x, "m" * k).tolist() == (x + k).tolist()
    finally:
        logging.getLogger("framejit").removeHandler(handler)
    assert jitted.stats()["failures"] == 0


def of_any_rank(x: Any) -> Any:
    return np.sqrt(x * x + 1.0).sum(axis=-1)


def test_an_entry_for_each_rank() -> None:
    jitted = framejit.jit(of_any_rank)
    for shape in ((3,), (2, 3), (2, 3, 4), (5,), (4, 4), (2, 2, 2)):
        x = np.linspace(0.0, 1.0, int(np.prod(shape))).reshape(shape)
        assert np.array_equal(jitted(x), of_any_rank(x))

    assert_counts([jitted], captures=3, hits=6, breaks=0, bails=0)
