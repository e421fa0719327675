"""More data than memory, in several processes: blocks of a dask array through one jitted function.

Pictures of the sky come in blocks. Each is denoised, and its bright spots are counted; workers of a
`LocalCluster` hold a few blocks at a time. Blocks differ in size, and are computed by one kernel.
The script needs dask: `pip install 'framejit[dask]'`.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framejit import jit

Array = NDArray[np.float64]

MEMORY = 600 << 20
"""Bytes that a worker may have."""
PICTURE = 500
"""Rows and columns of a picture."""


def sky(n_pictures: int, number: int) -> Array:
    """Pictures with noise and a few stars, the same ones for the same number of the block."""
    random = np.random.default_rng(number)
    pictures = random.normal(0.0, 1.0, (n_pictures, PICTURE, PICTURE))
    for k in range(n_pictures):
        rows, columns = random.integers(1, PICTURE - 1, (2, 20))
        pictures[k, rows, columns] += 40.0
    return pictures


@jit
def bright_spots(pictures: Array) -> NDArray[np.int64]:
    """Count the pixels of each picture that are far above the others, once it is smoothed."""
    x = pictures
    for _ in range(4):
        middle = x[:, 1:-1, 1:-1]
        around = x[:, 2:, 1:-1] + x[:, :-2, 1:-1] + x[:, 1:-1, 2:] + x[:, 1:-1, :-2]
        x = 0.6 * middle + 0.1 * around
        x = x / np.sqrt(1.0 + 0.01 * x * x)
    level = x.mean() + 10.0 * x.std()
    return (x > level).sum(axis=(1, 2))


def counts(sizes: tuple[int, ...], function: Any) -> Any:
    """A lazy dask array: of each picture the number of its spots."""
    import dask
    import dask.array as da

    sky_of_block = dask.delayed(sky)
    blocks = [
        da.from_delayed(sky_of_block(n, k), (n, PICTURE, PICTURE), dtype=np.float64)
        for k, n in enumerate(sizes)
    ]
    pictures = da.concatenate(blocks)
    return pictures.map_blocks(function, dtype=np.int64, drop_axis=(1, 2))


def main(n_blocks: int = 150) -> int:
    """Counts with two workers; 0 when the first blocks have the bits of plain NumPy."""
    from dask.distributed import Client, LocalCluster

    sizes = tuple((4, 5, 3)[k % 3] for k in range(n_blocks))
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=MEMORY, dashboard_address=":0"
        ) as cluster,
        Client(cluster),
    ):
        found = counts(sizes, bright_spots).compute()
    plain = np.concatenate([bright_spots.__wrapped__(sky(n, k)) for k, n in enumerate(sizes[:3])])
    same = found[: len(plain)].tobytes() == plain.tobytes()
    print(f"{sum(sizes) * PICTURE**2 * 8 / 1e9:.2f} GB of pictures, {MEMORY / 1e9:.2f} GB a worker")
    print(f"{found.sum()} spots on {len(found)} pictures")
    print(f"same bits: {'yes' if same else 'no'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
