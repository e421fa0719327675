"""Syntax that only newer Pythons know, as text."""

import numpy as np
from python_ladder import setup
from samples import namespace

X = np.linspace(0.5, 2, 6)


@setup(since=(3, 12))
def type_parameters():
    names = namespace("""
def f[T: float](x, k: T = 2) -> T:
    y = x * k
    def inner[U](v: U) -> U:
        return v + y
    return inner(x), f.__type_params__[0].__name__
""")
    return names["f"], X.copy()


@setup(since=(3, 12))
def generic_class_inside():
    names = namespace("""
def f(x):
    class Box[T]:
        limit: T | None = None
        def __init__(self, item: T):
            self.item = item
        def doubled(self) -> T:
            return self.item * 2
    y = x + 1
    box = Box[float](y)
    return box.doubled() - y, Box.__type_params__[0].__name__
""")
    return names["f"], X.copy()


@setup(since=(3, 12))
def type_statement():
    names = namespace("""
def f(x):
    y = x * 2
    type Pair[T] = tuple[T, T]
    type Row = list[Pair[int]]
    return y + 1, Row.__name__, Pair.__value__ is not None
""")
    return names["f"], X.copy()


@setup(since=(3, 12))
def nested_quotes_in_f_strings():
    names = namespace("""
def f(x, table):
    y = x * 2
    text = f"{table["k"]} {f"{y[0]:{table["w"]}.2f}"} {", ".join([f"{v:.1f}" for v in y[:2]])}"
    return y + len(text), text
""")
    return names["f"], X.copy(), {"k": 1, "w": 8}


@setup(since=(3, 12))
def comprehension_in_a_class_body():
    names = namespace("""
def f(x):
    class Table:
        k = 3
        rows = [x * j for j in range(k)]
        made = [lambda v: v * j for j in range(2)]
    y = Table.rows[2] + 1
    return Table.made[0](y)
""")
    return names["f"], X.copy()


@setup(since=(3, 12))
def batched():
    names = namespace("""
import itertools

def f(x):
    total = 0.0
    for pair in itertools.batched(x * 2, 2):
        total += pair[0] * pair[1]
    return x * total
""")
    return names["f"], X.copy()


@setup(since=(3, 13))
def type_parameter_defaults():
    names = namespace("""
def f[T = int](x):
    class Box[U = T]:
        value = x * 2
    y = Box.value + 1
    return y, f.__type_params__[0].has_default()
""")
    return names["f"], X.copy()


@setup(since=(3, 13))
def locals_are_snapshots():
    names = namespace("""
def f(x):
    y = x * 2
    seen = locals()
    seen["y"] = None
    y = y + 1
    again = locals()
    return y, seen["y"], again["y"] is y, seen is again
""")
    return names["f"], X.copy()


@setup(since=(3, 13))
def frame_locals_write_through():
    names = namespace("""
import sys

def f(x):
    y = x * 2
    frame = sys._getframe()
    frame.f_locals["y"] = y * 10
    z = y + 1
    del frame
    return z
""")
    return names["f"], X.copy()


@setup(since=(3, 13))
def caller_writes_our_locals():
    names = namespace("""
import sys

def change():
    sys._getframe(1).f_locals["y"] = sys._getframe(1).f_locals["y"] * 100

def f(x):
    y = x * 2
    z = y + 1
    change()
    return y - z
""")
    return names["f"], X.copy()


@setup(since=(3, 12))
def alias_in_a_class():
    names = namespace("""
import numpy as np

Item = np.ndarray

def f(x):
    y = x * 2

    class Table:
        type Row = list[Item]
        def scale[T: Item](self, other: T = y) -> T:
            return other + 1

    return Table().scale(y), Table.Row.__value__ == list[Item], Table().scale()
""")
    return names["f"], X.copy()


@setup(since=(3, 14))
def template_strings():
    names = namespace("""
def f(x, width):
    y = x * 2
    text = t"{y[0]!r} of {width:>{width}} {x.shape[0]:.1f}."
    z = y + len(text.strings)
    return z, [(one.value, one.expression, one.conversion, one.format_spec)
               for one in text.interpolations]
""")
    return names["f"], X.copy(), 5


@setup(since=(3, 14))
def deferred_annotations():
    names = namespace("""
import annotationlib

def f(x):
    y = x * 2

    def inner(v: kind, *, k: later = 2) -> y:
        return v * k

    kind = float
    z = inner(y)
    seen = inner.__annotations__ if x.size > 100 else inner.__annotate__.__name__
    later = int
    given = annotationlib.get_annotations(inner)
    return z - y, seen, given["v"], given["k"], given["return"] is y
""")
    return names["f"], X.copy()


@setup(since=(3, 14))
def annotations_of_a_class_inside():
    names = namespace("""
def f(x):
    y = x * 2

    class Point:
        east: unknown
        north: float = 1.0

    z = y + Point.north
    try:
        Point.__annotations__
    except NameError as error:
        return z, error.name
    return y
""")
    return names["f"], X.copy()


@setup(since=(3, 14))
def several_exceptions_without_parentheses():
    names = namespace("""
def f(x):
    y = x * 2
    try:
        y = y / {}["key"]
    except ValueError, KeyError:
        y = y + 1
    return y - x
""")
    return names["f"], X.copy()
