"""Guards on globals remember where a name stood in its dict, and look only there at first."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from entries import entry, guard

from framejit.jit.native import _core

HELD, OTHER = object(), object()
NAME = "watched"
Names = dict[Any, Any]


def made(names: Names, name: str = NAME, behind: Names | None = None) -> _core.Entry:
    """Return an entry whose one guard wants `HELD` under the name, then in the names behind."""
    b = -1 if behind is None else 3
    return entry(
        guards=guard("GLOBAL_IS", 0, b=b, c=1, object=2, extra=0),
        objects=(names, HELD, name, behind or {}),
        n_live=0,
        n_slots=1,
        kernel=1,
    )


def holds(of: _core.Entry) -> bool:
    """Return True if the guard holds; asked twice, as the first time finds the place."""
    answers = {of.failed_guard(()) is None for _ in range(2)}
    assert len(answers) == 1
    return answers.pop()


def assigned_again(names: Names) -> None:
    """The name goes to the end."""
    del names[NAME]
    names[NAME] = HELD


def grown(names: Names) -> None:
    """The dict gets other tables, in which places of deleted names are gone."""
    del names["before"]
    names.update((f"name {k}", k) for k in range(1000))


def emptied(names: Names) -> None:
    """Another name stands where this one did."""
    names.clear()
    names.update(other=HELD, third=HELD)
    names[NAME] = OTHER


def generalised(names: Names) -> None:
    """Keys of other types: entries are laid out in another way."""
    names[3] = 4


CHANGES: list[tuple[Callable[[Names], Any], bool]] = [
    (assigned_again, True),
    (grown, True),
    (generalised, True),
    (emptied, False),
    (lambda names: names.update({NAME: OTHER}), False),
    (lambda names: names.pop(NAME), False),
    (lambda names: names.clear(), False),
]


@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_a_dict_that_changes(change: Callable[[Names], Any], expected: bool) -> None:
    """After each change the guard agrees with a look-up, and holds when that is undone."""
    names: Names = {"before": 1, NAME: HELD, "after": 2}
    of = made(names)
    assert holds(of)

    change(names)

    assert (names.get(NAME) is HELD) == holds(of) == expected
    names[NAME] = HELD
    assert holds(of)


def test_another_object_with_the_same_text() -> None:
    """The key of the dict may be another str than the guard's: it is looked up each time."""
    names: Names = {"".join(["wat", "ched"]): HELD}
    of = made(names)
    assert holds(of)

    names[NAME] = OTHER

    assert not holds(of)


def test_builtins_behind_globals() -> None:
    """A global hides a builtin, whose place among the builtins is remembered."""
    names: Names = {"a": 1, "b": 2}
    behind: Names = {"c": 3, "d": 4, "e": 5, NAME: HELD}
    of = made(names, behind=behind)
    assert holds(of)

    names[NAME] = OTHER
    assert not holds(of)
    names[NAME] = HELD
    behind[NAME] = OTHER
    assert holds(of)
    del names[NAME]
    assert not holds(of)


def test_names_of_an_object() -> None:
    """Values of a dict that shares its keys with others stand elsewhere."""
    owners = [SimpleNamespace(), SimpleNamespace()]
    for owner, held in zip(owners, (HELD, OTHER), strict=True):
        owner.before = 1
        setattr(owner, NAME, held)

    assert [holds(made(vars(owner))) for owner in owners] == [True, False]


class Shares:
    """Its objects share their keys."""

    def __init__(self, held: object) -> None:
        self.before = 1
        self.watched = held


def test_dicts_with_shared_keys() -> None:
    """The keys are there before an object has values for them."""
    full, bare = Shares(HELD), Shares.__new__(Shares)
    of = made(vars(full))
    assert holds(of)
    del full.watched
    assert not holds(of)
    full.watched = HELD

    assert holds(of)
    assert not holds(made(vars(bare)))


def test_a_place_is_not_taken_from_a_table() -> None:
    """C alone finds the place to look first: a table that names a place is refused."""
    objects: tuple[Any, ...] = ({NAME: HELD}, HELD, NAME)
    for op in ("GLOBAL_IS", "FETCH_GLOBAL"):
        rows = guard(op, 0, a=-1, b=-1, c=1, object=2, extra=0)
        with pytest.raises(ValueError, match="guard"):
            entry(guards=rows, objects=objects, n_live=0, n_slots=1, kernel=1)
