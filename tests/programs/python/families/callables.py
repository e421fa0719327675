"""Callable objects in every place of the syntax: nothing of theirs runs but what eager runs."""

import functools

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)


class Everything:
    """Callable, and with every protocol that syntax may use, each of which is said."""

    def __init__(self):
        self.factor = 2.0

    def __getattribute__(self, name):
        print("read", name)
        return super().__getattribute__(name)

    def __call__(self, v):
        return v + 1

    def __bool__(self):
        print("bool")
        return False

    def __len__(self):
        print("len")
        return 3

    def __iter__(self):
        print("iter")
        return iter((1, 2))

    def __getitem__(self, key):
        print("item", key)
        return 2.5

    def __contains__(self, key):
        print("contains", key)
        return True

    def __eq__(self, other):
        print("eq")
        return True

    def __hash__(self):
        print("hash")
        return 1

    def __neg__(self):
        print("neg")
        return 3.0

    def __str__(self):
        print("str")
        return "everything"


@program(X, Everything())
def callable_in_syntax(x, e):
    y = x * 2
    if e:
        y = y * 0
    if not e and e is not None:
        y = y + e[0] * -e
    first, second = e
    for k in e:
        y = y + k * first
    return y, len(e), 5 in e, e == 1, f"{e}", y[first:second], e is e, second if e else first


@program(X, Everything())
def callable_in_builtins(x, e):
    y = x * e.factor
    e.factor += 1
    z = y * e.factor + sum(e) + max(e) + len(e)
    names = type(e).__name__, callable(e), isinstance(e, Everything), bool(e), e in [1]
    return z, names, {e: 1}[e], list(e), str(e), [k * x for k in e][1]


@program(X, Everything())
def callable_as_an_operand(x, e):
    y = x + 1
    for attempt in (lambda: np.add(y, e), lambda: y[e], lambda: y * e, lambda: np.sum(y, axis=e)):
        try:
            y = attempt() + 1
        except (TypeError, IndexError, ValueError) as error:
            print(type(error).__name__)
    return y


class Callable:
    """Callable, with eyes on what is done with it."""

    def __init__(self, data):
        self.data = data

    def __call__(self, v):
        print("call")
        return v * self.data

    def __eq__(self, other):
        print("eq")
        return self is other

    def __hash__(self):
        print("hash")
        return 7


@program(X, Callable(X + 1))
def callable_with_own_hash(x, function):
    y = x * 2
    z = function(y) + 1
    return function(z) - y


class Watched:
    """Callable, and every attribute that is read is said."""

    def __getattribute__(self, name):
        print("read", name)
        return super().__getattribute__(name)

    def __call__(self, v):
        return v + 1


@program(X, Watched())
def callable_that_is_watched(x, function):
    y = x * 2
    z = function(y)
    return function(z * y)


class WatchedToo(Watched):
    """Its call is its base's."""


@program(X, WatchedToo())
def inherited_call_that_is_watched(x, function):
    y = x * 2
    z = function(y)
    return function(z * y)


class Layer:
    """A layer of a network: what is common to all."""

    def __call__(self, v):
        self.given = v
        return self.forward(v)


class Scale(Layer):
    """One kind of layer."""

    def __init__(self, factor):
        self.factor = factor

    def forward(self, v):
        return v * self.factor


class Part(functools.partial):
    """Its call is one of C."""


@program(X, [Scale(2.0), Scale(X), Scale(np.float32(3))], Part(np.multiply, 2.0))
def inherited_calls(x, layers, part):
    for layer in layers:
        x = layer(x)
    layers[0].factor += 1.0
    return part(x) + layers[1].given, [layer.given.sum() for layer in layers]


@program(X, "-")
def methods_of_builtins_go_out(x, text):
    items = [1]
    y = x * 2
    append, join, upper = items.append, text.join, "a".upper
    print(
        append.__name__, type(join), type(upper), type([].append), type((1).__add__), type({}.get)
    )
    append(y.sum())
    z = y + len(items)
    return z, join, upper, append.__self__ is items, join(["a", "b"])


@program(X, [])
def bound_methods_made_anew(x, out):
    append, get, total = out.append, x.__getitem__, x.sum
    print(end="")
    y = x * 2
    said = [append is None, get is None, total is None, append == out.append, get == x.__getitem__]
    z = y + len(said)
    append(z)
    return get(1) + total() + z, said, out
