"""Sweeps over grids: stencils in time, implicit schemes, filters."""

from __future__ import annotations

import numpy as np
from kernel_programs import kernel


def _grids(rng, n, count=1, ndim=2):
    return tuple(rng.random((n,) * ndim) for _ in range(count))


@kernel(lambda rng, n, t: (t, rng.random(n), rng.random(n)), s=(400, 100), m=(40000, 300))
def jacobi_1d(steps, a, b):
    for _ in range(1, steps):
        b[1:-1] = 0.33333 * (a[:-2] + a[1:-1] + a[2:])
        a[1:-1] = 0.33333 * (b[:-2] + b[1:-1] + b[2:])
    return a, b


@kernel(lambda rng, n, t: (t, *_grids(rng, n, 2)), s=(60, 30), m=(400, 60))
def jacobi_2d(steps, a, b):
    for _ in range(1, steps):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a[1:-1, 1:-1] = 0.2 * (
            b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1]
        )
    return a, b


@kernel(lambda rng, n, t: (t, *_grids(rng, n, 2, 3)), s=(16, 20), m=(60, 20))
def heat_3d(steps, a, b):
    for _ in range(1, steps):
        for old, new in ((a, b), (b, a)):
            new[1:-1, 1:-1, 1:-1] = (
                0.125 * (old[2:, 1:-1, 1:-1] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[:-2, 1:-1, 1:-1])
                + 0.125 * (old[1:-1, 2:, 1:-1] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[1:-1, :-2, 1:-1])
                + 0.125 * (old[1:-1, 1:-1, 2:] - 2.0 * old[1:-1, 1:-1, 1:-1] + old[1:-1, 1:-1, :-2])
                + old[1:-1, 1:-1, 1:-1]
            )
    return a, b


@kernel(lambda rng, n, t: (t, *_grids(rng, n, 3), rng.random(t)), s=(60, 40), m=(300, 100))
def fdtd_2d(steps, ex, ey, hz, source):
    for t in range(steps):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return ex, ey, hz


@kernel(lambda rng, n, t: (t, n, *_grids(rng, n)), s=(40, 2), m=(200, 3))
def seidel_2d(steps, n, a):
    for _ in range(steps):
        for i in range(1, n - 1):
            a[i, 1:-1] += a[i - 1, :-2] + a[i - 1, 1:-1] + a[i - 1, 2:]
            a[i, 1:-1] += a[i, 2:] + a[i + 1, :-2] + a[i + 1, 1:-1] + a[i + 1, 2:]
            for j in range(1, n - 1):
                a[i, j] += a[i, j - 1]
                a[i, j] /= 9.0
    return a


@kernel(lambda rng, n, t: (t, n, *_grids(rng, n)), s=(40, 3), m=(200, 10))
def adi(steps, n, u):
    v, p, q = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
    a, b = -0.4, 1.8
    for _ in range(steps):
        for this, other in ((u, v), (v, u)):
            other[0, 1 : n - 1] = 1.0
            p[1 : n - 1, 0] = 0.0
            q[1 : n - 1, 0] = other[0, 1 : n - 1]
            for j in range(1, n - 1):
                p[1 : n - 1, j] = -a / (a * p[1 : n - 1, j - 1] + b)
                q[1 : n - 1, j] = (
                    0.4 * this[j, : n - 2]
                    + 0.2 * this[j, 1 : n - 1]
                    + 0.4 * this[j, 2:n]
                    - a * q[1 : n - 1, j - 1]
                ) / (a * p[1 : n - 1, j - 1] + b)
            other[n - 1, 1 : n - 1] = 1.0
            for j in range(n - 2, 0, -1):
                other[j, 1 : n - 1] = p[1 : n - 1, j] * other[j + 1, 1 : n - 1] + q[1 : n - 1, j]
    return u


@kernel(lambda rng, n: (0.25, *_grids(rng, n)), s=60, m=700)
def deriche(alpha, image):
    k = (1.0 - np.exp(-alpha)) ** 2 / (1.0 + alpha * np.exp(-alpha) - np.exp(2.0 * alpha))
    a1, a2 = k, k * np.exp(-alpha) * (alpha - 1.0)
    a3, a4 = k * np.exp(-alpha) * (alpha + 1.0), -k * np.exp(-2.0 * alpha)
    b1, b2 = 2.0 ** (-alpha), -np.exp(-2.0 * alpha)
    forth, back = np.empty_like(image), np.empty_like(image)
    forth[:, 0] = a1 * image[:, 0]
    forth[:, 1] = a1 * image[:, 1] + a2 * image[:, 0] + b1 * forth[:, 0]
    for j in range(2, image.shape[1]):
        forth[:, j] = (
            a1 * image[:, j] + a2 * image[:, j - 1] + b1 * forth[:, j - 1] + b2 * forth[:, j - 2]
        )
    back[:, -1] = 0.0
    back[:, -2] = a3 * image[:, -1]
    for j in range(image.shape[1] - 3, -1, -1):
        back[:, j] = (
            a3 * image[:, j + 1] + a4 * image[:, j + 2] + b1 * back[:, j + 1] + b2 * back[:, j + 2]
        )
    return forth + back


def _field(rng, n, levels):
    return rng.random((n + 4, n + 4, levels)), np.empty((n, n, levels)), rng.random((n, n, levels))


@kernel(_field, s=(24, 20), m=(128, 60))
def hdiff(field, out, coefficient):
    n, m = out.shape[:2]
    lap = 4.0 * field[1 : n + 3, 1 : m + 3] - (
        field[2 : n + 4, 1 : m + 3]
        + field[: n + 2, 1 : m + 3]
        + field[1 : n + 3, 2 : m + 4]
        + field[1 : n + 3, : m + 2]
    )
    flux = lap[1:, 1 : m + 1] - lap[:-1, 1 : m + 1]
    along = np.where(
        flux * (field[2 : n + 3, 2 : m + 2] - field[1 : n + 2, 2 : m + 2]) > 0, 0, flux
    )
    flux = lap[1 : n + 1, 1:] - lap[1 : n + 1, :-1]
    across = np.where(
        flux * (field[2 : n + 2, 2 : m + 3] - field[2 : n + 2, 1 : m + 2]) > 0, 0, flux
    )
    out[:] = field[2 : n + 2, 2 : m + 2] - coefficient * (
        along[1:] - along[:-1] + across[:, 1:] - across[:, :-1]
    )
    return out


def _columns(rng, n, levels):
    shape = (n, n, levels)
    return (rng.random(shape), rng.random((n + 1, n, levels)), *(rng.random(shape) for _ in "upt"))


@kernel(_columns, s=(20, 16), m=(120, 40))
def vadv(stage, wind, u, position, tendency):
    levels = u.shape[2]
    c, d = np.empty_like(u), np.empty_like(u)
    for k in range(levels):
        if k < levels - 1:
            g = 0.25 * (wind[1:, :, k + 1] + wind[:-1, :, k + 1])
            upper = 0.6 * g
            difference = stage[:, :, k + 1] - stage[:, :, k]
            correction = -g * 0.4 * difference
        else:
            upper = np.zeros(u.shape[:2])
            correction = np.zeros(u.shape[:2])
        if k > 0:
            lower = -0.15 * (wind[1:, :, k] + wind[:-1, :, k])
            correction = correction - lower * (stage[:, :, k - 1] - stage[:, :, k])
        else:
            lower = np.zeros(u.shape[:2])
        b = 3.0 - upper - lower
        right = 3.0 * position[:, :, k] + u[:, :, k] + tendency[:, :, k] + correction
        if k > 0:
            b = b - lower * c[:, :, k - 1]
            right = right - lower * d[:, :, k - 1]
        c[:, :, k] = upper / b
        d[:, :, k] = right / b
    after = d[:, :, levels - 1]
    for k in range(levels - 2, -1, -1):
        after = d[:, :, k] - c[:, :, k] * after
        tendency[:, :, k] = 3.0 * (after - position[:, :, k])
    return tendency
