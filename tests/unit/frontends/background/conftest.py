"""Fixtures of the tests of kernels that are compiled in the background."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import pytest
from held_up import SECONDS, Compiler

from framejit.backends.numba.machine_code import codes
from framejit.frontends.runtime import call_budget
from framejit.frontends.runtime.function import Manager
from framejit.jit.background import WORKER


@pytest.fixture(params=["helper", "thread"])
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Compiler]:
    """Whatever was compiled before is not known, in memory and on disk."""
    made = Compiler(codes._compiled, codes._ask if request.param == "helper" else None)
    monkeypatch.setattr(codes, "_compiled", made)
    monkeypatch.setattr(codes, "_ask", made.ask)
    monkeypatch.setattr(codes, "_codes", {})
    monkeypatch.setattr(codes.stored, "find", lambda text: None)
    yield made
    made.opened.set()
    assert WORKER.wait(SECONDS)
    WORKER.errors.clear()


@pytest.fixture(autouse=True)
def first_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls are captured from the first on, whatever the program has taken so far."""
    monkeypatch.setattr(Manager, "may_capture_now", lambda *_: True)
    monkeypatch.setattr(call_budget, "OVERDRAFT", inf)


@pytest.fixture
def held(compiler: Compiler) -> Compiler:
    """Nothing is compiled before it is opened."""
    compiler.opened.clear()
    return compiler
