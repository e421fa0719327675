"""Loops over floats and ints in functions and at module level: what a compiler looks at first."""

from __future__ import annotations

import math


def escapes(width: int, height: int, most: int) -> int:
    total = 0
    for row in range(height):
        y = 2.0 * row / height - 1.0
        for column in range(width):
            x = 3.0 * column / width - 2.0
            z = c = complex(x, y)
            for _ in range(most):
                if abs(z) > 2.0:
                    break
                z = z * z + c
                total += 1
    return total


def entry(i: int, j: int) -> float:
    return (i + j) * (i + j + 1) / 2 + i + 1


def spectral(size: int) -> float:
    u = [1.0] * size
    for _ in range(4):
        v = [sum(u[j] / entry(i, j) for j in range(size)) for i in range(size)]
        u = [sum(v[j] / entry(j, i) for j in range(size)) for i in range(size)]
    return math.sqrt(sum(map(float, u)))


def sieve(limit: int) -> int:
    marks = bytearray([1]) * limit
    for k in range(2, int(limit**0.5) + 1):
        if marks[k]:
            for multiple in range(k * k, limit, k):
                marks[multiple] = 0
    return sum(marks[2:])


total = 0.0
for _ in range(12):
    total += escapes(60, 40, 50)
    total += spectral(60)
    total += sieve(60_000)
for step in range(2_500_000):  # at module level, where variables are looked up by name
    total += step % 7 * 0.5
print(total)
