"""Iterative solvers with a convergence test."""

from __future__ import annotations

import math

import numpy as np
from loop_programs import dominant, program


@program(lambda rng: (dominant(rng, 60), rng.random(60), 1e-10))
def conjugate_gradient(a, b, tolerance):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rr = r @ r
    steps = 0
    while rr > tolerance * tolerance and steps < 200:
        ap = a @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        after = r @ r
        p = r + (after / rr) * p
        rr = after
        steps += 1
    return x, steps


@program(lambda rng: (dominant(rng, 40) + 100.0 * np.eye(40), rng.random(40), 1e-12))
def jacobi(a, b, tolerance):
    x = np.zeros_like(b)
    d = a.diagonal().copy()
    for k in range(500):
        after = (b - (a * x).sum(axis=1) + d * x) / d
        change = np.abs(after - x).max()
        x = after
        if change < tolerance:
            break
    return x, k


@program(lambda rng: (dominant(rng, 60), rng.random(60), 100))
def power_iteration(a, v, steps):
    value = 0.0
    for _ in range(steps):
        w = a @ v
        norm = np.sqrt((w * w).sum())
        v = w / norm
        if abs(norm - value) < 1e-12:
            break
        value = norm
    return value, v


@program(lambda rng: (rng.random(2000) * 100.0,))
def newton_roots(numbers):
    roots = np.empty_like(numbers)
    for i in range(len(numbers)):
        x = numbers[i]
        guess = 1.0
        for _ in range(50):
            after = 0.5 * (guess + x / guess)
            if abs(after - guess) < 1e-12:
                break
            guess = after
        roots[i] = after
    return roots


@program(lambda rng: (rng.random(1000) * 5.0,))
def bisection(targets):
    low = np.zeros_like(targets)
    high = np.full_like(targets, 3.0)
    while (high - low).max() > 1e-9:
        middle = 0.5 * (low + high)
        above = middle * middle * middle > targets
        high = np.where(above, middle, high)
        low = np.where(above, low, middle)
    return low


def slope(x, y, z):
    return 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z


@program(lambda rng: (1.0, 1.0, 1.0, 0.01, 2000))
def lorenz(x, y, z, dt, steps):
    path = np.empty((steps, 3))
    for k in range(steps):
        a = slope(x, y, z)
        b = slope(x + 0.5 * dt * a[0], y + 0.5 * dt * a[1], z + 0.5 * dt * a[2])
        x += dt * b[0]
        y += dt * b[1]
        z += dt * b[2]
        path[k] = x, y, z
    return path


@program(lambda rng: (rng.random((500, 2)), rng.random((8, 2)), 10))
def kmeans_by_loops(points, centres, rounds):
    labels = np.zeros(len(points), dtype=np.int64)
    for _ in range(rounds):
        for i in range(len(points)):
            best = 1e300
            for c in range(len(centres)):
                dx = points[i, 0] - centres[c, 0]
                dy = points[i, 1] - centres[c, 1]
                d = dx * dx + dy * dy
                if d < best:
                    best = d
                    labels[i] = c
        sums = np.zeros_like(centres)
        counts = np.zeros(len(centres))
        for i in range(len(points)):
            sums[labels[i]] += points[i]
            counts[labels[i]] += 1.0
        for c in range(len(centres)):
            if counts[c] > 0:
                centres[c] = sums[c] / counts[c]
    return labels, centres


@program(lambda rng: (0.5, 3.7, 20000), transcendental=True)
def logistic_exponent(x, r, steps):
    total = 0.0
    for _ in range(steps):
        x = r * x * (1.0 - x)
        total += math.log(abs(r - 2.0 * r * x))
    return total / steps


@program(lambda rng: (rng.random(3000), rng.random(3000)), transcendental=True)
def great_circles(latitude, longitude):
    total = 0.0
    for i in range(1, len(latitude)):
        a = np.sin(latitude[i]) * np.sin(latitude[i - 1])
        b = np.cos(latitude[i]) * np.cos(latitude[i - 1])
        total += np.arccos(a + b * np.cos(longitude[i] - longitude[i - 1]))
    return total
