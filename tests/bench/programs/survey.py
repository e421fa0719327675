"""A survey is read, cleaned and summed up: many different calls of NumPy, each made a few times.

Nothing here is worth compiling: no line runs often.
"""

import argparse
import io

import numpy as np

HOT = ["standardised", "grouped", "bootstrap", "regression"]
SMALL = ["--people", "120", "--draws", "5"]

REGIONS = np.array(["north", "east", "south", "west", "islands"])


def written(people, rng):
    """The survey as text, with gaps."""
    age = rng.integers(18, 85, people)
    region = rng.choice(len(REGIONS), people, p=[0.3, 0.25, 0.2, 0.2, 0.05])
    hours = np.clip(rng.normal(36, 9, people) - 0.2 * np.maximum(age - 60, 0), 0, 70)
    income = np.exp(rng.normal(7.4, 0.4, people)) * (0.4 + hours / 50) * (1 + 0.05 * region)
    happy = np.clip(np.round(5 + 0.6 * np.log(income / 1500) + rng.normal(0, 1.5, people)), 0, 10)
    gaps = rng.random(people) < 0.04
    file = io.StringIO()
    file.write("age,region,hours,income,happy\n")
    for k in range(people):
        shown = "" if gaps[k] else f"{income[k]:.2f}"
        file.write(f"{age[k]},{REGIONS[region[k]]},{hours[k]:.1f},{shown},{happy[k]:.0f}\n")
    return file.getvalue()


def read(text):
    rows = [line.split(",") for line in text.splitlines()[1:]]
    return {
        "age": np.array([int(row[0]) for row in rows]),
        "region": np.array([row[1] for row in rows]),
        "hours": np.array([float(row[2]) for row in rows]),
        "income": np.array([float(row[3]) if row[3] else np.nan for row in rows]),
        "happy": np.array([int(row[4]) for row in rows]),
    }


def filled(values, groups):
    """Gaps get the median of their group."""
    out = values.copy()
    for name in np.unique(groups):
        mine = groups == name
        out[mine & np.isnan(values)] = np.nanmedian(values[mine])
    return out


def standardised(x):
    return (x - x.mean()) / x.std()


def grouped(values, groups, function):
    return {str(name): float(function(values[groups == name])) for name in np.unique(groups)}


def gini(x):
    x = np.sort(x)
    n = len(x)
    return 2.0 * np.sum(np.arange(1, n + 1) * x) / (n * x.sum()) - (n + 1.0) / n


def regression(y, columns):
    x = np.column_stack([np.ones(len(y)), *columns])
    factors, *_ = np.linalg.lstsq(x, y, rcond=None)
    rest = y - x @ factors
    variance = rest @ rest / (len(y) - x.shape[1])
    errors = np.sqrt(np.diag(variance * np.linalg.inv(x.T @ x)))
    return factors, errors, 1.0 - rest.var() / y.var()


def bootstrap(x, statistic, draws, rng):
    found = np.array([statistic(x[rng.integers(0, len(x), len(x))]) for _ in range(draws)])
    return np.percentile(found, [2.5, 97.5])


def histogram(x, bins, width=40):
    counts, edges = np.histogram(x, bins=bins)
    lines = []
    for k, count in enumerate(counts):
        bar = "#" * int(round(width * count / max(counts.max(), 1)))
        lines.append(f"{edges[k]:10.1f} {count:6d} {bar}")
    return "\n".join(lines)


def crossed(a, b):
    names_a, index_a = np.unique(a, return_inverse=True)
    names_b, index_b = np.unique(b, return_inverse=True)
    table = np.zeros((len(names_a), len(names_b)), dtype=int)
    np.add.at(table, (index_a, index_b), 1)
    expected = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / table.sum()
    return table, np.sum((table - expected) ** 2 / np.maximum(expected, 1e-9))


def main():
    parser = argparse.ArgumentParser(description="a survey")
    parser.add_argument("--people", type=int, default=60000)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--save")
    args = parser.parse_args()
    rng = np.random.default_rng(2024)
    data = read(written(args.people, rng))
    print(f"{len(data['age'])} people, {np.isnan(data['income']).sum()} without an income")
    income = filled(data["income"], data["region"])
    for name, function in (("mean", np.mean), ("median", np.median), ("gini", gini)):
        print(name, {k: round(v, 6) for k, v in grouped(income, data["region"], function).items()})
    print(histogram(np.log10(income), 12))
    factors, errors, share = regression(
        standardised(data["happy"].astype(float)),
        [standardised(np.log(income)), standardised(data["hours"]), standardised(data["age"])],
    )
    print("factors", factors.round(9), "errors", errors.round(9), f"explains {share:.9f}")
    old = np.digitize(data["age"], [30, 45, 60, 75])
    table, chi = crossed(old, data["happy"] // 3)
    print(table, f"{chi:.9f}")
    low, high = bootstrap(income, np.median, args.draws, rng)
    print(f"median {np.median(income):.6f}, {low:.6f} to {high:.6f}")
    ranks = [np.argsort(np.argsort(column)) for column in (income, data["hours"], data["happy"])]
    print(np.corrcoef(ranks).round(9))
    if args.save:
        np.savez(args.save, income=income, factors=factors, table=table, limits=[low, high])


if __name__ == "__main__":
    main()
