"""Single numbers, ints, recurrences."""

from __future__ import annotations

import numpy as np
from kernel_programs import kernel


@kernel(lambda rng, n: (rng.random((n, n)),), s=300, m=3000)
def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


@kernel(lambda rng, n: (rng.integers(0, 256, n).astype(np.uint8),), s=1600, m=160_000)
def crc16(data, poly=0x8408):
    crc = 0xFFFF
    for byte in data:
        rest = 0xFF & byte
        for _ in range(8):
            if (crc & 0x0001) ^ (rest & 0x0001):
                crc = (crc >> 1) ^ poly
            else:
                crc >>= 1
            rest >>= 1
    crc = ~crc & 0xFFFF
    crc = (crc << 8) | ((crc >> 8) & 0xFF)
    return crc & 0xFFFF


@kernel(lambda rng, n: (bytes(rng.integers(0, 256, n).astype(np.uint8)),), s=1600, m=160_000)
def crc16_of_bytes(data, poly=0x8408):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ poly if crc & 1 else crc >> 1
    return crc & 0xFFFF


def _ints(rng, n):
    return rng.integers(0, 1000, (n, n)), rng.integers(0, 1000, (n, n)), 4, 3, 9


@kernel(_ints, s=300, m=2000)
def compute(first, second, a, b, c):
    return np.clip(first, 2, 10) * a + second * b + c


@kernel(lambda rng, n: (n, rng.integers(0, 4, n)), s=16, m=60)
def nussinov(n, seq):
    table = np.zeros((n, n), np.int32)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < n:
                if i < j - 1:
                    match = 1 if seq[i] + seq[j] == 3 else 0
                    table[i, j] = max(table[i, j], table[i + 1, j - 1] + match)
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table


def _mandelbrot_grid(rng, n, turns):
    return -2.0, 0.5, -1.25, 1.25, n, n, turns


@kernel(_mandelbrot_grid, s=(60, 20), m=(300, 60))
def mandelbrot(xmin, xmax, ymin, ymax, xn, yn, turns, horizon=2.0):
    x = np.linspace(xmin, xmax, xn)
    y = np.linspace(ymin, ymax, yn)
    c = x + y[:, None] * 1j
    count = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros(c.shape, dtype=np.complex128)
    for n in range(turns):
        inside = np.less(abs(z), horizon)
        count[inside] = n
        z[inside] = z[inside] ** 2 + c[inside]
    count[count == turns - 1] = 0
    return z, count


@kernel(_mandelbrot_grid, s=(60, 20), m=(300, 60))
def mandelbrot_that_shrinks(xmin, xmax, ymin, ymax, xn, yn, turns, horizon=2.0):
    xi, yi = np.mgrid[0:xn, 0:yn]
    x = np.linspace(xmin, xmax, xn)[xi]
    y = np.linspace(ymin, ymax, yn)[yi]
    c = x + y * 1j
    count = np.zeros(c.shape, dtype=np.int64)
    last = np.zeros(c.shape, dtype=np.complex128)
    xi, yi, c = xi.reshape(-1), yi.reshape(-1), c.reshape(-1)
    z = np.zeros(c.shape, np.complex128)
    for i in range(turns):
        if not len(z):
            break
        np.multiply(z, z, z)
        np.add(z, c, z)
        gone = abs(z) > horizon
        count[xi[gone], yi[gone]] = i + 1
        last[xi[gone], yi[gone]] = z[gone]
        stay = np.logical_not(gone)
        z = z[stay]
        xi, yi, c = xi[stay], yi[stay], c[stay]
    return last, count


def _signal(rng, power, radix):
    n = radix**power
    return n, radix, power, rng.random(n) + 1j * rng.random(n)


@kernel(_signal, s=(7, 4), m=(9, 4))
def stockham_fft(n, radix, power, x):
    turn = np.exp(-2j * np.pi * np.outer(np.arange(radix), np.arange(radix)) / radix)
    y = x.copy()
    for i in range(power):
        inner = radix**i
        outer = radix ** (power - i - 1)
        blocks = np.reshape(y, (inner, radix, outer))
        angle = np.arange(inner)[:, None] * np.arange(radix)[None, :] / (inner * radix)
        twiddle = np.exp(-2j * np.pi * angle)
        rotated = blocks * twiddle[:, :, None]
        mixed = np.einsum("ab,ibo->iao", turn, rotated)
        y = np.reshape(np.moveaxis(mixed, 1, 0), n)
    return y
