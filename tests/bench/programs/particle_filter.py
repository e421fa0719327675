"""Localisation on a map by a particle filter that goes through its particles one by one."""

import argparse
import math

import numpy as np

HOT = ["Particle.move", "Particle.weigh", "Cloud.step", "Cloud.draw", "bell", "rotation"]
SMALL = ["--steps", "4", "--particles", "20"]


def rotation(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def bell(x, deviation):
    return math.exp(-0.5 * (x / deviation) ** 2) / (deviation * math.sqrt(2.0 * math.pi))


class Particle:
    """A guess of place and heading, and how good it is."""

    __slots__ = ("heading", "place", "weight")

    def __init__(self, place, heading, weight):
        self.place = place
        self.heading = heading
        self.weight = weight

    def move(self, forward, turn):
        self.heading += turn
        self.place = self.place + rotation(self.heading) @ forward

    def weigh(self, posts, ranges):
        weight = 1.0
        for post, measured in zip(posts, ranges):
            arm = post - self.place
            weight *= bell(measured - math.sqrt(arm @ arm), 1.2) + 1e-6
        self.weight *= weight


class Cloud:
    """All particles."""

    def __init__(self, count, size, rng):
        self.rng = rng
        self.particles = [
            Particle(rng.uniform(0, size, 2), rng.uniform(-math.pi, math.pi), 1.0 / count)
            for _ in range(count)
        ]
        self.drawn = 0

    def step(self, forward, turn, posts, ranges):
        for particle in self.particles:
            noise = self.rng.normal(0.0, 0.08, 3)
            particle.move(forward + noise[:2], turn + noise[2])
            particle.weigh(posts, ranges)
        total = sum(particle.weight for particle in self.particles)
        for particle in self.particles:
            particle.weight /= total
        spread = 1.0 / sum(particle.weight**2 for particle in self.particles)
        if spread < 0.5 * len(self.particles):
            self.draw()

    def draw(self):
        """As many again, by their weights, at even distances."""
        count = len(self.particles)
        sums = np.cumsum([particle.weight for particle in self.particles])
        sums[-1] = 1.0
        start = self.rng.uniform(0.0, 1.0 / count)
        fresh, at = [], 0
        for k in range(count):
            while sums[at] < start + k / count:
                at += 1
            old = self.particles[at]
            fresh.append(Particle(old.place.copy(), old.heading, 1.0 / count))
        self.particles = fresh
        self.drawn += 1

    def mean(self):
        place = np.zeros(2)
        for particle in self.particles:
            place = place + particle.weight * particle.place
        return place


def main():
    parser = argparse.ArgumentParser(description="particle filter")
    parser.add_argument("--particles", type=int, default=300)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--posts", type=int, default=5)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    size = 40.0
    posts = rng.uniform(0, size, (args.posts, 2))
    cloud = Cloud(args.particles, size, rng)
    place, heading = np.array([12.0, 9.0]), 0.4
    errors, guesses = [], []
    for step in range(args.steps):
        turn = 0.12 * math.sin(0.05 * step)
        forward = np.array([0.3, 0.0])
        heading += turn
        place = place + rotation(heading) @ forward
        ranges = np.sqrt(((posts - place) ** 2).sum(axis=1)) + rng.normal(0, 0.4, args.posts)
        cloud.step(forward, turn, posts, ranges)
        guess = cloud.mean()
        guesses.append(guess)
        errors.append(math.hypot(*(guess - place)))
        if (step + 1) % 60 == 0:
            print(f"step {step + 1}: off by {errors[-1]:.9f}, drawn anew {cloud.drawn} times")
    print(f"mean error of the second half {np.mean(errors[len(errors) // 2 :]):.9f}")
    if args.save:
        np.savez(args.save, errors=errors, guesses=guesses)


if __name__ == "__main__":
    main()
