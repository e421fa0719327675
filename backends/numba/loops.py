"""Regions: a `for` of the graph is a `for` of the kernel."""

from __future__ import annotations

from ...jit.ir.graph import Node, Value
from ...jit.ir.types import ArrayType, ScalarType
from .writer import KernelWriter, Place, writes


@writes("for")
def write_for(writer: KernelWriter, node: Node) -> bool:
    """Writes a `for`.

    Carried arrays live in two slots that change places at the back edge, so that what a checkpoint
    names stays whole while the next iteration writes.
    """
    block = node.blocks[0]
    count: int = node.attrs["carried"]
    start, stop, step = (writer.scalars[value] for value in node.inputs[:3])
    forward = f"{step} > 0 and {start} < {stop} or {step} < 0 and {start} > {stop}"
    writer.bail_if(f"not ({forward})", "an empty range")
    params = block.params[1:]
    for param, initial in zip(params, node.inputs[3:], strict=True):
        _begin(writer, param, initial)
    index = writer.source.name(block.params[0].name or "i")
    with writer.source.indented(f"for {index} in range({start}, {stop}, {step}):"):
        writer.scalars[block.params[0]] = index
        writer.write_block(block)
        writer.settle_flags()
        _hand_over(writer, params, block.results[:count])
    for output, param in zip(node.outputs[:count], params, strict=True):
        _known_as(writer, output, param)
    for output, result in zip(node.outputs[count:], block.results[count:], strict=True):
        _known_as(writer, output, result)
    return True


def _begin(writer: KernelWriter, param: Value, initial: Value) -> None:
    """The parameter before the first iteration."""
    if isinstance(param.type, ScalarType):
        writer.scalar(param, writer.scalars[initial], param.name or "c")
        return
    writer.objects_ready((initial,))
    place = writer.places[initial]
    slot, word = writer.tables.fresh_slot(), writer.tables.reserve(1 + 2 * param.type.ndim)
    parts = [place.address, *map(writer.dim, place.type.dims), *place.strides]
    for k, expression in enumerate(parts):
        writer.source.line(f"w[{word + k}] = {expression}")
    writer.source.line(f"keep(w, {slot}, {place.slot})")
    writer.array(param, word, slot)


def _hand_over(writer: KernelWriter, params: tuple[Value, ...], results: tuple[Value, ...]) -> None:
    """What this iteration made is what the next one finds."""
    pairs = [(p, r) for p, r in zip(params, results, strict=True) if p is not r]
    scalars = [(p, r) for p, r in pairs if isinstance(p.type, ScalarType)]
    fresh = []
    for param, result in scalars:
        name = writer.source.name("next")
        writer.source.line(f"{name} = {writer.scalars[result]}")
        fresh.append((writer.scalars[param], name))
    for variable, name in fresh:
        writer.source.line(f"{variable} = {name}")
    for param, result in pairs:
        if isinstance(param.type, ArrayType):
            one, other = writer.places[param], writer.places[result]
            first, second = one.word, other.word
            size = 1 + 2 * param.type.ndim
            writer.source.line(f"swap(w, {one.slot}, {other.slot})")
            for k in range(size):
                writer.source.line(
                    f"w[{first + k}], w[{second + k}] = w[{second + k}], w[{first + k}]"
                )
            writer.source.line(f"{one.address} = w[{first}]")


def _known_as(writer: KernelWriter, output: Value, inner: Value) -> None:
    if isinstance(output.type, ScalarType):
        writer.scalars[output] = writer.scalars[inner]
    else:
        place = writer.places[inner]
        writer.places[output] = Place(
            place.address, place.strides, place.type, place.slot, place.word, place.root
        )
