"""Scopes that are no function: class bodies, eval and exec, the globals of another module."""

import numpy as np
from python_ladder import program, setup
from samples import namespace

X = np.linspace(0.5, 2, 6)


@program(X)
def eval_and_exec(x):
    y = eval("x * 2 + 1")
    scope = {"y": y, "np": np}
    exec("z = np.sqrt(y)\nw = z - 1", scope)
    code = compile("a + b", "<text>", "eval")
    return scope["w"] * 2, eval(code, {"a": y}, {"b": 1})


@program(X)
def exec_makes_a_function(x):
    made = {}
    exec("def f(v, k=2):\n    return v * k + 1", made)
    y = made["f"](x)
    return made["f"](y, k=3) - y


@setup()
def function_with_its_own_globals():
    names = namespace("""
offset = 1.5

def shift(x):
    return x + offset

def f(x):
    global offset
    y = shift(x * 2)
    offset = 3
    return shift(y), y
""")
    return names["f"], X.copy()


@program(X)
def class_body_scopes(x):
    k = 3

    class Inner:
        k = k + 1
        data = x * k

        def get(self):
            return k

        class Deeper:
            size = len("abc")

    return Inner.data + Inner().get(), Inner.k, Inner.Deeper.size, Inner.__qualname__


@program(X)
def class_body_deletes_a_name(x):
    y = x * 2

    class Halved:
        twice = y + 1
        half = twice / 4
        del twice

    return Halved.half - y, hasattr(Halved, "twice")
