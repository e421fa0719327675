"""except*, groups, notes, assert, and what stays after an exception."""

import sys

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)


class Trouble(Exception):
    """A user's own."""


@program(X)
def except_star(x):
    y = x * 2
    seen = []
    try:
        raise ExceptionGroup("many", [ValueError(1), IndexError(2), TypeError(3), ValueError(4)])
    except* ValueError as group:
        seen.append(len(group.exceptions))
        y = y + 1
    except* (IndexError, TypeError) as group:
        seen.extend(type(e).__name__ for e in group.exceptions)
        y = y * 2
    return y, seen


@program(X)
def except_star_of_a_plain_error(x):
    y = x * 2
    try:
        y = y + np.ones(2)
    except* ValueError as group:
        y = y - len(group.exceptions)
    return y, sys.exc_info()[0]


@program(X)
def except_star_leaves_a_rest(x):
    y = x * 2
    try:
        raise ExceptionGroup("many", [ValueError("a"), ExceptionGroup("in", [KeyError("b")])])
    except* ValueError:
        x[0] = y[1]
    return y


@program(X)
def exception_groups_split(x):
    group = ExceptionGroup("g", [ValueError(1), ExceptionGroup("h", [KeyError(2), ValueError(3)])])
    mine, rest = group.split(ValueError)
    y = x * len(mine.exceptions) + len(rest.exceptions)
    return y, str(group.subgroup(lambda e: e.args == (2,)))


@program(X)
def notes(x):
    y = x * 2
    try:
        try:
            y[42]
        except IndexError as error:
            error.add_note(f"while at {len(y)}")
            raise
    except IndexError as error:
        return y + 1, error.__notes__


@program(X)
def asserts_hold(x):
    y = x * 2
    assert y.shape == x.shape, "shapes"
    assert (y > 0).all()
    return y + 1


@program(X)
def assert_fails(x):
    y = x * 2
    x[0] = 5
    assert y[0] > 2, f"too small: {y[0]}"
    return y


@program(X)
def assert_message_is_lazy(x):
    def message():
        print("message")
        return "text"

    y = x * 2
    assert len(y) == 6, message()
    try:
        assert len(y) == 7, message()
    except AssertionError as error:
        return y + 1, error.args


@program(X)
def state_before_an_exception_stays(x):
    log, table = [], {}
    try:
        for k in range(4):
            x[k] = x[k] * 10
            log.append(float(x[k]))
            table[k] = x + k
            if k == 2:
                x = x + table[7]
    except KeyError:
        pass
    return x, log, table


@program(X)
def exception_in_a_condition(x):
    class Unsure:
        def __bool__(self):
            raise Trouble("bool")

    y = x * 2
    try:
        if Unsure():
            y = y * 0
    except Trouble:
        y = y + 1
    if y.any() if y.size > 1 else y:
        y = y - 3
    if y:
        return x
    return y


@program(X)
def while_true_until_error(x):
    k = 0
    y = x * 0
    try:
        while True:
            y = y + x[k]
            k += 1
    except IndexError:
        return y, k


@program(X)
def retry(x):
    attempts = []

    def flaky(v):
        attempts.append(len(attempts))
        if len(attempts) < 3:
            raise ConnectionError(len(attempts))
        return v * 3

    for _ in range(5):
        try:
            y = flaky(x + 1)
        except ConnectionError as error:
            x = x + error.args[0]
            continue
        break
    return y, attempts


@program(X)
def system_exit_goes_out(x):
    y = x * 2
    print("leaving")
    sys.exit(int(y[1]))


@program(X)
def exception_class_with_a_method(x):
    class Stop(Exception):
        def __init__(self, value):
            self.value = value

        def result(self):
            return self.value * 2

    def search(v):
        for k, item in enumerate(v):
            if item > 1:
                raise Stop(v * k)

    try:
        search(x)
    except Stop as stop:
        return stop.result() + 1


@program(X)
def recursion_error(x):
    def deeper(v):
        return deeper(v)

    y = x * 2
    try:
        deeper(y)
    except RecursionError as error:
        y = y + 1
        print(str(error)[:32])
    return y
