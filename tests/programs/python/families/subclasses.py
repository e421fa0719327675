"""Subclasses of the builtin types, and of ndarray."""

import types

import numpy as np
from python_ladder import program, setup

X = np.linspace(0.5, 2, 6)


class Masked(float):
    """A subclass of float."""

    def __mul__(self, other):
        print("mul")
        return 100.0

    __rmul__ = __mul__


@program(X, Masked(2.0))
def subclass_of_float(x, k):
    y = x + 1
    return y, k * 3, 3 * k, y[0] * k, y + k


class Count(int):
    """A subclass of int."""

    def __add__(self, other):
        print("add")
        return Count(int(self) + other + 1000)


@program(X, Count(3))
def subclass_of_int(x, k):
    y = x[:k] * 2
    k += 1
    return y, k, type(k).__name__, x * k, list(range(Count(2)))


class Rows(list):
    """A subclass of list."""

    def append(self, item):
        print("append")
        super().append(item * 2)

    def __getitem__(self, k):
        print("get", k)
        return super().__getitem__(k)


@program(X, Rows([1, 2]))
def subclass_of_list(x, rows):
    y = x * rows[0]
    rows.append(y)
    a, b, c = rows
    return c + rows[-1], rows, len(rows), a + b


class Defaults(dict):
    """A subclass of dict."""

    def __missing__(self, key):
        print("missing", key)
        self[key] = len(key)
        return self[key]


@program(X, Defaults(a=1))
def subclass_of_dict(x, table):
    y = x * table["a"] + table["long"]
    table["b"] = y
    return table["b"] + table["long"], sorted(table)


class Loud(type):
    """A metaclass that prints requests to its classes."""

    def __getattribute__(cls, name):
        print("class attribute", name)
        return super().__getattribute__(name)

    def __hash__(cls):
        print("class hash")
        return 5

    def __eq__(cls, other):
        print("class eq")
        return cls is other

    def __call__(cls, *args):
        print("class call")
        return super().__call__(*args)

    def __instancecheck__(cls, instance):
        print("class check")
        return True


class Quiet(metaclass=Loud):
    scale = 2.0

    def __init__(self, k):
        self.k = k


@program(X)
def loud_metaclass(x):
    y = x * Quiet.scale
    made = Quiet(3)
    z = y * made.k
    if isinstance(z, Quiet):
        z = z + 1
    return z, type(made) is Quiet, {Quiet: 1}[Quiet], np.asarray(z, dtype=float) * made.k


class Asked:
    """A descriptor that tells of reads through the class as well."""

    def __init__(self):
        self.reads = 0

    def __get__(self, instance, owner=None):
        print("asked of", "the class" if instance is None else "an instance")
        return 2.0


class Named(type):
    @property
    def level(cls):
        print("level of", cls.__name__)
        return 3.0


class Holder(metaclass=Named):
    factor = Asked()
    plain = 4.0


@program(X)
def computed_class_attributes(x):
    y = x * Holder.factor
    z = y + Holder.level * Holder.plain
    return z - Holder.factor


@setup()
def out_by_position():
    class Told(np.ndarray):
        def __array_wrap__(self, result, context=None, return_scalar=False):
            print("wrapped", context and len(context[1]))
            return result

    def f(x, out):
        y = x + 1
        np.add(y, 2, out)
        z = np.multiply(y, out, None)
        try:
            return z, np.add(y, 1, ...)
        except TypeError as error:
            return z, str(error)

    return f, X.copy(), np.zeros(X.shape).view(Told)


@setup()
def computed_module_attribute():
    module = types.ModuleType("user_settings")
    module.plain = 2.0
    module.__getattr__ = lambda name: print("module asked for", name) or len(name)

    def f(x):
        y = x * module.plain
        z = y + module.scale
        return z * module.scale

    return f, X.copy()
