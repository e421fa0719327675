"""A shock meets a bubble of light gas: Euler equations, finite volumes, HLL fluxes.

Many small functions, each called for both directions; the time step is found anew each time, so
that the number of steps is not known before the end.
"""

import argparse

import numpy as np

HOT = ["advance", "hll", "to_primitive", "flux", "minmod", "sound", "largest_step"]
SMALL = ["--cells", "20", "--end", "0.01"]

RATIO = 1.4


def to_primitive(u):
    density = u[0]
    v = u[1] / density
    w = u[2] / density
    pressure = (RATIO - 1.0) * (u[3] - 0.5 * density * (v * v + w * w))
    return np.stack([density, v, w, pressure])


def to_conserved(q):
    density, v, w, pressure = q
    energy = pressure / (RATIO - 1.0) + 0.5 * density * (v * v + w * w)
    return np.stack([density, density * v, density * w, energy])


def sound(q):
    return np.sqrt(RATIO * q[3] / q[0])


def flux(q, u, axis):
    normal = q[1 + axis]
    f = u * normal
    f[1 + axis] += q[3]
    f[3] += q[3] * normal
    return f


def minmod(a, b):
    return np.where(a * b > 0.0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


def hll(left, right, axis):
    """Flux through the faces between two states, by Harten, Lax and van Leer."""
    u_left, u_right = to_conserved(left), to_conserved(right)
    c_left, c_right = sound(left), sound(right)
    slowest = np.minimum(left[1 + axis] - c_left, right[1 + axis] - c_right)
    fastest = np.maximum(left[1 + axis] + c_left, right[1 + axis] + c_right)
    slowest = np.minimum(slowest, 0.0)
    fastest = np.maximum(fastest, 0.0)
    f_left, f_right = flux(left, u_left, axis), flux(right, u_right, axis)
    width = fastest - slowest
    return (fastest * f_left - slowest * f_right + slowest * fastest * (u_right - u_left)) / width


def padded(q):
    """Two more cells on each side that continue the outermost ones."""
    return np.pad(q, ((0, 0), (2, 2), (2, 2)), mode="edge")


def faces(q, axis):
    """States to the left and right of each face, second order."""
    if axis == 0:
        before, here, after = q[:, :-2, 2:-2], q[:, 1:-1, 2:-2], q[:, 2:, 2:-2]
    else:
        before, here, after = q[:, 2:-2, :-2], q[:, 2:-2, 1:-1], q[:, 2:-2, 2:]
    half = 0.5 * minmod(here - before, after - here)
    low, high = here - half, here + half
    if axis == 0:
        return high[:, :-1, :], low[:, 1:, :]
    return high[:, :, :-1], low[:, :, 1:]


def divergence(u, h):
    q = padded(to_primitive(u))
    fx = hll(*faces(q, 0), 0)
    fy = hll(*faces(q, 1), 1)
    return (fx[:, 1:, :] - fx[:, :-1, :]) / h + (fy[:, :, 1:] - fy[:, :, :-1]) / h


def advance(u, dt, h):
    """Two stages of Runge and Kutta."""
    first = u - dt * divergence(u, h)
    return 0.5 * (u + first - dt * divergence(first, h))


def largest_step(u, h, courant):
    q = to_primitive(u)
    c = sound(q)
    return courant * h / max(np.max(np.abs(q[1]) + c), np.max(np.abs(q[2]) + c))


def shock_and_bubble(n):
    centre = (np.arange(n) + 0.5) / n
    x, y = np.meshgrid(centre, centre, indexing="ij")
    q = np.empty((4, n, n))
    behind = x < 0.15
    q[0] = np.where(behind, 3.81, 1.0)
    q[1] = np.where(behind, 2.58, 0.0)
    q[2] = 0.0
    q[3] = np.where(behind, 10.0, 1.0)
    bubble = (x - 0.4) ** 2 + (y - 0.5) ** 2 < 0.04
    q[0][bubble] = 0.1
    return to_conserved(q)


def main():
    parser = argparse.ArgumentParser(description="shock and bubble")
    parser.add_argument("--cells", type=int, default=80)
    parser.add_argument("--end", type=float, default=0.16)
    parser.add_argument("--courant", type=float, default=0.4)
    parser.add_argument("--save")
    args = parser.parse_args()

    h = 1.0 / args.cells
    u = shock_and_bubble(args.cells)
    t, count, next_line = 0.0, 0, 0.0
    while t < args.end:
        dt = min(largest_step(u, h, args.courant), args.end - t)
        u = advance(u, dt, h)
        t += dt
        count += 1
        if t >= next_line:
            print(f"t={t:.6f} after {count} steps, density {u[0].min():.9f} to {u[0].max():.9f}")
            next_line += 0.04
    q = to_primitive(u)
    mach = np.sqrt(q[1] ** 2 + q[2] ** 2) / sound(q)
    print(f"{count} steps; largest Mach number {mach.max():.12f}")
    print(f"mass {u[0].sum() * h * h:.12f}, energy {u[3].sum() * h * h:.12f}")
    if args.save:
        np.savez(args.save, u=u, mach=mach)


if __name__ == "__main__":
    main()
