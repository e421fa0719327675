"""Names: del, unbound locals, globals, locals()."""

import builtins

import numpy as np
from python_ladder import CYCLE, program, setup
from samples import namespace

X = np.linspace(0.5, 2, 6)
SCALE = 2.0
COUNT = 0
ROWS = []
LATER = None


@program(X)
def reads_globals(x):
    y = x * SCALE
    return y + len(__name__) + COUNT


@setup()
def stores_globals():
    global COUNT
    COUNT = 0

    def f(x):
        global COUNT
        y = x * 2
        COUNT += 1
        z = y + COUNT
        COUNT = COUNT * 2
        return z, COUNT

    return f, X.copy()


@setup()
def global_of_a_nested_function():
    global COUNT
    COUNT = 10

    def f(x):
        def count():
            global COUNT
            COUNT -= 1
            return COUNT

        y = x * count()
        return y + count(), COUNT

    return f, X.copy()


@setup()
def global_array_is_replaced():
    global LATER
    LATER = np.ones(6)

    def f(x):
        global LATER
        y = LATER + x
        LATER = y * 2
        LATER[0] = -1
        return y, LATER is y

    return f, X.copy()


@setup()
def global_is_made_and_deleted():
    names = namespace("""
def f(x):
    global temporary
    y = x * 2
    temporary = y + 1
    z = temporary * 2
    del temporary
    try:
        return z + temporary
    except NameError as error:
        return z, str(error)
""")
    return names["f"], X.copy()


@setup()
def global_list_grows():
    ROWS.clear()

    def f(x):
        y = x * 2
        ROWS.append(y)
        ROWS[0] = ROWS[-1] + len(ROWS)
        return sum(ROWS)

    return f, X.copy()


@setup()
def changed_by_the_callee():
    global SCALE
    SCALE = 2.0

    def change():
        global SCALE
        SCALE = SCALE + 1
        return SCALE

    def f(x, change):
        y = x * SCALE
        change()
        return y + x * SCALE

    return f, X.copy(), change


@program(X)
def missing_global(x):
    y = x * 2
    x[0] = 3
    return y + not_defined_anywhere


@setup()
def without_arguments():
    names = namespace("""
data = np.linspace(0, 1, 6)
total = 0.0

def f():
    global total
    y = data * 2 + 1
    total += y.sum()
    return y, total
""")
    return (names["f"],)


@setup()
def global_hides_a_builtin():
    names = namespace("""
def f(x):
    y = x * len(x)
    globals()["len"] = lambda v: 100
    z = x * len(x)
    del globals()["len"]
    return y, z, x * len(x)
""")
    return names["f"], X.copy()


@program(X, True)
def unbound_on_one_path(x, flag):
    y = x * 2
    if not flag:
        late = 1
    try:
        y = y + late
    except UnboundLocalError as error:
        print(error)
    late = 3
    return y + late


@program(X)
def unbound_goes_out(x):
    y = x * 2
    x[1] = 9
    if y[0] < 0:
        z = y
    return y + z


@program(X)
def deleted_locals(x):
    y = x * 2
    z = y + 1
    del y
    try:
        z = z + y
    except NameError as error:
        print(error)
    y = z * 2
    del x, z
    return y, sorted(locals())


@program(X)
def deleted_in_a_loop(x):
    total = x * 0
    for k in range(3):
        part = x * k
        total = total + part
        del part
    return total, "part" in locals(), "k" in locals()


@program(X, X * 2)
def deleted_argument(x, y):
    z = x + y
    del y
    w = z * 2
    y = w - 1
    return y, w


@program(X)
def locals_at_places(x):
    before = sorted(locals())
    y = x * 2
    middle = sorted(locals())
    z = y + 1
    seen = dict(locals())
    return z * 2, before, middle, sorted(seen), seen["y"] is y


@program(X)
def locals_with_cells(x):
    y = x * 2

    def inner():
        return y + 1

    names = sorted(locals())
    z = inner()
    y = z * 2
    return z, names, locals()["y"] is y


@program(X)
def vars_and_dir(x):
    class Thing:
        pass

    thing = Thing()
    thing.data = x * 2
    vars(thing)["extra"] = thing.data + 1
    y = thing.extra * 2
    return y, sorted(vars(thing)), [n for n in dir(thing) if not n.startswith("_")], len(vars())


@program(X)
def globals_call(x):
    y = x * globals()["SCALE"]
    return y + 1, "X" in globals(), globals()["X"] is X


@program(X)
def names_of_one_letter_reused(x):
    x = x * 2
    for x in (x + 1, x + 2):
        x = x * 0.5
    x = (x, len(x))
    x = x[0] + x[1]
    return x


@program(X)
def imports_inside(x):
    import math
    from math import pi as number

    import numpy.linalg as la

    y = x * math.sqrt(4) + number
    try:
        from math import nothing_of_this_name
    except ImportError as error:
        print(error.name)
    return y / la.norm(y)


@program(X)
def many_locals(x):
    a = x + 1
    b = a * 2
    c = b - a
    d, e, f, g = a * b, b * c, c * a, a + b + c
    h = d - e
    i = h + f
    print("middle")
    j = i * g
    k = j - h
    l, m, n = k + 1, k + 2, k + 3
    o = l * m
    p = o - n
    print("later")
    q = p + a
    r = q - b
    s = r * c
    t, u = s + d, s - e
    v = t * u
    w = v + f + g + h + i + j
    return w + k + l + m + n + o + p + q + r


@program(X, ignore=CYCLE)
def underscore_and_private(x):
    class Holder:
        def __init__(self):
            self.__hidden = x * 2

        def get(self):
            _ = self.__hidden + 1
            return _

    holder = Holder()
    return holder.get(), sorted(vars(holder))


@setup()
def builtin_is_replaced():
    def f(x):
        y = x * abs(-2)
        original = builtins.abs
        builtins.abs = lambda v: 50
        try:
            z = x * abs(-2)
        finally:
            builtins.abs = original
        return y, z, abs(-3)

    return f, X.copy()


@setup()
def deletes_a_global():
    def f(x):
        global LATER
        y = x * 2
        LATER = y
        z = LATER + 1
        del LATER
        try:
            return z, LATER
        except NameError as error:
            return z - 1, str(error)

    return f, X.copy()


@program(X)
def names_and_calls_that_warn(x):
    y = x + 1
    kind = np.char.chararray
    return y, np.ma.round_(y), kind.__name__


@program(X, 3)
def assigned_and_deleted_after_a_branch(x, n):
    c = None
    y = x
    match n:
        case 1:
            n += 1
        case 3 if n:
            del c
            c = y + 1
        case _:
            c = y * 2
    for _ in range(2):
        c = y - n
        z = c * 2
    del c
    print(len([*range(3)]))
    y = y + z
    try:
        print(c)
    except UnboundLocalError as error:
        print(error)
    return y, n, sorted(locals())
