"""Entries: tables that do not hang together are refused, and nothing of them is kept."""

from __future__ import annotations

import struct
import sys
from typing import Any

import entries as make
import numpy as np
import pytest
from entries import FIRST, entry, guard, load, recipe, step

from framejit.jit.native import _core

F8 = np.dtype("f8")
TABLES = {"guards": 32, "loads": 16, "arrays": 28, "calls": 24, "recipes": 8, "steps": 12}
"""Bytes of a row."""
BIG = 2**31 - 1
ARRAY = guard("ARRAY", 0, a=12, b=1, c=2, object=0x101, extra=0)


def full() -> dict[str, Any]:
    """Fields of an entry that uses every table."""
    return {
        "objects": (F8, abs),
        "guards": ARRAY + guard("TYPE", 2, object=1),
        "n_guards": 1,
        "loads": load("ARRAY", 0, FIRST, 1) + load("SCALAR", 2, FIRST + 6),
        "n_loads": 1,
        "arrays": make.array(1, FIRST + 3, 1, 0),
        "calls": make.call(1, 2, 1, 1, 1),
        "recipes": recipe(0, 1) + recipe(1, 3),
        "steps": step("SLOT", 1) + step("CONST", 1) + step("SLOT", 0) + step("CALL", 1),
        "n_live": 1,
        "n_slots": 3,
        "words": bytes(8 * (FIRST + 8)),
        "kernel": 1,
    }


def refused(message: str, **fields: Any) -> None:
    """The constructor says no, in these words."""
    with pytest.raises(ValueError, match=message):
        entry(**fields)


def test_tables_that_hang_together_are_taken() -> None:
    """The tables that the other tests spoil are sound before."""
    made = entry(**full())

    assert (made.hits, made.bails, made.bails_in_row) == (0, 0, 0)


@pytest.mark.parametrize("table", TABLES)
def test_a_table_ends_with_a_row(table: str) -> None:
    """Half a row is refused."""
    fields = full()
    refused(f"{table} holds", **{**fields, table: fields[table][:-1]})


@pytest.mark.parametrize("table", [*TABLES, "words", "objects"])
def test_a_truncated_table_is_refused(table: str) -> None:
    """Each row is used by something: without the last one the rest does not hold."""
    fields = full()
    size = {"words": 8, "objects": 1}.get(table) or TABLES[table]
    # An array or a call that is missing is missed by the kernel alone, which is code of ours.
    if table not in ("arrays", "calls"):
        refused("Entry: ", **{**fields, table: fields[table][:-size]})
    for rows in range(len(fields[table]) // size):
        cut = {**fields, table: fields[table][: rows * size]}
        if table not in ("arrays", "calls"):
            refused("Entry: ", **cut)


@pytest.mark.parametrize("table", TABLES)
def test_no_field_of_a_row_is_believed(table: str) -> None:
    """A field with any value makes a sound entry or a ValueError, and never an access outside."""
    sound = full()
    rows = sound[table]
    for at in range(0, len(rows), 4 if table != "arrays" else 1):
        for value in (-1, -2, 1, 3, 9, 64, BIG, -BIG - 1, BIG - 1, BIG // 2 + 1):
            packed = struct.pack("=i", value) if table != "arrays" else bytes([value & 0xFF])
            spoiled = rows[:at] + packed + rows[at + len(packed) :]
            try:
                made = entry(**{**sound, table: spoiled})
            except ValueError:
                continue
            live = (np.ones(3),)
            assert made.failed_guard(live) in (None, 0)


@pytest.mark.parametrize(
    "fields",
    [
        {"n_guards": -1},
        {"n_guards": 3},
        {"n_loads": -1},
        {"n_loads": 3},
        {"n_live": -1},
        {"n_live": 4},
        {"n_slots": -1},
        {"n_slots": 2**40},
        {"n_exits": 0},
        {"n_exits": -1},
        {"n_exits": 3},
        {"scratch": -1},
        {"scratch": sys.maxsize},
    ],
)
def test_counts_fit_the_tables(fields: dict[str, int]) -> None:
    """Counts that stand beside the tables are no way around them."""
    refused("count", **{**full(), **fields})


@pytest.mark.parametrize(
    "rows",
    [
        guard("TYPE", 1, object=0),  # a slot that nobody fills
        guard("FETCH_CELL", 0, object=0),  # into a live-in, which is borrowed
        guard("FETCH_ATTR", 1, a=1, object=0),
        guard("FETCH_ITEM", 1, a=1, c=0),
        guard("FETCH_CLOSURE", 1, a=0, c=-1),
        guard("FETCH_LENGTH", 1, a=1),
        guard("FETCH_GLOBAL", 1, b=-1, object=0, extra=0),  # in something that is no dictionary
        guard("GLOBAL_IS", 0, b=1, c=7, object=0, extra=1),
        guard("ORDER", 0),  # of something that may be no array
        guard("WRITEABLE", 0),
        guard("DISJOINT", 0, a=0),
        guard("DIM_EQ", 0, b=0),
        ARRAY + guard("DIM_EQ", 0, a=1, b=0),
        ARRAY + guard("DIM_EQ", 0, b=0, c=1),
        ARRAY + guard("DIM_EQ", 0, a=-1, b=0),
        ARRAY + guard("ORDER", 0, c=0x11),
        guard("ARRAY", 0, b=9),
        guard("ARRAY", 0, b=-1),
        guard("FUNCTION", 0, a=0, b=-2, object=0),
        guard("FETCH_DEFAULTS", 1, a=1),
        guard("CLASS_HOLDS", 0, a=1, object=0, extra=1),  # names that are in no tuple
        guard("SUBCLASS", 0, object=0),
        guard("REGISTERED", 0, object=0, extra=1),  # of something that cannot be called
        guard("OWN_NAMES", 1),
        guard("IS", 0, object=2),
        guard("IS", 0),
    ],
)
def test_guards_read_what_is_there(rows: bytes) -> None:
    """A guard looks at filled slots, at arrays that were guarded as such, at objects."""
    refused("of guards", guards=rows, objects=("name", {}), n_slots=2)


@pytest.mark.parametrize(
    "rows",
    [
        load("ARRAY", 0, FIRST, 1),  # not guarded to be an array
        load("INT", 1, FIRST),
        load("INT", 0, FIRST - 1),  # a word of the launcher's
        load("COMPLEX", 0, FIRST + 31),
        load("INT", 0, BIG),
        struct.pack("=4i", 9, 0, FIRST, 0),
    ],
)
def test_loads_read_what_is_there(rows: bytes) -> None:
    """A load has a guarded slot and words of its own."""
    refused("of loads", loads=rows, n_slots=2)


@pytest.mark.parametrize(
    "rows",
    [
        make.array(0, FIRST, 1, 0),  # over a live-in
        make.array(2, FIRST, 1, 0),
        make.array(1, FIRST, 9, 0),
        make.array(1, FIRST, -1, 0),
        make.array(1, -3, 1, 0),
        make.array(1, FIRST + 30, 1, 0),
        make.array(1, FIRST, 1, 1),  # no dtype
        make.array(1, FIRST, 1, 2),  # a dtype of objects
        make.array(1, FIRST, 1, 0, base=1),  # a view of itself
        make.array(1, FIRST, 1, 0, base=2),
        make.array(1, FIRST, 2, 0, order=(1, 1)),
        make.array(1, FIRST, 2, 0, order=(0, 2)),
        make.array(1, FIRST, 2, 0, order=(-1, 0)),
        make.array(1, FIRST, 1, 0, room=0),  # no scratch
        make.array(1, FIRST, 1, 0, room=-2),
    ],
)
def test_arrays_have_a_place(rows: bytes) -> None:
    """An array goes into a slot of the launch's own, its axes come in some order, each once."""
    refused("of arrays", arrays=rows, objects=(F8, 1, np.dtype(object)), n_slots=2, kernel=1)


def test_rooms_are_in_the_scratch() -> None:
    """All of one, at a cache line, and for memory of the launch's own."""
    size = _core.ROOM
    for room, base in ((64, -1), (8, -1), (0, 0)):
        rows = make.array(1, FIRST, 1, 0, base=base, room=room)
        refused("of arrays", arrays=rows, objects=(F8,), n_slots=2, kernel=1, scratch=size)


@pytest.mark.parametrize(
    "steps",
    [
        step("TUPLE", 1),
        step("SLOT") + step("SLOT"),
        step("CALL", 0),
        step("SLOT") + step("CALL", 1),
        step("SLOT") + step("DICT", 1),
        step("SLOT") + step("DICT", 2**30),
        step("SLOT") + step("CALL", BIG),
        step("LIST", -1),
        step("SLOT", 1),
        step("CONST", 0),
        step("INT", FIRST - 1),
        step("COMPLEX", FIRST + 31),
        step("SCALAR", FIRST, 0),
        struct.pack("=3i", len(_core.RECIPE_OPS), 0, 0),
        struct.pack("=3i", -1, 0, 0),
    ],
)
def test_recipes_leave_one_object(steps: bytes) -> None:
    """Operands are on the stack, and at the end one object is."""
    refused("of recipes", steps=steps, recipes=recipe(0, len(steps) // 12))


def test_a_scalar_has_room_in_its_words() -> None:
    """A recipe does not read behind the last word, nor references out of words."""
    last = {"steps": step("SCALAR", FIRST + 31, 0)}
    refused("of recipes", objects=(np.dtype("D"),), **last)
    refused("of recipes", objects=(np.dtype(object),), **last)
    entry(objects=(F8,), **last)


def test_wrong_types_of_fields_are_refused() -> None:
    """A field of another type is a TypeError."""
    for field, value in (("objects", []), ("guards", "x"), ("n_live", "x"), ("kernel", None)):
        with pytest.raises(TypeError):
            entry(**{field: value})
    with pytest.raises(TypeError):
        _core.Entry()
