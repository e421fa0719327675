"""Loops at module level: each stands in a script as people write it."""

from __future__ import annotations

import numpy as np
import pytest
from module_bodies import check_body, stats_of
from oracle import assert_normally

SIMULATION = """
import numpy as np

def step(u, dt):
    return u + dt * (np.roll(u, 1) - 2 * u + np.roll(u, -1))

u = np.sin(np.linspace(0.0, 6.0, 300))
dt = 0.1
t = 0.0
norms = []
while t < 5.0:
    u = step(u, dt)
    norm = (u * u).sum()
    if norm > 1e6:
        print("unstable")
        break
    norms.append(norm)
    t += dt
print(len(norms), t, norm)
"""

NUMBERS = """
import numpy as np
a = np.arange(1000.0)
s = 0.0
for i in range(1000):
    x = a[i]
    s += x * 2
print(s, i, x)
"""

NESTED = """
import numpy as np
n = 30
a = np.arange(float(n * n)).reshape(n, n) / 3
b = np.zeros((n, n))
for i in range(1, n - 1):
    for j in range(1, n - 1):
        mean = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) / 4
        b[i, j] = mean
print(b.sum(), i, j, mean)
"""

TIME = """
t, t_end, dt, count = 0.0, 1.0, 0.001, 0
while t < t_end:
    t += dt
    count += 1
print(t, count)
"""

GLOBALS_OF_FUNCTIONS = """
import numpy as np
count = 0

def bump(value):
    global count, total
    count += 1
    total = value * 2
    return value + count

s = 0.0
a = np.arange(200.0)
for i in range(200):
    s += bump(a[i])
print(s, count, total)
"""

MAIN = """
import numpy as np
values = np.arange(500.0)
if __name__ == "__main__":
    best = -1.0
    for k in range(500):
        value = values[(k * 37) % 500]
        if value > best:
            best = value
            at = k
    print(best, at)
"""

WHOLE = [SIMULATION, NUMBERS, NESTED, TIME, GLOBALS_OF_FUNCTIONS, MAIN]


@pytest.mark.parametrize("source", WHOLE, ids=lambda text: text.split("\n")[1][:20])
def test_a_loop_is_one_launch(source: str) -> None:
    body = check_body(source)
    stats = stats_of(body)
    assert_normally(stats["launches"] > 0)
    assert_normally(stats["bails"], 0)


def test_prints_in_the_loop() -> None:
    body = check_body("""
        import numpy as np
        values = np.arange(50.0)
        x = 0.0
        for k in range(50):
            y = values[k] * 2
            x += y
            if k % 10 == 0:
                print(k, x)
        print(x)
    """)
    assert_normally(stats_of(body)["launches"] > 0)


@pytest.mark.parametrize("iterations", [0, 1, 5])
def test_names_that_the_loop_creates(iterations: int) -> None:
    check_body(
        """
        s = 0.0
        for i in range(iterations):
            square = i * 1.5
            s += square
        after = s
        try:
            print(i, square)
        except NameError as error:
            print(error)
        """,
        iterations=iterations,
    )


def test_two_names_of_which_either_may_be_first() -> None:
    check_body(
        """
        for value in range(len(values)):
            if values[value] > 0.5:
                big = values[value]
            else:
                small = values[value]
        print(list(globals()), big, small)
        """,
        values=lambda: np.array([0.1, 0.9, 0.7, 0.2]),
    )


def test_two_names_in_the_order_of_the_second_iteration() -> None:
    check_body("""
        for i in range(6):
            if i > 2:
                late = i * 2.0
            early = i * 3.0
    """)


def test_names_of_an_empty_loop_and_names_behind_it() -> None:
    check_body(
        """
        for i in range(n):
            x = i * 0.5
        y = 1.0
        for j in range(4):
            x = j * 0.25
            z = x + y
        """,
        n=0,
    )


def test_a_deletion_in_the_loop() -> None:
    check_body("""
        import numpy as np
        a = np.arange(20.0)
        s = 0.0
        for i in range(20):
            tmp = a[i] * 2
            s += tmp
            del tmp
        print(s)
        try:
            tmp
        except NameError as error:
            print(error)
    """)


def test_a_name_that_is_deleted_and_read_again() -> None:
    check_body("""
        import numpy as np
        a = np.arange(20.0)
        for i in range(20):
            a = a * 1.0
        del a
        for i in range(5):
            s = a[i]
    """)


def test_names_that_hide_builtins() -> None:
    check_body("""
        import numpy as np
        a = np.arange(40.0)
        sum = 0.0
        max = -1.0
        for i in range(40):
            sum += a[i]
            if a[i] > max:
                max = a[i]
        print(sum, max)
        del sum, max
        for i in range(3):
            print(sum([1.0, i]), max(i, 1))
    """)


def test_a_builtin_until_the_loop_hides_it() -> None:
    check_body("""
        for i in range(4):
            total = abs(-1.5)
            if i == 3:
                abs = 2.0
        print(total, abs)
    """)


def test_loops_one_after_the_other() -> None:
    body = check_body("""
        import numpy as np
        a = np.arange(100.0)
        s = 0.0
        for i in range(100):
            s += a[i]
        mean = s / 100
        v = 0.0
        for i in range(100):
            d = a[i] - mean
            v += d * d
        print(mean, v / 100)
    """)
    assert_normally(stats_of(body)["launches"] > 2)


def test_annotations() -> None:
    check_body("""
        import numpy as np
        x: float = 0.0
        values: np.ndarray = np.arange(50.0)
        for k in range(50):
            y: float = values[k] * 2
            x += y
        print(x, sorted(__annotations__))
    """)


def test_comprehensions() -> None:
    check_body("""
        import numpy as np
        a = np.arange(30.0)
        x = "kept"
        squares = [x * x for x in range(5)]
        for k in range(20):
            total = sum([a[j] * k for j in range(10)])
            table = {j: a[j] for j in range(3)}
            first = [v for v in a[:3] if v > k]
        print(x, squares, total, table, first)
    """)


def test_try_and_with() -> None:
    check_body("""
        import contextlib
        import numpy as np
        a = np.arange(20.0)
        s = 0.0
        try:
            for i in range(25):
                s += a[i]
        except IndexError as error:
            print(type(error).__name__, i, s)
        for i in range(20):
            try:
                s += a[i * 2]
            except IndexError:
                break
        with contextlib.suppress(ZeroDivisionError), np.errstate(all="ignore"):
            for i in range(10):
                q = 1 / (3 - i)
        print(i, s, q)
    """)


def test_star_imports() -> None:
    check_body("""
        from math import *
        s = 0.0
        for k in range(100):
            s += sin(k * 0.1) * sqrt(k)
        from cmath import *
        for k in range(3):
            z = sqrt(-k)
        print(s, z)
    """)


def test_an_exception_in_the_loop() -> None:
    check_body("""
        import numpy as np
        a = np.arange(10.0)
        s = 0.0
        for i in range(12):
            x = a[i]
            s += x
    """)


def test_tuples_lists_and_text_that_iterations_make() -> None:
    check_body("""
        import numpy as np
        a = np.arange(60.0)
        rows = []
        for i in range(0, 60, 3):
            x, y, z = a[i], a[i + 1], a[i + 2]
            pair = (x, z)
            rows.append(x * y - z)
            label = f"{i}"
        u, v = 0.0, 1.0
        for i in range(30):
            u, v = v, u + v
        print(len(rows), pair, label, u, v)
    """)


def test_arrays_that_iterations_make() -> None:
    body = check_body("""
        import numpy as np
        x = np.linspace(0.0, 1.0, 40)
        for k in range(10):
            y = np.sin(x * k)
            x = x + 0.01 * y
            peak = y.max()
        print(x.sum(), y[3], peak)
    """)
    assert_normally(stats_of(body)["launches"] > 0)
