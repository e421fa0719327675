"""Eight programs in plain NumPy, each with `@jit` on its main function.

Each module has that function, a `problem(scale)` that makes its arguments, the same ones every
time, and a `main()` that runs it eagerly and compiled and compares the bits. It has one compiled
call, which waits for its kernel: `compile="now"`.
`python -m framejit demo` runs them all.
"""

from __future__ import annotations

PROGRAMS: dict[str, tuple[str, str]] = {
    "black_scholes": ("price", "Black-Scholes prices"),
    "heat": ("diffuse", "Heat equation"),
    "kmeans": ("lloyd", "k-means"),
    "logistic": ("train", "Logistic regression"),
    "mandelbrot": ("escape_counts", "Mandelbrot set"),
    "image_filter": ("enhance", "Image filter"),
    "network": ("forward", "Neural network"),
    "nbody": ("leapfrog", "N-body"),
}
"""Module -> (its jitted function, a title)."""
