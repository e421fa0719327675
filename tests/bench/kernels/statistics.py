"""Means, covariances, bins."""

from __future__ import annotations

import numpy as np
from kernel_programs import kernel


@kernel(lambda rng, n: (rng.random((2 * n, n)),), s=60, m=400)
def covariance(data):
    return np.cov(np.transpose(data))


@kernel(lambda rng, n: (rng.random((2 * n, n)),), s=60, m=500)
def covariance_by_rows(data):
    count = data.shape[0]
    data -= np.mean(data, axis=0)
    cov = np.zeros((data.shape[1], data.shape[1]), dtype=data.dtype)
    for i in range(data.shape[1]):
        cov[i:, i] = cov[i, i:] = data[:, i] @ data[:, i:] / (count - 1.0)
    return cov


@kernel(lambda rng, n: (rng.random((2 * n, n)),), s=60, m=500)
def correlation(data):
    count = data.shape[0]
    mean = np.mean(data, axis=0)
    spread = np.std(data, axis=0)
    spread[spread <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(float(count)) * spread
    corr = np.eye(data.shape[1], dtype=data.dtype)
    for i in range(data.shape[1] - 1):
        corr[i + 1 :, i] = corr[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return corr


@kernel(lambda rng, n, bins: (rng.random(n), rng.random(n), bins), s=(4000, 60), m=(300_000, 300))
def azimuthal_integration(data, radius, bins):
    rmax = radius.max()
    result = np.zeros(bins, dtype=np.float64)
    for i in range(bins):
        low, high = rmax * i / bins, rmax * (i + 1) / bins
        here = (low <= radius) & (radius < high)
        inside = data[here]
        result[i] = inside.mean()
    return result


@kernel(lambda rng, n: (rng.random(n), rng.random(n), 50), s=2000, m=200_000)
def weighted_histogram(values, weights, bins):
    edges = np.linspace(values.min(), values.max(), bins + 1)
    counts = np.zeros(bins, dtype=np.int64)
    sums = np.zeros(bins)
    for x, w in zip(values, weights):
        k = int(bins * (x - edges[0]) / (edges[-1] - edges[0]))
        k = min(k, bins - 1)
        counts[k] += 1
        sums[k] += w
    return counts, sums, edges


@kernel(lambda rng, n: (rng.random(n), rng.random(n)), s=50_000, m=1_000_000)
def histograms(values, weights):
    counts, edges = np.histogram(values, bins=64)
    sums = np.histogram(values, bins=edges, weights=weights)[0]
    return counts, sums / counts


@kernel(lambda rng, n: (rng.random((n, n)),), s=60, m=180)
def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path, np.add.outer(path[:, k], path[k, :]))
    return path
