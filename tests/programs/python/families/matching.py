"""The match statement."""

import enum
from dataclasses import dataclass

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)


@program(X, "half")
def literals(x, mode):
    y = x + 1
    match mode:
        case "double":
            y = y * 2
        case "half":
            y = y / 2
        case _:
            y = y * 0
    return y - 1


@program(X)
def literals_of_many_kinds(x):
    results = []
    y = x * 2
    for subject in (1, 1.0, True, None, "a", b"a", -3, 2 + 1j, np.float64(1.0)):
        match subject:
            case None:
                results.append("none")
            case True:
                results.append("true")
            case 1:
                results.append("one")
            case "a":
                results.append("text")
            case b"a":
                results.append("bytes")
            case -3:
                results.append("minus three")
            case 2 + 1j:
                results.append("complex")
        y = y + len(results)
    return y, results


def shape_of(value):
    match value:
        case []:
            return "empty"
        case [one]:
            return f"one: {one}"
        case [first, *middle, last]:
            return f"{first}..{last} with {len(middle)} between"
        case {"x": x, **rest}:
            return f"x={x}, {sorted(rest)}"
        case str() | bytes():
            return "text"
        case _:
            return "other"


@program(X)
def sequences_and_mappings(x):
    y = x * 2
    kinds = [shape_of(v) for v in ([], [1], (1, 2, 3), range(4), {"x": 1, "b": 2}, "abc", {}, y)]
    return y + len(kinds), kinds


@program(X, ["scale", 3])
def sequence_captures(x, command):
    y = x + 1
    match command:
        case ["scale", factor]:
            y = y * factor
        case ["shift", by]:
            y = y + by
    return y * 2, factor


@program(X, {"kind": "line", "slope": 2.0, "offset": 1})
def mapping_captures(x, request):
    y = x * 2
    match request:
        case {"kind": "point"}:
            y = y * 0
        case {"kind": "line", "slope": slope, **others}:
            y = y * slope + others["offset"]
            print(sorted(others))
    return y - 1, request


@dataclass
class Circle:
    radius: float


@dataclass
class Box:
    width: float
    height: float


def area(shape):
    match shape:
        case Circle(radius=r):
            return np.pi * r * r
        case Box(w, h) if w == h:
            print("square")
            return w * h
        case Box(w, h):
            return w * h
    return None


@program(X, [Circle(2.0), Box(2, 3), Box(2, 2), None])
def classes_and_guards(x, shapes):
    y = x * 2
    for shape in shapes:
        found = area(shape)
        if found is not None:
            y = y + found
    return y


@program(X, Box(2.0, Circle(3.0)))
def nested_class_patterns(x, shape):
    y = x * 2
    match shape:
        case Box(height=Circle(radius=(int() | float()) as r), width=w):
            y = y * r + w
    return y, r


@program(X)
def or_patterns_bind(x):
    total = x * 0
    for item in [("add", 1), ("sub", 2), (3, "add"), ("mul", 4)]:
        match item:
            case ("add", k) | (k, "add"):
                total = total + k
            case ("sub", k):
                total = total - k
            case other:
                print(other)
    return total, k, other


@program(X)
def guard_with_an_effect(x):
    calls = []

    def check(k):
        calls.append(k)
        return k > 2

    y = x * 2
    for k in (1, 2, 3):
        match k:
            case 1 if check(k):
                y = y * 10
            case 1 | 2 if check(k + 1):
                y = y + k
            case n:
                y = y - n
    return y, calls


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


@program(X, Mode.SLOW)
def value_patterns(x, mode):
    y = x * 2
    match mode:
        case Mode.FAST:
            y = y + 1
        case Mode.SLOW:
            y = y - 1
    return y * 3


class Pair:
    __match_args__ = ("left", "right")

    def __init__(self, left, right):
        self.left = left
        self.right = right

    @property
    def total(self):
        print("total is read")
        return self.left + self.right


@program(X, Pair(1, 2))
def match_args_and_properties(x, pair):
    y = x + 1
    match pair:
        case Pair(1, right, total=t):
            y = y * t + right
    return y


@program(X)
def subject_is_evaluated_once(x):
    def subject():
        print("subject")
        return x.shape

    match subject():
        case (3,):
            return x
        case (n,) if n > 4:
            return x * n
    return None


@program(X, {"rows": [1, 2], "name": "a"})
def as_patterns(x, data):
    match data:
        case {"rows": [_, second] as rows, "name": str(name)}:
            y = x * second
    rows.append(3)
    return y + len(rows), name, data


@program(X)
def no_case_matches(x):
    y = x * 2
    match len(x):
        case 1:
            z = y
        case 2:
            z = x
    try:
        return z
    except UnboundLocalError as error:
        return y, str(error)


@program(X)
def captures_stay_after_a_failed_case(x):
    y = x * 2
    match (1, 2):
        case (a, 3):
            y = y * 0
        case (a, b) if a > b:
            y = y * 1
        case (b, a):
            y = y + a * 10 + b
    return y, a, b


@program(X)
def match_on_scalars_of_arrays(x):
    y = np.round(x * 2)
    words = []
    for v in y:
        match v:
            case 1.0 | 2.0:
                words.append("low")
            case float() if v > 3:
                words.append("high")
            case _:
                words.append("middle")
    return y, words


@program(X)
def match_in_a_loop_with_continue(x):
    total = x * 0
    for word in "a b stop c".split():
        match word:
            case "b":
                continue
            case "stop":
                break
        total = total + ord(word)
    return total, word
