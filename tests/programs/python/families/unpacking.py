"""Unpacking, walrus, and assignment of every form."""

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)
A = np.linspace(-1, 1, 12).reshape(3, 4)


@program(X, X * 2)
def swap(x, y):
    x, y = y, x
    z = x - y
    x, y, z = z, x, y
    return x, y, z * 2


@program(A)
def rows_of_an_array(a):
    first, second, third = a
    y = first * second + third
    p, q = y[:2]
    return y * p - q, first


@program(A)
def starred(a):
    first, *middle, last = a
    head, *tail = (first * 2, last)
    *init, end = [1, 2, 3]
    return head + tail[0] + end, middle, init


@program(A)
def shape_is_unpacked(a):
    n, m = a.shape
    y = np.zeros((m, n))
    (rows, _), *rest = [y.shape, 1]
    return a.T + y * n, rows * m, rest


@program(X)
def nested_targets(x):
    (a, (b, *c)), d = (x, (x * 2, 3, 4)), x[0]
    [e, f] = a, b
    return e + f, c, d


@program(X)
def chained_targets(x):
    a = b = x * 2
    c = [0, 0]
    i = c[i := 1] = 5
    a += 1
    return a, b is a, c, i


@program(X)
def order_of_targets(x):
    out = {}
    k = 0
    k, out[k] = 1, x * 2
    i = 0
    values = [10, 20, 30]
    i, values[i] = 2, 99
    return out[1] + 1, values, sorted(out)


@program(X)
def too_few_values(x):
    y = x * 2
    try:
        a, b, *c, d = y[:2]
    except ValueError as error:
        print(error)
    a, b = y[:3]
    return a


@program(X)
def of_not_iterable(x):
    y = x * 2
    try:
        a, b = 5
    except TypeError as error:
        print(error)
    a, b = len(y), y
    return b * a


@program(X, {"a": 1.0, "b": 2.0})
def dict_items(x, named):
    y = x * 0
    for k, (name, value) in enumerate(named.items()):
        y = y + value * k
    (first, one), *_ = named.items()
    return y, name, first, one


@program(X)
def walrus_in_conditions(x):
    if (total := (x * 2).sum()) > 1 and (top := x.max()) < 100:
        x = x / total
    while (n := len(x)) > 2:
        x = x[1:] * 2
    return x, top, n


@program(X)
def walrus_as_an_argument(x):
    y = np.add(z := x * 2, w := z + 1)
    return y, z, w, (lambda v=(u := 3): v * u)()


@program(X)
def augmented_names(x):
    y = x
    y = y + 1
    z = y
    y *= 2
    y -= x
    y /= 4
    y **= 2
    k = 7
    k //= 2
    k <<= 3
    k |= 1
    k %= 10
    return y, z is y, x, k


@program(np.arange(6), np.ones(6))
def augmented_with_casting(i, f):
    f += i
    i *= 2
    try:
        i += f
    except TypeError as error:
        print(type(error).__name__)
    i //= 4
    return i, f


@program(X)
def augmented_items_evaluate_once(x):
    log = []

    def index(k):
        log.append(k)
        return k

    values = [x, x * 2]
    values[index(1)] += 1
    values[index(0)] = values[index(0)] * 3
    table = {"a": 1}
    table["a"] += index(5)
    return values, log, table


@program(X)
def star_in_return_and_index(x):
    rest = (x + 1, x * 2)
    a = np.arange(24).reshape(2, 3, 4)
    index = (1, 2)
    return x, *rest, a[*index] * 2, a[0, *index]


@program(X)
def unpacking_an_iterator(x):
    it = iter([x, x * 2, x * 3, 4])
    a, b = next(it), next(it)
    *rest, last = it
    return a + b, rest, last, list(it)


@program(X)
def loop_targets(x):
    table = {}
    values = [0, 0]
    for table["k"], values[1] in [(1, x), (2, x * 2)]:
        x = values[1] + table["k"]
    return x, table, values


@program(X)
def annotations(x):
    y: np.ndarray = x * 2
    z: "not evaluated" = y + 1
    w: int
    try:
        return y, z, w
    except UnboundLocalError as error:
        return z, str(error)


@program(X, 5)
def tuple_returns(x, n):
    def parts(v):
        return v * 2, v + n, [v.sum(), n]

    a, b, (s, k) = parts(x)
    (c, *_), d = parts(a), k
    return a + b, c * s, d
