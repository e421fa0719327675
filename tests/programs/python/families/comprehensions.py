"""Comprehensions and generator expressions that are consumed on the spot."""

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)
A = np.linspace(-1, 1, 12).reshape(3, 4)


@program(X)
def list_of_arrays(x):
    y = x * 2
    rows = [y + k for k in range(3)]
    return rows, rows[0] - rows[2]


@program(A)
def over_the_rows(a):
    sums = [row.sum() for row in a]
    scaled = [row / s for row, s in zip(a, sums)]
    return np.array(sums) * 2, scaled


@program(A)
def with_a_condition(a):
    kept = [row * 2 for row in a if row.sum() > -1]
    return len(kept), sum(kept)


@program(X)
def nested_loops(x):
    pairs = [(i, j, x[i] * x[j]) for i in range(3) for j in range(i, 3) if i != 1]
    return pairs, x * len(pairs)


@program(X)
def nested_comprehension(x):
    table = [[x[i] + j for j in range(2)] for i in range(3)]
    return np.array(table) * 2


@program(X)
def dict_comprehension(x):
    y = x + 1
    powers = {f"p{k}": y**k for k in (1, 2, 3)}
    swapped = {v: k for k, v in {"a": 1, "b": 2}.items()}
    return powers["p2"] - powers["p1"], swapped, list(powers)


@program(np.array([3, 1, 3, 2, 1]))
def set_comprehension(x):
    y = x * 2
    seen = {int(v) for v in y}
    return sorted(seen), y + len(seen)


@program(X)
def with_a_walrus(x):
    y = x * 3
    found = [last := v for v in y if (w := v * 2) > 4]
    return found, last, w, y + last


@program(X, X * 2)
def over_zip_and_enumerate(x, y):
    mixed = [i * a - b for i, (a, b) in enumerate(zip(x, y), start=1)]
    return np.array(mixed) + x


@program(X, {"scale": 2.0, "shift": 1.0, "other": -1.0})
def over_dict_items(x, options):
    parts = [x * value for name, value in options.items() if name != "other"]
    return parts[0] + parts[1], {name.upper(): value * 2 for name, value in options.items()}


@program(X)
def loop_variable_does_not_leak(x):
    k = 10
    rows = [x + k for k in range(3)]
    return rows[0] * k, k


@program(X)
def first_iterable_is_evaluated_outside(x):
    k = 2
    rows = [x * k for k in range(k)]
    inner = [[k * j for j in range(k)] for k in range(k + 1)]
    return rows, inner


@program(X)
def order_of_evaluation(x):
    def say(word, value):
        print(word, end=" ")
        return value

    made = {say("key", k): say("value", x * k) for k in range(2) if say("test", True)}
    return sum(made.values()) + 1


@program(X)
def generator_in_sum(x):
    y = x * 2
    return sum(y * k for k in range(3)), sum((v for v in y), 10.0)


@program(X)
def generators_in_builtins(x):
    y = x - 1
    return (
        max(v for v in y),
        min(abs(v) for v in y),
        any(v > 0.5 for v in y),
        all(v < 10 for v in y),
        tuple(v * 2 for v in y),
        sorted((v for v in y), reverse=True),
    )


@program(X)
def any_stops_early(x):
    def positive(v):
        print("test", round(float(v), 2))
        return v > 0

    y = x * 2 - 2
    return any(positive(v) for v in y), y + 1


@program(X)
def fromiter(x):
    y = np.fromiter((v * v for v in x), float, count=len(x))
    return np.sqrt(y) - x


@program(X)
def next_of_a_generator_expression(x):
    y = x * 2
    return next(v for v in y if v > 2), next((v for v in y if v > 100), None), y + 1


@program(X)
def generator_expression_is_lazy(x):
    k = 2
    lazy = (print("item", i) or x * i * k for i in range(2))
    y = x + 1
    k = 5
    for part in lazy:
        y = y + part
    return y, list(lazy)


@program(A)
def comprehension_over_columns(a):
    return [col.max() - col.min() for col in a.T], np.stack([c[::-1] for c in a.T]) + 1


@program(X)
def comprehension_in_a_loop(x):
    total = x * 0
    for n in range(3):
        rows = [x * k for k in range(n)]
        total = total + sum(rows)
    return total, n


@program(X)
def exception_inside_a_comprehension(x):
    y = x * 2
    done = []
    try:
        rows = [done.append(k) or y[k : k + 2] / x[k] + [1, 2][k] for k in range(4)]
    except IndexError as error:
        return done, str(error), y + 1
    return rows


@program(X)
def exception_leaves_a_comprehension(x):
    y = x * 2
    return [y + np.ones(k) for k in (1, 6, 3)]


@program(X)
def comprehension_of_functions(x):
    made = {name: getattr(np, name) for name in ("sin", "cos")}
    return {name: f(x) * 2 for name, f in made.items()}


@program(X)
def starred_in_displays(x):
    rows = [x, *[x * k for k in (2, 3)], *(x + 1,)]
    total = {**{"a": x}, **{"b": rows[1]}, "a": rows[-1]}
    return len(rows), total["a"] + total["b"], [*total], {*total} == {"a", "b"}


@program(X)
def condition_uses_an_outer_function(x):
    def keep(v):
        return v > limit

    limit = x.mean()
    y = np.array([v * 2 for v in x if keep(v)])
    limit = 100
    return y, [v for v in x if keep(v)]


@program(X)
def comprehension_with_conditional_expression(x):
    return np.array([v if v > 1 else -v for v in x * 2]) + [k if k % 2 else 0 for k in range(6)]


@program(X)
def class_body_comprehension(x):
    class Table:
        sizes = [1, 2, 3]
        rows = [x * k for k in sizes]
        names = {k: str(k) for k in sizes}

    return sum(Table.rows) + 1, Table.names


@program(X)
def nested_generator_expressions(x):
    flat = (v for row in (x * k for k in range(1, 3)) for v in row[:2])
    return list(flat), sum(sum(r) for r in (x[i:] for i in range(2)))


@program(X)
def join_and_dict_of_generators(x):
    y = x * 2
    text = ",".join(f"{v:.2f}" for v in y)
    return text, dict((k, y[k]) for k in range(2)), set(len(t) for t in text.split(","))
