"""A transformer decoder generates tokens: keys and values are kept in lists that grow."""

import argparse

import numpy as np

HOT = ["layer_norm", "gelu", "softmax", "Attention.step", "Block.step", "Decoder.step"]
SMALL = ["--tokens", "5", "--width", "16", "--layers", "1", "--prompts", "1"]


def layer_norm(x, gain, bias, tiny=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(variance + tiny) + bias


def gelu(x):
    return 0.5 * x * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (x + 0.044715 * x**3)))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Linear:
    def __init__(self, inputs, outputs, rng):
        self.w = (rng.standard_normal((inputs, outputs)) / np.sqrt(inputs)).astype(np.float32)
        self.b = np.zeros(outputs, dtype=np.float32)

    def __call__(self, x):
        return x @ self.w + self.b


class Attention:
    def __init__(self, width, heads, rng):
        self.heads = heads
        self.size = width // heads
        self.mix = Linear(width, 3 * width, rng)
        self.out = Linear(width, width, rng)
        self.clear()

    def clear(self):
        self.keys = []
        self.values = []

    def step(self, x):
        """One more token; all before it are looked at."""
        q, k, v = np.split(self.mix(x), 3)
        self.keys.append(k.reshape(self.heads, self.size))
        self.values.append(v.reshape(self.heads, self.size))
        keys = np.stack(self.keys, axis=1)
        values = np.stack(self.values, axis=1)
        q = q.reshape(self.heads, 1, self.size)
        scores = (q * keys).sum(axis=2) / np.sqrt(np.float32(self.size))
        shares = softmax(scores)
        seen = (shares[:, :, None] * values).sum(axis=1)
        return self.out(seen.reshape(-1))


class Block:
    def __init__(self, width, heads, rng):
        self.attention = Attention(width, heads, rng)
        self.up = Linear(width, 4 * width, rng)
        self.down = Linear(4 * width, width, rng)
        self.gains = [np.ones(width, dtype=np.float32) for _ in range(2)]
        self.biases = [np.zeros(width, dtype=np.float32) for _ in range(2)]

    def step(self, x):
        x = x + self.attention.step(layer_norm(x, self.gains[0], self.biases[0]))
        return x + self.down(gelu(self.up(layer_norm(x, self.gains[1], self.biases[1]))))


class Decoder:
    def __init__(self, vocabulary, width, heads, layers, rng):
        self.embedding = (0.5 * rng.standard_normal((vocabulary, width))).astype(np.float32)
        self.blocks = [Block(width, heads, rng) for _ in range(layers)]
        self.gain = np.ones(width, dtype=np.float32)
        self.bias = np.zeros(width, dtype=np.float32)
        place = np.arange(1024)[:, None] / 10000.0 ** (np.arange(0, width, 2) / width)
        self.places = np.concatenate([np.sin(place), np.cos(place)], axis=1).astype(np.float32)

    def clear(self):
        for block in self.blocks:
            block.attention.clear()

    def step(self, token, position):
        x = self.embedding[token] + self.places[position]
        for block in self.blocks:
            x = block.step(x)
        return layer_norm(x, self.gain, self.bias) @ self.embedding.T


def picked(scores, temperature, best, rng):
    """One of the best tokens, by their shares."""
    candidates = np.argsort(scores)[-best:]
    shares = softmax(scores[candidates].astype(np.float64) / temperature)
    return int(rng.choice(candidates, p=shares))


def main():
    parser = argparse.ArgumentParser(description="a decoder that babbles")
    parser.add_argument("--tokens", type=int, default=260)
    parser.add_argument("--prompts", type=int, default=5)
    parser.add_argument("--width", type=int, default=96)
    parser.add_argument("--heads", type=int, default=4)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--save")
    args = parser.parse_args()

    rng = np.random.default_rng(19)
    decoder = Decoder(200, args.width, args.heads, args.layers, rng)
    written, last = [], []
    for prompt in range(args.prompts):
        decoder.clear()
        tokens = [int(k) for k in rng.integers(0, 200, 6)]
        for position, token in enumerate(tokens):
            scores = decoder.step(token, position)
        while len(tokens) < args.tokens:
            token = picked(scores, 1.6, 20, rng)
            tokens.append(token)
            scores = decoder.step(token, len(tokens) - 1)
        written.append(tokens)
        last.append(scores)
        print(f"prompt {prompt}:", " ".join(f"{k:02x}" for k in tokens[:24]), f"{scores.max():.6f}")
    kinds = np.unique(np.concatenate([np.array(tokens) for tokens in written]))
    print(f"{len(kinds)} kinds of tokens, {sum(map(len, written))} in all")
    if args.save:
        np.savez(args.save, scores=np.array(last), tokens=np.concatenate(written))


if __name__ == "__main__":
    main()
