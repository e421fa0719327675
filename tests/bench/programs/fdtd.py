"""Waves of light in two dimensions: a grid made of objects, each of which is told of each step."""

import argparse
import math

import numpy as np

HOT = ["Grid.update_electric", "Grid.update_magnetic", "Sponge.after", "Source.before",
       "Probe.after", "Slab.after", "curl_x", "curl_y"]  # fmt: skip
SMALL = ["--size", "24", "--steps", "10"]


def curl_x(field):
    return field[:, 1:] - field[:, :-1]


def curl_y(field):
    return field[1:, :] - field[:-1, :]


class Part:
    """A thing that stands in a grid."""

    def __init__(self):
        self.grid = None

    def placed(self, grid):
        self.grid = grid

    def before(self, step):
        pass

    def after(self, step):
        pass


class Source(Part):
    def __init__(self, row, column):
        super().__init__()
        self.row = row
        self.column = column

    def strength(self, step):
        raise NotImplementedError

    def before(self, step):
        self.grid.ez[self.row, self.column] += self.strength(step)


class Pulse(Source):
    def __init__(self, row, column, delay, width):
        super().__init__(row, column)
        self.delay = delay
        self.width = width

    def strength(self, step):
        return math.exp(-(((step - self.delay) / self.width) ** 2))


class Antenna(Source):
    def __init__(self, row, column, period):
        super().__init__(row, column)
        self.period = period

    def strength(self, step):
        return 0.3 * math.sin(2.0 * math.pi * step / self.period) * min(1.0, step / self.period)


class Slab(Part):
    """Glass, or a metal that conducts."""

    def __init__(self, rows, columns, permittivity=1.0, loss=0.0):
        super().__init__()
        self.where = (slice(*rows), slice(*columns))
        self.permittivity = permittivity
        self.loss = loss
        self.absorbed = 0.0

    def placed(self, grid):
        super().placed(grid)
        grid.inverse[self.where] = 1.0 / self.permittivity

    def after(self, step):
        if self.loss:
            inside = self.grid.ez[self.where]
            self.absorbed += self.loss * float((inside * inside).sum())
            inside *= 1.0 - self.loss


class Sponge(Part):
    """Takes up what comes near the border."""

    def __init__(self, thickness):
        super().__init__()
        self.thickness = thickness

    def placed(self, grid):
        super().placed(grid)
        n = grid.ez.shape[0]
        depth = np.maximum(self.thickness - np.minimum(np.arange(n), n - 1 - np.arange(n)), 0)
        profile = np.exp(-0.015 * (depth / 2.0) ** 2)
        self.factor = profile[:, None] * profile[None, :]

    def after(self, step):
        self.grid.ez *= self.factor
        self.grid.hx *= self.factor[:, :-1]
        self.grid.hy *= self.factor[:-1, :]


class Probe(Part):
    def __init__(self, row, column):
        super().__init__()
        self.row = row
        self.column = column
        self.heard = []

    def after(self, step):
        self.heard.append(self.grid.ez[self.row, self.column])


class Energy(Probe):
    """The energy of the whole grid."""

    def after(self, step):
        grid = self.grid
        electric = np.sum(grid.ez**2 / grid.inverse)
        self.heard.append(0.5 * (electric + np.sum(grid.hx**2) + np.sum(grid.hy**2)))


class Grid:
    def __init__(self, size, courant=0.6):
        self.courant = courant
        self.ez = np.zeros((size, size))
        self.hx = np.zeros((size, size - 1))
        self.hy = np.zeros((size - 1, size))
        self.inverse = np.ones((size, size))
        self.parts = []

    def add(self, *parts):
        for part in parts:
            part.placed(self)
            self.parts.append(part)

    def update_magnetic(self):
        self.hx -= self.courant * curl_x(self.ez)
        self.hy += self.courant * curl_y(self.ez)

    def update_electric(self):
        turn = curl_y(self.hy)[:, 1:-1] - curl_x(self.hx)[1:-1, :]
        self.ez[1:-1, 1:-1] += self.courant * self.inverse[1:-1, 1:-1] * turn

    def step(self, number):
        for part in self.parts:
            part.before(number)
        self.update_magnetic()
        self.update_electric()
        for part in self.parts:
            part.after(number)


def main():
    parser = argparse.ArgumentParser(description="FDTD")
    parser.add_argument("--size", type=int, default=160)
    parser.add_argument("--steps", type=int, default=2400)
    parser.add_argument("--save")
    args = parser.parse_args()

    n = args.size
    grid = Grid(n)
    probes = [Probe(n // 2, n // 4), Probe(n // 2, 3 * n // 4), Energy(0, 0)]
    metal = Slab((n // 8, n // 5), (n // 3, 2 * n // 3), loss=0.3)
    grid.add(
        Pulse(n // 2, n // 3, 30.0, 10.0),
        Antenna(n // 4, n // 4, 24.0),
        Slab((n // 3, 2 * n // 3), (n // 2, n // 2 + n // 8), permittivity=2.25),
        metal,
        Sponge(max(4, n // 12)),
        *probes,
    )
    for step in range(args.steps):
        grid.step(step)
        if (step + 1) % 400 == 0:
            heard = " ".join(f"{probe.heard[-1]:+.9f}" for probe in probes)
            print(f"step {step + 1}: {heard}")
    lines = np.array([probe.heard for probe in probes])
    spectrum = np.abs(np.fft.rfft(lines[0]))
    print(f"absorbed {metal.absorbed:.12f}, loudest frequency {spectrum[1:].argmax() + 1}")
    if args.save:
        np.savez(args.save, ez=grid.ez, hx=grid.hx, lines=lines)


if __name__ == "__main__":
    main()
