"""Generator functions: consumed inside, jitted themselves, sent to, thrown into, closed."""

import contextlib

import numpy as np
from python_ladder import CYCLE, program, setup

X = np.linspace(0.5, 2, 6)
A = np.linspace(-1, 1, 12).reshape(3, 4)


def rows_of(a, scale):
    print("start")
    for row in a:
        yield row * scale + 1
    print("end")


@program(A)
def consumed_by_for(a):
    total = a[0] * 0
    for row in rows_of(a * 2, 3):
        total = total + row
    return total


@program(A)
def consumed_by_list(a):
    rows = list(rows_of(a, 2))
    return np.stack(rows) - a, len(rows)


@program(A, 2, use=list)
def jitted_generator(a, k):
    for row in a:
        y = row * k
        yield y + 1
        yield y.sum()


@program(X, use=list)
def yields_in_the_middle(x):
    y = x * 2
    yield y
    y += 1
    yield y
    print("between")
    y = np.sqrt(y)
    yield y[:2]


def use_return_value(generator):
    seen = []
    while True:
        try:
            seen.append(next(generator))
        except StopIteration as stop:
            return seen, stop.value


@program(X, use=use_return_value)
def generator_with_a_return_value(x):
    y = x * 2
    yield y[0]
    return y + 1


def feed(generator):
    seen = [next(generator)]
    for value in (1.0, 2.0, None):
        seen.append(generator.send(value))
    return seen


@program(X, use=feed)
def is_sent_to(x):
    total = x * 0
    while True:
        value = yield total * 2
        print("got", value)
        if value is not None:
            total = total + value


def throw(generator):
    seen = [next(generator), generator.throw(ValueError("stop it"))]
    with contextlib.suppress(KeyError):
        generator.throw(KeyError("again"))
    return seen, list(generator)


@program(X, use=throw)
def is_thrown_into(x):
    y = x * 2
    try:
        yield y
    except ValueError as error:
        y = y + 1
        print("caught", error)
        yield y
    print("never")
    yield y * 2


def close_after_first(generator):
    first = next(generator)
    generator.close()
    return first, list(generator)


@program(X, [], use=close_after_first)
def is_closed(x, log):
    y = x + 1
    try:
        yield y
        log.append("more")
        yield y * 2
    except GeneratorExit:
        log.append(float(y[0]))
        raise
    finally:
        y = y * 3
        print("closed", float(y[0]))


@program(X, use=use_return_value)
def delegates(x):
    def inner(v):
        got = yield v * 2
        print("inner got", got)
        yield v + 1
        return v.sum()

    y = x * 2
    total = yield from inner(y)
    z = y * total
    yield z
    more = yield from inner(z)
    return more


@program(X, use=feed)
def delegates_what_is_sent(x):
    def inner(v):
        while True:
            k = yield v
            v = v * 2 if k is None else v + k

    y = x * 3
    yield from inner(y)


@program(X)
def send_inside(x):
    def average():
        total, count = 0.0, 0
        value = yield
        while True:
            total = total + value
            count += 1
            value = yield total / count

    running = average()
    next(running)
    y = running.send(x * 2)
    z = running.send(y + 1)
    running.close()
    return y, z * 2


@program(X)
def infinite_generator_stopped(x):
    def powers(v):
        current = v
        while True:
            yield current
            current = current * v

    total = x * 0
    for k, power in enumerate(powers(x)):
        if k == 3:
            break
        total = total + power
    return total, k


@program(X)
def finally_runs_at_break(x):
    def guarded(v):
        try:
            for k in range(5):
                yield v * k
        finally:
            print("finally")

    total = x
    for part in guarded(x * 2):
        total = total + part
        if total[0] > 2:
            break
    print("after the loop")
    return total


@program(A)
def pipeline(a):
    def scaled(rows):
        for row in rows:
            yield row * 2

    def shifted(rows):
        for k, row in enumerate(rows):
            yield row + k

    return sum(shifted(scaled(iter(a)))), [float(r[0]) for r in scaled(shifted(a))]


@program(X, use=list)
def try_inside_a_generator(x):
    for k in (1, 0, 2):
        y = x * k
        try:
            yield 10 // k
        except ZeroDivisionError:
            yield y - 1
        else:
            yield y + 1


@program(X, use=list)
def with_inside_a_generator(x):
    @contextlib.contextmanager
    def named(name):
        print("enter", name)
        yield name
        print("exit", name)

    y = x * 2
    with named("a") as name:
        yield y + len(name)
        y = y * 3
        yield y
    yield y - 1


@program(X, use=list, ignore=CYCLE)
def generator_method(x):
    class Steps:
        def __init__(self, step):
            self.step = step

        def __iter__(self):
            value = x * self.step
            for _ in range(2):
                yield value
                value = value + self.step

    steps = Steps(2)
    y = sum(steps)
    yield y
    yield from steps
    yield from (v * 2 for v in steps)


@program(X)
def exception_comes_out_of_a_generator(x):
    def bad(v):
        yield v * 2
        raise LookupError("no more")

    done = []
    try:
        for part in bad(x):
            done.append(part + 1)
    except LookupError as error:
        return done, str(error), x * 2


@program(X)
def stop_iteration_becomes_runtime_error(x):
    def careless(v):
        yield v
        next(iter(()))

    y = x * 2
    return [part + 1 for part in careless(y)]


@setup()
def generator_kept_between_calls():
    def counting():
        k = 0
        while True:
            k += 1
            yield k

    numbers = counting()

    def f(x):
        y = x * next(numbers)
        z = y + next(numbers)
        return z * 2

    return f, X.copy()


@program(X)
def next_with_default(x):
    def once(v):
        yield v * 2

    it = once(x)
    y = next(it, None)
    z = next(it, x)
    return y + 1, z is x, next(it, "end")


@program(X, use=list)
def local_state_survives(x):
    k, total, names = 0, x * 0, []
    while k < 3:
        total = total + x * k
        names.append(str(k))
        yield total, "".join(names)
        k += 1


@program(X, use=lambda g: [next(g), g.gi_frame.f_lineno > 0, sorted(g.gi_frame.f_locals), next(g)])
def generator_frame_is_visible(x):
    y = x * 2
    yield y + 1
    z = y * 3
    yield z - 1


@program(X, use=list)
def yield_as_an_expression(x):
    y = x * 2
    got = [(yield y), (yield y + 1)]
    y = y * len(got)
    yield y if (yield) is None else x


@program(X)
def recursive_generator(x):
    def halves(v):
        if len(v) > 1:
            yield from halves(v[: len(v) // 2])
            yield v.sum() * 2
            yield from halves(v[len(v) // 2 :])

    return list(halves(x)), x + 1


@program(X)
def unpacked_generator(x):
    def three(v):
        yield v
        yield v * 2
        yield v * 3

    a, b, c = three(x + 1)
    first, *rest = three(a)
    return a + b - c, first is a, [r * 2 for r in rest]
