"""What LLVM makes machine code for: this processor, with all that it can do.

As Numba does for functions that run at once: addresses at any distance, none of them relative.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import binding


@cache
def target_machine() -> Any:
    """LLVM's, one for the process."""
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
