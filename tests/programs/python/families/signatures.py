"""Calls of the function itself: every kind of parameter, wrong calls, methods."""

import functools

import numpy as np
from python_ladder import program, setup
from samples import namespace

X = np.linspace(0.5, 2, 6)


@program(X)
def argument_is_missing(x, y):
    return x + y


@program(X, X, X)
def too_many_arguments(x, y):
    return x + y


@program(X, kwargs={"z": 1})
def unexpected_keyword(x, y=2):
    return x * y


@program(X, kwargs={"x": X})
def argument_given_twice(x, y=2):
    return x * y


@program(kwargs={"x": X})
def positional_only_by_keyword(x, /):
    return x * 2


@program(X)
def keyword_only_is_missing(x, *, k, m):
    return x * k * m


@program(X, 2, kwargs={"x": 5, "k": 3})
def positional_only_name_in_kwargs(x, y=1, /, **rest):
    z = x * y
    return z + rest["x"] * rest["k"], rest


@program(X, 1, 2, 3, kwargs={"flag": True, "more": 4})
def every_kind(a, b, /, c, *rest, flag=False, **options):
    y = a * b + c
    if flag:
        y = y + sum(rest)
    y *= options["more"]
    return y, rest, options


@program(kwargs={"y": 2.0, "x": X})
def all_by_keyword(x, y):
    z = x * y
    return z + 1


@program(X)
def defaults_of_arrays(x, weights=np.ones(6), *, shift=np.float64(2)):
    y = x * weights
    return y + shift


@program()
def no_arguments():
    y = X * 2
    return y + 1


@program(X)
def stars_are_empty(x, *args, **kwargs):
    y = x * 2
    args += (1,)
    kwargs["a"] = y + 1
    return y, args, kwargs


@program(X, [1, 2])
def arguments_are_rebound(x, values):
    x = x * 2
    values = [*values, 3]
    del x
    x = np.ones(2) * len(values)
    return x, values


class Model:
    """A class with methods that are compared."""

    bias = 1.0

    def __init__(self, weight):
        self.weight = weight

    def run(self, x, times=1):
        for _ in range(times):
            x = x * self.weight + self.bias
        self.last = x
        return x

    @classmethod
    def make(cls, x):
        y = x * cls.bias
        return cls(y), y + 1

    @staticmethod
    def root(x):
        return np.sqrt(x) + 1

    def __call__(self, x):
        return self.run(x) * 2


@setup()
def bound_method():
    return Model(3.0).run, X.copy(), 2


@setup()
def method_through_the_class():
    return Model.run, Model(2.0), X.copy()


@setup()
def class_method():
    return Model.make, X.copy()


@setup()
def static_method():
    return Model.root, X.copy()


@setup()
def call_method():
    return Model(2.0).__call__, X.copy()


class Deeper(Model):
    def run(self, x, times=1):
        y = super().run(x, times) - 1
        return y * self.weight


@setup()
def method_of_a_subclass_with_super():
    return Deeper(2.0).run, X.copy()


@setup()
def lambda_itself():
    k = 3
    return (lambda x, p=2: x * p + k), X.copy()


@setup()
def decorated_function():
    def noted(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            print("call of", function.__name__)
            return function(*args, **kwargs) * 2

        return inner

    def scale(x, k=2):
        return x * k

    return noted(scale), X.copy(), 3


@program(*(X + k for k in range(12)))
def twelve_arguments(a, b, c, d, e, f, g, h, i, j, k, l):
    y = a * b + c * d - e * f
    print("half")
    return y + g * h - i * j + k / l


@setup()
def defaults_change_between_calls():
    def f(x, k=1, *, m=2):
        y = x * k + m
        f.__defaults__ = (k + 1,)
        f.__kwdefaults__ = {"m": m * 2}
        return y

    return f, X.copy()


@setup()
def positional_defaults_are_objects():
    class Options:
        scale = 2.0

    def f(x, options=Options(), seen=[]):
        y = x * options.scale
        options.scale += 1
        seen.append(float(y[0]))
        return y, len(seen)

    return f, X.copy()


def _body(lines):
    return "\n".join("    " + line for line in lines)


@setup()
def three_hundred_locals():
    """Instructions need EXTENDED_ARG."""
    lines = ["v0 = x * 2"]
    lines += [f"v{k} = v{k - 1} {'+' if k % 2 else '-'} {k}.5" for k in range(1, 300)]
    lines.insert(150, "print('half', v148[0])")
    lines.append("return v299, v7 + v298")
    return namespace(f"def f(x):\n{_body(lines)}")["f"], X.copy()


@setup()
def long_jumps():
    """Loops and branches over more instructions than one byte counts."""
    many = [f"    y = y + x * {k}" for k in range(120)]
    lines = ["y = x * 0", "for k in range(3):", *many, "    if k == 1:", "        print(k)"]
    lines += ["    else:", *("    " + one for one in many), "return y, k"]
    return namespace(f"def f(x):\n{_body(lines)}")["f"], X.copy()


@setup()
def many_constants_and_names():
    given = {f"name{k}": k * 0.5 for k in range(280)}
    lines = ["y = x", *(f"y = y + name{k} * {k}.25" for k in range(280)), "print('end')"]
    return namespace(f"def f(x):\n{_body(lines)}\n    return y * 2", **given)["f"], X.copy()


@program(X, [])
def deeply_nested(x, log):
    y = x * 2
    for a in range(2):
        if a or not log:
            try:
                while len(log) < 4:
                    for b in (1, 2):
                        with np.errstate(all="ignore"):
                            if b > a:
                                try:
                                    for c in range(2):
                                        y = y + x * (a + b * c)
                                        log.append((a, b, c))
                                        if c and b == 2:
                                            raise KeyError(c)
                                finally:
                                    y = y - 1
                            else:
                                log.append(None)
            except KeyError as error:
                y = y * error.args[0]
                log.append("caught")
    return y
