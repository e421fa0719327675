"""Narrows an image by its cheapest seams: the image is one column smaller after each of them."""

import argparse

import numpy as np

HOT = ["energy", "cheapest", "seam", "removed", "luminance"]
SMALL = ["--width", "24", "--height", "16", "--seams", "3"]


def painted(width, height, rng):
    """A landscape: sky, hills, a few trees, grain."""
    y, x = np.mgrid[0:height, 0:width]
    image = np.zeros((height, width, 3))
    image[..., 2] = 0.8 - 0.5 * y / height
    image[..., 1] = 0.4 + 0.1 * np.sin(x / 9.0)
    for k in range(3):
        ridge = height * (0.45 + 0.15 * k) + 6 * np.sin(x[0] / (11.0 + 7 * k) + k)
        below = y > ridge[None, :]
        image[below] = [0.15 + 0.1 * k, 0.45 - 0.08 * k, 0.12]
    for _ in range(6):
        at, tall = rng.integers(4, width - 4), rng.integers(height // 6, height // 3)
        trunk = (
            (np.abs(x - at) < 2) & (y > height - tall - height // 8) & (y < height - height // 8)
        )
        image[trunk] = [0.35, 0.22, 0.1]
    return np.clip(image + rng.normal(0, 0.02, image.shape), 0, 1)


def luminance(image):
    return image[..., 0] * 0.299 + image[..., 1] * 0.587 + image[..., 2] * 0.114


def energy(image):
    grey = luminance(image)
    padded = np.pad(grey, 1, mode="edge")
    across = padded[1:-1, 2:] - padded[1:-1, :-2]
    down = padded[2:, 1:-1] - padded[:-2, 1:-1]
    diagonal = padded[2:, 2:] - padded[:-2, :-2]
    return np.abs(across) + np.abs(down) + 0.5 * np.abs(diagonal)


def cheapest(cost):
    """Return the cost of the cheapest path from the top down to each pixel."""
    total = cost.copy()
    for row in range(1, total.shape[0]):
        above = total[row - 1]
        left = np.concatenate(([np.inf], above[:-1]))
        right = np.concatenate((above[1:], [np.inf]))
        total[row] += np.minimum(np.minimum(left, above), right)
    return total


def seam(total):
    height, width = total.shape
    path = np.empty(height, dtype=int)
    path[-1] = np.argmin(total[-1])
    for row in range(height - 2, -1, -1):
        column = path[row + 1]
        low, high = max(column - 1, 0), min(column + 2, width)
        path[row] = low + np.argmin(total[row, low:high])
    return path


def removed(image, path):
    height, width, _ = image.shape
    keep = np.ones((height, width), dtype=bool)
    keep[np.arange(height), path] = False
    return image[keep].reshape(height, width - 1, 3)


def main():
    parser = argparse.ArgumentParser(description="seam carving")
    parser.add_argument("--width", type=int, default=320)
    parser.add_argument("--height", type=int, default=200)
    parser.add_argument("--seams", type=int, default=150)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(12)
    image = painted(args.width, args.height, rng)
    turned = False
    costs = []
    for k in range(args.seams):
        if k == 2 * args.seams // 3:
            image, turned = image.transpose(1, 0, 2).copy(), True
        total = cheapest(energy(image))
        path = seam(total)
        costs.append(total[-1, path[-1]])
        image = removed(image, path)
        if k % 25 == 0:
            print(f"seam {k:3d} of {image.shape[:2]}: cost {costs[-1]:.9f}, from {path[0]}")
    if turned:
        image = image.transpose(1, 0, 2)
    print(f"left {image.shape}, mean {image.mean():.12f}, costs {np.sum(costs):.9f}")
    if args.save:
        np.savez(args.save, image=image, costs=costs)


if __name__ == "__main__":
    main()
