"""Runs a whole program with @jit on the functions that it names in HOT.

    python tests/bench/run_decorated.py PROGRAM.py [ARGUMENT ...]

The file stays as it is: the decorators are added to what Python has parsed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from whole_programs import decorated, read

from framejit import jit

DECORATOR = "framejit_jit"


def main() -> None:
    """Runs the program as `__main__`."""
    sys.argv = sys.argv[1:]
    path = Path(sys.argv[0]).resolve()
    module = ModuleType("__main__")
    module.__dict__.update({"__file__": str(path), DECORATOR: jit})
    sys.modules["__main__"] = module
    sys.path[0] = str(path.parent)
    exec(compile(decorated(read(path), DECORATOR), str(path), "exec"), module.__dict__)


if __name__ == "__main__":
    main()
