"""Effects in order: prints, appends, stores, mutated arguments, iterators that advance."""

import random
import sys
import threading
import warnings
import weakref

import numpy as np
from python_ladder import program, setup

X = np.linspace(0.5, 2, 6)


@program(X)
def prints_between(x):
    print("start", x[0])
    y = x * 2
    print("middle", y[0], sep=":", end=";\n")
    z = y + 1
    print(z.sum(), file=sys.stderr)
    return z * y


@program(X, [1, 2], {"a": 1})
def arguments_are_changed(x, values, table):
    y = x * 2
    values.append(y)
    table["b"] = y + 1
    x += 1
    values[0] = x
    table.update(c=values[0] * 2)
    del table["a"]
    return y


@program(X, np.zeros(6))
def arrays_are_changed(x, out):
    out[:] = x * 2
    print(out[0])
    out[1:] += out[:-1]
    x[0] = out[-1]
    np.add(x, out, out=out)
    return out


@setup(use=lambda result: (result[0], list(result[1])))
def iterator_argument_advances():
    def f(x, it):
        y = x * next(it)
        z = y + next(it)
        for k in it:
            z = z * k
            if k > 3:
                break
        return z, it

    return f, X.copy(), iter([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])


@setup()
def generator_argument_is_consumed():
    def numbers():
        for k in range(100):
            print("give", k)
            yield k

    def f(x, it):
        y = x * next(it) + next(it)
        return y * 2, next(it)

    return f, X.copy(), numbers()


@program(X, [[1.0], [2.0]])
def aliased_lists(x, rows):
    first = rows[0]
    rows.append(first)
    first.append(x * 2)
    rows[-1][1] += 1
    return rows, rows[0] is rows[2]


@program(X)
def same_list_twice(x):
    values = [x * 2]
    pair = (values, values)
    values.append(x + 1)
    return pair, values, [values] * 2


@program(X)
def identity_of_results(x):
    y = x
    z = x * 2
    w = z
    v = x[:]
    return x is y, z is w, v is x, v.base is x, (x, y, z, w), None is not x


@program(X, X)
def same_argument_twice(x, y):
    same = x is y
    x[0] = 5
    z = y * 2
    y += 1
    return z, same, x is y


@program(X)
def append_in_a_loop(x):
    history = []
    y = x
    for k in range(4):
        y = y * 0.5 + k
        history.append(y)
        if k % 2:
            history.append(k)
    return history, y is history[-2]


@program(X)
def containers_in_order(x):
    log = []
    table = {"z": 1}
    table["a"] = x * 2
    log += [list(table)]
    table["z"] = x + 1
    log.append(list(table))
    table.pop("z")
    table["z"] = 0
    return log, list(table.items())


@program(X)
def sets(x):
    seen = {1, 2}
    y = x * len(seen)
    seen.add(3)
    seen |= {4}
    seen.discard(1)
    frozen = frozenset(seen) & {3, 4, 5}
    return y + len(frozen), sorted(seen), sorted(frozen), seen > frozen


@program(X)
def random_numbers(x):
    y = x + random.random()
    noise = np.random.rand(6)
    z = y * noise
    random.seed(1)
    return z, random.randint(0, 100), np.random.randint(10)


@setup()
def generator_of_numpy():
    rng = np.random.default_rng(3)

    def f(x, rng):
        y = x + rng.normal(size=6)
        z = y * rng.integers(1, 5)
        return z, rng.random()

    return f, X.copy(), rng


def careful(x, level):
    warnings.warn("from careful", UserWarning, stacklevel=level)
    return x * 2


@program(X, looks_out=True)
def warns_at_levels(x):
    y = x + 1
    warnings.warn("here", stacklevel=1)
    y = careful(y, 1) + careful(y, 2)
    y = careful(y, 3)
    return y * 2


@program(X)
def warning_of_numpy_and_own(x):
    y = np.log(x - 1)
    warnings.warn("between", DeprecationWarning)
    z = y / (x - x[0])
    return np.isnan(y).sum(), z


@program(X)
def warnings_are_caught(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        y = np.sqrt(x - 1)
        z = 1 / (x - 0.5)
    return y.sum() * 0, z * 2, [(str(w.message), w.category.__name__) for w in seen]


@program(X)
def warnings_as_errors(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y = x * 2
        try:
            y = y + np.log(x - 2)
        except RuntimeWarning as warning:
            print(warning)
    return y + 1


class Noisy:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("del", self.name)


@program(X)
def finalisers_in_order(x):
    a = Noisy("a")
    b = Noisy("b")
    y = x * 2
    a = Noisy("c")
    y = y + 1
    del b
    print("after del")
    y = y * 2
    return y


@program(X)
def temporary_is_finalised_at_once(x):
    y = x * len(Noisy("t").name)
    print("next")
    pair = (Noisy("u"), y + 1)
    pair = pair[1]
    print("last")
    return pair * 2


@program(X)
def finaliser_with_an_exception(x):
    def inner(v):
        noisy = Noisy("inner")
        w = v * 2
        return w[99]

    y = x * 2
    try:
        inner(y)
    except IndexError:
        print("caught")
    return y + 1


@program(X)
def weak_references(x):
    class Node:
        pass

    node = Node()
    gone = []
    ref = weakref.ref(node, lambda r: gone.append("gone"))
    y = x * 2
    alive = ref() is node
    node = y
    z = node + len(gone)
    return z, alive, ref(), gone


@program(X)
def weak_reference_to_an_array(x):
    y = x * 2
    ref = weakref.ref(y)
    z = y + 1
    before = ref() is y
    del y
    return z, before, ref() is None


@program(X)
def weak_dictionary(x):
    table = weakref.WeakValueDictionary()
    key = frozenset([1])
    table["a"] = key
    y = x * len(table)
    key = None
    return y + len(table), list(table)


@setup()
def thread_local():
    own = threading.local()
    own.k = 3

    def f(x):
        y = x * own.k
        own.k += 1
        seen = []
        thread = threading.Thread(target=lambda: seen.append(hasattr(own, "k")))
        thread.start()
        thread.join()
        return y + own.k, seen

    return f, X.copy()


@program(X)
def work_in_threads(x):
    results = {}

    def work(k):
        results[k] = x * k + 1

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
        thread.join()
    return sum(results.values()), sorted(results)


@program(X)
def reference_cycle(x):
    node = {"data": x * 2}
    node["self"] = node
    y = node["self"]["data"] + 1
    node["data"] = y
    return node["self"]["data"] * 2


@program(X)
def write_through_a_view(x):
    row = x[1:4]
    kept = row * 1
    x *= 2
    print(row[0])
    row[:] = 0
    return x, row, kept


@program(X)
def stdout_is_replaced(x):
    class Upper:
        def __init__(self, out):
            self.out = out

        def write(self, text):
            self.out.write(text.upper())

    y = x * 2
    original = sys.stdout
    sys.stdout = Upper(original)
    try:
        print("quiet", y.shape)
    finally:
        sys.stdout = original
    print("loud")
    return y + 1
