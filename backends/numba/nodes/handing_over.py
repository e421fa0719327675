"""Values that regions hand over: numbers in variables, arrays in slots and words of their own.

Each path into a merge assigns the variables, or puts its array into the slot and words.
"""

from __future__ import annotations

from collections.abc import Sequence

from ....jit.frozen import dataclass
from ....jit.ir.graph import Block, Node, Value
from ....jit.ir.ops import UNDEFINED
from ....jit.ir.types import ArrayType, ScalarType
from ....jit.passes.clusters import free_values
from ..library.names import storage_name
from ..numbers.known import handed_over
from ..writer import KernelWriter, Place
from .notes import write_note


@dataclass(frozen=True, slots=True)
class Targets:
    """The values assigned by jumps of the loop being written."""

    state: tuple[Value, ...]
    """Assigned by CONTINUE."""
    left: tuple[Value, ...]
    """Assigned by BREAK."""
    outside: frozenset[Value]
    """Arrays that existed before the loop."""


def make_view_objects_first(writer: KernelWriter, node: Node) -> None:
    """Make views from before a region into objects first, so that each is a single object.

    Otherwise each iteration, and each copy of a region written twice, would make its own.
    """
    outside = {value for block in node.blocks for value in free_values(block)}
    for value in dict.fromkeys(handed_over(node.blocks)):
        once = node.op.branches and writer.known.handed[value] == 1
        known = value in outside and value in writer.places
        if not once and known and isinstance(value.type, ArrayType):
            writer.objects_ready((value,))


def declare(writer: KernelWriter, outputs: Sequence[Value], blocks: Sequence[Block]) -> None:
    """Declare variables for numbers, and slots and words for arrays."""
    for place, output in enumerate(outputs):
        if isinstance(output.type, ArrayType):
            writer.source.line(f"w[{_room(writer, output).word}] = 0")
            continue
        if output in writer.noted:
            writer.scalars[output] = f"w[{writer.noted[output]}]"
            continue
        kind = storage_name(output.type.dtype)
        name = writer.scalars[output] = writer.source.name(output.name or "c")
        writer.origins.follow(output)
        if not blocks or any(_leaves_open(block, place) for block in blocks):
            writer.source.line(f"{name} = {kind}(0)", str(output.type))


def _leaves_open(block: Block, place: int) -> bool:
    if not block.falls_through:
        return False
    made = {value for node in block.nodes if node.op is UNDEFINED for value in node.outputs}
    return block.results[place] in made


def _room(writer: KernelWriter, value: Value) -> Place:
    """Reserve a slot and words for an array that is put there later."""
    type_ = value.type
    assert isinstance(type_, ArrayType)
    slot, word = writer.tables.fresh_slot(), writer.tables.reserve(1 + 2 * type_.ndim)
    first = word + 1 + type_.ndim
    strides = tuple(f"w[{first + axis}]" for axis in range(type_.ndim))
    place = writer.places[value] = Place(f"w[{word}]", strides, type_, slot, word)
    return place


def begin(writer: KernelWriter, params: Sequence[Value], initial: Sequence[Value]) -> None:
    """Write the state before the first iteration."""
    for param, value in zip(params, initial, strict=True):
        if write_note(writer, param, value):
            continue
        if isinstance(param.type, ScalarType):
            kind = storage_name(param.type.dtype)
            given = "0" if value in writer.undefined else writer.scalars[value]
            writer.scalar(param, f"{kind}({given})", param.name or "c")
            writer.origins.follow(param)
            if writer.origins.is_followed(param):
                writer.source.line(f"{writer.origins.of(param)} = {writer.origins.of(value)}")
        else:
            place = _room(writer, param)
            if value in writer.undefined:
                writer.source.line(f"w[{place.word}] = 0")
            else:
                writer.objects_ready((value,))
                _put(writer, place, writer.places[value])


def assign(writer: KernelWriter, targets: Sequence[Value], values: Sequence[Value]) -> None:
    """Assign values simultaneously, as one target may be another's value."""
    pairs = [
        (target, value)
        for target, value in zip(targets, values, strict=True)
        if value not in writer.undefined and value is not target
    ]
    numbers = [(t, v) for t, v in pairs if isinstance(t.type, ScalarType)]
    arrays = [(t, v) for t, v in pairs if isinstance(t.type, ArrayType)]
    _assign_numbers(writer, numbers)
    _assign_arrays(writer, arrays)


def _assign_numbers(writer: KernelWriter, pairs: list[tuple[Value, Value]]) -> None:
    moves = []
    for target, value in pairs:
        if write_note(writer, target, value):
            continue
        kind = storage_name(target.type.dtype)
        moves.append((writer.scalars[target], writer.scalars[value], f"{kind}({{}})"))
        if writer.origins.is_followed(target):
            moves.append((writer.origins.of(target), writer.origins.of(value), "{}"))
    targets = {target for target, _, _ in moves}
    later = []
    for name, text, converted in moves:
        if text in targets and len(pairs) > 1:
            held = writer.source.name("next")
            writer.source.line(f"{held} = {text}")
            text = held
        later.append(f"{name} = {converted.format(text)}")
    for line in later:
        writer.source.line(line)


def _assign_arrays(writer: KernelWriter, pairs: list[tuple[Value, Value]]) -> None:
    """Put arrays into the slots of their targets.

    If several change places, temporaries are used. A single new array is swapped: the old one goes
    to the new one's slot, where its memory is reused.
    """
    writer.objects_ready(tuple(value for _, value in pairs))
    targets = {writer.places[target].slot for target, _ in pairs}
    puts, swaps = [], []
    for target, value in pairs:
        place, origin = writer.places[target], writer.places[value]
        if len(pairs) > 1 and origin.slot in targets:
            between = Place("", (), place.type, writer.tables.fresh_slot(), -1)
            between.word = writer.tables.reserve(1 + 2 * place.type.ndim)
            _put(writer, between, origin)
            puts.append((place, between))
        elif _gives_way(writer, target, value, pairs):
            swaps.append((place, origin))
        else:
            puts.append((place, origin))
    for place, origin in swaps:
        _copy_words(writer, place, origin)
        writer.source.line(f"swap(w, {_slots(writer, place, origin)})")
    for place, origin in puts:
        _put(writer, place, origin)


def _gives_way(
    writer: KernelWriter, target: Value, value: Value, pairs: list[tuple[Value, Value]]
) -> bool:
    """True if an array was made in this iteration for the loop's next state only."""
    loop: Targets | None = writer.loops[-1] if writer.loops else None
    if loop is None or target not in loop.state or value in loop.outside:
        return False
    return writer.memory.is_made(value) and sum(other is value for _, other in pairs) == 1


def _put(writer: KernelWriter, place: Place, origin: Place) -> None:
    """Put an array into the slot and words of another value."""
    _copy_words(writer, place, origin)
    writer.source.line(f"keep(w, {_slots(writer, place, origin)})")


def _slots(writer: KernelWriter, *places: Place) -> str:
    return ", ".join(str(writer.tables.as_object(place.slot)) for place in places)


def _copy_words(writer: KernelWriter, place: Place, origin: Place) -> None:
    ndim = place.type.ndim
    if origin.word >= 0 and not origin.address:
        parts = [f"w[{origin.word + k}]" for k in range(1 + 2 * ndim)]
    else:
        parts = [origin.address, *map(writer.dim, origin.type.dims), *origin.strides]
    for k, expression in enumerate(parts):
        writer.source.line(f"w[{place.word + k}] = {expression}")


def receive(writer: KernelWriter, values: Sequence[Value]) -> None:
    """Read arrays from their words: addresses, and new dims; known dims are checked."""
    for value in values:
        if isinstance(value.type, ArrayType):
            place = writer.places[value]
            least = 0 if value in writer.known.shortened else 2
            writer.match_known_dims(value.type, place.word, if_any=True, least=least)
            writer.array(value, place.word, place.slot)


def known_as(writer: KernelWriter, output: Value, param: Value) -> None:
    if isinstance(output.type, ScalarType):
        writer.scalars[output] = writer.scalars[param]
        writer.origins.follow(output, writer.origins.of(param))
    else:
        place = writer.places[param]
        writer.places[output] = place
        receive(writer, (output,))


def hand_over_state(writer: KernelWriter, outputs: Sequence[Value], state: Sequence[Value]) -> None:
    """Hand over the state that the next iteration would find; its arrays are in their words."""
    pairs = [*zip(outputs, state, strict=True)]
    _assign_numbers(writer, [(t, v) for t, v in pairs if isinstance(t.type, ScalarType)])
    for output, param in pairs:
        if isinstance(output.type, ArrayType):
            place = writer.places[param]
            _put(writer, writer.places[output], Place("", (), place.type, place.slot, place.word))
