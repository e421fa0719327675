"""Fixtures of the tests of backends."""

from __future__ import annotations

from typing import Any

import pytest
from falsifying import Change, Falsifying

from framejit.backends import registry


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a backend that computes something else known by its name."""

    def put(change: Change, inner: str = "numpy", attribute: bool | None = None) -> str:
        backend = Falsifying(inner, change, attribute)
        monkeypatch.setitem(registry._BUILT_IN, backend.name, lambda: backend)
        registry.load_backend.cache_clear()
        return backend.name

    yield put
    registry.load_backend.cache_clear()
