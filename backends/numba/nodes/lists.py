"""Lists of numbers that loops change: an array with room to spare, and how many of it are items."""

from __future__ import annotations

from ....jit.checks import Check
from ....jit.frozen import dataclass
from ....jit.ir.graph import Node, Value
from ....jit.ir.types import ArrayType, Layout, ListType, Sym
from ..library.names import storage_name
from ..writer import KernelWriter, writes

ROOM = 16
"""Items that a new list has room for."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where one list stands."""

    kind: str
    """Storage of its items."""
    count: str
    """The word that holds their number."""
    word: int
    """First of the words of the array: address, length."""
    slot: int
    spare: tuple[int, int, int]
    """A second array, for `alloc`: number, slot, first word. Into it the items move."""

    @property
    def items(self) -> str:
        """The memory of the items."""
        return f"{self.kind}_at(w[{self.word}])"


def _room(writer: KernelWriter, made: Value) -> Room:
    room: Room = writer.lists[made]
    return room


@writes("list")
def write_list(writer: KernelWriter, node: Node) -> bool:
    made = node.outputs[0]
    assert isinstance(made.type, ListType)
    kind = storage_name(made.type.dtype)
    if kind is None:
        return False
    type_ = ArrayType(made.type.dtype, (Sym(-1),), Layout.contiguous(1))
    number, slot, word = writer.tables.new_array(type_)
    spare = writer.tables.new_array(type_)
    room = Room(kind, f"w[{writer.tables.reserve(1)}]", word, slot, spare)
    writer.lists[made] = room
    writer.source.line(f"w[{word + 1}] = {max(ROOM, 2 * len(node.inputs))}")
    writer.bail_if(f"alloc(w, {number}) != 0", Check.MEMORY)
    for place, value in enumerate(node.inputs):
        writer.source.line(f"{room.items}[{place}] = {kind}({writer.scalars[value]})")
    writer.source.line(f"{room.count} = {len(node.inputs)}")
    return True


@writes("append")
def write_append(writer: KernelWriter, node: Node) -> bool:
    made, value = node.inputs
    room = _room(writer, made)
    source = writer.source
    count = source.name("n")
    number, slot, word = room.spare
    source.line(f"{count} = {room.count}")
    with source.indented(f"if {count} == w[{room.word + 1}]:"):
        source.line(f"w[{word + 1}] = 2 * {count}")
        writer.bail_if(f"alloc(w, {number}) != 0", Check.MEMORY)
        index = source.name("i")
        source.line(f"for {index} in range({count}):")
        source.line(f"    {room.kind}_at(w[{word}])[{index}] = {room.items}[{index}]")
        slots = (writer.tables.as_object(one) for one in (room.slot, slot))
        source.line(f"swap(w, {', '.join(map(str, slots))})")
        source.line(f"w[{room.word}] = w[{word}]")
        source.line(f"w[{room.word + 1}] = 2 * {count}")
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
    writer.source.line(f"{room.count} = {last}")
    writer.scalar(node.outputs[0], f"{room.items}[{last}]")
    return True


@writes("listed")
def write_listed(writer: KernelWriter, node: Node) -> bool:
    """A copy of the items: the list may change behind this."""
    made, value = node.inputs[0], node.outputs[0]
    room = _room(writer, made)
    assert isinstance(value.type, ArrayType)
    if node.attrs["filled"]:
        writer.bail_if(f"{room.count} == 0", Check.EMPTY)
    dim = value.type.dims[0]
    if isinstance(dim, Sym) and dim not in writer.syms:
        writer.define_dim(dim, room.count)
    else:
        writer.bail_if(f"{room.count} != {writer.dim(dim)}", Check.SIZE)
    place = writer.new_array(value)
    index = writer.source.name("i")
    writer.source.line(f"for {index} in range({room.count}):")
    writer.source.line(f"    {room.kind}_at({place.address})[{index}] = {room.items}[{index}]")
    return True


def _place(writer: KernelWriter, room: Room, index: str) -> str:
    """An index counted from the front, which is in range."""
    place = writer.source.name("k")
    count = writer.source.name("n")
    writer.source.line(f"{count} = {room.count}")
    writer.source.line(f"{place} = {index} + {count} if {index} < 0 else {index}")
    writer.bail_if(f"uint64({place}) >= uint64({count})", Check.INDEX)
    return place
