"""Imports of modules that are loaded already: guarded look-ups in `sys.modules`.

Everything else is left to eager: finding and running a module, waiting for another thread's import,
a replaced `__import__`, and a module's `__getattr__`.
"""

from __future__ import annotations

import builtins
import sys
from importlib.machinery import ModuleSpec
from types import BuiltinFunctionType, ModuleType
from typing import Any

from ....guards.kinds import IsObject
from ....guards.namespaces import Holds
from ....guards.sources import Fixed, Global, Key
from ..state.frame import Frame
from ..state.live import realise
from ..state.machine import Machine, handles
from ..values.breaks import INSTRUCTION, GraphBreak
from ..values.symbolic import Known, Lazy, Symbolic
from .attributes import attribute
from .bodies import is_body

_MODULES = sys.modules
"""The interpreter's own dict; assigning another dict to `sys.modules` does not change it."""


@handles("IMPORT_NAME")
def import_name(machine: Machine, frame: Frame, name: str) -> None:
    wanted, level = frame.stack.pop(), frame.stack.pop()
    if not isinstance(level, Known) or not isinstance(wanted, Known):
        raise GraphBreak(INSTRUCTION, f"an import of `{name}`")
    if not is_body(machine, frame):
        _rely_on_import(machine, frame.namespace)
    full = _absolute(machine, frame, name, level.object)
    found = _loaded(machine, frame, full)
    names = wanted.object or ()
    if not names:
        if level.object:
            raise GraphBreak(INSTRUCTION, f"an import of `{name}`")
        if "." in full:  # `import a.b` returns `a`
            found = _loaded(machine, frame, full.partition(".")[0])
    for one in names:
        if one not in vars(found.object):  # a submodule is missing, or its __getattr__ answers
            raise GraphBreak(INSTRUCTION, f"an import of `{name}.{one}`")
    frame.stack.append(found)


@handles("IMPORT_FROM")
def import_from(machine: Machine, frame: Frame, name: str) -> None:
    """Load a name of a module, or a submodule that a package holds."""
    module = realise(machine, frame.stack[-1])
    if not isinstance(module, Known) or not isinstance(module.object, ModuleType):
        raise GraphBreak(INSTRUCTION, "an import")
    if name not in vars(module.object):  # eager looks in sys.modules then
        raise GraphBreak(INSTRUCTION, f"an import of `{name}`, which its module does not hold")
    frame.stack.append(attribute(machine, frame, module, name))


def _rely_on_import(machine: Machine, namespace: dict[str, Any]) -> None:
    """Guard that `import` calls CPython's own functions."""
    behind = namespace.get("__builtins__", builtins.__dict__)
    behind = behind if isinstance(behind, dict) else vars(behind)
    found = behind.get("__import__")
    if (
        type(behind) is not dict
        or type(found) is not BuiltinFunctionType
        or found.__self__ is not builtins
        or found.__name__ != "__import__"
    ):
        raise GraphBreak(INSTRUCTION, "an import by an `__import__` of the program's own")
    machine.guard(Holds.of(behind, "__import__"))


def _absolute(machine: Machine, frame: Frame, name: str, level: int) -> str:
    """Return the absolute name of a module, relative to the namespace's package."""
    if not level:
        return name
    package, spec = (frame.namespace.get(key) for key in ("__package__", "__spec__"))
    if type(package) is not str or type(spec) is not ModuleSpec or spec.parent != package:
        raise GraphBreak(INSTRUCTION, f"an import of `{'.' * level}{name}`")
    if not is_body(machine, frame):
        machine.guard(IsObject.of(Global.of(frame.namespace, "__package__"), package))
    parts = package.split(".")
    if level > len(parts):
        raise GraphBreak(INSTRUCTION, f"an import of `{'.' * level}{name}`")
    return ".".join([*parts[: len(parts) + 1 - level], name]).rstrip(".")


def _loaded(machine: Machine, frame: Frame, name: str) -> Known:
    """Return a completely loaded module, guarded to stay in `sys.modules`.

    Raises:
        GraphBreak: it is not loaded, or testing that runs code of the program's.
    """
    module = _MODULES.get(name)
    if type(module) is not ModuleType:
        raise GraphBreak(INSTRUCTION, f"an import of `{name}`, which is not loaded")
    spec = vars(module).get("__spec__")
    plain = type(spec) is ModuleSpec or (spec is None and "__spec__" in vars(module))
    if not plain or getattr(spec, "_initializing", False):
        raise GraphBreak(INSTRUCTION, f"an import of `{name}`, which is being loaded")
    if is_body(machine, frame):
        return Known(module)
    source = Key(Fixed.of(_MODULES, "sys.modules"), name)
    known: Symbolic = realise(machine, Lazy(source, module))
    assert isinstance(known, Known), "modules are known by their identity"
    return known
