"""A small convolutional network learns to tell shapes: classes of layers, im2col, momentum."""

import argparse

import numpy as np

HOT = ["unfolded", "folded_back", "Convolution.forward", "Convolution.backward", "Relu.forward",
       "Relu.backward", "Pool.forward", "Pool.backward", "Dense.forward", "Dense.backward",
       "cross_entropy", "Momentum.step"]  # fmt: skip
SMALL = ["--epochs", "1", "--images", "32", "--batch", "8"]


def unfolded(images, size):
    """Patches of all images as rows: (n * h * w, channels * size * size)."""
    n, channels, height, width = images.shape
    h, w = height - size + 1, width - size + 1
    columns = np.empty((n, channels, size, size, h, w), dtype=images.dtype)
    for i in range(size):
        for j in range(size):
            columns[:, :, i, j] = images[:, :, i : i + h, j : j + w]
    return columns.transpose(0, 4, 5, 1, 2, 3).reshape(n * h * w, -1)


def folded_back(rows, shape, size):
    n, channels, height, width = shape
    h, w = height - size + 1, width - size + 1
    columns = rows.reshape(n, h, w, channels, size, size).transpose(0, 3, 4, 5, 1, 2)
    images = np.zeros(shape, dtype=rows.dtype)
    for i in range(size):
        for j in range(size):
            images[:, :, i : i + h, j : j + w] += columns[:, :, i, j]
    return images


class Layer:
    """A layer; one that has weights names them, and their slopes."""

    def __init__(self):
        self.weights = {}
        self.slopes = {}

    def forward(self, x):
        raise NotImplementedError

    def backward(self, slope):
        raise NotImplementedError


class Convolution(Layer):
    def __init__(self, channels, filters, size, rng):
        super().__init__()
        self.size = size
        self.filters = filters
        scale = np.sqrt(2.0 / (channels * size * size))
        self.weights["w"] = rng.normal(0, scale, (channels * size * size, filters)).astype("f4")
        self.weights["b"] = np.zeros(filters, dtype="f4")

    def forward(self, x):
        self.shape = x.shape
        self.rows = unfolded(x, self.size)
        out = self.rows @ self.weights["w"] + self.weights["b"]
        n, _, height, width = x.shape
        h, w = height - self.size + 1, width - self.size + 1
        return out.reshape(n, h, w, self.filters).transpose(0, 3, 1, 2)

    def backward(self, slope):
        flat = slope.transpose(0, 2, 3, 1).reshape(-1, self.filters)
        self.slopes["w"] = self.rows.T @ flat
        self.slopes["b"] = flat.sum(axis=0)
        return folded_back(flat @ self.weights["w"].T, self.shape, self.size)


class Relu(Layer):
    def forward(self, x):
        self.on = x > 0
        return x * self.on

    def backward(self, slope):
        return slope * self.on


class Pool(Layer):
    """The largest of each square of four."""

    def forward(self, x):
        n, c, h, w = x.shape
        tiles = x.reshape(n, c, h // 2, 2, w // 2, 2)
        out = tiles.max(axis=(3, 5))
        self.chosen = tiles == out[:, :, :, None, :, None]
        return out

    def backward(self, slope):
        n, c, h, w = slope.shape
        spread = self.chosen * slope[:, :, :, None, :, None]
        return spread.reshape(n, c, 2 * h, 2 * w)


class Flatten(Layer):
    def forward(self, x):
        self.shape = x.shape
        return x.reshape(x.shape[0], -1)

    def backward(self, slope):
        return slope.reshape(self.shape)


class Dense(Layer):
    def __init__(self, inputs, outputs, rng):
        super().__init__()
        self.weights["w"] = rng.normal(0, np.sqrt(2.0 / inputs), (inputs, outputs)).astype("f4")
        self.weights["b"] = np.zeros(outputs, dtype="f4")

    def forward(self, x):
        self.x = x
        return x @ self.weights["w"] + self.weights["b"]

    def backward(self, slope):
        self.slopes["w"] = self.x.T @ slope
        self.slopes["b"] = slope.sum(axis=0)
        return slope @ self.weights["w"].T


def cross_entropy(scores, labels):
    shifted = scores - scores.max(axis=1, keepdims=True)
    shares = np.exp(shifted)
    shares /= shares.sum(axis=1, keepdims=True)
    n = len(labels)
    loss = -np.log(shares[np.arange(n), labels] + 1e-12).mean()
    slope = shares.copy()
    slope[np.arange(n), labels] -= 1.0
    return loss, slope / n


class Momentum:
    def __init__(self, layers, rate, keep=0.9):
        self.layers = layers
        self.rate = rate
        self.keep = keep
        self.speeds = [{k: np.zeros_like(v) for k, v in l.weights.items()} for l in layers]

    def step(self):
        for layer, speeds in zip(self.layers, self.speeds):
            for name, weight in layer.weights.items():
                speeds[name] = self.keep * speeds[name] - self.rate * layer.slopes[name]
                weight += speeds[name]


def drawn_shapes(count, rng):
    """Images of 16 x 16 with a disc, a square, a cross or stripes, and noise."""
    images = rng.normal(0, 0.25, (count, 1, 16, 16)).astype("f4")
    labels = rng.integers(0, 4, count)
    y, x = np.mgrid[0:16, 0:16]
    for k in range(count):
        cy, cx = rng.integers(5, 11, 2)
        r = rng.integers(3, 6)
        if labels[k] == 0:
            mask = (y - cy) ** 2 + (x - cx) ** 2 <= r * r
        elif labels[k] == 1:
            mask = np.maximum(np.abs(y - cy), np.abs(x - cx)) <= r - 1
        elif labels[k] == 2:
            mask = (np.abs(y - cy) <= 1) | (np.abs(x - cx) <= 1)
        else:
            mask = (y + x + cy) % r < r // 2
        images[k, 0][mask] += 1.0
    return images, labels


def forward(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return x


def main():
    parser = argparse.ArgumentParser(description="a small CNN")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--images", type=int, default=1600)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0.03)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(0)
    images, labels = drawn_shapes(args.images, rng)
    tests, wanted = drawn_shapes(args.images // 4, rng)
    layers = [
        Convolution(1, 8, 3, rng), Relu(), Pool(),
        Convolution(8, 16, 2, rng), Relu(), Pool(),
        Flatten(), Dense(16 * 3 * 3, 48, rng), Relu(), Dense(48, 4, rng),
    ]  # fmt: skip
    optimiser = Momentum([layer for layer in layers if layer.weights], args.rate)
    losses = []
    for epoch in range(args.epochs):
        order = rng.permutation(args.images)
        for begin in range(0, args.images - args.batch + 1, args.batch):
            picked = order[begin : begin + args.batch]
            loss, slope = cross_entropy(forward(layers, images[picked]), labels[picked])
            for layer in reversed(layers):
                slope = layer.backward(slope)
            optimiser.step()
            losses.append(loss)
        right = (forward(layers, tests).argmax(axis=1) == wanted).mean()
        print(f"epoch {epoch + 1}: loss {np.mean(losses[-10:]):.6f}, right {100 * right:.2f} %")
    if args.save:
        np.savez(args.save, losses=losses, w=layers[0].weights["w"], d=layers[-1].weights["w"])


if __name__ == "__main__":
    main()
