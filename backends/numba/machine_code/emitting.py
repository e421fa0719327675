"""From LLVM's language to object code; imported where a kernel is compiled.

Numba hands each function to an engine of LLVM's, in which it stays for ever with its modules. Here
object code is made of a module, and kernels are loaded as from disk (objects.py): what has led to
them goes with the objects of Python.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import ffi, newpassmanagers
from numba.core import codegen

from .target import target_machine


def object_code(module: Any) -> bytes:
    """Of a module that is optimised.

    No function raises: without tables for exceptions object code is a tenth smaller.
    """
    for function in module.functions:
        if not function.is_declaration:
            function.add_function_attribute("nounwind")
    made: bytes = target_machine().emit_object(module)
    return made


class _Library(codegen.CPUCodeLibrary):
    """What Numba's generator makes of itself when it begins; no function comes into one."""

    def _finalize_specific(self) -> None:
        """There is no engine that would have to be told."""


class Generator(codegen.CPUCodegen):
    """Numba's generator of code, with our target and without an engine."""

    _library_class = _Library

    def __init__(self, module_name: str) -> None:
        self.managers: list[Any] = []
        """Lists of passes that were run, or are about to."""
        numbas: Any = super()
        numbas.__init__(module_name)

    def drop_passes(self) -> None:
        """Frees the lists of passes that were run, 31 KiB each.

        llvmlite's objects say that they do when they die, but the class that does nothing comes
        first among their bases.
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
        """To no engine."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Numba's run time finds no environment: nothing is called here."""
