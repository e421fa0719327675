"""Functions that kernels call to exit, and to manage lists.

They are written like the text of kernels and compiled with them. LLVM must not inline those for
lists: code that runs once in many iterations, or on exit, is not worth optimising at each call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable

from ....jit.native import WORDS
from .names import LEAST_ROOM

CHECK, RAISED, WORK = WORDS["CHECK"], WORDS["RAISED"], WORDS["WORK"]


@register_jitable
def bail(words: Any, check: int, number: int) -> int:
    """Record a failed check and return the number of the exit."""
    words[CHECK] = check
    return number


@register_jitable
def left(words: Any, raised: int, work: int, number: int) -> int:
    """End a kernel: record its flags and the work it has counted."""
    words[RAISED] = raised
    words[WORK] += work
    return number


SHARED = (bail, left)
"""Functions whose calls in one function are merged into one block, which returns their result."""


@intrinsic
def copy_bytes(typing: Any, to: Any, items: Any, size: Any) -> Any:
    """Copy bytes to another address; the memory may overlap."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kinds = [pointer, pointer, args[2].type]
        function = builder.module.declare_intrinsic("llvm.memmove", kinds)
        places = [builder.inttoptr(each, pointer) for each in args[:2]]
        builder.call(function, [*places, args[2], ir.IntType(1)(0)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def of_lists(alloc: Any, swap: Any, copy: Any) -> tuple[Callable[..., Any], ...]:
    """Return the functions for lists, using the run time's `alloc` and `swap`, and `copy`."""

    @register_jitable
    def new_list(words: Any, number: int, word: int, room: int) -> bool:
        """Make an empty list with its array's words at `word`.

        Return True if memory is exhausted.
        """
        words[word + 1] = room
        return bool(alloc(words, number) != 0)

    @register_jitable
    def no_room(  # noqa: PLR0913 (each is a number in the kernel's text)
        words: Any, number: int, word: int, spare: int, slot: int, other: int, size: int
    ) -> bool:
        """Double the memory of a full list; return True if memory is exhausted.

        A list from whose front items were taken has lost their room, and may be moved to the
        beginning of its memory.
        """
        count = words[word + 1]
        room = 2 * count if 2 * count > LEAST_ROOM else LEAST_ROOM
        words[spare + 1] = room
        if alloc(words, number) != 0:
            return True
        copy(words[spare], words[word], count * size)
        swap(words, slot, other)
        words[word] = words[spare]
        words[word + 1] = room
        return False

    @register_jitable
    def not_copied(words: Any, table: int, lists: int) -> bool:
        """Copy lists that an exit hands over to arrays; return True if memory is exhausted.

        The table has five words per list: index of the array for `alloc`, first word of the array,
        words that hold the item count and the items' address, and the size of an item.
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


NOT_INLINED = ("new_list", "no_room", "not_copied")
"""Functions that must not be inlined."""
