"""`argmax` and `argmin`: skips blocks of a line that contain nothing better."""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

from ....jit.checks import Check
from ....jit.ir.graph import Node
from ....jit.ir.types import ArrayType, ScalarType
from ..library.names import storage_name
from ..writer import KernelWriter, writes

BLOCK = 64
"""Number of items that are tested at once for being better; LLVM vectorises the test."""


@writes("arg_reduce")
def write_arg_reduce(writer: KernelWriter, node: Node) -> bool:
    """Write argmax or argmin. Flags of comparisons are dropped, as in NumPy; empty lines bail."""
    base, result = writer.places[node.inputs[0]], node.outputs[0]
    dtype, type_ = base.type.dtype, result.type
    kind = storage_name(dtype)
    if kind is None or dtype.kind not in "biuf" or dtype == np.float16:
        return False
    if isinstance(type_, ArrayType) and not type_.layout.is_c:
        return False
    along = node.attrs["axis"] % base.type.ndim
    length = writer.dim(base.type.dims[along])
    if not writer.is_wide(base.type.dims[along]):
        writer.bail_if(f"{length} == 0", Check.RAISES)
    kept = [axis for axis in range(base.type.ndim) if axis != along]
    if isinstance(type_, ArrayType):
        made = writer.new_array(result)
        into, strides = made.address, dict(zip(kept, made.strides, strict=True))
    else:
        writer.stands_in(result, writer.tables.reserve(2))
        into, strides = f"address_of(w, {writer.words_of[result]})", {}
    source, status = writer.source, writer.source.name("status")
    source.line(f"{status} = get_status()")
    start, target = [base.address], [into]
    with ExitStack() as stack:
        for axis in kept:
            index = source.name("i")
            loop = f"for {index} in range({writer.dim(base.type.dims[axis])}):"
            stack.enter_context(source.indented(loop))
            start.append(f"{index} * {base.strides[axis]}")
            target.append(f"{index} * {strides[axis]}")
        by_item = base.type.layout.steps_by_item(along)
        step = "" if by_item else base.strides[along]
        place = _write_line(writer, (" + ".join(start), step, kind), length, node)
        source.line(f"int64_at({' + '.join(target)})[0] = {place}")
    source.line(f"set_status({status})")
    if isinstance(type_, ScalarType):
        writer.scalar(result, writer.read_scalar(writer.words_of[result], type_))
    writer.n_fused += 1
    return True


def _write_line(writer: KernelWriter, line: tuple[str, str, str], length: str, node: Node) -> str:
    """Write the search of one line and return the variable of the index found.

    `line` is (address of the first item, stride or "" for contiguous items, storage).
    """
    source = writer.source
    start, best, place, low, end, better, index = (
        source.name(name) for name in ("at", "best", "place", "low", "end", "better", "j")
    )
    address, step, kind = line
    item = (
        f"{kind}_at({start})[{index}]" if not step else f"{kind}_at({start} + {index} * {step})[0]"
    )
    sign = "<=" if node.attrs["function"] is np.argmax else ">="
    is_better = f"not ({item} {sign} {best})"  # NaN is better than any number
    source.line(f"{start} = {address}")
    source.line(f"{best} = {kind}_at({start})[0]")
    source.line(f"{place} = 0")
    with source.indented(f"for {low} in range(0, {length}, {BLOCK}):"):
        source.line(f"{end} = min({low} + {BLOCK}, {length})")
        source.line(f"{better} = uint8(0)")
        with source.indented(f"for {index} in range({low}, {end}):"):
            source.line(f"{better} |= uint8({is_better})")
        with (
            source.indented(f"if {better} != 0 and {best} == {best}:"),
            source.indented(f"for {index} in range({low}, {end}):"),
            source.indented(f"if {is_better} and {best} == {best}:"),
        ):
            source.line(f"{best} = {item}")
            source.line(f"{place} = {index}")
    return place
