"""Changes of an instruction are undone when it breaks: each field declares its rollback."""

from __future__ import annotations

import ast
import gc
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracle import assert_normally
from picture import sources

import framejit
from framejit.frontends.capture.capturing import INTERPRETER
from framejit.frontends.capture.state.frame import FRAMES, Frame
from framejit.frontends.capture.state.machine import Machine
from framejit.frontends.capture.state.machine_state import MACHINES, MachineState
from framejit.frontends.capture.state.snapshots import (
    CONTENTS,
    GROWS,
    NESTED,
    SETTING,
    VALUE,
    Rule,
    Snapshots,
    stays,
)
from framejit.frontends.runtime.capture_budget import Budget
from framejit.jit.ir.graph import Value
from framejit.jit.ir.types import PY_INT

TAKEN_BACK = (Rule.GROWS, Rule.CONTENTS, Rule.VALUE, Rule.NESTED)


class Inner:
    """Something that has marks of its own."""

    def __init__(self) -> None:
        self.number = 0

    def mark(self) -> int:
        """Return the number."""
        return self.number

    def rollback(self, mark: int) -> None:
        """Put it back."""
        self.number = mark


@dataclass(slots=True)
class Everything:
    """A field of each rule."""

    grows: list[int] = field(default_factory=lambda: [1], metadata=GROWS)
    named: dict[str, int] = field(default_factory=lambda: {"a": 1}, metadata=GROWS)
    items: list[int] = field(default_factory=lambda: [1, 2], metadata=CONTENTS)
    known: dict[str, int] = field(default_factory=lambda: {"a": 1}, metadata=CONTENTS)
    value: int = field(default=1, metadata=VALUE)
    inner: Inner = field(default_factory=Inner, metadata=NESTED)
    given: int = field(default=1, metadata=SETTING)
    count: int = field(default=1, metadata=stays("it is counted on"))


def test_each_rule() -> None:
    """A mark is good for more than one rollback; lists and dicts stay the same objects."""
    one, snapshots = Everything(), Snapshots(Everything)
    mark, items, known = snapshots.mark(one), one.items, one.known
    for _ in range(2):
        one.grows.append(2)
        one.named["b"] = 2
        one.items[:] = [7]
        one.known.pop("a")
        one.value, one.count, one.inner.number = 2, one.count + 1, 5
        snapshots.rollback(one, mark)

        assert (one.grows, one.named, one.value, one.inner.number) == ([1], {"a": 1}, 1, 0)
        assert one.items is items
        assert one.known is known
        assert (items, known) == ([1, 2], {"a": 1})

    assert one.count == 3
    assert snapshots.part(mark, "value") == 1


def test_a_field_without_a_rule() -> None:
    """A class cannot be made with a field that declares no rollback."""

    @dataclass
    class Forgetful:
        said: int = field(default=0, metadata=VALUE)
        forgotten: int = 0

    with pytest.raises(TypeError, match=r"Forgetful\.forgotten does not say"):
        Snapshots(Forgetful)


def machine() -> Machine:
    """Return a machine at the beginning of a capture."""
    return Machine(INTERPRETER, [], 0, {}, (), Budget())


def test_all_that_machines_have_is_a_field() -> None:
    """Machines and frames have slots: what changes can only be in their fields."""
    assert not hasattr(machine(), "__dict__")
    assert "__dict__" not in dir(Frame)
    assert {one.name for one in fields(MachineState)} == set(MACHINES.rules)
    assert {one.name for one in fields(Frame)} == set(FRAMES.rules)


def test_each_mutable_field_is_marked() -> None:
    """A list, dict or set that is in no mark stays as it is for a stated reason."""
    made = machine()
    for one in fields(made):
        rule, mutable = (
            MACHINES.rules[one.name],
            isinstance(getattr(made, one.name), dict | list | set),
        )
        if rule is Rule.STAYS:
            assert len(one.metadata["reason"]) > 10
        elif mutable and one.name != "start":
            assert rule in TAKEN_BACK, one.name


@pytest.mark.parametrize("name", [n for n, rule in MACHINES.rules.items() if rule in TAKEN_BACK])
def test_each_field_of_a_machine(name: str) -> None:
    """Values put into a field after a mark are gone after the rollback."""
    made = machine()
    held, rule = getattr(made, name), MACHINES.rules[name]
    before = MACHINES.mark(made)
    number = Value(PY_INT, name="n")
    match held:
        case list():
            held.append(number)
        case dict():
            held[number] = number
        case bool():
            setattr(made, name, not held)
        case _:
            assert rule is Rule.NESTED
            change = {
                "undone": lambda: held.add(number, None),
                "builder": lambda: held.const(7) and held.param(PY_INT, 7),
                "heap": lambda: held.tables.update(d=None),
                "memory": lambda: setattr(held, "epoch", 3),
                "identities": lambda: held.insertions.append(number),
            }[name]
            change()
    assert MACHINES.mark(made) != before, "the change shows in a mark"

    MACHINES.rollback(made, before)

    assert MACHINES.mark(made) == before
    assert getattr(made, name) == held if rule in (Rule.GROWS, Rule.CONTENTS) else True
    assert made.body.nodes == []


def owners(path: Path) -> tuple[str, ...]:
    """Return what a machine is called in a file."""
    return ("machine", "self") if path.name == "machine.py" else ("machine", "self.machine")


def test_settings_are_not_assigned() -> None:
    """No module of the machine assigns a field that is said to be a setting."""
    settings = {name for name, rule in MACHINES.rules.items() if rule is Rule.SETTING}
    wrong = [
        f"{path.name}:{node.lineno}: {node.attr}"
        for path in sources("frontends/capture", "frontends/numpy")
        if path.name not in ("capturing.py", "machine_state.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if ast.unparse(node.value) in owners(path) and node.attr in settings
    ]

    assert wrong == []


def contents(of: Any, rules: dict[str, Rule]) -> dict[str, Any]:
    """Return what the fields that are taken back hold, by identity."""
    found: dict[str, Any] = {}
    for name, rule in rules.items():
        held = getattr(of, name)
        if rule in (Rule.GROWS, Rule.CONTENTS):
            items = held.items() if isinstance(held, dict) else enumerate(held)
            found[name] = [
                (id(key) if rule is Rule.GROWS else hash(key), id(v)) for key, v in items
            ]
        elif rule is Rule.VALUE:
            found[name] = held
    return found


def branches_and_breaks(x: Any, names: Any, n: int) -> Any:
    total, kept = 0.0, []
    for i in range(n):
        if x[i] > 0.5:
            total += x[i]
            kept.append(total)
        else:
            x[i] = total * 2.0
    for name in names:
        print(end="")
        total = total + len(name)
    with np.errstate(all="ignore"):
        return np.sqrt(x) + np.std(x) + total, kept


def test_rollbacks_of_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each rollback of a capture each field holds the very objects that it held."""
    marked: dict[int, Any] = {}
    kept: list[Any] = []
    plain, rollback = MachineState.mark, MachineState.rollback

    def noting(self: Machine, frame: Frame) -> Any:
        mark = plain(self, frame)
        kept.append(mark)  # keeps its address its own
        marked[id(mark)] = contents(self, MACHINES.rules), contents(frame, FRAMES.rules)
        return mark

    rolled = 0

    def comparing(self: Machine, frame: Frame, mark: Any) -> None:
        nonlocal rolled
        rollback(self, frame, mark)
        rolled += 1
        found = contents(self, MACHINES.rules), contents(frame, FRAMES.rules)
        assert found == marked[id(mark)]

    monkeypatch.setattr(MachineState, "mark", noting)
    monkeypatch.setattr(MachineState, "rollback", comparing)
    framejit.jit(branches_and_breaks, compile="now")(np.linspace(0.0, 1.0, 9), ["a", "bc"], 9)

    assert_normally(rolled > 10)  # with `exit0_everywhere` the first call may run as it is


def test_a_machine_dies_with_its_capture() -> None:
    """Marks and what is handed in make no cycle that would keep a machine."""
    gc.collect()
    gc.disable()
    try:
        framejit.jit(branches_and_breaks, compile="now")(np.ones(3), ["a"], 3)
        left = [one for one in gc.get_objects() if type(one) is Machine]
    finally:
        gc.enable()

    assert left == []
