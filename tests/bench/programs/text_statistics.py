"""Words of a text that is made here: counts, neighbours, distances. Calls, strings and dicts;
NumPy is imported for a few lines at the end."""

import argparse
import random
import re
from collections import Counter, defaultdict

import numpy as np

HOT = ["stem", "distance", "sentences", "Index.add", "Index.near"]
SMALL = ["--words", "300"]

STARTS = "br cr st tr pl gr w m n l s t v d f h k".split()
MIDDLES = "a e i o u ea ou ai oo".split()
ENDS = "n r st ll ck m nd ng t sh ves rd".split()
SUFFIXES = ("ing", "ed", "er", "ly", "s", "ness", "")


def word(rnd):
    return rnd.choice(STARTS) + rnd.choice(MIDDLES) + rnd.choice(ENDS)


def text(count, rnd):
    stock = [word(rnd) for _ in range(180)]
    out, length = [], 0
    for _ in range(count):
        one = stock[min(int(rnd.expovariate(0.03)), len(stock) - 1)] + rnd.choice(SUFFIXES)
        length += 1
        if length == 1:
            one = one.capitalize()
        if length > 5 and rnd.random() < 0.18:
            one += rnd.choice(".!?")
            length = 0
        elif rnd.random() < 0.08:
            one += ","
        out.append(one)
    return " ".join(out) + "."


def sentences(body):
    for piece in re.split(r"(?<=[.!?]) ", body):
        yield [normal(token) for token in piece.split()]


def normal(token):
    return token.strip(".,!?").lower()


def stem(token):
    for suffix in SUFFIXES:
        if suffix and token.endswith(suffix) and len(token) - len(suffix) >= 3:
            return stem(token[: -len(suffix)])
    return token


def distance(a, b):
    """Return the number of letters to change, add or leave out."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            change = diagonal + (x != y)
            diagonal = row[j]
            row[j] = min(change, row[j] + 1, row[j - 1] + 1)
    return row[-1]


class Index:
    def __init__(self):
        self.places = defaultdict(list)
        self.pairs = Counter()

    def add(self, number, tokens):
        for position, token in enumerate(tokens):
            self.places[token].append((number, position))
        for left, right in zip(tokens, tokens[1:]):
            self.pairs[left, right] += 1

    def near(self, token, most):
        found = []
        for other in self.places:
            if other != token and abs(len(other) - len(token)) <= most:
                d = distance(token, other)
                if d <= most:
                    found.append((d, other))
        return sorted(found)

    @property
    def size(self):
        return sum(map(len, self.places.values()))


def syllables(token):
    return len(re.findall(r"[aeiou]+", token)) or 1


def main():
    parser = argparse.ArgumentParser(description="statistics of a text")
    parser.add_argument("--words", type=int, default=120000)
    parser.add_argument("--seed", type=int, default=6)
    parser.add_argument("--save")
    args = parser.parse_args()

    rnd = random.Random(args.seed)
    body = text(args.words, rnd)
    index = Index()
    lengths, hard = [], []
    for number, tokens in enumerate(sentences(body)):
        stems = [stem(token) for token in tokens]
        index.add(number, stems)
        lengths.append(len(tokens))
        hard.append(sum(syllables(token) > 2 for token in tokens))
    counts = Counter({token: len(places) for token, places in index.places.items()})
    print(f"{index.size} words, {len(counts)} stems, {len(lengths)} sentences")
    for token, count in counts.most_common(5):
        close = ", ".join(other for _, other in index.near(token, 1)[:5])
        print(f"{token:8} {count:6d}  like {close}")
    print("pairs", index.pairs.most_common(3))

    ranks = np.arange(1, len(counts) + 1)
    frequencies = np.array(sorted(counts.values(), reverse=True), dtype=float)
    slope, offset = np.polyfit(np.log(ranks), np.log(frequencies), 1)
    print(
        f"Zipf: {slope:.9f} {offset:.9f}; sentences {np.mean(lengths):.6f} +- {np.std(lengths):.6f}"
    )
    print(f"hard words a sentence {np.mean(hard):.6f}")
    if args.save:
        np.savez(args.save, frequencies=frequencies, lengths=lengths, hard=hard)


if __name__ == "__main__":
    main()
