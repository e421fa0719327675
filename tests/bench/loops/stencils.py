"""Stencils in time."""

from __future__ import annotations

import numpy as np
from loop_programs import program


@program(lambda rng: (rng.random(1000), 0.2, 300))
def heat_by_slices(u, k, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


@program(lambda rng: (rng.random((64, 64)), 20))
def heat_by_elements(u, steps):
    n, m = u.shape
    v = u.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
        u, v = v, u
    return u


@program(lambda rng: (rng.random((80, 80)), 0.1, 100))
def wave(u, c, steps):
    before = u.copy()
    for _ in range(steps):
        after = 2.0 * u - before
        after[1:-1, 1:-1] += c * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        before, u = u, after
    return u


@program(lambda rng: (rng.integers(0, 2, (60, 60)), 10))
def game_of_life(board, turns):
    n, m = board.shape
    for _ in range(turns):
        after = np.zeros_like(board)
        for i in range(n):
            for j in range(m):
                alive = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if di != 0 or dj != 0:
                            alive += board[(i + di) % n, (j + dj) % m]
                if alive == 3 or (alive == 2 and board[i, j] == 1):
                    after[i, j] = 1
        board = after
    return board


@program(lambda rng: (np.zeros((40, 40)), rng.random((40, 40)), 1e-3))
def gauss_seidel(u, f, tolerance):
    n, m = u.shape
    sweeps = 0
    while True:
        change = 0.0
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                new = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] + f[i, j])
                change = max(change, abs(new - u[i, j]))
                u[i, j] = new
        sweeps += 1
        if change < tolerance or sweeps >= 60:
            break
    return u, sweeps


@program(lambda rng: (rng.random((50, 400)), rng.random(50), 40))
def upwind_rows(q, speed, steps):
    for _ in range(steps):
        for i in range(q.shape[0]):
            flux = speed[i] * q[i]
            q[i, 1:] -= 0.5 * (flux[1:] - flux[:-1])
            q[i, 0] = q[i, -1]
    return q
