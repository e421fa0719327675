"""Loops of every form, early exits, conditions."""

import threading

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)
A = np.linspace(-1, 1, 12).reshape(3, 4)


@program(X, [1, 2.0, 3])
def over_a_list(x, factors):
    y = x
    for factor in factors:
        y = y * factor + 1
    return y, factor


@program(X, {"a": 1, "b": 2})
def over_a_dict(x, table):
    y = x * 0
    for name in table:
        y = y + x * table[name]
    for value in table.values():
        y = y - value
    return y, name


@program(X, 3, 12, -4)
def over_ranges(x, start, stop, step):
    y = x
    for k in range(start, stop, 3):
        y = y + k
    for k in range(stop, start, step):
        y = y * 0.5 - k
    for k in range(0):
        y = y * 0
    return y, k


@program(X)
def while_loop(x):
    k = 0
    while k < 5:
        x = x * 0.5 + k
        k += 2
    return x, k


@program(X)
def while_on_data(x):
    steps = 0
    while x.max() > 0.1:
        x = x * 0.5
        steps += 1
    else:
        x = x + 1
    return x, steps


@program(X)
def break_and_else(x):
    for k in range(10):
        x = x + k
        if k == 3:
            break
    else:
        x = x * 0
    for j in range(2):
        x = x * 2
    else:
        x = x - 1
    return x, k, j


@program(X)
def continue_skips(x):
    total = x * 0
    for k in range(6):
        if k % 3 == 1:
            continue
        total = total + x * k
        if k > 3:
            continue
        total = total - 1
    return total


@program(A, 0.5)
def early_return(a, limit):
    for k, row in enumerate(a):
        y = row * 2
        if y.sum() > limit:
            return y, k
    return None


@program(A)
def nested_with_flags(a):
    found = None
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0:
                found = (i, j)
                break
        if found:
            break
        a[i] = a[i] * 2
    return a + 1, found


@program(X)
def loop_over_items_of_an_array(x):
    total = 0.0
    out = np.zeros_like(x)
    for k, v in enumerate(x):
        total = total + v * k
        out[k] = total
    return out * 2, total


@program(X)
def list_grows_while_it_is_walked(x):
    values = [3]
    for v in values:
        x = x + v
        if v:
            values.append(v - 1)
    return x, values


@program(X)
def dict_changes_while_it_is_walked(x):
    table = {"a": 1}
    y = x * 2
    try:
        for name in table:
            y = y + 1
            table[name + "x"] = 2
    except RuntimeError as error:
        print(error)
    return y, table


@program(X)
def accumulates_in_several_ways(x):
    total, product, names, arrays = 0, 1, "", []
    for k in range(1, 4):
        total += k
        product *= k
        names += str(k)
        arrays = arrays + [x * k]
    return sum(arrays) * total, product, names


@program(X)
def conditional_expressions(x):
    y = x * 2 if x.sum() > 5 else x / 2
    z = y if len(y) < 3 else y + 1 if y[0] > 0 else y - 1
    return z * (2 if z is y else 3)


@program(X, 5)
def chained_comparisons(x, n):
    def say(v):
        print("say", v)
        return v

    y = x * 2
    if 0 < say(n) <= say(5) < say(7):
        y = y + 1
    if 1 < say(0) < say(9):
        y = y * 0
    return y, 1 < 2 < 3 != 4, 0 < float(y[0]) < 100


@program(X, [], "a")
def and_or_not(x, empty, word):
    y = x * 2
    value = empty or word or y
    other = y.shape and None
    if not empty and (word and len(y)) and not other:
        y = y + 1
    return y, value, other, not y.size, (0 or 0.0), ("" and 1)


@program(X)
def short_circuit(x):
    def say(word, value):
        print(word)
        return value

    y = x * 2
    if say("a", 0) and say("b", 1):
        y = y * 0
    if say("c", 1) or say("d", 1):
        y = y + 1
    return y, say("e", []) or say("f", "last")


@program(X)
def truth_of_arrays(x):
    y = x * 2
    one = y[:1]
    k = 1 if one else 2
    if y.any() and not (y > 100).all():
        k = k + 10
    try:
        if y > 1:
            k = 0
    except ValueError as error:
        print(str(error)[:30])
    return y + k


@program(X, None)
def none_checks(x, option):
    scale = 2.0 if option is None else option
    y = x * scale
    if option is not None:
        y = y * 0
    return y, option


@program(X)
def membership(x):
    y = x * 2
    names = ["a", "b"]
    k = ("a" in names) + ("c" not in names) * 10 + (1.0 in y) * 100
    return y + k, y[0] in {1.0}, 3 in range(5), "b" in {"b": 1}


@program(X, 40)
def big_integers(x, n):
    big = 2**n
    huge = big**3 + 1
    y = x * big
    z = y + huge
    return z, huge, huge % 7, -huge // 3, huge.bit_length(), (huge >> 100) & 0xFF


@program(X, 2**62)
def integers_that_overflow_the_machine(x, n):
    k = n
    y = x * 2
    for _ in range(3):
        k = k + n
    return y + 1, k, k - 3 * n == n, np.float64(k) * x[0]


@program(X, 7, -2)
def integer_arithmetic(x, a, b):
    y = x * (a // b) + a % b
    return y + (a ^ b), a & 6 | b, a << 2, a >> 1, ~a, -a // 2, divmod(a, b), a**-1, +a


@program(X)
def float_arithmetic(x):
    k = 0.1 + 0.2
    inf = float("inf")
    y = x * k - 1e308 * 10 * 0 if k != 0.3 else x
    return y, inf - inf, -0.0, 7.5 // 2, -7.5 % 2, 1e16 + 1, 0.1 * 3


@program(X)
def division_errors(x):
    y = x * 2
    try:
        y = y + 1 // 0
    except ZeroDivisionError as error:
        print(error)
    try:
        y = y + 1.0 / 0
    except ZeroDivisionError as error:
        print(error)
    return y % 0.7, 2**0.5


@program(X, 1 + 2j)
def complex_numbers(x, c):
    y = x * c + 1j
    return y, abs(y), y.real, c.conjugate(), c**2, complex("1+1j") == c


@program(X)
def converges(x):
    guess = x / 2
    for k in range(50):
        better = (guess + x / guess) / 2
        if abs(better - guess).max() < 1e-12:
            break
        guess = better
    return guess, k


@program(A)
def loop_in_a_loop_in_a_loop(a):
    total = a * 0
    for i in range(2):
        for j in (1, 2):
            k = 0
            while k < 2:
                total = total + a * (i + j * k)
                k += 1
    return total, (i, j, k)


@program(X)
def loop_with_try(x):
    y = x * 0
    for k in (2, 0, 1):
        try:
            y = y + x / k if k else y + 1 // k
        except ZeroDivisionError:
            y = y - 1
            continue
        y = y * 2
    return y


@program(X, 3)
def two_loops_one_variable(x, n):
    for i in range(n):
        x = x + i
    y = x * i
    for i in range(n - 1):
        y = y - i
    return x, y, i


@program(X)
def loop_with_swap(x):
    a, b = x, x * 2
    for _ in range(5):
        a, b = b, a + b * 0.5
    return a, b


@program(X)
def ellipsis_and_pass(x):
    y = x * 2
    if y is None:
        pass
    else:
        ...
    for _ in range(2):
        pass
    while False:
        y = y * 0
    return y[...] + 1


@program(X)
def until_there_is_none_left(x):
    parts = [x, x + 1, None, x * 2]
    total = x * 0
    while (part := parts.pop()) is not None:
        total = total + part
    while (part := parts.pop(0) if parts else 0) is None or part is x:
        total = total - 1
    return total, len(parts)


@program(X)
def while_it_is_none(x):
    found, tries = None, [None, None, x * 2]
    while found is None:
        found = tries.pop(0)
    return found + 1, tries


@program(X)
def waits_for_another_thread(x):
    y = x + 1
    ready = [False]

    def other():
        ready[0] = True

    thread = threading.Thread(target=other)
    thread.start()
    while not ready[0]:
        pass
    thread.join()
    return y * 2
