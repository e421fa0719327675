"""Gradient descent, by hand: minibatches, momentum, Adam, early stopping."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from training_programs import points, program

X, Y = points()
TARGETS = X @ np.array([1.0, -2.0, 0.5, 0.0]) + 0.3


@program(X, Y, 7, 16)
def softmax_regression(x, y, epochs, batch):
    rng = np.random.default_rng(0)
    n, d = x.shape
    classes = int(y.max()) + 1
    w = rng.normal(size=(d, classes)) * 0.01
    b = np.zeros(classes)
    history = {"loss": [], "accuracy": []}
    for epoch in range(epochs):
        order = rng.permutation(n)
        total = 0.0
        for start in range(0, n, batch):
            rows = order[start : start + batch]
            xb, yb = x[rows], y[rows]
            z = xb @ w + b
            z = z - z.max(axis=1, keepdims=True)
            p = np.exp(z)
            p = p / p.sum(axis=1, keepdims=True)
            total += -np.log(p[np.arange(len(rows)), yb]).sum()
            p[np.arange(len(rows)), yb] -= 1.0
            w -= 0.1 * (xb.T @ p) / len(rows)
            b -= 0.1 * p.mean(axis=0)
        accuracy = np.mean(np.argmax(x @ w + b, axis=1) == y)
        history["loss"].append(total / n)
        history["accuracy"].append(accuracy)
        if epoch % 5 == 0:
            print(f"epoch {epoch}: loss {total / n:.4f}, accuracy {accuracy:.3f}")
    return w, b, history


class Network:
    """Two layers with their velocities."""

    def __init__(self, sizes, rng):
        self.w = [rng.normal(size=(m, k)) / np.sqrt(m) for m, k in zip(sizes, sizes[1:])]
        self.b = [np.zeros(k) for k in sizes[1:]]
        self.velocity = [np.zeros_like(w) for w in self.w]
        self.steps = 0

    def forward(self, x):
        hidden = np.tanh(x @ self.w[0] + self.b[0])
        return hidden, hidden @ self.w[1] + self.b[1]

    def step(self, x, target, rate, momentum):
        hidden, out = self.forward(x)
        error = out[:, 0] - target
        g1 = hidden.T @ error[:, None] / len(x)
        back = (error[:, None] * self.w[1].T) * (1.0 - hidden**2)
        g0 = x.T @ back / len(x)
        for k, gradient in enumerate((g0, g1)):
            self.velocity[k] = momentum * self.velocity[k] - rate * gradient
            self.w[k] = self.w[k] + self.velocity[k]
        self.b[0] -= rate * back.mean(axis=0)
        self.b[1] -= rate * error.mean()
        self.steps += 1
        return 0.5 * np.mean(error**2)


@program(X, TARGETS, 6, 30)
def network_with_momentum(x, target, epochs, batch):
    rng = np.random.default_rng(1)
    net = Network((x.shape[1], 8, 1), rng)
    losses = []
    best = np.inf
    for epoch in range(epochs):
        order = rng.permutation(len(x))
        running = []
        for start in range(0, len(x), batch):
            rows = order[start : start + batch]
            running.append(net.step(x[rows], target[rows], 0.05, 0.9))
        loss = float(np.mean(running))
        losses.append(loss)
        if loss < best:
            best = loss
        if (epoch + 1) % 5 == 0:
            print("epoch", epoch + 1, "best", round(best, 6))
    return net.w, net.b, net.steps, losses, best


@program(X, (Y > 0).astype(float), 7)
def logistic_with_adam(x, y, epochs):
    rng = np.random.default_rng(2)
    params = {"w": rng.normal(size=x.shape[1]), "b": np.zeros(1)}
    m = {name: np.zeros_like(value) for name, value in params.items()}
    v = {name: np.zeros_like(value) for name, value in params.items()}
    history = defaultdict(list)
    t = 0
    for epoch in range(epochs):
        for rows in np.array_split(rng.permutation(len(x)), 4):
            t += 1
            p = 1.0 / (1.0 + np.exp(-(x[rows] @ params["w"] + params["b"])))
            error = p - y[rows]
            grads = {"w": x[rows].T @ error / len(rows), "b": np.array([error.mean()])}
            for name in params:
                g = grads[name]
                m[name] = 0.9 * m[name] + 0.1 * g
                v[name] = 0.999 * v[name] + 0.001 * g * g
                m_hat = m[name] / (1.0 - 0.9**t)
                v_hat = v[name] / (1.0 - 0.999**t)
                params[name] -= 0.05 * m_hat / (np.sqrt(v_hat) + 1e-8)
        p = 1.0 / (1.0 + np.exp(-(x @ params["w"] + params["b"])))
        loss = -np.mean(y * np.log(p + 1e-12) + (1.0 - y) * np.log(1.0 - p + 1e-12))
        history["loss"].append(loss)
        history["norm"].append(np.linalg.norm(params["w"]))
        if epoch % 5 == 0:
            print(f"{epoch:3d} {loss:.5f}")
    return params, dict(history)


@program(X, TARGETS, 30, 3)
def early_stopping(x, target, epochs, patience):
    rng = np.random.default_rng(3)
    order = rng.permutation(len(x))
    train, valid = order[20:], order[:20]
    w = np.zeros(x.shape[1])
    b = 0.0
    best, best_w, best_b, waited = float("inf"), w.copy(), b, 0
    log = {"train": [], "valid": [], "rate": []}
    rate = 0.1
    for epoch in range(epochs):
        shuffled = rng.permutation(train)
        for start in range(0, len(shuffled), 10):
            rows = shuffled[start : start + 10]
            error = x[rows] @ w + b - target[rows]
            w = w - rate * (x[rows].T @ error / len(rows) + 0.01 * w)
            b = b - rate * error.mean()
        train_loss = np.mean((x[train] @ w + b - target[train]) ** 2)
        valid_loss = np.mean((x[valid] @ w + b - target[valid]) ** 2)
        log["train"].append(train_loss)
        log["valid"].append(valid_loss)
        log["rate"].append(rate)
        if valid_loss < best - 1e-4:
            best, best_w, best_b, waited = valid_loss, w.copy(), b, 0
        else:
            waited += 1
            rate *= 0.5
            if waited >= patience:
                print("stopped at epoch", epoch)
                break
        if epoch % 10 == 0:
            print("epoch %d: %.5f %.5f" % (epoch, train_loss, valid_loss))
    return best_w, best_b, best, log
