"""Programs and kernels whose machine code is kept in a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from framejit.backends.numba.machine_code import codes, stored
from framejit.backends.numba.machine_code.codes import _codes, compile_text
from framejit.jit.disk import Folder

PROGRAM = """
import sys
import numpy as np
from framejit import jit

@jit
def arrays(x, y):
    z = np.where(x > 0, x * y + 1, np.exp(-x))
    return z, z.sum(axis=0), (y // 2).astype(np.int32) % 3, np.zeros(300)

@jit
def loops(x, y):
    total, last = 0.0, 0
    for k in range(len(x)):
        if x[k] > total:
            total = total + y[k] ** 2
            last = k
        else:
            x[k] = total % 1.5
    return total, last, x

x = np.linspace(-3.0, 5.0, 300)
for f in (arrays, loops, loops):
    print([np.asarray(one).tobytes().hex() for one in f(x, x[::-1].copy())])
print(arrays.stats()["captures"], arrays.stats()["failures"], loops.stats()["hits"])
"""


SMALL = """
import numpy as np
from framejit import jit
@jit
def f(x): return x * 2 + 1
x = np.arange(4.0)
print(f(x), f(x + 1), f.stats()["hits"], f.stats()["failures"])
"""


TOLD = "\nprint(not {'numba', 'llvmlite'}.isdisjoint(sys.modules))"


def run(folder: Path | str, program: str, *options: str, **environment: str) -> list[str]:
    """The lines that a program prints, in a process that keeps machine code in that folder."""
    kept = {k: v for k, v in os.environ.items() if k != "FRAMEJIT_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, *options, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**kept, "FRAMEJIT_CACHE_DIR": str(folder), **environment},
    )
    assert done.returncode == 0, done.stderr
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]


def compile_anew(text: str) -> Any:
    """As a process that has not met the text yet."""
    _codes.pop((text, True), None)
    codes._loaded.clear()
    return compile_text(text)


def entries(folder: Path) -> list[Path]:
    """Return the files of kernels in the option's folder."""
    return sorted((folder / "kernels").glob("*"))


def signed(content: bytes) -> bytes:
    """Write the digest of the present contents."""
    return content[:-32] + stored.digest256(content[:-32]).digest()


def told(folder: Folder, caplog: pytest.LogCaptureFixture) -> str:
    """Return the reason why a folder is not read, logged once; the commands say the same."""
    for _ in range(2):
        assert folder.read("0" * 64) is None
    assert not folder.write("0" * 64, b"")
    [record] = [record for record in caplog.records if record.name == "framejit"]
    caplog.clear()
    why = folder.why_unusable()
    assert record.getMessage() == (
        f"keeps no machine code in {folder.path}, and compiles in each process: {why}"
    )
    return why
