"""Cores that a process may use, as files of control groups tell them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from framejit.jit import cores

FOUR = {0, 1, 2, 3}


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in the place of the system's; four cores by affinity."""
    monkeypatch.setattr(cores, "ROOT", str(tmp_path))
    monkeypatch.setattr(cores, "GROUPS", str(tmp_path / "groups"))
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: FOUR)
    return tmp_path


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")


@pytest.mark.parametrize(
    ("groups", "files", "expected"),
    [
        ("", {}, 4.0),
        ("0::/", {"cpu.max": "150000 100000"}, 1.5),
        ("0::/", {"cpu.max": "max 100000"}, 4.0),
        ("0::/a/b", {"a/b/cpu.max": "max 100000", "a/cpu.max": "200000 100000"}, 2.0),
        ("0::/a/b", {"a/b/cpu.max": "800000 100000"}, 4.0),
        ("3:cpu,cpuacct:/a", {"cpu,cpuacct/a/cpu.cfs_quota_us": "50000"}, 4.0),
        (
            "5:memory:/a\n3:cpu,cpuacct:/a",
            {
                "cpu,cpuacct/a/cpu.cfs_quota_us": "50000",
                "cpu,cpuacct/a/cpu.cfs_period_us": "100000",
            },
            0.5,
        ),
        (
            "3:cpu:/",
            {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"},
            4.0,
        ),
    ],
)
def test_cores(groups: str, files: dict[str, str], expected: float, system: Path) -> None:
    """The least of all: of the affinity and of each group above."""
    put(system / "groups", groups)
    for name, text in files.items():
        put(system / name, text)
    assert cores.cores() == expected
