"""Flows, particles, fields."""

from __future__ import annotations

import numpy as np
from kernel_programs import kernel


def _pressure_source(b, rho, dt, u, v, dx, dy):
    b[1:-1, 1:-1] = rho * (
        1 / dt * ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy))
        - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)) ** 2
        - 2 * (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
        - ((v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)) ** 2
    )


def _poisson(turns, p, dx, dy, b):
    for _ in range(turns):
        old = p.copy()
        p[1:-1, 1:-1] = (
            (old[1:-1, 2:] + old[1:-1, :-2]) * dy**2 + (old[2:, 1:-1] + old[:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0


def _flow(rng, n, steps):
    return steps, 20, np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n)), 2 / n, 2 / n, 0.001


@kernel(_flow, s=(31, 4), m=(101, 30))
def cavity_flow(steps, turns, u, v, p, dx, dy, dt):
    rho, nu = 1.0, 0.1
    b = np.zeros_like(u)
    for _ in range(steps):
        un, vn = u.copy(), v.copy()
        _pressure_source(b, rho, dt, u, v, dx, dy)
        _poisson(turns, p, dx, dy, b)
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu
            * (
                dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
                + dt / dy**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[:-2, 1:-1])
            )
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
        )
        u[0, :] = u[:, 0] = u[:, -1] = 0
        u[-1, :] = 1
        v[0, :] = v[-1, :] = v[:, 0] = v[:, -1] = 0
    return u, v, p


@kernel(_flow, s=(31, 4), m=(61, 30))
def channel_flow(steps, turns, u, v, p, dx, dy, dt):
    """Goes on until the flow does not change any more, or so many steps."""
    change, count = 1.0, 0
    while change > 1e-5 and count < steps:
        un, vn = u.copy(), v.copy()
        for _ in range(turns):
            old = p.copy()
            p[1:-1, 1:-1] = (
                (old[1:-1, 2:] + old[1:-1, :-2]) * dy**2 + (old[2:, 1:-1] + old[:-2, 1:-1]) * dx**2
            ) / (2 * (dx**2 + dy**2))
            p[1:-1, -1] = ((old[1:-1, 0] + old[1:-1, -2]) + (old[2:, -1] + old[:-2, -1])) / 4
            p[1:-1, 0] = ((old[1:-1, 1] + old[1:-1, -1]) + (old[2:, 0] + old[:-2, 0])) / 4
            p[-1, :] = p[-2, :]
            p[0, :] = p[1, :]
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - dt / (2 * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + 0.1 * dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
            + dt
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2 * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
        )
        u[0, :] = u[-1, :] = 0
        v[0, :] = v[-1, :] = 0
        change = (np.sum(u) - np.sum(un)) / np.sum(u)
        count += 1
    return count, u, v, p


def _acceleration(pos, mass, soft):
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inverse = dx**2 + dy**2 + dz**2 + soft**2
    inverse[inverse > 0] = inverse[inverse > 0] ** (-1.5)
    ax = (dx * inverse) @ mass
    ay = (dy * inverse) @ mass
    az = (dz * inverse) @ mass
    return np.hstack((ax, ay, az))


def _energy(pos, vel, mass):
    kinetic = 0.5 * np.sum(np.sum(mass * vel**2))
    x, y, z = pos[:, 0:1], pos[:, 1:2], pos[:, 2:3]
    dx, dy, dz = x.T - x, y.T - y, z.T - z
    inverse = np.sqrt(dx**2 + dy**2 + dz**2)
    inverse[inverse > 0] = 1.0 / inverse[inverse > 0]
    return kinetic, np.sum(np.sum(np.triu(-(mass * mass.T) * inverse, 1)))


def _bodies(rng, n, steps):
    mass = 20.0 * np.ones((n, 1)) / n
    return mass, rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), steps, 0.01, 0.1


@kernel(_bodies, s=(25, 10), m=(100, 60))
def nbody(mass, pos, vel, steps, dt, soft):
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = _acceleration(pos, mass, soft)
    kinetic, potential = np.empty(steps + 1), np.empty(steps + 1)
    kinetic[0], potential[0] = _energy(pos, vel, mass)
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = _acceleration(pos, mass, soft)
        vel += acc * dt / 2.0
        kinetic[i + 1], potential[i + 1] = _energy(pos, vel, mass)
    return kinetic, potential


def _green(rng, n, k):
    shape = (3, 4, 5, n, n)
    g = rng.random(shape) + 1j * rng.random(shape)
    d = rng.random((k, 3, 5, 2, 2)) + 1j * rng.random((k, 3, 5, 2, 2))
    dh = rng.random((4, 5, 3, n, n)) + 1j * rng.random((4, 5, 3, n, n))
    return rng.integers(0, 4, (5, 4)), dh, g, d, np.zeros(shape, complex)


@kernel(_green, s=(4, 2), m=(60, 6))
def self_energies(neighbours, dh, g, d, sigma):
    for k in range(sigma.shape[0]):
        for e in range(sigma.shape[1]):
            for w in range(d.shape[1]):
                for a in range(sigma.shape[2]):
                    for b in range(neighbours.shape[1]):
                        if e - w >= 0:
                            left = g[k, e - w, neighbours[a, b]] @ dh[b, a, 0]
                            right = dh[b, a, 1] * d[0, w, a, 0, 1]
                            sigma[k, e, a] += left @ right
    return sigma


def _contour(rng, n, points):
    h = rng.random((3, n, n)) + 1j * rng.random((3, n, n))
    return h, rng.random(points) + 1j * rng.random(points), rng.random((n, 6)) + 0j


@kernel(_contour, s=(20, 10), m=(120, 16))
def contour_integral(h, points, y):
    p0 = np.zeros(y.shape, dtype=np.complex128)
    p1 = np.zeros(y.shape, dtype=np.complex128)
    for z in points:
        t = np.zeros(h.shape[1:], dtype=np.complex128)
        for n in range(h.shape[0]):
            t += np.power(z, h.shape[0] / 2.0 - n) * h[n]
        x = np.linalg.inv(t) @ y
        if abs(z) < 1.0:
            x = -x
        p0 += x
        p1 += z * x
    return p0, p1


@kernel(lambda rng, n: tuple(rng.random(n) * 3 - 1.5 for _ in range(4)), s=10_000, m=1_000_000)
def arc_distance(theta_1, phi_1, theta_2, phi_2):
    temp = (
        np.sin((theta_2 - theta_1) / 2) ** 2
        + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    )
    return 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))
