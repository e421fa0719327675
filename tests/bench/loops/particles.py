"""Particle steps."""

from __future__ import annotations

import math

import numpy as np
from loop_programs import program


@program(lambda rng: (rng.random((60, 3)), rng.random((60, 3)), rng.random(60), 0.01, 3))
def gravity(position, velocity, mass, dt, steps):
    n = len(mass)
    for _ in range(steps):
        for i in range(n):
            ax = ay = az = 0.0
            for j in range(n):
                if i == j:
                    continue
                dx = position[j, 0] - position[i, 0]
                dy = position[j, 1] - position[i, 1]
                dz = position[j, 2] - position[i, 2]
                d2 = dx * dx + dy * dy + dz * dz + 1e-6
                f = mass[j] / (d2 * math.sqrt(d2))
                ax += f * dx
                ay += f * dy
                az += f * dz
            velocity[i, 0] += dt * ax
            velocity[i, 1] += dt * ay
            velocity[i, 2] += dt * az
        for i in range(n):
            for k in range(3):
                position[i, k] += dt * velocity[i, k]
    return position


@program(lambda rng: (10.0 * rng.random((80, 2)), 2.5))
def lennard_jones(position, cutoff):
    n = position.shape[0]
    force = np.zeros_like(position)
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            dx = position[i, 0] - position[j, 0]
            dy = position[i, 1] - position[j, 1]
            r2 = dx * dx + dy * dy
            if r2 > cutoff * cutoff:
                continue
            s6 = 1.0 / (r2 * r2 * r2)
            energy += 4.0 * s6 * (s6 - 1.0)
            f = 24.0 * s6 * (2.0 * s6 - 1.0) / r2
            force[i, 0] += f * dx
            force[i, 1] += f * dy
            force[j, 0] -= f * dx
            force[j, 1] -= f * dy
    return energy, force


@program(lambda rng: (rng.random(3000), rng.random(3000) - 0.5, 0.01, 50))
def bouncing_balls(height, speed, dt, steps):
    for _ in range(steps):
        speed -= 9.81 * dt
        height += speed * dt
        below = height < 0.0
        height[:] = np.where(below, -height, height)
        speed[:] = np.where(below, -0.9 * speed, speed)
    return height, speed


@program(lambda rng: (12345, 20000))
def random_walk(seed, steps):
    state = seed
    x = y = 0
    farthest = 0
    for _ in range(steps):
        state = (state * 1103515245 + 12345) % 2147483648
        way = (state // 65536) % 4
        if way == 0:
            x += 1
        elif way == 1:
            x -= 1
        elif way == 2:
            y += 1
        else:
            y -= 1
        farthest = max(farthest, x * x + y * y)
    return x, y, farthest


# `** 2` of a NumPy scalar is the C library's pow(), which is not always the product.
@program(lambda rng: (rng.random((4000, 3)), rng.random(3)), transcendental=True)
def nearest_point(points, target):
    best = math.inf
    found = -1
    for i, point in enumerate(points):
        d = 0.0
        for k in range(3):
            d += (point[k] - target[k]) ** 2
        if d < best:
            best = d
            found = i
    return found, best
