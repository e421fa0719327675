"""Subclasses of the builtin types, and of ndarray."""

import numpy as np
from python_ladder import program

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
