"""Decorated functions that call decorated functions: later processes find them by their code."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from kept_programs import START, run, run_twice

pytestmark = pytest.mark.counts("what was captured, kept and taken")

MADE_BY_A_FUNCTION = """
def runge_kutta(slope):
    @jit
    def step(y, dt):
        k = slope(y)
        return y + dt * (k + slope(y + dt * k)) / 2.0
    return step
def growth(rate):
    return lambda y: y * rate
@jit
def solve(step, y, n, watch=lambda y: y.sum()):
    seen = []
    for _ in range(n):
        y = step(y, 0.125)
        seen.append(watch(y))
    return y, seen
for rate in (0.5, 0.25):
    for _ in range(2):
        y, seen = solve(runge_kutta(growth(rate)), X, 3)
        print(y.tobytes().hex(), [one.hex() for one in seen])
"""
METHODS = """
class Vector:
    def __init__(self, x):
        self.x = x
    @jit
    def __mul__(self, other):
        return Vector(self.x * other)
    __rmul__ = __mul__
    @jit
    def dot(self, other):
        return ((self * 2.0).x * other.x).sum()
class Shape:
    def __init__(self, centre):
        self.centre = centre
    @jit
    def shade(self, v):
        return self.meet(v) * 0.5 + v.dot(self.centre)
class Ball(Shape):
    @jit
    def meet(self, v):
        return np.sqrt(v.x) - self.centre.x
class Floor(Shape):
    @jit
    def meet(self, v):
        return 3.0 * v.x + self.centre.dot(v)
for _ in range(2):
    for kind in (Ball, Floor, Ball):
        print(kind(Vector(X)).shade(0.5 * Vector(X + 1.0)).tobytes().hex())
shade, times = Shape.shade, Vector.__mul__
"""
HELD = """
@jit
def square(x):
    return x * x
@jit
def root(x):
    return np.sqrt(x)
class Model:
    def __init__(self, activation):
        self.activation = activation
    @jit
    def forward(self, x):
        return self.activation(x) + TABLE["root"](x) * 0.5
TABLE = {"root": root}
for activation in (square, root, square):
    print(Model(activation).forward(X).tobytes().hex())
forward = Model.forward
"""
PROGRAMS = {"made by a function": MADE_BY_A_FUNCTION, "methods": METHODS, "held": HELD}


@pytest.mark.parametrize("name", PROGRAMS)
def test_captures_nothing(name: str, tmp_path: Path) -> None:
    run_twice(START + PROGRAMS[name], tmp_path)


EDITS = {
    "the code of one that is called": (MADE_BY_A_FUNCTION, "/ 2.0", "/ 4.0"),
    "what one closes over": (MADE_BY_A_FUNCTION, "y * rate", "y - rate"),
    "a default of the caller": (MADE_BY_A_FUNCTION, "y.sum()", "y.max()"),
    "an operator": (METHODS, "self.x * other)", "self.x + other)"),
    "a method": (METHODS, "np.sqrt(v.x)", "np.cbrt(v.x)"),
    "a method of the other class": (METHODS, "3.0 * v.x", "4.0 * v.x"),
    "a decorator": (
        METHODS,
        "    @jit\n    def meet(self, v):\n        return np",
        "    def meet(self, v):\n        return np",
    ),
    "a method that is replaced": (
        METHODS,
        "for _ in",
        "Ball.meet = jit(lambda self, v: v.x)\nfor _ in",
    ),
    "an attribute": (HELD, "Model(activation)", "Model(root)"),
    "an item": (HELD, '{"root": root}', '{"root": square}'),
    "a global": (HELD, "return x * x", "return x * x * x"),
}


@pytest.mark.parametrize("name", EDITS)
def test_answers_as_plain_python(name: str, tmp_path: Path) -> None:
    """Whatever changes between two processes."""
    program, before, after = EDITS[name]
    edited = START + program.replace(before, after)
    assert edited != START + program
    run(START + program, tmp_path)
    eager = run(edited, tmp_path, eager=True)

    assert run(edited, tmp_path).printed == eager.printed


COMPREHENSION = """
class Box:
    def __init__(self, k):
        self.k = k
    def meet(self, x):
        return np.sqrt(x * self.k + 1.0) - np.where(x > 0.5, x, 2.0 * x)
def noted(value):
    print(len(value))
    return value
@jit
def f(shapes, x):
    y = x * 2.0
    return [noted(one.meet(y)) * 2.0 + y for one in shapes]
for _ in range(4):
    print(sum(f([Box(1.0), Box(2.0)], X)).tobytes().hex())
"""


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="comprehensions are no functions")
def test_comprehensions_that_break(tmp_path: Path) -> None:
    """The third takes what the second has captured; those of later processes capture nothing."""
    program = START + COMPREHENSION
    eager = run(program, tmp_path, eager=True)
    first = run(program, tmp_path, FRAMEJIT_LOG="cache,breaks")
    second = run(program, tmp_path, FRAMEJIT_LOG="cache,breaks")

    assert eager.printed == first.printed == second.printed
    taken = "<listcomp>: 3 entries brought back"
    assert (first.errors.count(taken), second.errors.count(taken)) == (2, 4)
    assert "breaks: f.<locals>.<listcomp>" in first.errors
    assert "breaks: f.<locals>.<listcomp>" not in second.errors
