"""Loops over numbers."""

from __future__ import annotations

import numpy as np
from loop_programs import program


@program(lambda rng: (3000,))
def collatz(n):
    best = 0
    for start in range(1, n):
        k = start
        steps = 0
        while k != 1:
            if k % 2 == 0:
                k //= 2
            else:
                k = 3 * k + 1
            steps += 1
        if steps > best:
            best = steps
    return best


@program(lambda rng: (20000,))
def sieve_by_elements(n):
    prime = np.ones(n, dtype=np.bool_)
    prime[0] = prime[1] = False
    p = 2
    while p * p < n:
        if prime[p]:
            for k in range(p * p, n, p):
                prime[k] = False
        p += 1
    return prime.sum()


@program(lambda rng: (200000,))
def sieve_by_slices(n):
    prime = np.ones(n, dtype=np.bool_)
    prime[:2] = False
    for p in range(2, int(n**0.5) + 1):
        if prime[p]:
            prime[p * p :: p] = False
    return prime


@program(lambda rng: (40, 40, 50))
def mandelbrot(width, height, limit):
    out = np.zeros((height, width), dtype=np.int64)
    for i in range(height):
        for j in range(width):
            cr = -2.0 + 3.0 * j / width
            ci = -1.5 + 3.0 * i / height
            zr = zi = 0.0
            k = 0
            while k < limit and zr * zr + zi * zi < 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
                k += 1
            out[i, j] = k
    return out


@program(lambda rng: (rng.random(20000), 0.1))
def moving_average(x, alpha):
    out = np.empty_like(x)
    mean = x[0]
    for i in range(len(x)):
        mean = alpha * x[i] + (1.0 - alpha) * mean
        out[i] = mean
    return out


@program(lambda rng: (rng.permutation(400).astype(np.float64),))
def insertion_sort(x):
    for i in range(1, len(x)):
        v = x[i]
        j = i - 1
        while j >= 0 and x[j] > v:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = v
    return x


@program(lambda rng: (5000,))
def greatest_divisors(n):
    total = 0
    for a in range(1, n):
        x, y = n, a
        while y:
            x, y = y, x % y
        total += x
    return total


@program(lambda rng: (rng.random(20000),))
def running_statistics(x):
    mean = 0.0
    squares = 0.0
    low = high = x[0]
    for count, value in enumerate(x, 1):
        delta = value - mean
        mean += delta / count
        squares += delta * (value - mean)
        if value < low:
            low = value
        elif value > high:
            high = value
    return mean, squares / len(x), low, high
