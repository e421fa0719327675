"""Closures, cells, nonlocal, and functions that are called later."""

import numpy as np
from python_ladder import program, setup

X = np.linspace(0.5, 2, 7)


@setup()
def nonlocal_counter():
    count = 0
    total = np.zeros(7)

    def f(x):
        nonlocal count, total
        count += 1
        total = total + x * count
        return total * 2, count

    return f, X.copy()


@program(X)
def nonlocal_inside(x):
    steps = 0
    y = x * 2

    def advance(k):
        nonlocal steps, y
        steps += k
        y = y + steps
        return y

    first = advance(1)
    second = advance(2)
    return first, second, y * steps, second is y


@program(X)
def shared_cell(x):
    value = x * 2

    def read():
        return value + 1

    def write(v):
        nonlocal value
        value = v

    before = read()
    write(before * 3)
    after = read()
    value = value - 1
    return before, after, read(), value


@program(X)
def late_binding_in_a_loop(x):
    made = []
    for k in range(3):
        made.append(lambda v: v * k)
    y = made[0](x) + made[1](x)
    k = 10
    return y, made[2](x)


@program(X)
def early_binding_in_a_loop(x):
    made = [lambda v, k=k: v * k + 1 for k in range(1, 4)]
    y = x
    for one in made:
        y = one(y)
    return y, len(made)


@program(X)
def stored_and_called_later(x):
    waiting = []

    def later(function, *args):
        waiting.append((function, args))

    y = x * 2
    later(lambda: print("first"))
    later(lambda v: print("sum", v.sum() > 0), y)
    y = y + 1
    later(lambda: print("y0", float(y[0])))
    y = y * 2
    for function, args in waiting:
        function(*args)
    return y


def make_accumulator(start):
    total = start

    def add(x):
        nonlocal total
        total = total + x * 0.5
        return total

    return add


@setup()
def closure_made_outside():
    add = make_accumulator(1.0)

    def f(x):
        y = add(x) * 2
        return add(y) - y

    return f, X.copy()


@setup()
def jitted_closure():
    return make_accumulator(np.ones(7)), X.copy()


@program(X)
def two_closures_of_one_code(x):
    first, second = make_accumulator(0), make_accumulator(10)
    y = first(x)
    z = second(y)
    return first(z) + second(x), y, z


@program(X, 3)
def closure_over_an_argument(x, k):
    def scale(v):
        return v * k

    y = scale(x)
    k = k + 1
    z = scale(x)
    x = y + z
    return scale(x), (lambda: x)() is x


@program(X)
def closure_over_a_changed_array(x):
    buffer = x * 0

    def put(index, value):
        buffer[index] = value

    put(0, 5)
    put(slice(2, 4), x[2:4] * 2)
    y = buffer + 1
    put(-1, -1)
    return y, buffer


@program(X)
def three_levels(x):
    a = x + 1

    def one():
        b = a * 2

        def two():
            nonlocal b
            c = b - x

            def three(k):
                nonlocal b
                b = b * k
                return a + b + c

            return three(2) + three(3)

        return two() + b

    return one()


@program(X, True)
def cell_bound_on_one_path(x, flag):
    def read():
        return limit * 2

    y = x + 1
    try:
        print(read())
    except NameError as error:
        print(type(error).__name__, error)
    if flag:
        limit = 5
    return y + read()


@program(X)
def deleted_cell(x):
    scale = 2

    def use():
        return x * scale

    y = use() + 1
    del scale
    try:
        return use()
    except NameError as error:
        print(error)
    scale = 4
    return y, use()


@program(X)
def closure_of_a_loop_variable(x):
    total = x * 0
    for row in (x, x * 2, x * 3):

        def add():
            return total + row

        total = add()
    return total, row is x


@program(X)
def recursion_through_a_cell(x):
    depth = 0

    def halve(v):
        nonlocal depth
        depth += 1
        return v if v.max() < 0.5 else halve(v * 0.5)

    y = halve(x)
    return y + depth, depth


@program(X)
def closures_in_a_dict(x):
    def counter():
        n = 0

        def up(v):
            nonlocal n
            n += 1
            return v + n

        def current():
            return n

        return {"up": up, "current": current}

    c = counter()
    y = c["up"](x * 2)
    z = c["up"](y)
    return z * c["current"](), c["current"]()


@setup()
def closure_cell_changed_from_outside():
    scale = 2.0

    def change(value):
        nonlocal scale
        scale = value

    def f(x, change):
        y = x * scale
        change(scale + 1)
        return y + x * scale

    return f, X.copy(), change


@setup()
def closure_array_grows():
    history = []

    def f(x):
        y = x * 2 + len(history)
        history.append(y)
        return sum(history) - y

    return f, X.copy()


@program(X)
def lambda_default_holds_an_array(x):
    y = x * 3
    keep = lambda k, held=y: held + k
    y = y - 1
    return keep(1) + y, keep(2, y), keep.__defaults__[0] is y


@program(X)
def comprehension_sees_the_cells(x):
    scale = 3
    rows = [x * scale + k for k in range(3)]
    scale = 4
    made = [lambda: rows[k] * scale for k in range(3)]
    return [one() for one in made], rows


@program(X)
def cell_contents(x):
    y = x * 2

    def inner():
        return y

    cell = inner.__closure__[0]
    z = cell.cell_contents + 1
    cell.cell_contents = z
    return y, inner() is z, inner.__code__.co_freevars
