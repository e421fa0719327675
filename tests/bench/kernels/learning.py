"""Layers of networks."""

from __future__ import annotations

import numpy as np
from kernel_programs import kernel


def relu(x):
    return np.maximum(x, 0)


def stable_softmax(x):
    largest = np.max(x, axis=-1, keepdims=True)
    e = np.exp(x - largest)
    return e / np.sum(e, axis=-1, keepdims=True)


@kernel(lambda rng, n: (rng.random((8, 4, n, n), dtype=np.float32),), s=24, m=160)
def softmax(x):
    return stable_softmax(x)


def _attention(rng, n, d):
    return tuple(rng.random((4, n, d), dtype=np.float32) for _ in "qkv")


@kernel(_attention, s=(48, 32), m=(320, 64))
def attention(q, k, v):
    weights = stable_softmax(q @ np.swapaxes(k, 1, 2) / np.sqrt(np.float32(q.shape[2])))
    return weights @ v


def _mlp(rng, n, width):
    sizes = [(64, width), (width,), (width, width), (width,), (width, 10), (10,)]
    return (
        rng.random((n, 64), dtype=np.float32),
        *(rng.random(s, dtype=np.float32) for s in sizes),
    )


@kernel(_mlp, s=(32, 200), m=(256, 2000))
def mlp(x, w1, b1, w2, b2, w3, b3):
    x = relu(x @ w1 + b1)
    x = relu(x @ w2 + b2)
    return stable_softmax(x @ w3 + b3)


def convolve(x, weights):
    size = weights.shape[0]
    n, high, wide = x.shape[0], x.shape[1] - size + 1, x.shape[2] - size + 1
    out = np.empty((n, high, wide, weights.shape[3]), dtype=np.float32)
    for i in range(high):
        for j in range(wide):
            out[:, i, j, :] = np.sum(
                x[:, i : i + size, j : j + size, :, np.newaxis] * weights[np.newaxis],
                axis=(1, 2, 3),
            )
    return out


def pool(x):
    out = np.empty((x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]), dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            out[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return out


def _convolution(rng, n, c_in, c_out, size):
    return (
        rng.random((2, n, n, c_in), dtype=np.float32),
        rng.random((size, size, c_in, c_out), dtype=np.float32),
        rng.random(c_out, dtype=np.float32),
    )


@kernel(_convolution, s=(10, 2, 4, 3), m=(40, 3, 16, 5))
def conv2d_bias(x, weights, bias):
    return convolve(x, weights) + bias


def _lenet(rng, n):
    shapes = [(5, 5, 1, 6), (6,), (5, 5, 6, 16), (16,), (256, 120), (120,), (120, 10), (10,)]
    return (
        rng.random((n, 28, 28, 1), dtype=np.float32),
        *(rng.random(shape, dtype=np.float32) for shape in shapes),
    )


@kernel(_lenet, s=1, m=8)
def lenet(x, w1, b1, w2, b2, f1, c1, f2, c2):
    x = pool(relu(convolve(x, w1) + b1))
    x = pool(relu(convolve(x, w2) + b2))
    x = np.reshape(x, (x.shape[0], -1))
    return relu(x @ f1 + c1) @ f2 + c2


def batchnorm(x):
    mean = np.mean(x, axis=0, keepdims=True)
    spread = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(spread + np.float32(1e-5))


def _bottleneck(rng, n, c):
    return (
        rng.random((4, n, n, c), dtype=np.float32),
        rng.random((1, 1, c, c // 2), dtype=np.float32),
        rng.random((3, 3, c // 2, c // 2), dtype=np.float32),
        rng.random((1, 1, c // 2, c), dtype=np.float32),
    )


@kernel(_bottleneck, s=(6, 8), m=(20, 32))
def resnet_block(x, w1, w2, w3):
    size = x.shape[1]
    padded = np.zeros((x.shape[0], size + 2, size + 2, w1.shape[3]), dtype=np.float32)
    padded[:, 1:-1, 1:-1, :] = relu(batchnorm(convolve(x, w1)))
    y = relu(batchnorm(convolve(padded, w2)))
    return relu(batchnorm(convolve(y, w3)) + x)
