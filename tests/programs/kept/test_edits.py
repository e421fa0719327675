"""Whatever is edited that a capture has read: the next process answers as plain Python does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from kept_programs import run

pytestmark = pytest.mark.counts("what was captured, kept and taken")

PROGRAM = """
import sys
import numpy as np
from framejit import jit
X = np.linspace(0.0, 1.0, 20)
FACTOR = 2.0
TABLE = (1.0, 2.0)
class Meta(type):
    pass
class Base(metaclass=Meta):
    shift = 0.25
    @property
    def twice(self):
        return self.x * 2
    @staticmethod
    def scaled(x):
        return x * 5
    @classmethod
    def name(cls):
        return 1
class Other(Base):
    shift = 0.75
class Point(Base):
    __slots__ = ("x",)
    def __init__(self, x):
        self.x = x
    def __add__(self, other):
        return Point(self.x + other.x)
    def moved(self):
        return self.x + self.shift
def helper(x, k=3.0, *, by=1.0):
    return x * k + by
def outer(x):
    def inner(y):
        return y - 0.5
    return inner(x) * (lambda z: z + 1)(x)
def make(k):
    held = k
    def made(x):
        return x * held
    return made
held = make(4.0)
@jit
def f(x):
    return helper(x) * FACTOR + TABLE[1]
@jit
def g(x):
    p = Point(x) + Point(x * 3)
    return p.moved() + p.twice + p.scaled(x)
@jit
def h(x):
    y = outer(x)
    print("between")
    return held(y) + np.roll(y, 0)
@jit
def own(x, n=2):
    return x * n + len("abc")
for one in (f, g, h, own):
    print(one.__name__, one(X).tobytes().hex())
"""
EDITS = {
    "nothing": ("", ""),
    "a global": ("FACTOR = 2.0", "FACTOR = 2.5"),
    "a global of another type": ("FACTOR = 2.0", "FACTOR = 2  "),
    "an item of a tuple": ("TABLE = (1.0, 2.0)", "TABLE = (1.0, 7.0)"),
    "the body of a helper": ("return x * k + by", "return x * k - by"),
    "a default": ("def helper(x, k=3.0", "def helper(x, k=3.5"),
    "a keyword default": ("by=1.0", "by=1.5"),
    "an own default": ("def own(x, n=2)", "def own(x, n=3)"),
    "an own constant": ('len("abc")', 'len("abd")'),
    "a nested function": ("return y - 0.5", "return y - 0.6"),
    "a lambda": ("lambda z: z + 1", "lambda z: z + 2"),
    "a cell": ("held = make(4.0)", "held = make(5.0)"),
    "a made function": ("return x * held", "return x / held"),
    "a class attribute": ("shift = 0.25", "shift = 0.50"),
    "a method": ("return self.x + self.shift", "return self.x - self.shift"),
    "a property": ("return self.x * 2", "return self.x * 3"),
    "a static method": ("return x * 5", "return x * 6"),
    "an operator": ("return Point(self.x + other.x)", "return Point(self.x - other.x)"),
    "a constructor": ("        self.x = x\n", "        self.x = x + 1\n"),
    "slots": ('    __slots__ = ("x",)', '    __slots__ = ("x", "y")'),
    "bases": ("class Point(Base)", "class Point(Other)"),
    "a metaclass": (
        "class Meta(type):\n    pass",
        "class Meta(type):\n    def __call__(c, x): return type.__call__(c, x + 1)",
    ),
    "getattribute": (
        "    def moved(self):",
        "    def __getattribute__(self, n):\n        return object.__getattribute__(self, n)\n"
        "    def moved(self):",
    ),
    "new": (
        "    def moved(self):",
        "    def __new__(cls, x):\n        return object.__new__(cls)\n    def moved(self):",
    ),
    "a function of a library": (
        "FACTOR = 2.0",
        "FACTOR = 2.0; np.roll = lambda x, n: x * 100",
    ),
    "another function of a library": ("FACTOR = 2.0", "FACTOR = 2.0; np.roll = np.flip"),
    "a builtin": ("FACTOR = 2.0", "FACTOR = 2.0; len = lambda x: 50"),
    "a helper that is another object": (
        "held = make(4.0)",
        "held = np.cos           ",
    ),
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the program has kept."""
    folder = tmp_path_factory.mktemp("edited")
    assert run(PROGRAM, folder).total("captures") > 3
    return folder


@pytest.mark.parametrize("name", EDITS)
def test_answers_as_plain_python(name: str, cache: Path) -> None:
    """Lines stay where they are, so that nothing but the edit tells the programs apart."""
    before, after = EDITS[name]
    edited = PROGRAM.replace(before, after)
    assert name == "nothing" or edited != PROGRAM
    kept = cache / "cache"
    saved = cache / "saved"
    shutil.copytree(kept, saved)
    try:
        eager = run(edited, cache, eager=True)
        found = run(edited, cache)
    finally:
        shutil.rmtree(kept)
        saved.rename(kept)

    assert found.printed == eager.printed
    if name == "nothing":
        assert found.total("captures") == 0
