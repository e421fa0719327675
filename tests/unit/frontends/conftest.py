"""Modes that several tests of this folder run under."""

from __future__ import annotations

import pytest

from framejit.jit.config import SETTINGS


@pytest.fixture(params=["plain", "stubs"])
def plain_and_stubs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the session is, and with a stub before each instruction as well."""
    if request.param == "stubs":
        monkeypatch.setitem(SETTINGS, "debug", (*SETTINGS["debug"], "stub_everywhere"))
