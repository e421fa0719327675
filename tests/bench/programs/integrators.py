"""Orbits, pendulums and predators with integrators that are made of closures and lambdas."""

import argparse
import math

import numpy as np

HOT = ["euler.step", "runge_kutta.step", "symplectic.step", "adaptive.step", "solve"]
SMALL = ["--scale", "0.01"]


def euler(slope):
    def step(t, y, dt):
        return y + dt * slope(t, y)

    return step


def runge_kutta(slope):
    def step(t, y, dt):
        k1 = slope(t, y)
        k2 = slope(t + 0.5 * dt, y + 0.5 * dt * k1)
        k3 = slope(t + 0.5 * dt, y + 0.5 * dt * k2)
        k4 = slope(t + dt, y + dt * k3)
        return y + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    return step


def symplectic(force):
    """For states whose first half are places and whose second half are speeds."""

    def step(t, y, dt):
        n = len(y) // 2
        x, v = y[:n], y[n:]
        v = v + dt * force(t, x)
        x = x + dt * v
        return np.concatenate((x, v))

    return step


def adaptive(slope, tolerance):
    """Halves the step until one step and two halves agree."""
    inner = runge_kutta(slope)
    tries = 0

    def step(t, y, dt):
        nonlocal tries
        while True:
            tries += 1
            whole = inner(t, y, dt)
            half = inner(t + dt / 2, inner(t, y, dt / 2), dt / 2)
            if np.max(np.abs(whole - half)) < tolerance or dt < 1e-6:
                return t + dt, half
            dt /= 2

    step.tries = lambda: tries
    return step


def pendulum(length, friction):
    g = 9.81
    return lambda t, y: np.array([y[1], -g / length * math.sin(y[0]) - friction * y[1]])


def double_pendulum(m1, m2, l1, l2):
    g = 9.81

    def slope(t, y):
        a, b, wa, wb = y
        d = a - b
        bottom = 2 * m1 + m2 - m2 * np.cos(2 * d)
        top_a = (
            -g * (2 * m1 + m2) * np.sin(a)
            - m2 * g * np.sin(a - 2 * b)
            - 2 * np.sin(d) * m2 * (wb**2 * l2 + wa**2 * l1 * np.cos(d))
        )
        top_b = (
            2
            * np.sin(d)
            * (wa**2 * l1 * (m1 + m2) + g * (m1 + m2) * np.cos(a) + wb**2 * l2 * m2 * np.cos(d))
        )
        return np.array([wa, wb, top_a / (l1 * bottom), top_b / (l2 * bottom)])

    return slope


def chain(count, stiffness):
    """Masses on springs."""

    def force(t, x):
        f = np.zeros_like(x)
        stretch = x[1:] - x[:-1]
        f[:-1] += stiffness * stretch
        f[1:] -= stiffness * stretch
        f[0] -= stiffness * x[0]
        f[-1] -= stiffness * x[-1]
        return f - 0.1 * x**3

    return force


def food_web(growth, links):
    return lambda t, y: y * (growth + links @ y)


def solve(step, y, dt, count, watch=lambda t, y: None):
    t = 0.0
    kept = []
    for _ in range(count):
        y = step(t, y, dt)
        t += dt
        seen = watch(t, y)
        if seen is not None:
            kept.append(seen)
    return y, kept


def main():
    parser = argparse.ArgumentParser(description="integrators")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--save")
    args = parser.parse_args()
    many = lambda n: max(2, int(n * args.scale))
    results = {}

    for friction in (0.0, 0.1, 0.3):
        energy = lambda t, y: 0.5 * y[1] ** 2 + 9.81 * (1 - math.cos(y[0]))
        for name, make in (("euler", euler), ("rk4", runge_kutta)):
            end, kept = solve(
                make(pendulum(1.0, friction)), np.array([1.2, 0.0]), 2e-3, many(4000), energy
            )
            results[f"{name}_{friction}"] = np.array(kept[::10])
            print(f"pendulum {friction} {name:5}: {end.round(9)} energy {kept[-1]:.9f}")

    start = np.array([2.0, 2.1, 0.0, 0.0])
    step = adaptive(double_pendulum(1.0, 0.8, 1.0, 0.7), 1e-7)
    t, y = 0.0, start
    for _ in range(many(700)):
        t, y = step(t, y, 0.02)
    results["double"] = y
    print(f"double pendulum at {t:.6f}: {y.round(9)} after {step.tries()} tries")

    n = 300
    wave = np.exp(-((np.arange(n) - n / 3) ** 2) / 50.0)
    y, kept = solve(
        symplectic(chain(n, 400.0)), np.concatenate((wave, np.zeros(n))), 0.01, many(12000),
        lambda t, y: float(np.abs(y[:n]).max()),
    )  # fmt: skip
    results["chain"] = y
    print(f"chain: highest {max(kept):.9f}, at the end {kept[-1]:.9f}")

    rng = np.random.default_rng(1)
    links = -np.eye(12) + 0.25 * rng.standard_normal((12, 12))
    y, _ = solve(
        runge_kutta(food_web(np.ones(12), links)), rng.uniform(0.2, 1, 12), 0.004, many(4000)
    )
    results["web"] = y
    print("food web", y.round(6))
    if args.save:
        np.savez(args.save, **results)


if __name__ == "__main__":
    main()
