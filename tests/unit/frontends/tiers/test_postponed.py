"""Captures that the account has no room for: the stub goes, and comes back when there is room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from framejit.frontends.support import start
from framejit.frontends.tiers import copies, waiting
from framejit.frontends.tiers.sites import Site
from framejit.frontends.undecorated.inplace import InPlace, adopt
from framejit.jit import native

start()  # puts the options in force that captures are made with

pytestmark = pytest.mark.counts("stubs of a function that nobody decorated")


def made() -> Any:
    def step(x: Any) -> Any:
        return np.sqrt(x * x + 1.0) - x * 0.5

    return step


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """A list whose one item says if captures may be made in this process; none are in copies."""
    answer = [False]
    monkeypatch.setattr(Site, "may_capture_here", lambda _: answer[0])
    monkeypatch.setattr(copies, "may_begin", lambda _: False)
    attempts = [*waiting._attempts]
    yield answer
    waiting._attempts[:] = attempts
    native.sample_eagerly(bool(attempts))


def stubs(manager: InPlace) -> int:
    function = native.owner(manager)
    assert function is not None
    constants = native.running_code(function).co_consts
    return sum(type(one) is native.Segment for one in constants)


def test_the_stub_goes_and_comes_back(room: list[bool]) -> None:
    step, x = made(), np.arange(5.0)
    expected = made()(x)
    assert adopt(step, Site(step.__code__))
    manager = native.owned(step)
    assert isinstance(manager, InPlace)
    assert stubs(manager) == 1

    results = [step(x) for _ in range(400)]
    assert stubs(manager) == 0
    waiting.try_again()
    assert stubs(manager) == 0

    room[0] = True
    waiting.try_again()
    assert stubs(manager) == 1
    results += [step(x) for _ in range(4)]
    assert all(np.array_equal(each, expected) for each in results)
    assert manager.entries
    assert not waiting._attempts or all(one() is None for one in waiting._attempts)


def with_breaks() -> Any:
    def each(x: Any, seen: set[str], iterations: int) -> Any:
        total = x * 0
        for k in range(iterations):
            seen.add("1")
            total = total + np.sqrt(x)
            seen.add("2")
            total = total * 0.5
            seen.add("3")
            total = total - x
            seen.add(str(k & 7))
        return total

    return each


def test_a_running_frame_asks_for_one_new_version(
    room: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its code has a stub behind each break, and each of them asks in vain."""
    each, floats, others = with_breaks(), np.arange(5.0), np.arange(5, dtype=np.float32)
    assert adopt(each, Site(each.__code__))
    manager = native.owned(each)
    assert isinstance(manager, InPlace)
    room[0] = True
    assert np.array_equal(each(floats, set(), 3), with_breaks()(floats, set(), 3))
    assert stubs(manager) > 4

    room[0] = False
    versions: list[object] = []
    install = manager.install
    monkeypatch.setattr(manager, "install", lambda code: (versions.append(code), install(code)))
    assert np.array_equal(each(others, set(), 900), with_breaks()(others, set(), 900))
    assert len(versions) == 1
    assert stubs(manager) == 1  # of the entry, which has served
