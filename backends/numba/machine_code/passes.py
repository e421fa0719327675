"""The passes of Numba that a kernel needs.

Numba's own list also inlines closures and rewrites array expressions, `raise`, `print` and constant
branches, and works out anew after each of these which variables live. Kernels have nothing of the
kind: without those passes the machine code is the same and a compile takes a sixth less. What is
asked of types is the same few questions in each kernel; the answers are kept.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Any

from llvmlite import ir
from numba.core import (
    compiler_machinery,
    lowering,
    ssa,
    transforms,
    typed_passes,
    untyped_passes,
)
from numba.core import ir as numba_ir
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import register_pass
from numba.core.ir_utils import build_definitions, get_definition, guard

from ....jit.native import KERNEL_BAIL
from ..library.intrinsics import unpredictable


class _Remembering:
    """A typing context that works out once what an operator or a function makes of some types.

    Numba tries one template after the other, each with literal types and without, and words for
    each why it does not fit.
    """

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """The signature of a call."""
        if kws:
            return self._context.resolve_function_type(function, args, kws)
        return _function_type(self._context, function, args)

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """The signature of a store."""
        return _setitem(self._context, target, index, value)


@lru_cache(maxsize=4096)
def _function_type(context: Any, function: Any, args: Any) -> Any:
    return context.resolve_function_type(function, args, {})


@lru_cache(maxsize=4096)
def _setitem(context: Any, target: Any, index: Any, value: Any) -> Any:
    return context.resolve_setitem(target, index, value)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Canonical(untyped_passes.IRProcessing):
    """IRProcessing without lifetimes, which are worked out once: where variables are deleted."""

    _name = "framejit_canonical"

    def run_pass(self, state: Any) -> bool:
        """Joins blocks that follow each other, and drops dead ones."""
        state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class _SingleAssignment(untyped_passes.ReconstructSSA):
    """ReconstructSSA without lifetimes."""

    _name = "framejit_ssa"

    def run_pass(self, state: Any) -> bool:
        """Gives each assignment a variable of its own."""
        _assign_once(state.func_ir.blocks)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


def _assign_once(blocks: dict[int, Any]) -> None:
    """What `numba.core.ssa` does, variable by variable, in the blocks that have that variable.

    Numba goes through all blocks for each variable: of a kernel with many loops, that was half of
    the time of its compile.
    """
    graph = compute_cfg_from_blocks(blocks)
    frontiers = ssa._iterated_domfronts(graph)
    violators = ssa._find_defs_violators(blocks, graph)
    places = _blocks_of(blocks)
    cache = ssa._CacheListVars()
    for name in violators:
        fresh, definitions = ssa._fresh_vars({at: blocks[at] for at in places[name]}, name)
        states = {
            **ssa._make_states(blocks),
            "varname": name,
            "defmap": definitions,
            "phimap": defaultdict(list),
            "cfg": graph,
            "phi_locations": ssa._compute_phi_locations(frontiers, definitions),
        }
        blocks |= ssa._run_block_rewrite(fresh, states, ssa._FixSSAVars(cache))
        for at, phis in states["phimap"].items():
            blocks[at].body = phis + blocks[at].body


def _blocks_of(blocks: dict[int, Any]) -> dict[str, list[int]]:
    """The blocks that assign or use each variable, in their order."""
    places: dict[str, dict[int, None]] = defaultdict(dict)
    for at, block in blocks.items():
        for statement in block.body:
            for variable in statement.list_vars():
                places[variable.name][at] = None
    return {name: list(found) for name, found in places.items()}


@register_pass(mutates_CFG=True, analysis_only=False)
class _TypeInference(typed_passes.NopythonTypeInference):
    """NopythonTypeInference that remembers."""

    _name = "framejit_types"

    def run_pass(self, state: Any) -> bool:
        """Gives each variable its type."""
        context = state.typingctx
        state.typingctx = _Remembering(context)
        try:
            numbas: Any = super()
            return bool(numbas.run_pass(state))
        finally:
            state.typingctx = context


@register_pass(mutates_CFG=True, analysis_only=False)
class _WithoutPhis(typed_passes.PreLowerStripPhis):
    """PreLowerStripPhis without lifetimes."""

    _name = "framejit_phis"

    def run_pass(self, state: Any) -> bool:
        """Makes assignments of phi nodes."""
        numbas: Any = self
        state.func_ir = numbas._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class _WithoutDeletions(typed_passes.IRLegalization):
    """IRLegalization where something counts references; else nobody needs to know what ends where.

    Numba works out for each block which variables live there, and deletes them one by one. Kernels
    have numbers and addresses alone: of a long one that was an eighth of the time of its compile.
    """

    _name = "framejit_without_deletions"

    def run_pass(self, state: Any) -> bool:
        """Deletes variables where that means anything."""
        models = state.targetctx.data_model_manager
        if any(models[type_].contains_nrt_meminfo() for type_ in {*state.typemap.values()}):
            numbas: Any = super()
            return bool(numbas.run_pass(state))
        state.func_ir.generator_info = None
        return False


def _is_unpredictable(function: Any, condition: Any) -> bool:
    """True where a branch is on `unpredictable(...)`, of which Numba's IR makes `bool(...)`."""
    made = guard(get_definition, function, condition)
    while isinstance(made, numba_ir.Expr) and made.op == "call":
        called = guard(get_definition, function, made.func)
        if getattr(called, "value", None) is unpredictable:
            return True
        made = guard(get_definition, function, made.args[0]) if made.args else None
    return False


class _Lower(lowering.Lower):
    """Numba's, but for unpredictable branches and the function that C calls."""

    def lower_inst(self, inst: Any) -> None:
        """Has LLVM know of branches that are as likely as not."""
        numbas: Any = super()
        numbas.lower_inst(inst)
        if isinstance(inst, numba_ir.Branch):
            block = vars(self)["builder"].block
            if _is_unpredictable(vars(self)["func_ir"], inst.cond):
                node = block.module.add_metadata([])
                block.terminator.set_metadata("unpredictable", node)

    def create_cfunc_wrapper(self) -> None:
        """A kernel as a function of C; nothing raises in it, and if it did, eager would answer.

        Numba's own has the interpreter print the exception: with a dozen functions of CPython's,
        by which the object code would belong to one process, and a fifth of a short compile.
        """
        numbas: Any = self
        context, descriptor, library = numbas.context, numbas.fndesc, numbas.library
        convention = context.call_conv
        module = context.create_module("framejit_entry")
        types = descriptor.restype, descriptor.argtypes
        kernel = ir.Function(
            module, convention.get_function_type(*types), descriptor.llvm_func_name
        )
        result, *args = (context.get_value_type(each) for each in (types[0], *types[1]))
        entry = ir.Function(
            module, ir.FunctionType(result, args), descriptor.llvm_cfunc_wrapper_name
        )
        builder = ir.IRBuilder(entry.append_basic_block("entry"))
        status, out = convention.call_function(
            builder, kernel, *types, entry.args, attrs=("noinline",)
        )
        builder.ret(builder.select(status.is_error, result(KERNEL_BAIL), out))
        library.add_ir_module(module)


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(typed_passes.NativeLowering):
    """NativeLowering that makes kernels of functions, which need nothing of CPython."""

    _name = "framejit_lowering"

    @property
    def lowering_class(self) -> Any:
        """What makes LLVM's language of Numba's."""
        return _Lower


_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    _Canonical,
    _SingleAssignment,
    _TypeInference,
    _WithoutPhis,
    _WithoutDeletions,
    typed_passes.AnnotateTypes,
    Lowering,
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
