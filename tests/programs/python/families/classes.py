"""Classes made inside, containers of the user's, metaclasses, builders."""

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 7)


class Vector:
    """A user's container of arrays."""

    def __init__(self, *parts):
        self.parts = list(parts)

    def __getitem__(self, index):
        print("item", index)
        return self.parts[index]

    def __setitem__(self, index, value):
        print("store", index)
        self.parts[index] = value

    def __delitem__(self, index):
        del self.parts[index]

    def __len__(self):
        return len(self.parts)

    def __contains__(self, value):
        return any(part is value for part in self.parts)

    def __iter__(self):
        return iter(self.parts)


@program(X)
def container_protocol(x):
    vector = Vector(x, x * 2, x * 3)
    y = vector[1] + vector[-1]
    vector[0] = y
    vector[1] += 1
    del vector[2]
    return len(vector), y in vector, x in vector, [part * 2 for part in vector]


@program(X)
def class_as_a_namespace(x):
    class Config:
        scale = 3
        weights = x * scale
        total = weights.sum()

        def apply(self, v):
            return v * self.scale

    return Config().apply(Config.weights) + Config.total


@program(X)
def chained_methods(x):
    class Builder:
        def __init__(self, value):
            self.value = value

        def add(self, k):
            self.value = self.value + k
            return self

        def mul(self, k):
            self.value *= k
            return self

    return Builder(x * 2 + 1).add(1).mul(x).add(x).value


@program(X)
def dunder_call_and_class(x):
    class Meta(type):
        def __call__(cls, *args):
            print("making", cls.__name__)
            made = super().__call__(*args)
            made.extra = 2
            return made

    class Made(metaclass=Meta):
        def __init__(self, v):
            self.v = v

    made = Made(x * 2)
    return made.v * made.extra


@program(X)
def new_gives_another_object(x):
    class Holder:
        def __new__(cls, value):
            print("new")
            if value is None:
                return [1, 2]
            return super().__new__(cls)

        def __init__(self, value):
            print("init")
            self.value = value

    y = Holder(x).value * 2
    return y, Holder(None)
