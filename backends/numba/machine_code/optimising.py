"""Runs LLVM's passes over the module of a kernel.

A few passes first bring variables into SSA form and rotate loops, as later ones expect; then follow
those of -O3 with Numba's options. If short loops are nested, which LLVM unrolls from the inside
out, the function passes run before that too: what is known of one iteration of the outer loop is
then found in a second round. Figures are in docs/decisions/compiling.md.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding

from .lowering import Lowered
from .settings import code_generator


def optimised(kernel: Lowered) -> Any:
    """Return the optimised module of a kernel."""
    generator, module = code_generator(), kernel.module
    module.triple = binding.get_process_triple()
    module.data_layout = generator._data_layout
    made = binding.parse_assembly(str(module))
    if kernel.has_nested_short_loops:
        passes, builder = generator._function_pass_manager()
        for function in made.functions:
            passes.run(function, builder)
    _turn_loops(made, generator)
    passes, builder = generator._module_pass_manager()
    passes.run(made, builder)
    generator.drop_passes()
    return made


def _turn_loops(made: Any, generator: Any) -> None:
    builder = generator._pass_builder(opt=0, loop_vectorize=False, slp_vectorize=False)
    passes = builder.getModulePassManager()
    passes.add_sroa_pass()
    passes.add_loop_rotate_pass()
    passes.add_instruction_combine_pass()
    passes.add_jump_threading_pass()
    passes.run(made, builder)
    generator.managers.append(passes)
