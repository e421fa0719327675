"""framejit: a just-in-time compiler for unmodified NumPy code.

@framejit.jit               compiles the array code of a function
framejit.explain(f)(x, y)   tells what was captured, where it broke, and why
framejit.capture()          a block in which undecorated functions are compiled, too
framejit.config(...)        options in a block; framejit.disable(): everything eager
framejit.graph_break()      ends a segment on purpose
python -m framejit          run, demo, doctor, cache
"""

from __future__ import annotations

# The lazy face (PEP 562): it knows where the public names live and imports nothing heavy until one
# of them is used.
import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False
"""As in `typing`, which takes as long to import as the interpreter does to start."""
if TYPE_CHECKING:
    from typing import Any

    from .frontends.api import capture as capture
    from .frontends.api import config as config
    from .frontends.api import disable as disable
    from .frontends.api import explain as explain
    from .frontends.api import graph_break as graph_break
    from .frontends.api import jit as jit
    from .frontends.stages import Compiled as Compiled
    from .frontends.stages import Lowered as Lowered
    from .frontends.stages import Traced as Traced
    from .frontends.tiers.compiles import wait_for_compiles as wait_for_compiles
    from .jit.errors import BackendError as BackendError
    from .jit.errors import FallbackWarning as FallbackWarning
    from .jit.errors import FramejitError as FramejitError
    from .jit.errors import FramejitWarning as FramejitWarning
    from .jit.errors import GraphBreakError as GraphBreakError
    from .jit.errors import StageError as StageError
    from .jit.errors import VerifyError as VerifyError
    from .jit.report import Report as Report

__version__ = "0.1.0"

_HOMES = {
    "capture": ".frontends.api",
    "config": ".frontends.api",
    "disable": ".frontends.api",
    "explain": ".frontends.api",
    "graph_break": ".frontends.api",
    "jit": ".frontends.api",
    "Traced": ".frontends.stages",
    "Lowered": ".frontends.stages",
    "Compiled": ".frontends.stages",
    "wait_for_compiles": ".frontends.tiers.compiles",
    "Report": ".jit.report",
    "BackendError": ".jit.errors",
    "FallbackWarning": ".jit.errors",
    "FramejitError": ".jit.errors",
    "FramejitWarning": ".jit.errors",
    "GraphBreakError": ".jit.errors",
    "StageError": ".jit.errors",
    "VerifyError": ".jit.errors",
}
__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])


class _Face(ModuleType):
    """The module's class: `framejit.jit` is the decorator, although a subpackage has the same name.

    Importing the subpackage assigns it to the attribute `jit` of this module; a property ignores
    that assignment and still returns the decorator.
    """

    @property
    def jit(self) -> Any:
        """The decorator."""
        return __getattr__("jit")

    @jit.setter
    def jit(self, subpackage: ModuleType) -> None:
        pass


sys.modules[__name__].__class__ = _Face
