"""Options whose price depends on the path, by simulation: barriers, means, early exercise."""

import argparse

import numpy as np

HOT = ["Market.paths", "european", "asian", "knocked_out", "lookback", "american", "estimate"]
SMALL = ["--paths", "200", "--steps", "8", "--batches", "2"]


class Market:
    """Prices that wander, with a volatility that wanders too."""

    def __init__(self, spot, rate, volatility, pull, jitter, correlation):
        self.spot = spot
        self.rate = rate
        self.volatility = volatility
        self.pull = pull
        self.jitter = jitter
        self.correlation = correlation

    def paths(self, rng, count, steps, years):
        dt = years / steps
        root = np.sqrt(dt)
        price = np.full(count, self.spot)
        variance = np.full(count, self.volatility**2)
        along = np.empty((steps + 1, count))
        along[0] = price
        other = np.sqrt(1.0 - self.correlation**2)
        for k in range(steps):
            first = rng.standard_normal(count)
            second = self.correlation * first + other * rng.standard_normal(count)
            positive = np.maximum(variance, 0.0)
            deviation = np.sqrt(positive)
            price = price * np.exp((self.rate - 0.5 * positive) * dt + deviation * root * first)
            variance = (
                variance
                + self.pull * (self.volatility**2 - positive) * dt
                + self.jitter * deviation * root * second
            )
            along[k + 1] = price
        return along


def european(along, strike):
    return np.maximum(along[-1] - strike, 0.0)


def asian(along, strike):
    return np.maximum(along[1:].mean(axis=0) - strike, 0.0)


def knocked_out(along, strike, barrier):
    alive = along.max(axis=0) < barrier
    return np.where(alive, np.maximum(along[-1] - strike, 0.0), 0.0)


def lookback(along, _strike):
    return along[-1] - along.min(axis=0)


def american(along, strike, rate, dt):
    """A put that may be exercised early: what waiting is worth is a parabola of the price."""
    steps = len(along) - 1
    worth = np.maximum(strike - along[-1], 0.0)
    discount = np.exp(-rate * dt)
    for k in range(steps - 1, 0, -1):
        worth = worth * discount
        price = along[k]
        now = np.maximum(strike - price, 0.0)
        inside = now > 0.0
        if inside.sum() < 10:
            continue
        x = price[inside] / strike
        basis = np.stack([np.ones_like(x), x, x * x], axis=1)
        factors = np.linalg.solve(basis.T @ basis, basis.T @ worth[inside])
        waiting = basis @ factors
        chosen = worth[inside]
        better = now[inside] > waiting
        chosen[better] = now[inside][better]
        worth[inside] = chosen
    return worth * discount


def estimate(samples):
    """Mean, and the deviation of the mean."""
    return samples.mean(), samples.std(ddof=1) / np.sqrt(len(samples))


def main():
    parser = argparse.ArgumentParser(description="Monte Carlo prices")
    parser.add_argument("--paths", type=int, default=8000)
    parser.add_argument("--steps", type=int, default=64)
    parser.add_argument("--batches", type=int, default=24)
    parser.add_argument("--years", type=float, default=1.0)
    parser.add_argument("--save")
    args = parser.parse_args()

    market = Market(100.0, 0.03, 0.22, 2.0, 0.4, -0.6)
    strike, barrier = 102.0, 135.0
    discount = np.exp(-market.rate * args.years)
    contracts = {
        "european": lambda along: discount * european(along, strike),
        "asian": lambda along: discount * asian(along, strike),
        "knocked out": lambda along: discount * knocked_out(along, strike, barrier),
        "lookback": lambda along: discount * lookback(along, strike),
        "american put": lambda along: american(along, strike, market.rate, args.years / args.steps),
    }
    found = {name: [] for name in contracts}
    for batch in range(args.batches):
        rng = np.random.default_rng([99, batch])
        along = market.paths(rng, args.paths, args.steps, args.years)
        for name, contract in contracts.items():
            found[name].append(estimate(contract(along)))
    prices = np.array([found[name] for name in contracts])
    for name, values in zip(contracts, prices):
        mean, error = values[:, 0].mean(), np.sqrt((values[:, 1] ** 2).sum()) / len(values)
        print(f"{name:13} {mean:12.9f} +- {error:.9f}")
    if args.save:
        np.savez(args.save, prices=prices, last=along[-1])


if __name__ == "__main__":
    main()
