"""A column of water breaks: smoothed particle hydrodynamics in two dimensions.

All pairs are looked at. The loop over time stands in `main`, which is called once, with most of
the arithmetic in it.
"""

import argparse

import numpy as np

HOT = ["spiky_slope", "poly_kernel", "forces", "bounce", "main"]
SMALL = ["--columns", "4", "--rows", "5", "--steps", "6"]

GRAVITY = np.array([0.0, -9.81])
SUPPORT = 0.11
REST_DENSITY = 1000.0
STIFFNESS = 40.0
VISCOSITY = 3.0
BOX = (1.6, 1.2)


def poly_kernel(squared):
    """Return the kernel at the squared distances; zero beyond the support."""
    inside = np.maximum(SUPPORT**2 - squared, 0.0)
    return 4.0 / (np.pi * SUPPORT**8) * inside**3


def spiky_slope(distance):
    inside = np.maximum(SUPPORT - distance, 0.0)
    return -30.0 / (np.pi * SUPPORT**5) * inside**2


def laplacian(distance):
    return 40.0 / (np.pi * SUPPORT**5) * np.maximum(SUPPORT - distance, 0.0)


def column_of_water(columns, rows, spacing, rng):
    places = [(0.06 + spacing * i, 0.06 + spacing * j) for j in range(rows) for i in range(columns)]
    places = np.array(places)
    return places + rng.uniform(-0.02, 0.02, places.shape) * spacing


def forces(where, velocity, mass):
    apart = where[:, None, :] - where[None, :, :]
    squared = np.einsum("ijk,ijk->ij", apart, apart)
    density = mass * poly_kernel(squared).sum(axis=1)
    pressure = STIFFNESS * np.maximum(density - REST_DENSITY, 0.0)

    distance = np.sqrt(squared + 1e-8)
    shared = (pressure[:, None] + pressure[None, :]) / (2.0 * density[None, :])
    push = -mass * shared * spiky_slope(distance) / distance
    np.fill_diagonal(push, 0.0)
    drag = VISCOSITY * mass * laplacian(distance) / density[None, :]
    np.fill_diagonal(drag, 0.0)

    total = np.empty_like(where)
    for axis in range(2):
        total[:, axis] = (push * apart[:, :, axis]).sum(axis=1)
        total[:, axis] -= (drag * (velocity[:, axis][:, None] - velocity[:, axis][None, :])).sum(
            axis=1
        )
    return density, total / density[:, None]


def bounce(where, velocity, damping=0.4):
    for axis, size in enumerate(BOX):
        low = where[:, axis] < 0.02
        high = where[:, axis] > size - 0.02
        velocity[low, axis] = damping * np.abs(velocity[low, axis])
        velocity[high, axis] = -damping * np.abs(velocity[high, axis])
        where[:, axis] = np.clip(where[:, axis], 0.02, size - 0.02)


def main():
    parser = argparse.ArgumentParser(description="a breaking column of water")
    parser.add_argument("--columns", type=int, default=12)
    parser.add_argument("--rows", type=int, default=15)
    parser.add_argument("--steps", type=int, default=900)
    parser.add_argument("--dt", type=float, default=0.0012)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    spacing = 0.05
    where = column_of_water(args.columns, args.rows, spacing, rng)
    velocity = np.zeros_like(where)
    mass = REST_DENSITY * spacing**2
    front, energies = [], []
    for step in range(args.steps):
        density, acceleration = forces(where, velocity, mass)
        velocity = velocity + args.dt * (acceleration + GRAVITY)
        where = where + args.dt * velocity
        bounce(where, velocity)

        front.append(where[:, 0].max())
        kinetic = 0.5 * mass * np.sum(velocity * velocity)
        potential = 9.81 * mass * where[:, 1].sum()
        energies.append((kinetic, potential))
        if step % 150 == 0:
            print(
                f"step {step:4d}: front at {front[-1]:.9f}, densest {density.max():.6f}, "
                f"energy {kinetic + potential:.9f}"
            )

    energies = np.array(energies)
    lost = 1.0 - energies[-1].sum() / energies[0].sum()
    print(f"{len(where)} particles, {100 * lost:.9f} % of the energy lost")
    print(f"heights: {np.percentile(where[:, 1], [5, 25, 50, 75, 95]).round(9)}")
    if args.save:
        np.savez(
            args.save, where=where, velocity=velocity, front=np.array(front), energies=energies
        )


if __name__ == "__main__":
    main()
