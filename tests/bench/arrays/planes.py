"""Grids, images and signals."""

from __future__ import annotations

import numpy as np
from bench.workloads import loop_of, side, square, vectors, workload
from numba import prange


@workload(square)
def five_point_stencil(u):
    return 0.25 * (u[1:-1, 2:] + u[1:-1, :-2] + u[2:, 1:-1] + u[:-2, 1:-1])


@loop_of(five_point_stencil)
def _(u):
    n, m = u.shape
    out = np.empty((n - 2, m - 2), u.dtype)
    for i in prange(1, n - 1):
        for j in range(1, m - 1):
            out[i - 1, j - 1] = 0.25 * (u[i, j + 1] + u[i, j - 1] + u[i + 1, j] + u[i - 1, j])
    return out


@workload(square)
def nine_point_stencil(u):
    edges = u[1:-1, 2:] + u[1:-1, :-2] + u[2:, 1:-1] + u[:-2, 1:-1]
    corners = u[2:, 2:] + u[2:, :-2] + u[:-2, 2:] + u[:-2, :-2]
    return 0.2 * edges + 0.05 * corners


@loop_of(nine_point_stencil)
def _(u):
    n, m = u.shape
    out = np.empty((n - 2, m - 2), u.dtype)
    for i in prange(1, n - 1):
        for j in range(1, m - 1):
            edges = u[i, j + 1] + u[i, j - 1] + u[i + 1, j] + u[i - 1, j]
            corners = u[i + 1, j + 1] + u[i + 1, j - 1] + u[i - 1, j + 1] + u[i - 1, j - 1]
            out[i - 1, j - 1] = 0.2 * edges + 0.05 * corners
    return out


@workload(square)
def gradient_size(u):
    dx = u[1:-1, 2:] - u[1:-1, :-2]
    dy = u[2:, 1:-1] - u[:-2, 1:-1]
    return np.sqrt(dx * dx + dy * dy)


@workload(square)
def heat_step_in_place(u):
    u[1:-1, 1:-1] += 0.1 * (
        u[1:-1, 2:] + u[1:-1, :-2] + u[2:, 1:-1] + u[:-2, 1:-1] - 4.0 * u[1:-1, 1:-1]
    )
    return u


@workload(square)
def plus_transposed(u):
    return 0.5 * (u + u.T) + 1.0


@workload(lambda rng, n: (rng.random(side(n)), rng.random(side(n))))
def ripple(x, y):
    return np.sqrt(x[:, None] ** 2 + y**2) * 0.5 + x[:, None]


@workload(vectors(1, -1.0, 1.0))
def three_taps(x):
    return 0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:]


@loop_of(three_taps)
def _(x):
    out = np.empty(x.size - 2, x.dtype)
    for i in prange(x.size - 2):
        out[i] = 0.25 * x[i] + 0.5 * x[i + 1] + 0.25 * x[i + 2]
    return out


@workload(lambda rng, n: (rng.random(n), np.hanning(9) / np.hanning(9).sum()))
def smoothed(x, kernel):
    return np.convolve(x, kernel, mode="same") - x.mean()


@workload(vectors(1, -1.0, 1.0))
def low_pass(x):
    spectrum = np.fft.rfft(x)
    spectrum[len(spectrum) // 4 :] = 0.0
    return np.fft.irfft(spectrum, len(x))


@workload(vectors(1, 0.0, 1.0))
def shares_of_bins(x):
    counts, edges = np.histogram(x, bins=50, range=(0.0, 1.0))
    return counts / x.size


@workload(vectors(1, 0.5, 1.5))
def drawdown(prices):
    return np.max(1.0 - prices / np.maximum.accumulate(prices))


@loop_of(drawdown)
def _(prices):
    top = prices[0]
    worst = 0.0
    for i in range(prices.size):
        top = max(top, prices[i])
        worst = max(worst, 1.0 - prices[i] / top)
    return worst
