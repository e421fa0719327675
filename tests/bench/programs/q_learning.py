"""A courier in a town learns its ways: tabular Q-learning, with random.choice and dicts."""

import argparse
import random
from collections import defaultdict

import numpy as np

HOT = ["Town.step", "Learner.choose", "Learner.learn", "episode", "smoothed"]
SMALL = ["--episodes", "20"]

MOVES = {"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)}
PLAN = [
    "S...#......",
    ".##.#.####.",
    ".#....#..#.",
    ".#.##.#.##.",
    "...#..#....",
    "##.#.##.##.",
    "...#....#..",
    ".###.##.#.#",
    ".....#..#.G",
]


class Town:
    """A grid with walls, one way out, and slippery corners."""

    def __init__(self, plan, slip, rnd):
        self.rows, self.columns = len(plan), len(plan[0])
        self.walls = {(i, j) for i, row in enumerate(plan) for j, c in enumerate(row) if c == "#"}
        self.start = self.find(plan, "S")
        self.goal = self.find(plan, "G")
        self.slip = slip
        self.rnd = rnd

    @staticmethod
    def find(plan, sign):
        return next((i, row.index(sign)) for i, row in enumerate(plan) if sign in row)

    def step(self, place, action):
        if self.rnd.random() < self.slip:
            action = self.rnd.choice(list(MOVES))
        di, dj = MOVES[action]
        i, j = place[0] + di, place[1] + dj
        if not (0 <= i < self.rows and 0 <= j < self.columns) or (i, j) in self.walls:
            return place, -3.0, False
        if (i, j) == self.goal:
            return (i, j), 50.0, True
        return (i, j), -1.0, False


class Learner:
    def __init__(self, rate, discount, curiosity, rnd):
        self.values = defaultdict(lambda: np.zeros(len(MOVES)))
        self.names = list(MOVES)
        self.rate = rate
        self.discount = discount
        self.curiosity = curiosity
        self.rnd = rnd

    def choose(self, place):
        if self.rnd.random() < self.curiosity:
            return self.rnd.choice(self.names)
        values = self.values[place]
        best = np.flatnonzero(values == values.max())
        return self.names[self.rnd.choice(best.tolist())]

    def learn(self, place, action, reward, after, done):
        k = self.names.index(action)
        ahead = 0.0 if done else np.max(self.values[after])
        surprise = reward + self.discount * ahead - self.values[place][k]
        self.values[place][k] += self.rate * surprise
        return abs(surprise)


def episode(town, learner, longest):
    place, total, surprise = town.start, 0.0, 0.0
    for step in range(longest):
        action = learner.choose(place)
        after, reward, done = town.step(place, action)
        surprise += learner.learn(place, action, reward, after, done)
        total += reward
        place = after
        if done:
            break
    return total, step + 1, surprise


def smoothed(values, width):
    window = np.ones(width) / width
    return np.convolve(values, window, mode="valid")


def drawn(town, learner):
    lines = []
    for i in range(town.rows):
        line = ""
        for j in range(town.columns):
            if (i, j) in town.walls:
                line += "#"
            elif (i, j) == town.goal:
                line += "G"
            else:
                line += learner.names[int(np.argmax(learner.values[(i, j)]))][0]
        lines.append(line)
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description="Q-learning")
    parser.add_argument("--episodes", type=int, default=4000)
    parser.add_argument("--longest", type=int, default=250)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--save")
    args = parser.parse_args()

    rnd = random.Random(args.seed)
    town = Town(PLAN, 0.05, rnd)
    learner = Learner(0.2, 0.97, 0.4, rnd)
    totals, lengths, surprises = [], [], []
    for k in range(args.episodes):
        total, length, surprise = episode(town, learner, args.longest)
        totals.append(total)
        lengths.append(length)
        surprises.append(surprise / length)
        learner.curiosity = max(0.02, learner.curiosity * 0.997)
        if (k + 1) % 1000 == 0:
            print(
                f"{k + 1} episodes: {np.mean(totals[-100:]):.6f} in {np.mean(lengths[-100:]):.2f}"
            )
    curve = smoothed(np.array(totals), min(50, args.episodes))
    print(f"smooth {curve[0]:.9f} to {curve[-1]:.9f}; surprise {surprises[-1]:.9f}")
    print(drawn(town, learner))
    if args.save:
        table = np.array([learner.values[place] for place in sorted(learner.values)])
        np.savez(args.save, table=table, totals=totals, surprises=surprises)


if __name__ == "__main__":
    main()
