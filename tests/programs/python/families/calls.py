"""Calls of every form, of functions of the user's."""

import functools
import math
import sys
from functools import partial, wraps

import numpy as np
from python_ladder import program, setup

X = np.linspace(0.5, 2, 7)


def scaled(x, factor=2.0, *, shift=1.0):
    return x * factor + shift


def total_of(*arrays, start=0):
    total = start
    for array in arrays:
        total = total + array
    return total


def described(x, /, *, name="x", **more):
    print(name, sorted(more))
    return x - len(more)


@program(X, 3)
def positional(x, k):
    y = x * 2
    z = scaled(y, k)
    return z - y


@program(X)
def keywords(x):
    y = scaled(x, shift=0.5, factor=3)
    return np.sqrt(scaled(factor=2, x=y))


@program(X)
def defaults(x, scale=1.5, offset=-1, *, power=2):
    y = x * scale + offset
    return y**power, scaled(y)


@program(X, kwargs={"flag": True, "count": 4})
def keyword_only(x, *, flag=False, count, step=0.5):
    y = x * step
    if flag:
        y = y + count
    return y


@program(X, 2.0)
def positional_only(x, k, /, z=1):
    def inner(a, /, b):
        return a * b

    y = inner(x, k)
    try:
        inner(a=y, b=1)
    except TypeError as error:
        print(error)
    return inner(y, b=z)


@program(X, X * 2, X * 3)
def takes_stars(first, *rest):
    y = first * 2
    for one in rest:
        y = y + one
    return y, len(rest)


@program(X, kwargs={"a": 1, "b": 2.5})
def takes_star_kwargs(x, **options):
    y = x * options["a"]
    for name, value in options.items():
        y = y + value
        print(name)
    return y, sorted(options)


@program(X, X + 1)
def star_call(x, y):
    pair = [x * 2, y * 3]
    s = total_of(*pair)
    t = total_of(s, *pair, *(x, y), start=1)
    return t - s


@program(X)
def double_star_call(x):
    options = {"factor": 3.0, "shift": -1}
    y = scaled(x * 2, **options)
    return scaled(y, **{"factor": 0.5}, shift=2) + scaled(*(y,), **options)


@program(X)
def star_call_of_pure_positional(x):
    args = (x, 2.0)
    y = np.multiply(*args)
    return np.add(*[y, x]) * 2


@program(X)
def forwards_everything(x):
    def forward(*args, **kwargs):
        print(len(args), sorted(kwargs))
        return scaled(*args, **kwargs)

    y = forward(x * 2, 3)
    return forward(y, shift=2) - forward(y, factor=y[0])


@program(X)
def duplicate_keyword(x):
    y = x * 2
    try:
        return scaled(y, factor=2, **{"factor": 3})
    except TypeError as error:
        print("TypeError:", str(error).rpartition(".")[2])
    return y + 1


@program(X)
def missing_argument(x):
    def needs_two(a, b):
        return a + b

    y = x * 2
    return needs_two(y)


@program(X)
def too_many_arguments(x):
    y = x * 2
    print(y.sum() > 0)
    return scaled(y, 1, 2)


@program(X)
def nested_three_deep(x):
    def a(v):
        return b(v * 2) + 1

    def b(v):
        return c(v + 1) * v

    def c(v):
        return np.sqrt(v) - v.sum()

    return a(x) + a(x * 2)


@program(X)
def order_of_arguments(x):
    """Arguments are evaluated from left to right, keywords too."""

    def say(word, value):
        print(word)
        return value * 2

    return total_of(say("one", x), say("two", x + 1), start=say("three", 1))


@program(X)
def lambdas(x):
    double = lambda v: v * 2
    add = lambda v, k=1, *rest: v + k + len(rest)
    return add(double(x), 3, 4, 5) - (lambda: x)()


@program(X, 6)
def recursion(x, n):
    def power(v, k):
        if k == 0:
            return v * 0 + 1
        return v * power(v, k - 1)

    return power(x, n) + 1


def even_step(x, n):
    if n == 0:
        return x * 2
    return odd_step(x + 1, n - 1)


def odd_step(x, n):
    if n == 0:
        return x * 3
    return even_step(x * 0.5, n - 1)


@program(X, 5)
def mutual_recursion(x, n):
    return even_step(x * 2, n) - odd_step(x, n)


@program(X, 4)
def recursion_of_itself(x, n):
    y = x * 2 + n
    if n <= 0:
        return y
    print(n)
    return y - recursion_of_itself(y, n - 1)


@program(X)
def partials(x):
    triple = partial(scaled, factor=3)
    shifted = partial(triple, shift=np.float64(0.5))
    y = triple(x)
    return shifted(y) - triple(y, shift=0) + shifted.keywords["shift"]


@program(X)
def partial_of_a_ufunc(x):
    halve = partial(np.multiply, 0.5)
    y = halve(x) + 1
    return halve(y), halve.func is np.multiply


def logged(function):
    @wraps(function)
    def inner(*args, **kwargs):
        print("enter", function.__name__)
        try:
            return function(*args, **kwargs)
        finally:
            print("leave", function.__name__)

    return inner


@logged
def cube(x):
    return x * x * x


@program(X)
def decorated_callee(x):
    y = cube(x) + 1
    return cube(x=y) - cube.__wrapped__(y)


def repeated(times):
    def decorate(function):
        def inner(x):
            for _ in range(times):
                x = function(x)
            return x

        inner.times = times
        return inner

    return decorate


@program(X)
def decorator_with_arguments(x):
    @repeated(3)
    def grow(v):
        return v * 1.5 + 1

    return grow(x) / grow.times


@setup()
def function_attributes():
    def f(x):
        f.calls = getattr(f, "calls", 0) + 1
        y = x * f.calls
        f.last = y
        return y + 1, f.calls

    return f, X.copy()


@setup()
def cached_helper():
    @functools.lru_cache(maxsize=None)
    def weight(n):
        print("computing", n)
        return math.sqrt(n) + 1

    def f(x):
        y = x * weight(4)
        z = y + weight(9) * weight(4)
        return z, weight.cache_info().hits

    return f, X.copy()


@program(X)
def function_in_a_container(x):
    table = {"double": lambda v: v * 2, "root": np.sqrt, "shift": scaled}
    for name in ("double", "root", "shift"):
        x = table[name](x)
    return x, [table[name] is not None for name in sorted(table)]


@program(X, np.cos)
def function_as_argument(x, apply):
    y = apply(x * 2)
    return apply(y) + y


@program(X, scaled)
def user_function_as_argument(x, apply):
    y = apply(x, 2)
    return apply(y, shift=3) * y


@program(X)
def callee_changes_its_argument(x):
    def fill(v, value):
        v[1:3] = value
        return v

    y = x * 2
    z = fill(y, 7.0)
    return z + 1, y, z is y


@setup()
def mutable_default():
    def f(x, seen=[]):
        y = x * 2
        seen.append(float(y[0]))
        return y + len(seen), seen

    return f, X.copy()


@setup()
def default_of_an_inner_function():
    def f(x):
        k = 2
        y = x * k

        def inner(v, k=k, out=[]):
            out.append(k)
            return v * k, list(out)

        k = 5
        return inner(y), inner(y, k), inner(y)

    return f, X.copy()


@program(X)
def defaults_are_read_at_call_time(x):
    def inner(v, k=2):
        return v * k

    y = inner(x)
    inner.__defaults__ = (3,)
    z = inner(x)
    inner.__kwdefaults__ = None
    return y, z


@program(X)
def call_result_is_called(x):
    def make(k):
        return lambda v: v * k

    return make(3)(x) + make(k=2)(make(4)(x))


@program(X)
def returns_its_argument(x):
    def same(v):
        return v

    y = same(x)
    z = same(v=y * 2)
    return y is x, z, same(same)(z) is z


@program(X)
def keywords_that_are_no_names(x):
    def take(**options):
        return options

    y = x * 2
    for key in (1, None, ("a",)):
        try:
            take(**{key: y})
        except TypeError as error:
            print(error)
    return take(**{"a b": y, "": x})
