"""Fixtures of the tests of machine code on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framejit import jit
from framejit.backends.numba.machine_code import stored
from framejit.jit import log
from framejit.jit.disk import Folder


@pytest.fixture(scope="module")
def kernels() -> tuple[str, str]:
    """The texts of two kernels."""
    x = np.arange(4.0)
    texts = []
    for function in (lambda x: x * 2 + 1, lambda x: x * x - 3):
        jitted = jit(function, backend="numba")
        jitted(x)
        texts.append(jitted.inspect("numba"))
    return texts[0], texts[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The folder that the backend uses in this test."""
    made = Folder(str(tmp_path / "kernels"))
    monkeypatch.setattr(stored, "folder", lambda: made)
    monkeypatch.setattr(log, "_told", set())
    return made
