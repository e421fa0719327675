"""What several tests of this room run under."""

from __future__ import annotations

import pytest

from framejit.frontends import function, segments
from framejit.jit.config import debug_mode


@pytest.fixture(params=["plain", "stubs"])
def plain_and_stubs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The normal mode, and a stub before each instruction."""
    if request.param == "stubs":
        for module in (function, segments):
            monkeypatch.setattr(
                module, "debug_mode", lambda name: name == "stub_everywhere" or debug_mode(name)
            )
