"""The passes of Numba that a kernel needs.

Numba's own list also inlines closures and rewrites array expressions, `raise`, `print` and constant
branches, and works out anew after each of these which variables live. Kernels have nothing of the
kind: without those passes the machine code is the same and a compile takes a sixth less.
"""

from __future__ import annotations

from typing import Any

from numba.core import compiler_machinery, typed_passes, untyped_passes
from numba.core.compiler import CompilerBase

_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class KernelCompiler(CompilerBase):
    """What `numba.cfunc` compiles a kernel with."""

    def define_pipelines(self) -> list[Any]:
        """The one list of passes."""
        manager = compiler_machinery.PassManager("framejit kernel")
        for each in _PASSES:
            manager.add_pass(each, each.__name__)
        manager.finalize()
        return [manager]
