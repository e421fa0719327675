"""Covariance matrix adaptation: an evolution strategy on four test functions."""

import argparse

import numpy as np

HOT = ["Strategy.ask", "Strategy.tell", "rosenbrock", "ellipsoid", "rastrigin", "ackley"]
SMALL = ["--generations", "8", "--dimension", "5"]


def rosenbrock(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def ellipsoid(x):
    n = len(x)
    return np.sum(1e4 ** (np.arange(n) / (n - 1)) * x**2)


def rastrigin(x):
    return 10.0 * len(x) + np.sum(x * x - 10.0 * np.cos(2.0 * np.pi * x))


def ackley(x):
    n = len(x)
    far = np.exp(-0.2 * np.sqrt(np.sum(x**2) / n))
    near = np.exp(np.sum(np.cos(2.0 * np.pi * x)) / n)
    return 20.0 - 20.0 * far + np.e - near


class Strategy:
    def __init__(self, start, sigma, rng):
        n = len(start)
        self.rng = rng
        self.n = n
        self.mean = np.array(start, dtype=float)
        self.sigma = sigma
        self.count = 4 + int(3 * np.log(n))
        parents = self.count // 2
        raw = np.log(parents + 0.5) - np.log(np.arange(1, parents + 1))
        self.weights = raw / raw.sum()
        self.mass = 1.0 / np.sum(self.weights**2)
        self.c_cov = (4 + self.mass / n) / (n + 4 + 2 * self.mass / n)
        self.c_sigma = (self.mass + 2) / (n + self.mass + 5)
        self.c_one = 2 / ((n + 1.3) ** 2 + self.mass)
        self.c_mu = min(
            1 - self.c_one, 2 * (self.mass - 2 + 1 / self.mass) / ((n + 2) ** 2 + self.mass)
        )
        self.damping = 1 + 2 * max(0, np.sqrt((self.mass - 1) / (n + 1)) - 1) + self.c_sigma
        self.path_cov = np.zeros(n)
        self.path_sigma = np.zeros(n)
        self.covariance = np.eye(n)
        self.basis = np.eye(n)
        self.scales = np.ones(n)
        self.root = np.eye(n)
        self.expected = np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self.generation = 0

    def ask(self):
        offspring = []
        for _ in range(self.count):
            z = self.rng.standard_normal(self.n)
            offspring.append(self.mean + self.sigma * (self.basis @ (self.scales * z)))
        return offspring

    def tell(self, offspring, costs):
        self.generation += 1
        order = np.argsort(costs)
        best = np.array([offspring[k] for k in order[: len(self.weights)]])
        before = self.mean
        self.mean = self.weights @ best
        moved = (self.mean - before) / self.sigma

        self.path_sigma = (1 - self.c_sigma) * self.path_sigma + np.sqrt(
            self.c_sigma * (2 - self.c_sigma) * self.mass
        ) * (self.root @ moved)
        length = np.linalg.norm(self.path_sigma)
        bound = np.sqrt(1 - (1 - self.c_sigma) ** (2 * self.generation))
        steady = length / bound < (1.4 + 2 / (self.n + 1)) * self.expected
        self.path_cov = (1 - self.c_cov) * self.path_cov
        if steady:
            self.path_cov += np.sqrt(self.c_cov * (2 - self.c_cov) * self.mass) * moved

        steps = (best - before) / self.sigma
        rank_one = np.outer(self.path_cov, self.path_cov)
        rank_mu = (self.weights[:, None] * steps).T @ steps
        left = 1 - self.c_one - self.c_mu
        self.covariance = left * self.covariance + self.c_one * rank_one + self.c_mu * rank_mu
        self.sigma *= np.exp((self.c_sigma / self.damping) * (length / self.expected - 1))
        if self.generation % 3 == 0:
            self.covariance = np.triu(self.covariance) + np.triu(self.covariance, 1).T
            values, self.basis = np.linalg.eigh(self.covariance)
            self.scales = np.sqrt(np.maximum(values, 1e-20))
            self.root = (self.basis / self.scales) @ self.basis.T


def main():
    parser = argparse.ArgumentParser(description="CMA-ES")
    parser.add_argument("--generations", type=int, default=1500)
    parser.add_argument("--dimension", type=int, default=24)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--save")
    args = parser.parse_args()

    results = {}
    for number, function in enumerate((rosenbrock, ellipsoid, rastrigin, ackley)):
        rng = np.random.default_rng(args.seed + number)
        strategy = Strategy(rng.uniform(-2, 2, args.dimension), 0.6, rng)
        best = []
        for _ in range(args.generations):
            offspring = strategy.ask()
            costs = [function(one) for one in offspring]
            strategy.tell(offspring, costs)
            best.append(min(costs))
            if min(costs) < 1e-11:
                break
        results[function.__name__] = np.array(best)
        print(
            f"{function.__name__:10} {len(best):4d} generations, best {min(best):.6e}, "
            f"sigma {strategy.sigma:.6e}, mean {strategy.mean[:3].round(8)}"
        )
    if args.save:
        np.savez(args.save, **results)


if __name__ == "__main__":
    main()
