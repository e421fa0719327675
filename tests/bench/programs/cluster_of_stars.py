"""A cluster of stars and its binary: velocity Verlet, with the loop over time in the module."""

import argparse

import numpy as np

HOT = ["pull", "binding"]
SMALL = ["--stars", "12", "--end", "0.1"]

parser = argparse.ArgumentParser(description="a cluster of stars")
parser.add_argument("--stars", type=int, default=96)
parser.add_argument("--end", type=float, default=10.0)
parser.add_argument("--dt", type=float, default=0.004)
parser.add_argument("--soft", type=float, default=0.08)
parser.add_argument("--seed", type=int, default=17)
parser.add_argument("--save")
args = parser.parse_args()


def plummer(count, rng):
    """Places and speeds of a model of Plummer's, in units where all mass is one."""
    radius = 1.0 / np.sqrt(rng.uniform(0.05, 0.95, count) ** (-2 / 3) - 1.0)
    direction = rng.normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    turn = rng.normal(size=(count, 3))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    speed = 0.6 * (1.0 + radius**2) ** -0.25
    return radius[:, None] * direction, speed[:, None] * turn


def pull(places, masses, soft):
    """The acceleration of each star by all others."""
    apart = places[np.newaxis, :, :] - places[:, np.newaxis, :]
    squared = (apart * apart).sum(axis=2) + soft * soft
    weight = masses[np.newaxis, :] / (squared * np.sqrt(squared))
    return (apart * weight[:, :, np.newaxis]).sum(axis=1)


def binding(places, masses, soft):
    total = 0.0
    for i in range(len(masses) - 1):
        apart = places[i + 1 :] - places[i]
        total -= masses[i] * np.sum(masses[i + 1 :] / np.sqrt((apart**2).sum(axis=1) + soft**2))
    return total


rng = np.random.default_rng(args.seed)
masses = rng.uniform(0.5, 2.0, args.stars)
masses /= masses.sum()
places, speeds = plummer(args.stars, rng)
places -= masses @ places
speeds -= masses @ speeds
start = 0.5 * (masses * (speeds**2).sum(axis=1)).sum() + binding(places, masses, args.soft)
print(f"{args.stars} stars, energy {start:.12f}")

t = 0.0
dt = args.dt
steps = 0
next_line = 0.0
trace = []
pulled = pull(places, masses, args.soft)
while t < args.end:
    half = speeds + (0.5 * dt) * pulled
    places = places + dt * half
    pulled = pull(places, masses, args.soft)
    speeds = half + (0.5 * dt) * pulled
    t += dt
    steps += 1
    centre = masses @ places
    radii = np.sort(np.sqrt(((places - centre) ** 2).sum(axis=1)))
    trace.append((radii[len(radii) // 10], radii[len(radii) // 2], radii[-1]))
    if t >= next_line:
        kinetic = 0.5 * (masses * (speeds**2).sum(axis=1)).sum()
        print(
            f"t {t:.3f}  kinetic {kinetic:.9f}  radii "
            + " ".join(f"{radius:.6f}" for radius in trace[-1])
        )
        next_line += 1.0

end = 0.5 * (masses * (speeds**2).sum(axis=1)).sum() + binding(places, masses, args.soft)
spin = (masses[:, None] * np.cross(places, speeds)).sum(axis=0)
print(f"{steps} steps, energy {end:.12f}, drift {(end - start) / abs(start):.3e}")
print("angular momentum", spin.round(12))
if args.save:
    np.savez(args.save, places=places, speeds=speeds, trace=np.array(trace))
