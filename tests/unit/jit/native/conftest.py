"""Fixtures for the tests of the C core."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from framejit.jit.native import _core


@pytest.fixture
def clean_hook() -> Iterator[None]:
    """A test leaves no callbacks and no enabled thread behind."""
    yield
    while _core.hook_state()["thread_depth"]:
        _core.hook_disable()
    _core.hook_set_callbacks(None, None)
    assert not _core.hook_state()["installed"]
