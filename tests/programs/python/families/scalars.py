"""NumPy scalars and Python numbers side by side."""

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)
I = np.arange(1, 7)


@program(X, I)
def types_of_items(x, i):
    a, b, c = x[0], i[0], x.sum()
    flag = x[0] > 0
    return type(a), type(b), type(c), type(flag), flag is True, isinstance(a, float), a.item(), [b]


@program(X)
def truth_of_scalars(x):
    y = x * 2
    if y[0] > 0.5 and y.sum() > 1 and not y[1] < 0:
        y = y + 1
    k = 1 if y[0] == 2.0 else 2 if y[0] else 3
    return y * k, bool(y[2]), not y[0], y[0] or 5, 0.0 * y[0] and 5


@program(X, I, np.float32(1.5), np.int8(100))
def mixed_arithmetic(x, i, f, b):
    y = x * f + b
    z = i * b
    return y, z, f * 0.1, f + x[0], b // 3, b % 7, i[0] / 2, x.shape[0] / 4, f * i[0]


@program(np.array([100, 120], np.int8))
def integer_scalars_overflow(a):
    y = a + a
    s = a[0] + a[1]
    return y, s, -a[0], a[0] * 2


@program(I)
def integer_division_by_zero(i):
    y = i * 2
    z = i[0] // (i[0] - 1)
    return y, z, y % (i - 1)


@program(X)
def scalars_as_keys_and_indices(x):
    y = np.argsort(x)
    k = y[-1]
    table = {k: "last", x[0]: "first"}
    return x[k] * 2, table[5], table[0.5], [10, 20, 30, 40, 50, 60][k], range(k), x[:k].sum()


@program(X)
def scalar_methods(x):
    s = x.mean()
    return s.astype(np.float32), s.round(2), s.shape, s.ndim, s.dtype, s.reshape(1), s.T, s.max()


@program(X)
def zero_dimensional_arrays(x):
    z = np.array(2.0)
    y = x * z
    w = z * 3
    v = z[()]
    z += 1
    return y, w, type(w), v, z, np.add(z, 1), z.item() + y[0], x[0, ...]


@program(X)
def in_place_on_scalars(x):
    total = np.float64(0)
    before = total
    for v in x:
        total += v
    total *= 2
    return total, before, total is before


@program(X, True, 2**40)
def bools_and_large_ints(x, flag, big):
    y = x * flag + big
    i = np.arange(6) * big
    return y, i, flag + flag, x[flag], ~np.bool_(flag), flag * x[0], big + flag


@program(np.array([1, 2, 3], np.uint8))
def python_int_out_of_range(u):
    y = u + 200
    try:
        y = y + 300
    except OverflowError as error:
        print(error)
    return y, u - 1, -u


@program(X)
def comparisons_of_scalars_and_arrays(x):
    y = x > x[2]
    z = x[1] < x
    return y & z, x[0] == x[0], x[0] != "a", (x == None), y.sum() + True, 1 < x[3] < 3  # noqa: E711


@program(np.array([1.5, -0.0, np.inf, np.nan]))
def special_values(x):
    y = x * 2
    return y, x[3] == x[3], x[1] == 0, 1 / x[2], x[3] is x[3], max(x[0], x[3]), x[3] in [x[3]]


@program(X)
def powers_of_scalars(x):
    s = x[1]
    return s**2, s**0.5, 2**s, x**2, x**0.5, x**-1, 2.0**x, s**-1, pow(s, 3), (-8.0) ** (1 / 3)


@program(np.array([2 + 1j, 1 - 1j]))
def complex_items(z):
    y = z * z.conj()
    return y.real + 1, z[0].imag, abs(z[0]), z[0] * 2.5, z.sum() / 2, complex(z[1])


@program(X)
def conversions_and_formats(x):
    s = x[1]
    return f"{s:.3f} {s} {s!r}", str(s), repr(x.sum()), int(s), float(s) + 1, round(s), round(s, 1)


@program(np.array(["b", "a"]), np.array([3, None], object))
def arrays_that_are_not_numbers(words, objects):
    return np.sort(words), words == "a", objects[0] * 2, objects.tolist(), words[0] + "c"


@program(np.array(["2024-01-01", "2024-03-01"], "M8[D]"))
def dates(days):
    gap = days[1] - days[0]
    return (
        gap,
        days + 1,
        gap / np.timedelta64(1, "D"),
        days[0] < days[1],
        (days - days[0]).astype(int),
    )
