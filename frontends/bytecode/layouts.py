"""The layout of code units in each CPython version, apart from the meaning of opcodes.

Every program run under framejit gets gates, most of them without any capture, so this module
imports nothing else. The meaning of opcodes is in the row files (v311.py and its siblings).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class StubOpcodes(NamedTuple):
    """The opcodes that stubs consist of, by their names on a version."""

    callee: tuple[str, str]
    """PUSH_NULL and LOAD_CONST, in the order that a call needs."""
    before_call: tuple[str, ...]
    """Opcodes that precede CALL, with the same argument."""
    load_cell: str
    jump_if_none: str
    jump_if_not_none: str
    jump_if_false: str


class Layout(NamedTuple):
    """The layout of one version."""

    version: tuple[int, int]
    caches: Mapping[str, int]
    """Number of inline cache units after an opcode, if any."""
    jumps: Mapping[str, int]
    """Jumping opcodes and their direction: 1 forward, -1 backward."""
    merges_locations: bool
    """True if neighbours with equal positions share an entry of the line table."""
    stub: StubOpcodes
    no_stub_at: Mapping[str, str]
    """Opcodes before which no stub may stand, with reasons."""
    no_stub_after: Mapping[str, str]
    """Opcodes after which no stub may stand, with reasons."""
    prefixes: frozenset[str] = frozenset()
    """Opcodes without operations that belong to the following CALL."""
    has_indices: bool = False
    """True if an iterator is two items of the stack, see `kinds.Kind.INDEX`."""
    hashes_bytes: bool = True
    """True if the hash of a code object depends on its instructions."""


CONDITIONS: Final = ("IF_FALSE", "IF_TRUE", "IF_NONE", "IF_NOT_NONE")
KEYWORDS: Final = "KW_NAMES holds the keywords of the very next call"
DELEGATE: Final = "throw() finds the delegate only when RESUME follows YIELD_VALUE at once"

V311: Final = Layout(
    version=(3, 11),
    caches={
        "BINARY_SUBSCR": 4,
        "STORE_SUBSCR": 1,
        "UNPACK_SEQUENCE": 1,
        "STORE_ATTR": 4,
        "LOAD_ATTR": 4,
        "COMPARE_OP": 2,
        "LOAD_GLOBAL": 5,
        "BINARY_OP": 1,
        "LOAD_METHOD": 10,
        "PRECALL": 1,
        "CALL": 4,
    },
    jumps={
        "FOR_ITER": 1,
        "SEND": 1,
        "JUMP_FORWARD": 1,
        "JUMP_IF_FALSE_OR_POP": 1,
        "JUMP_IF_TRUE_OR_POP": 1,
        "JUMP_BACKWARD": -1,
        "JUMP_BACKWARD_NO_INTERRUPT": -1,
        **{f"POP_JUMP_FORWARD_{end}": 1 for end in CONDITIONS},
        **{f"POP_JUMP_BACKWARD_{end}": -1 for end in CONDITIONS},
    },
    merges_locations=False,
    stub=StubOpcodes(
        callee=("PUSH_NULL", "LOAD_CONST"),
        before_call=("PRECALL",),
        load_cell="LOAD_CLOSURE",
        jump_if_none="POP_JUMP_FORWARD_IF_NONE",
        jump_if_not_none="POP_JUMP_FORWARD_IF_NOT_NONE",
        jump_if_false="POP_JUMP_FORWARD_IF_FALSE",
    ),
    no_stub_at={
        "END_ASYNC_FOR": "an extra line event would be seen at the end of an async for",
    },
    no_stub_after={
        "KW_NAMES": KEYWORDS,
        "PRECALL": "PRECALL has already settled the callee of the CALL behind it",
        "YIELD_VALUE": DELEGATE,
    },
    prefixes=frozenset({"KW_NAMES", "PRECALL"}),
    hashes_bytes=False,
)

JUMPS: Final = {
    "FOR_ITER": 1,
    "SEND": 1,
    "JUMP_FORWARD": 1,
    "JUMP_BACKWARD": -1,
    "JUMP_BACKWARD_NO_INTERRUPT": -1,
    **{f"POP_JUMP_{end}": 1 for end in CONDITIONS},
}

NO_STUB_AT: Final = {
    **V311.no_stub_at,
    "END_FOR": "FOR_ITER steps over END_FOR",
}

V312: Final = Layout(
    version=(3, 12),
    caches={
        "BINARY_SUBSCR": 1,
        "STORE_SUBSCR": 1,
        "UNPACK_SEQUENCE": 1,
        "FOR_ITER": 1,
        "STORE_ATTR": 4,
        "LOAD_ATTR": 9,
        "COMPARE_OP": 1,
        "LOAD_GLOBAL": 4,
        "BINARY_OP": 1,
        "SEND": 1,
        "LOAD_SUPER_ATTR": 1,
        "CALL": 3,
    },
    jumps=JUMPS,
    merges_locations=True,
    stub=StubOpcodes(
        callee=("PUSH_NULL", "LOAD_CONST"),
        before_call=(),
        load_cell="LOAD_CLOSURE",
        jump_if_none="POP_JUMP_IF_NONE",
        jump_if_not_none="POP_JUMP_IF_NOT_NONE",
        jump_if_false="POP_JUMP_IF_FALSE",
    ),
    no_stub_at=NO_STUB_AT,
    no_stub_after={"KW_NAMES": KEYWORDS, "YIELD_VALUE": DELEGATE},
    prefixes=frozenset({"KW_NAMES"}),
)

V313: Final = Layout(
    version=(3, 13),
    caches={
        "BINARY_OP": 1,
        "BINARY_SUBSCR": 1,
        "CALL": 3,
        "COMPARE_OP": 1,
        "CONTAINS_OP": 1,
        "FOR_ITER": 1,
        "JUMP_BACKWARD": 1,
        "LOAD_ATTR": 9,
        "LOAD_GLOBAL": 4,
        "LOAD_SUPER_ATTR": 1,
        "POP_JUMP_IF_FALSE": 1,
        "POP_JUMP_IF_NONE": 1,
        "POP_JUMP_IF_NOT_NONE": 1,
        "POP_JUMP_IF_TRUE": 1,
        "SEND": 1,
        "STORE_ATTR": 4,
        "STORE_SUBSCR": 1,
        "TO_BOOL": 3,
        "UNPACK_SEQUENCE": 1,
    },
    jumps=JUMPS,
    merges_locations=True,
    stub=StubOpcodes(
        callee=("LOAD_CONST", "PUSH_NULL"),
        before_call=(),
        load_cell="LOAD_FAST",
        jump_if_none="POP_JUMP_IF_NONE",
        jump_if_not_none="POP_JUMP_IF_NOT_NONE",
        jump_if_false="POP_JUMP_IF_FALSE",
    ),
    no_stub_at={**NO_STUB_AT, "CALL_KW": "CALL_KW is read together with the names before it"},
    no_stub_after={
        "END_FOR": "FOR_ITER steps over the POP_TOP behind END_FOR",
        "YIELD_VALUE": DELEGATE,
    },
)

V314: Final = Layout(
    version=(3, 14),
    caches={
        **{name: count for name, count in V313.caches.items() if name != "BINARY_SUBSCR"},
        "BINARY_OP": 5,
        "CALL_KW": 3,
    },
    # END_ASYNC_FOR does not jump: its argument tells tools where the loop begins
    jumps={**JUMPS, "END_ASYNC_FOR": -1},
    merges_locations=True,
    stub=V313.stub,
    no_stub_at=V313.no_stub_at,
    no_stub_after={
        **V313.no_stub_after,
        "END_FOR": "FOR_ITER steps over END_FOR, and POP_ITER ends the loop",
    },
)

V315: Final = V314._replace(
    version=(3, 15),
    caches={**V314.caches, "CALL_FUNCTION_EX": 1, "GET_ITER": 1, "RESUME": 1},
    no_stub_after={
        **V314.no_stub_after,
        "LOAD_SPECIAL": "signals wait for the block only if CALL comes right behind LOAD_SPECIAL",
    },
    has_indices=True,
)

LAYOUTS: Final = {layout.version: layout for layout in (V311, V312, V313, V314, V315)}
"""Layouts by version."""
