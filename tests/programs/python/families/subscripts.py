"""Subscripts and slices: of lists, dicts, user containers and arrays."""

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)
A = np.linspace(-1, 1, 24).reshape(4, 6)


@program(X, [1, 2, 3, 4, 5])
def list_slices(x, numbers):
    y = x * numbers[1]
    numbers[1:3] = [7, 8, 9]
    del numbers[-2:]
    numbers[::2] = [0] * len(numbers[::2])
    return y + numbers[1], numbers, numbers[::-1], numbers[-3:-1]


@program(A)
def views_and_stores(a):
    inner = a[1:-1, ::2]
    inner += 10
    a[0, :] = a[1, :] * 2
    a[:, 0][1:3] = -1
    a[..., -1] = 0
    a[2][3] = 5
    return inner * 2, a


@program(A)
def slice_objects(a):
    s = slice(1, None, 2)
    whole = slice(None)
    y = a[s, whole] * 2
    z = a[slice(2), s]
    return y, z, s.indices(6), (s.start, s.stop, s.step), s == slice(1, None, 2)


class Recorder:
    def __init__(self):
        self.seen = []

    def __getitem__(self, key):
        self.seen.append(key)
        return 2.0

    def __setitem__(self, key, value):
        self.seen.append((key, float(np.sum(value))))

    def __delitem__(self, key):
        self.seen.append(("del", key))


@program(X, Recorder())
def user_getitem(x, recorder):
    y = x * recorder[1] + recorder["a", 2:3, ...]
    recorder[::2] = y
    recorder[-1] += y
    del recorder[1:2]
    return y, recorder[:,]


@program(X)
def nested_stores(x):
    data = {"rows": [{"v": x}, {"v": x * 2}], "n": [[0, 1], [2, 3]]}
    data["rows"][1]["v"] = data["rows"][0]["v"] + 1
    data["rows"][0]["v"] *= 3
    data["n"][1][0] += 10
    data["rows"].append({"v": None})
    return data


@program(X)
def dict_of_arrays(x):
    table = {}
    for k in range(3):
        table[k] = x * k
        table.setdefault("all", []).append(table[k])
    table[1] = table[2] + table.pop(0)
    del table[2]
    return table, table.get(7), 1 in table


@program(X)
def key_error(x):
    table = {"a": x * 2}
    y = table["a"] + 1
    try:
        y = y * table["b"]
    except KeyError as error:
        y = y - len(error.args[0])
    return y * table["c"]


@program(X)
def index_errors(x):
    y = x * 2
    try:
        y[2] = y[10]
    except IndexError as error:
        print(error)
    try:
        [1, 2][5]
    except IndexError as error:
        print(error)
    try:
        y[1, 2]
    except IndexError as error:
        print(error)
    return y + 1


@program(A)
def negative_and_none(a):
    y = a[:, None, -1] * a[None, 0, :4]
    return y, a[-1, -2:], a[:, ::-2], a[3:1], a[..., 0]


@program(A)
def masks_and_lists(a):
    y = a * 2
    y[y > 1] = 1
    kept = y[y < 0]
    rows = y[[0, 2]]
    y[[1, 3], 2] = 9
    return y, kept + 1, rows, y[np.array([2, 0]), ::3]


@program(X, 2)
def computed_bounds(x, k):
    n = len(x)
    y = x[k : n - k] * 2
    z = x[-k:] + x[: n // 3]
    x[k - 1 : k + 1] = z * 0
    return y, z, x


@program(X)
def list_of_lists_becomes_array(x):
    grid = [[0.0] * 3 for _ in range(2)]
    for i in range(2):
        for j in range(3):
            grid[i][j] = x[i] * j
    shared = [[0]] * 2
    shared[0][0] = 1
    return np.array(grid) + 1, shared


@program(X)
def slices_of_tuples_and_strings(x):
    parts = (x, x + 1, x + 2)
    a, b = parts[1:]
    return a * b, parts[::-2][0] is parts[2], "abcdef"[1:-1:2], range(10)[2:8:3], b"abc"[1:]


@program(X)
def assignment_between_views(x):
    a, b = x[:-1], x[1:]
    b[:] = a * 2
    x[::2], x[1::2] = x[1::2].copy(), x[::2].copy()
    return a + b, x


@program(X)
def index_of_user_class(x):
    class Two:
        def __index__(self):
            print("index")
            return 2

    y = x * 2
    two = Two()
    return y[two] + y[:two], [5, 6, 7][two], range(two)[1], y[two:].sum()


@program(X)
def deletion_of_items(x):
    values = [x, x + 1, x + 2, x + 3]
    table = dict(enumerate(values))
    del values[1], table[0]
    del (values[0], table[3])
    y = values[0] + table[1]
    del values[:]
    return y, len(values), list(table)


@program(A)
def loops_over_indices(a):
    out = np.zeros_like(a)
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            out[i, j] = a[i - 1, j] + a[i + 1, j] - 2 * a[i, j]
    return out, a[1:-1, 1:-1] * 2


@program(A)
def ndindex_and_flat(a):
    total = 0.0
    for index in np.ndindex(2, 2):
        total += a[index]
    a.flat[3] = total
    return a * 2, a.flat[5], [float(v) for v in a.flat[:3]]


@program(X)
def contains_and_count(x):
    values = [1, 2, 2, "a", None]
    y = x * values.count(2)
    values.remove(2)
    values.insert(1, 5)
    values.extend([7, 8])
    values.reverse()
    return y + values.index("a"), values, 5 in values, None not in values, x[0] in x
