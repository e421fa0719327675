"""Makes the helpers of this folder importable: pytest's importlib mode does not."""

import sys
from pathlib import Path

from modes import HOSTILE

sys.path.insert(0, str(Path(__file__).parent))

# A hostile mode changes what jitted programs run, and only one file here has any.
collect_ignore = [
    path.name
    for path in Path(__file__).parent.glob("test_*.py")
    if HOSTILE and path.name != "test_jitted.py"
]
