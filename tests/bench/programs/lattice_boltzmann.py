"""Flow around a cylinder with the lattice Boltzmann method (D2Q9, one relaxation time).

One function does it all: it is called once, with the loop over time inside.
"""

import argparse

import numpy as np

HOT = ["main", "equilibrium"]
SMALL = ["--nx", "40", "--ny", "20", "--steps", "12"]

VELOCITIES = np.array(
    [[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]]
)
WEIGHTS = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]


def equilibrium(rho, ux, uy):
    squares = 1.5 * (ux**2 + uy**2)
    balanced = np.empty((9,) + rho.shape)
    for i in range(9):
        along = 3.0 * (VELOCITIES[i, 0] * ux + VELOCITIES[i, 1] * uy)
        balanced[i] = rho * WEIGHTS[i] * (1.0 + along + 0.5 * along**2 - squares)
    return balanced


def cylinder(nx, ny, radius):
    x, y = np.meshgrid(np.arange(nx), np.arange(ny), indexing="ij")
    return (x - nx // 5) ** 2 + (y - ny // 2) ** 2 < radius**2


def arguments():
    parser = argparse.ArgumentParser(description="Karman street behind a cylinder")
    parser.add_argument("--nx", type=int, default=180)
    parser.add_argument("--ny", type=int, default=72)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--reynolds", type=float, default=120.0)
    parser.add_argument("--inflow", type=float, default=0.08)
    parser.add_argument("--every", type=int, default=300)
    parser.add_argument("--save")
    return parser.parse_args()


def main():
    args = arguments()
    radius = args.ny // 9
    viscosity = args.inflow * radius / args.reynolds
    relaxation = 1.0 / (3.0 * viscosity + 0.5)
    solid = cylinder(args.nx, args.ny, radius)

    y = np.arange(args.ny) / (args.ny - 1)
    profile = args.inflow * (1.0 + 1e-4 * np.sin(2 * np.pi * y))
    ux = np.repeat(profile[None, :], args.nx, axis=0)
    uy = np.zeros_like(ux)
    rho = np.ones_like(ux)
    f = equilibrium(rho, ux, uy)

    left, middle, right = [3, 6, 7], [0, 2, 4], [1, 5, 8]
    drag = []
    for step in range(args.steps):
        # outflow: copy the populations that run to the left from the last but one column
        f[left, -1, :] = f[left, -2, :]

        rho = f.sum(axis=0)
        ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho
        uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho

        # inflow: known velocity, density from what is known of the populations
        ux[0, :] = profile
        uy[0, :] = 0.0
        rho[0, :] = (f[middle, 0, :].sum(axis=0) + 2.0 * f[left, 0, :].sum(axis=0)) / (
            1.0 - ux[0, :]
        )
        balanced = equilibrium(rho, ux, uy)
        for i, j in zip(right, left):
            f[i, 0, :] = balanced[i, 0, :] + f[j, 0, :] - balanced[j, 0, :]

        collided = f - relaxation * (f - balanced)
        for i in range(9):
            collided[i, solid] = f[OPPOSITE[i], solid]

        force = 0.0
        for i in range(9):
            force += VELOCITIES[i, 0] * f[i, solid].sum()
        drag.append(force)

        for i in range(9):
            f[i] = np.roll(collided[i], (VELOCITIES[i, 0], VELOCITIES[i, 1]), axis=(0, 1))

        if (step + 1) % args.every == 0:
            speed = np.sqrt(ux**2 + uy**2)
            print(
                f"step {step + 1:5d}  mass {rho.sum():.9f}  fastest {speed.max():.9f}"
                f"  drag {drag[-1]:.9f}"
            )

    vorticity = (np.roll(uy, -1, 0) - np.roll(uy, 1, 0)) - (np.roll(ux, -1, 1) - np.roll(ux, 1, 1))
    vorticity[solid] = 0.0
    print(f"enstrophy {np.sum(vorticity**2):.12e}")
    print(f"mean drag of the second half {np.mean(drag[len(drag) // 2 :]):.12e}")
    if args.save:
        np.savez(args.save, f=f, ux=ux, uy=uy, drag=np.array(drag))


if __name__ == "__main__":
    main()
