"""A recurrent network learns to write: one character at a time, Adagrad, text of its own making."""

import argparse

import numpy as np

HOT = ["Cell.run", "Cell.slopes", "Cell.write", "adagrad"]
SMALL = ["--rounds", "6", "--hidden", "12"]

WORDS = (
    "the river runs along the old stone wall and under a bridge of oak where the miller keeps "
    "his boat; in spring the water rises and he moves it to the barn, in autumn he paints it "
    "green and waits for the first frost"
).split()


def story(length, rng):
    words = [WORDS[k] for k in rng.integers(0, len(WORDS), length)]
    return " ".join(words)


class Cell:
    def __init__(self, letters, hidden, rng):
        self.letters = letters
        self.hidden = hidden
        self.parameters = {
            "input": rng.normal(0, 0.08, (hidden, letters)),
            "self": rng.normal(0, 0.08, (hidden, hidden)),
            "output": rng.normal(0, 0.08, (letters, hidden)),
            "bias": np.zeros((hidden, 1)),
            "bias_out": np.zeros((letters, 1)),
        }

    def run(self, state, inputs, targets):
        """Hidden states, shares and loss of a piece of text."""
        p = self.parameters
        states, shares = {-1: state}, {}
        loss = 0.0
        for t in range(len(inputs)):
            one_hot = np.zeros((self.letters, 1))
            one_hot[inputs[t]] = 1.0
            states[t] = np.tanh(p["input"] @ one_hot + p["self"] @ states[t - 1] + p["bias"])
            scores = p["output"] @ states[t] + p["bias_out"]
            e = np.exp(scores - np.max(scores))
            shares[t] = e / e.sum()
            loss -= np.log(shares[t][targets[t], 0])
        return states, shares, loss

    def slopes(self, states, shares, inputs, targets):
        """Back through time."""
        p = self.parameters
        g = {name: np.zeros_like(value) for name, value in p.items()}
        later = np.zeros((self.hidden, 1))
        for t in range(len(inputs) - 1, -1, -1):
            d = shares[t].copy()
            d[targets[t]] -= 1.0
            g["output"] += d @ states[t].T
            g["bias_out"] += d
            h = p["output"].T @ d + later
            raw = (1.0 - states[t] * states[t]) * h
            g["bias"] += raw
            g["input"][:, inputs[t]] += raw[:, 0]
            g["self"] += raw @ states[t - 1].T
            later = p["self"].T @ raw
        for value in g.values():
            np.clip(value, -4.0, 4.0, out=value)
        return g

    def write(self, state, first, count, rng):
        p = self.parameters
        one_hot = np.zeros((self.letters, 1))
        one_hot[first] = 1.0
        written = []
        for _ in range(count):
            state = np.tanh(p["input"] @ one_hot + p["self"] @ state + p["bias"])
            scores = p["output"] @ state + p["bias_out"]
            shares = np.exp(scores) / np.sum(np.exp(scores))
            letter = int(rng.choice(self.letters, p=shares.ravel()))
            one_hot = np.zeros((self.letters, 1))
            one_hot[letter] = 1.0
            written.append(letter)
        return written


def adagrad(parameters, slopes, memory, rate):
    for name, value in parameters.items():
        memory[name] += slopes[name] * slopes[name]
        value -= rate * slopes[name] / np.sqrt(memory[name] + 1e-8)


def main():
    parser = argparse.ArgumentParser(description="a network that writes")
    parser.add_argument("--rounds", type=int, default=1500)
    parser.add_argument("--hidden", type=int, default=56)
    parser.add_argument("--piece", type=int, default=20)
    parser.add_argument("--rate", type=float, default=0.08)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(8)
    text = story(900, rng)
    alphabet = sorted(set(text))
    number = {letter: k for k, letter in enumerate(alphabet)}
    cell = Cell(len(alphabet), args.hidden, rng)
    memory = {name: np.zeros_like(value) for name, value in cell.parameters.items()}
    state = np.zeros((args.hidden, 1))
    smooth = np.log(len(alphabet)) * args.piece
    at, curve = 0, []
    for step in range(args.rounds):
        if at + args.piece + 1 >= len(text):
            state, at = np.zeros((args.hidden, 1)), 0
        inputs = [number[c] for c in text[at : at + args.piece]]
        targets = [number[c] for c in text[at + 1 : at + args.piece + 1]]
        states, shares, loss = cell.run(state, inputs, targets)
        slopes = cell.slopes(states, shares, inputs, targets)
        adagrad(cell.parameters, slopes, memory, args.rate)
        state = states[len(inputs) - 1]
        smooth = 0.99 * smooth + 0.01 * loss
        curve.append(smooth)
        at += args.piece
        if (step + 1) % 300 == 0:
            sample = "".join(alphabet[k] for k in cell.write(state, inputs[0], 60, rng))
            print(f"{step + 1:4d} loss {smooth:.9f} | {sample}")
    if args.save:
        np.savez(args.save, curve=curve, **cell.parameters)


if __name__ == "__main__":
    main()
