"""A function that breaks and captures nothing: later processes know, and import nothing for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from kept_programs import START, run

pytestmark = pytest.mark.counts("what was captured, kept and taken")

PRINTS = """
@jit
def f(name, value):
    print(name, value)
    return value
for k in range(3):
    f("k", k)
"""
CALLS = """
def told(text):
    print(text.upper())
@jit
def f(rows):
    for row in rows:
        told(str(row))
    return len(rows)
print(f(["a", "b"]), f(["c"]))
"""
OBJECTS = """
class Shop:
    def __init__(self):
        self.items = {}
    @jit
    def sell(self, name, count):
        print("sold", name)
        self.items[name] = self.items.get(name, 0) + count
        return self.items
shop = Shop()
print(shop.sell("tea", 2), shop.sell("tea", 3))
f = Shop.sell
"""
PROGRAMS = {"prints": PRINTS, "calls": CALLS, "objects": OBJECTS}
BREAKS = """
import helpers
@jit
def f(x):
    return helpers.step(x)
print(f(X).tobytes().hex())
"""
STUCK = "def step(x):\n    print(len(x))\n    return x\n"
SMOOTH = "def step(x):\n    return x * 2.0\n"


@pytest.mark.parametrize("copies", ["0", "1"])
@pytest.mark.parametrize("mode", ["now", "auto"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_imported_again(name: str, mode: str, copies: str, tmp_path: Path) -> None:
    environment = {"FRAMEJIT_COMPILE": mode, "FRAMEJIT_COPIES": copies}
    eager = run(START + PROGRAMS[name], tmp_path, eager=True)
    first = run(START + PROGRAMS[name], tmp_path, **environment)
    second = run(START + PROGRAMS[name], tmp_path, **environment)

    assert eager.printed == first.printed == second.printed
    assert (first.total("kept"), second.total("kept"), second.total("captures")) == (0, 0, 0)
    if (mode, copies) == ("now", "0"):
        assert first.loaded
    assert second.loaded == []


EDITS = {
    "the function": (PRINTS, "print(name, value)\n    return value", "return X * value"),
    "an argument": (PRINTS, 'f("k", k)', 'f("k", X)'),
    "a function that it calls": (CALLS, "print(text.upper())", "return X + len(text)"),
    "a class": (OBJECTS, "self.items = {}", "self.items, self.more = {}, X"),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_may_be_captured_now_is_tried(name: str, tmp_path: Path) -> None:
    program, before, after = EDITS[name]
    edited = START + program.replace(before, after)
    assert edited != START + program
    run(START + program, tmp_path)
    eager = run(edited, tmp_path, eager=True)
    second = run(edited, tmp_path)

    assert second.printed == eager.printed
    assert second.loaded


def test_a_module_that_it_uses_is_edited(tmp_path: Path) -> None:
    helpers = tmp_path / "helpers.py"
    helpers.write_text(STUCK)
    run(START + BREAKS, tmp_path)
    assert run(START + BREAKS, tmp_path).total("captures") == 0
    helpers.write_text(SMOOTH)
    third = run(START + BREAKS, tmp_path)
    fourth = run(START + BREAKS, tmp_path)

    assert third.total("captures") > 0
    assert (fourth.total("captures"), fourth.total("kept")) == (0, 1)
    assert third.printed == fourth.printed


def test_fullgraph_raises_in_each_process(tmp_path: Path) -> None:
    program = """
@jit
def f(x):
    print(len(x))
    return x
f(X)
import framejit
try:
    jit(f.__wrapped__, fullgraph=True)(X)
except framejit.GraphBreakError as error:
    print("broke")
"""
    run(START + program, tmp_path)
    assert run(START + program, tmp_path).printed[-1] == "broke"
