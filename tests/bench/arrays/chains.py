"""Element by element: arithmetic and choices."""

from __future__ import annotations

from math import sqrt

import numpy as np
from bench.workloads import element_of, vectors, workload


@workload(
    vectors(2, 0.1, 1.0),
    expression="sqrt(((x * y + 1.5 - x) ** 2 + y) / (1.0 + (x * y + 1.5) ** 2)) * x",
)
def ten_operations(x, y):
    a = x * y + 1.5
    b = a - x
    c = b * b + y
    d = c / (1.0 + a * a)
    return np.sqrt(d) * x


@element_of(ten_operations)
def _(x, y):
    a = x * y + 1.5
    b = a - x
    return sqrt((b * b + y) / (1.0 + a * a)) * x


@workload(
    vectors(1, -1.0, 1.0), expression="((((0.2 * x - 0.5) * x + 1.1) * x - 2.0) * x + 0.3) * x"
)
def polynomial(x):
    return ((((0.2 * x - 0.5) * x + 1.1) * x - 2.0) * x + 0.3) * x


@element_of(polynomial)
def _(x):
    return ((((0.2 * x - 0.5) * x + 1.1) * x - 2.0) * x + 0.3) * x


@workload(vectors(3, -1.0, 1.0), expression="x * y + z")
def multiply_add(x, y, z):
    return x * y + z


@element_of(multiply_add)
def _(x, y, z):
    return x * y + z


@workload(
    vectors(2, -1.0, 1.0),
    expression="where(where(x > y, x, y * 0.5) > 0.8, 0.8, "
    "where(where(x > y, x, y * 0.5) < -0.3, -0.3, where(x > y, x, y * 0.5))) * 2.0 + abs(x)",
)
def where_and_clip(x, y):
    z = np.where(x > y, x, y * 0.5)
    z = np.clip(z, -0.3, 0.8)
    return z * 2.0 + np.abs(x)


@element_of(where_and_clip)
def _(x, y):
    z = x if x > y else y * 0.5
    return min(max(z, -0.3), 0.8) * 2.0 + abs(x)


@workload(
    vectors(2, -2.0, 2.0),
    expression="where(abs(x - y) < 1.0, 0.5 * (x - y) ** 2, abs(x - y) - 0.5)",
)
def huber_loss(x, y):
    error = x - y
    size = np.abs(error)
    return np.where(size < 1.0, 0.5 * error * error, size - 0.5)


@element_of(huber_loss)
def _(x, y):
    error = x - y
    size = abs(error)
    return 0.5 * error * error if size < 1.0 else size - 0.5


@workload(vectors(4, -1.0, 1.0))
def mandelbrot_step(x, y, cx, cy):
    inside = x * x + y * y <= 4.0
    nx = np.where(inside, x * x - y * y + cx, x)
    ny = np.where(inside, 2.0 * x * y + cy, y)
    return nx, ny


@workload(vectors(4, 0.0, 1.0))
def adam_step(weights, gradient, mean, square):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient * gradient
    return weights - 0.01 * (mean / 0.1) / (np.sqrt(square / 0.001) + 1e-8)


@element_of(adam_step)
def _(weights, gradient, mean, square):
    mean = 0.9 * mean + 0.1 * gradient
    square = 0.999 * square + 0.001 * gradient * gradient
    return weights - 0.01 * (mean / 0.1) / (sqrt(square / 0.001) + 1e-8)


@workload(vectors(3, -1.0, 1.0))
def multiply_add_in_place(a, b, c):
    a += b * c
    a *= 0.5
    return a


@workload(lambda rng, n: (rng.integers(0, 256, (3, n // 3 or 1)).astype(np.uint8),))
def luminance(image):
    red, green, blue = image
    return (red * np.float32(0.299) + green * np.float32(0.587) + blue * np.float32(0.114)).astype(
        np.uint8
    )


@workload(lambda rng, n: (rng.integers(0, 2**31, n), rng.integers(1, 2**31, n)))
def integer_hash(x, y):
    h = x * 31 + y
    h ^= h >> 15
    h *= 2246822519
    h ^= h >> 13
    return h & 1023
