"""Floats in lists and attributes of local variables: planets around a sun."""

from __future__ import annotations

Body = list[float]

BODIES: list[Body] = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.478],
    [4.841, -1.160, -0.103, 0.606, 2.812, -0.025, 0.03769],
    [8.343, 4.124, -0.403, -1.010, 1.825, 0.008, 0.01128],
    [12.894, -15.111, -0.223, 1.082, 0.868, -0.010, 0.00172],
    [15.379, -25.919, 0.179, 0.979, 0.594, -0.034, 0.00203],
]


def advance(bodies: list[Body], dt: float, steps: int) -> None:
    pairs = [(one, two) for k, one in enumerate(bodies) for two in bodies[k + 1 :]]
    for _ in range(steps):
        for one, two in pairs:
            dx, dy, dz = one[0] - two[0], one[1] - two[1], one[2] - two[2]
            size = dt * (dx * dx + dy * dy + dz * dz) ** -1.5
            first, second = one[6] * size, two[6] * size
            one[3] -= dx * second
            one[4] -= dy * second
            one[5] -= dz * second
            two[3] += dx * first
            two[4] += dy * first
            two[5] += dz * first
        for body in bodies:
            body[0] += dt * body[3]
            body[1] += dt * body[4]
            body[2] += dt * body[5]


def energy(bodies: list[Body]) -> float:
    return sum(0.5 * b[6] * (b[3] ** 2 + b[4] ** 2 + b[5] ** 2) for b in bodies)


def main(rounds: int) -> float:
    bodies = [body.copy() for body in BODIES]
    for _ in range(rounds):
        advance(bodies, 0.01, 100)
    return energy(bodies)


if __name__ == "__main__":
    print(main(1300))
