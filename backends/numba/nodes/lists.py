"""Lists of numbers that loops change: arrays with spare capacity, and item counts."""

from __future__ import annotations

from collections.abc import Sequence

from ....jit.checks import Check
from ....jit.frozen import dataclass
from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, Layout, ListType, Sym
from ..library.names import LEAST_ROOM, storage_name
from ..places import Place
from ..writer import KernelWriter, writes


@dataclass(frozen=True, slots=True)
class Room:
    """The memory of one list."""

    kind: str
    """Storage type of its items."""
    size: int
    """Size of an item in bytes."""
    count_word: int
    """Word with the number of items."""
    word: int
    """First word of the array: address, then capacity."""
    slot: int
    spare: tuple[int, int, int]
    """A second array to grow into: index for `alloc`, slot, first word."""

    @property
    def count(self) -> str:
        """Return an expression for the number of items."""
        return f"w[{self.count_word}]"

    @property
    def items(self) -> str:
        """Return an expression for the items' memory."""
        return f"{self.kind}_at(w[{self.word}])"


def _room(writer: KernelWriter, made: Value) -> Room:
    room: Room = writer.lists[made]
    return room


@writes("list")
def write_list(writer: KernelWriter, node: Node) -> bool:
    made = node.outputs[0]
    room = _new_room(writer, made, str(max(LEAST_ROOM, 2 * len(node.inputs))))
    if room is None:
        return False
    for place, value in enumerate(node.inputs):
        writer.source.line(f"{room.items}[{place}] = {room.kind}({writer.scalars[value]})")
    writer.source.line(f"{room.count} = {len(node.inputs)}")
    return True


@writes("list_of")
def write_list_of(writer: KernelWriter, node: Node) -> bool:
    """Write a copy of an array's memory, with room for as many items again."""
    (numbers,) = node.inputs
    assert isinstance(numbers.type, ArrayType)
    length = writer.dim(numbers.type.dims[0])
    room = _new_room(writer, node.outputs[0], f"{LEAST_ROOM} + 2 * {length}")
    if room is None:
        return False
    place = writer.places[numbers]
    writer.source.line(f"copy(w[{room.word}], {place.address}, {length} * {room.size})")
    writer.source.line(f"{room.count} = {length}")
    return True


def _new_room(writer: KernelWriter, made: Value, space: str) -> Room | None:
    """Write the memory of a new list for so many items; None if kernels cannot hold such items."""
    assert isinstance(made.type, ListType)
    kind = storage_name(made.type.dtype)
    if kind is None:
        return None
    type_ = ArrayType(made.type.dtype, (Sym(-1),), Layout.contiguous(1))
    number, slot, word = writer.tables.new_array(type_)
    spare = writer.tables.new_array(type_)
    size = made.type.dtype.itemsize
    room = Room(kind, size, writer.tables.reserve(1), word, slot, spare)
    writer.lists[made] = room
    writer.bail_if(f"new_list(w, {number}, {word}, {space})", Check.MEMORY)
    return room


@writes("append")
def write_append(writer: KernelWriter, node: Node) -> bool:
    made, value = node.inputs
    room = _room(writer, made)
    source = writer.source
    count = source.name("n")
    number, slot, word = room.spare
    source.line(f"{count} = {room.count}")
    slots = ", ".join(str(writer.tables.as_object(one)) for one in (room.slot, slot))
    full = f"{count} == w[{room.word + 1}]"
    moved = f"no_room(w, {number}, {room.word}, {word}, {slots}, {room.size})"
    writer.bail_if(f"{full} and {moved}", Check.MEMORY)
    source.line(f"{room.items}[{count}] = {room.kind}({writer.scalars[value]})")
    source.line(f"{room.count} = {count} + 1")
    return True


@writes("count")
def write_count(writer: KernelWriter, node: Node) -> bool:
    writer.scalar(node.outputs[0], _room(writer, node.inputs[0]).count, "n")
    return True


@writes("item")
def write_item(writer: KernelWriter, node: Node) -> bool:
    room = _room(writer, node.inputs[0])
    place = _place(writer, room, writer.scalars[node.inputs[1]])
    writer.scalar(node.outputs[0], f"{room.items}[{place}]")
    return True


@writes("set_item")
def write_set_item(writer: KernelWriter, node: Node) -> bool:
    made, index, value = node.inputs
    room = _room(writer, made)
    place = _place(writer, room, writer.scalars[index])
    writer.source.line(f"{room.items}[{place}] = {room.kind}({writer.scalars[value]})")
    return True


@writes("pop")
def write_pop(writer: KernelWriter, node: Node) -> bool:
    room = _room(writer, node.inputs[0])
    last = writer.source.name("n")
    writer.source.line(f"{last} = {room.count} - 1")
    writer.bail_if(f"{last} < 0", Check.INDEX)
    place = "0" if node.attrs["first"] else last
    writer.scalar(node.outputs[0], f"{room.items}[{place}]")
    writer.source.line(f"{room.count} = {last}")
    if node.attrs["first"]:  # the list begins further on in the same memory
        writer.source.line(f"w[{room.word}] += {room.size}")
        writer.source.line(f"w[{room.word + 1}] -= 1")
    return True


@writes("listed")
def write_listed(writer: KernelWriter, node: Node) -> bool:
    """Write a copy of the items, as the list may change later."""
    made, value = node.inputs[0], node.outputs[0]
    room = _room(writer, made)
    assert isinstance(value.type, ArrayType)
    if node.attrs["filled"]:
        writer.bail_if(f"{room.count} == 0", Check.EMPTY)
    shared = writer.exit_lists.has(node)
    _, slot, word = _array_of_copy(writer, node) if shared else (0, 0, 0)
    dim = value.type.dims[0]
    if not isinstance(dim, Sym) or dim in writer.syms:
        writer.bail_if(f"{room.count} != {writer.dim(dim)}", Check.SIZE)
    elif shared:
        writer.syms[dim] = f"w[{word + 1}]"
    else:
        writer.define_dim(dim, room.count)
    if shared:
        step = (str(value.type.dtype.itemsize),)
        writer.places[value] = Place(f"w[{word}]", step, value.type, slot, word)
        _copy_together(writer, writer.exit_lists.ends(node))
        return True
    place = writer.new_array(value)
    size = f"{room.count} * {value.type.dtype.itemsize}"
    writer.source.line(f"copy({place.address}, w[{room.word}], {size})")
    return True


def _array_of_copy(writer: KernelWriter, node: Node) -> tuple[int, int, int]:
    """Return the array to which exits copy a list; all share it, as a kernel is left only once."""
    arrays, type_ = writer.exit_lists.arrays, node.outputs[0].type
    assert isinstance(type_, ArrayType)
    key = node.inputs[0], type_.dtype
    if key not in arrays:
        arrays[key] = writer.tables.new_array(type_)
    return arrays[key]


def _copy_together(writer: KernelWriter, copies: Sequence[Node]) -> None:
    """Write one call that makes all copies of an exit from a table."""
    if not copies:
        return
    rows: list[int] = []
    for node in copies:
        room = _room(writer, node.inputs[0])
        number, _, word = _array_of_copy(writer, node)
        rows += number, word, room.count_word, room.word, room.size
    tables = writer.exit_lists.tables
    table = tables.get(tuple(rows))
    if table is None:
        table = tables[tuple(rows)] = writer.tables.reserve(len(rows))
        writer.tables.words[table:] = rows
    writer.bail_if(f"not_copied(w, {table}, {len(copies)})", Check.MEMORY)


def _place(writer: KernelWriter, room: Room, index: str) -> str:
    """Return an index counted from the front, checked to be in range."""
    place = writer.source.name("k")
    count = writer.source.name("n")
    writer.source.line(f"{count} = {room.count}")
    writer.source.line(f"{place} = {index} + {count} if {index} < 0 else {index}")
    writer.bail_if(f"uint64({place}) >= uint64({count})", Check.INDEX)
    return place
