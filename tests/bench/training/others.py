"""Learning of other kinds: clusters, mistakes, rewards, states that are carried on."""

from __future__ import annotations

import numpy as np
from training_programs import points, program

X, Y = points()


@program(X, 3, 7, 12)
def minibatch_kmeans(x, k, iterations, batch):
    rng = np.random.default_rng(4)
    centres = x[rng.choice(len(x), k, replace=False)].copy()
    counts = np.zeros(k)
    inertia = []
    for iteration in range(iterations):
        rows = rng.choice(len(x), batch, replace=False)
        distance = ((x[rows][:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        nearest = distance.argmin(axis=1)
        for row, c in zip(rows, nearest):
            counts[c] += 1.0
            rate = 1.0 / counts[c]
            centres[c] = (1.0 - rate) * centres[c] + rate * x[row]
        inertia.append(distance.min(axis=1).sum())
        if iteration % 5 == 0:
            print(iteration, f"{inertia[-1]:.3f}")
        if len(inertia) > 3 and abs(inertia[-1] - inertia[-2]) < 1e-3:
            break
    return centres, counts, inertia


@program(X, np.where(Y > 0, 1.0, -1.0), 6)
def averaged_perceptron(x, y, epochs):
    rng = np.random.default_rng(5)
    w, averaged = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    bias, seen = 0.0, 0
    mistakes = {"count": [], "share": []}
    for epoch in range(epochs):
        wrong = 0
        for i in rng.permutation(len(x)):
            margin = y[i] * (np.dot(w, x[i]) + bias)
            if margin <= 0.0:
                w = w + y[i] * x[i]
                bias += y[i]
                wrong += 1
            averaged += w
            seen += 1
        mistakes["count"].append(wrong)
        mistakes["share"].append(wrong / len(x))
        if epoch % 5 == 0:
            print(f"epoch={epoch} mistakes={wrong}")
        if wrong == 0:
            break
    return averaged / seen, bias, mistakes


@program(np.sin(np.arange(60.0) * 0.3), 6, 6)
def recurrent_network(series, hidden, epochs):
    rng = np.random.default_rng(6)
    wx = rng.normal(size=hidden) * 0.3
    wh = rng.normal(size=(hidden, hidden)) * 0.3
    wo = rng.normal(size=hidden) * 0.3
    losses, norms = [], []
    for epoch in range(epochs):
        total = 0.0
        starts = rng.permutation(np.arange(0, len(series) - 11, 10))
        for s in starts:
            states = [np.zeros(hidden)]
            errors = []
            for t in range(10):
                states.append(np.tanh(wx * series[s + t] + wh @ states[-1]))
                errors.append(wo @ states[-1] - series[s + t + 1])
            gx, gh, go = np.zeros_like(wx), np.zeros_like(wh), np.zeros_like(wo)
            carried = np.zeros(hidden)
            for t in reversed(range(10)):
                go += errors[t] * states[t + 1]
                d = (errors[t] * wo + carried) * (1.0 - states[t + 1] ** 2)
                gx += d * series[s + t]
                gh += np.outer(d, states[t])
                carried = wh.T @ d
            norm = np.sqrt((gx**2).sum() + (gh**2).sum() + (go**2).sum())
            scale = 0.05 * min(1.0, 5.0 / (norm + 1e-12))
            wx -= scale * gx
            wh -= scale * gh
            wo -= scale * go
            total += sum(e * e for e in errors)
            norms.append(norm)
        losses.append(total)
        if epoch % 5 == 0:
            print("epoch", epoch, "loss", f"{total:.4f}")
    return wx, wh, wo, losses, norms


@program(15)
def q_learning(episodes):
    rng = np.random.default_rng(8)
    q = np.zeros((12, 2))
    history = {"reward": [], "length": [], "epsilon": []}
    epsilon = 1.0
    for episode in range(episodes):
        state, total, length = 0, 0.0, 0
        while state != 11 and length < 60:
            if rng.random() < epsilon:
                action = int(rng.integers(2))
            else:
                action = int(np.argmax(q[state]))
            following = min(state + 1, 11) if action else max(state - 1, 0)
            reward = 1.0 if following == 11 else -0.01
            q[state, action] += 0.3 * (reward + 0.95 * q[following].max() - q[state, action])
            state = following
            total += reward
            length += 1
        epsilon = max(0.05, epsilon * 0.9)
        history["reward"].append(total)
        history["length"].append(length)
        history["epsilon"].append(epsilon)
        if episode % 10 == 0:
            print(f"episode {episode}: reward {total:.2f} in {length} steps")
    return q, history


@program(6, 5, 6)
def matrix_factors(users, items, epochs):
    rng = np.random.default_rng(9)
    pairs = [(u, i) for u in range(users) for i in range(items) if (u + i) % 3]
    ratings = [(u, i, float((u * i) % 5)) for u, i in pairs]
    p, q = rng.normal(size=(users, 3)) * 0.1, rng.normal(size=(items, 3)) * 0.1
    mean = np.mean([r for _, _, r in ratings])
    rmse = []
    for epoch in range(epochs):
        squares = 0.0
        for j in rng.permutation(len(ratings)):
            u, i, r = ratings[j]
            e = r - (mean + p[u] @ q[i])
            squares += e * e
            pu = p[u].copy()
            p[u] += 0.05 * (e * q[i] - 0.02 * p[u])
            q[i] += 0.05 * (e * pu - 0.02 * q[i])
        rmse.append(np.sqrt(squares / len(ratings)))
        if epoch % 5 == 0:
            print(f"epoch {epoch}: rmse {rmse[-1]:.4f}")
    return p, q, rmse
