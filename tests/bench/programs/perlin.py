"""Islands of gradient noise: octaves, warped coordinates, a little erosion, at module level."""

import argparse

import numpy as np

HOT = ["fade", "noise", "octaves", "warped", "eroded"]
SMALL = ["--size", "24", "--maps", "2", "--rain", "3"]

parser = argparse.ArgumentParser(description="maps of islands")
parser.add_argument("--size", type=int, default=192)
parser.add_argument("--maps", type=int, default=6)
parser.add_argument("--octaves", type=int, default=5)
parser.add_argument("--rain", type=int, default=120)
parser.add_argument("--save")
args = parser.parse_args()


def fade(t):
    return t * t * t * (t * (t * 6.0 - 15.0) + 10.0)


def mixed(a, b, t):
    return a + t * (b - a)


class Lattice:
    """Random directions at the corners of a grid that repeats."""

    def __init__(self, size, seed):
        rng = np.random.default_rng(seed)
        angles = rng.uniform(0.0, 2.0 * np.pi, (size, size))
        self.size = size
        self.east = np.cos(angles)
        self.north = np.sin(angles)


def noise(lattice, x, y):
    left = np.floor(x).astype(int)
    low = np.floor(y).astype(int)
    fx, fy = x - left, y - low

    def corner(i, j):
        at = (left + i) % lattice.size, (low + j) % lattice.size
        return lattice.east[at] * (fx - i) + lattice.north[at] * (fy - j)

    u, v = fade(fx), fade(fy)
    bottom = mixed(corner(0, 0), corner(1, 0), u)
    top = mixed(corner(0, 1), corner(1, 1), u)
    return mixed(bottom, top, v)


def octaves(lattice, x, y, count, roughness=0.5):
    total = np.zeros_like(x)
    strength, scale, most = 1.0, 1.0, 0.0
    for _ in range(count):
        total += strength * noise(lattice, x * scale, y * scale)
        most += strength
        strength *= roughness
        scale *= 2.0
    return total / most


def warped(lattice, x, y, count, by):
    dx = octaves(lattice, x + 5.2, y + 1.3, count)
    dy = octaves(lattice, x - 2.8, y + 7.1, count)
    return octaves(lattice, x + by * dx, y + by * dy, count)


def eroded(height, rain):
    """Each round the steepest slopes give a little to their lower neighbours."""
    for _ in range(rain):
        moved = np.zeros_like(height)
        for axis, way in ((0, 1), (0, -1), (1, 1), (1, -1)):
            drop = height - np.roll(height, way, axis=axis)
            gives = np.where(drop > 0.01, 0.1 * (drop - 0.01), 0.0)
            moved -= gives
            moved += np.roll(gives, -way, axis=axis)
        height = height + moved
    return height


grid = np.linspace(0.0, 6.0, args.size)
x, y = np.meshgrid(grid, grid)
far = np.hypot(x - 3.0, y - 3.0) / 3.0
maps = []
for seed in range(args.maps):
    lattice = Lattice(32, seed)
    height = warped(lattice, x, y, args.octaves, 0.9) + 0.35 - 0.5 * far**2
    height = eroded(height, args.rain)
    land = height > 0.0
    maps.append(height)
    coast = np.count_nonzero(land[1:] != land[:-1]) + np.count_nonzero(land[:, 1:] != land[:, :-1])
    print(
        f"map {seed}: land {100 * land.mean():.6f} %, highest {height.max():.12f}, coast {coast}, "
        f"median {np.median(height):.12f}"
    )
bands = np.digitize(maps[-1], [-0.2, 0.0, 0.1, 0.25, 0.4])
print("bands", np.bincount(bands.ravel(), minlength=6))
if args.save:
    np.savez(args.save, maps=np.array(maps))
