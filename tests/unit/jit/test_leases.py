"""Leases: one process has the right, and loses it with its life."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from framejit.jit.disk import Folder
from framejit.jit.leases import Leases

OTHER = """
import sys
from framejit.jit.disk import Folder
from framejit.jit.leases import Leases
leases = Leases(Folder(sys.argv[1]))
print(leases.take("a" * 64), leases.take("b" * 64), flush=True)
sys.stdin.readline()
"""


def test_one_process_has_it(tmp_path: Path) -> None:
    """Others have it when it is given back, or when the process has been killed."""
    folder = tmp_path / "folder"
    ours = Leases(Folder(str(folder)))
    assert ours.take("a" * 64)
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "False True\n"
    assert not ours.take("b" * 64)
    assert ours.take("c" * 64)
    other.kill()
    other.communicate()
    assert ours.take("b" * 64)
    ours.give_back("b" * 64)
    assert os.listdir(folder) == ["leases"]


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    """Nobody waits for anybody."""
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    leases = Leases(Folder(str(folder), silent=True))
    assert leases.take("a" * 64)
    leases.give_back("a" * 64)
