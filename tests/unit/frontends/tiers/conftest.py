"""A main file: processes of pytest-xdist have none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from framejit.frontends.tiers import resting


@pytest.fixture(autouse=True)
def main_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process run a program from a file."""
    main = tmp_path / "program.py"
    main.write_text("pass\n")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(main), raising=False)
    monkeypatch.setattr(resting, "_program", None)
