"""Programs that are loops, as people write them: what the benchmark of control flow runs.

Each is plain Python and NumPy, and none was written for this package. A program says what it is
called with, at the size it is timed at.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from .programs import PROGRAMS, Program

for _path in sorted(Path(__file__).parent.glob("*.py")):
    if _path.stem not in ("__init__", "programs"):
        importlib.import_module(f"{__name__}.{_path.stem}")

__all__ = ["PROGRAMS", "Program"]
