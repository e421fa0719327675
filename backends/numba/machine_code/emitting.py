"""Emits object code for an LLVM module; imported only when a kernel is compiled.

Numba would add each function to an LLVM engine that keeps it and its modules for ever. Here a
module becomes object code that is loaded as if from disk (objects.py), and everything else is freed
with the Python objects.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import ffi, newpassmanagers
from numba.core import codegen

from .target import target_machine


def object_code(module: Any) -> bytes:
    """Return the object code of an optimised module.

    No function raises, so all are marked nounwind: without unwind tables code is a tenth smaller.
    """
    for function in module.functions:
        if not function.is_declaration:
            function.add_function_attribute("nounwind")
    made: bytes = target_machine().emit_object(module)
    return made


class _Library(codegen.CPUCodeLibrary):
    """Satisfies Numba's code generator, which creates a library at start; it stays empty."""

    def _finalize_specific(self) -> None:
        """Do nothing; there is no engine to notify."""


class Generator(codegen.CPUCodegen):
    """Numba's code generator for our target, without an execution engine."""

    _library_class = _Library

    def __init__(self, module_name: str) -> None:
        self.managers: list[Any] = []
        """Pass managers that were run or are about to be."""
        numbas: Any = super()
        numbas.__init__(module_name)

    def drop_passes(self) -> None:
        """Free the pass managers that were run, 31 KiB each.

        llvmlite's objects claim to free themselves, but the base class whose method does nothing
        comes first.
        """
        while self.managers:
            manager = self.managers.pop()
            if type(manager)._dispose is ffi.ObjectRef._dispose:
                newpassmanagers.NewPassManager._dispose(manager)
                manager.detach()
            else:
                manager.close()

    def _module_pass_manager(self, **kwargs: Any) -> tuple[Any, Any]:
        return self._noted("_module_pass_manager", kwargs)

    def _function_pass_manager(self, **kwargs: Any) -> tuple[Any, Any]:
        return self._noted("_function_pass_manager", kwargs)

    def _noted(self, kind: str, kwargs: dict[str, Any]) -> tuple[Any, Any]:
        numbas: Any = super()
        manager, builder = getattr(numbas, kind)(**kwargs)
        self.managers.append(manager)
        return manager, builder

    def _init(self, llvm_module: Any) -> None:
        numbas: Any = self
        numbas._tm = target_machine()
        numbas._tm_features = ""
        numbas._target_data = numbas._tm.target_data
        numbas._data_layout = str(numbas._target_data)
        numbas._loopvect, numbas._opt_level = False, 0

    def _add_module(self, module: Any) -> None:
        """Do nothing; there is no engine to add it to."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing; code of kernels needs no environment of Numba's."""
