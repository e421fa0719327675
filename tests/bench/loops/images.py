"""Small image kernels."""

from __future__ import annotations

import numpy as np
from loop_programs import program


@program(lambda rng: (rng.random((60, 60)), rng.random((5, 5))))
def convolve(image, kernel):
    h, w = image.shape
    n, m = kernel.shape
    out = np.zeros((h - n + 1, w - m + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for a in range(n):
                for b in range(m):
                    total += image[i + a, j + b] * kernel[a, b]
            out[i, j] = total
    return out


@program(lambda rng: (rng.random((70, 70)), rng.random((5, 5))))
def convolve_by_windows(image, kernel):
    n, m = kernel.shape
    out = np.zeros((image.shape[0] - n + 1, image.shape[1] - m + 1))
    for a in range(n):
        for b in range(m):
            out += kernel[a, b] * image[a : a + out.shape[0], b : b + out.shape[1]]
    return out


@program(lambda rng: (rng.random((60, 60)),))
def median_filter(image):
    h, w = image.shape
    out = image.copy()
    window = np.zeros(9)
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            n = 0
            for a in range(i - 1, i + 2):
                for b in range(j - 1, j + 2):
                    v = image[a, b]
                    k = n
                    while k > 0 and window[k - 1] > v:
                        window[k] = window[k - 1]
                        k -= 1
                    window[k] = v
                    n += 1
            out[i, j] = window[4]
    return out


@program(lambda rng: (rng.integers(0, 256, (100, 100)),))
def equalise(image):
    counts = np.zeros(256, dtype=np.int64)
    for row in image:
        for value in row:
            counts[value] += 1
    total = 0
    levels = np.zeros(256, dtype=np.int64)
    for k in range(256):
        total += counts[k]
        levels[k] = (total * 255) // image.size
    out = np.empty_like(image)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            out[i, j] = levels[image[i, j]]
    return out


@program(lambda rng: (rng.random((80, 80)) < 0.7, 40, 40))
def flood_fill(free, row, column):
    h, w = free.shape
    seen = np.zeros((h, w), dtype=np.bool_)
    stack = np.zeros((4 * h * w + 4, 2), dtype=np.int64)
    stack[0, 0] = row
    stack[0, 1] = column
    top = 1
    size = 0
    while top > 0:
        top -= 1
        i = stack[top, 0]
        j = stack[top, 1]
        if i < 0 or j < 0 or i >= h or j >= w or seen[i, j] or not free[i, j]:
            continue
        seen[i, j] = True
        size += 1
        for way in range(4):
            stack[top, 0] = i + (way == 0) - (way == 1)
            stack[top, 1] = j + (way == 2) - (way == 3)
            top += 1
    return size, seen


@program(lambda rng: (rng.random((50, 60)), 90, 100))
def bilinear_resize(image, height, width):
    h, w = image.shape
    out = np.empty((height, width))
    for i in range(height):
        y = i * (h - 1) / (height - 1)
        top = int(y)
        fy = y - top
        below = min(top + 1, h - 1)
        for j in range(width):
            x = j * (w - 1) / (width - 1)
            left = int(x)
            fx = x - left
            right = min(left + 1, w - 1)
            a = image[top, left] * (1 - fx) + image[top, right] * fx
            b = image[below, left] * (1 - fx) + image[below, right] * fx
            out[i, j] = a * (1 - fy) + b * fy
    return out


@program(lambda rng: (rng.random((80, 80)),))
def floyd_steinberg(image):
    h, w = image.shape
    for i in range(h - 1):
        for j in range(1, w - 1):
            old = image[i, j]
            new = 1.0 if old > 0.5 else 0.0
            image[i, j] = new
            error = old - new
            image[i, j + 1] += error * 7 / 16
            image[i + 1, j - 1] += error * 3 / 16
            image[i + 1, j] += error * 5 / 16
            image[i + 1, j + 1] += error * 1 / 16
    return image
