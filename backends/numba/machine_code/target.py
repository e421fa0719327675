"""LLVM's target: this processor with all its features.

As in Numba's JIT, the code model has absolute addresses at any distance.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import binding


@cache
def target_machine() -> Any:
    """Return LLVM's target machine, one for the process."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=3,
        reloc="static",
        codemodel="jitdefault",
        jit=True,
    )
