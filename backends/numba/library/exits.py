"""How a kernel is left, and lists that it makes: functions that its text calls.

They are written as texts of kernels are, and lowered with the kernel that calls them. LLVM is told
to leave those of lists as they are: what happens once in many turns, or on the way out, is not
worth its work at each place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable

from ....jit.native import WORDS

CHECK, RAISED, WORK = WORDS["CHECK"], WORDS["RAISED"], WORDS["WORK"]


@register_jitable
def bail(words: Any, check: int, number: int) -> int:
    """Where something has not held: says what, gives the number of the exit."""
    words[CHECK] = check
    return number


@register_jitable
def left(words: Any, raised: int, work: int, number: int) -> int:
    """The end of a kernel, with the flags that it has seen and the work that it has counted."""
    words[RAISED] = raised
    words[WORK] += work
    return number


SHARED = (bail, left)
"""In a function one block does it, whoever returns what it gives."""


@intrinsic
def copy_bytes(typing: Any, to: Any, items: Any, size: Any) -> Any:
    """Moves bytes from one address to another one, of other memory."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kinds = [pointer, pointer, args[2].type]
        function = builder.module.declare_intrinsic("llvm.memcpy", kinds)
        places = [builder.inttoptr(each, pointer) for each in args[:2]]
        builder.call(function, [*places, args[2], ir.IntType(1)(0)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def of_lists(alloc: Any, swap: Any, copy: Any) -> tuple[Callable[..., Any], ...]:
    """The functions of lists; given are those of the run time, and what copies bytes."""

    @register_jitable
    def new_list(words: Any, number: int, word: int, room: int) -> bool:
        """An empty list whose memory is found from a word on; True: there is none."""
        words[word + 1] = room
        return bool(alloc(words, number) != 0)

    @register_jitable
    def no_room(
        words: Any, number: int, word: int, spare: int, slot: int, other: int, size: int
    ) -> bool:
        """A list that is full moves to twice the memory; True: there is none."""
        count = words[word + 1]
        words[spare + 1] = 2 * count
        if alloc(words, number) != 0:
            return True
        copy(words[spare], words[word], count * size)
        swap(words, slot, other)
        words[word] = words[spare]
        words[word + 1] = 2 * count
        return False

    @register_jitable
    def not_copied(words: Any, table: int, lists: int) -> bool:
        """Lists that an exit hands on become arrays; True: there is no memory.

        Of each list five words of a table say: the number of the array, its first word, the word
        of the count of items, that of their address, the size of one.
        """
        for row in range(table, table + 5 * lists, 5):
            word = words[row + 1]
            count = words[words[row + 2]]
            words[word + 1] = count
            if alloc(words, words[row]) != 0:
                return True
            copy(words[word], words[words[row + 3]], count * words[row + 4])
        return False

    return new_list, no_room, not_copied


KEPT_APART = ("new_list", "no_room", "not_copied")
"""Functions that are not to be written out where they are called."""
