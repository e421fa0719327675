"""functools, itertools, operator, math and others of the standard library."""

import abc
import array
import bisect
import copy
import datetime
import fractions
import functools
import heapq
import itertools
import json
import math
import operator
import pickle
import re
import statistics

import numpy as np
from python_ladder import CYCLE, program, setup

X = np.linspace(0.5, 2, 6)
A = np.linspace(-1, 1, 12).reshape(3, 4)


@program(A)
def reduce(a):
    total = functools.reduce(lambda u, v: u * 0.5 + v, a)
    product = functools.reduce(operator.mul, [total, total + 1, 2.0])
    return product, functools.reduce(np.add, a, total)


@program(X)
def lru_cache_inside(x):
    @functools.lru_cache(maxsize=2)
    def weight(k):
        print("weight", k)
        return k * 1.5

    y = x * weight(1) + weight(2)
    y = y + weight(1) * weight(3) * weight(2)
    return y, weight.cache_info()


@program(X)
def single_dispatch(x):
    @functools.singledispatch
    def norm(value):
        return 0.0

    @norm.register
    def _(value: int):
        return float(abs(value))

    @norm.register(np.ndarray)
    def _(value):
        return (value * value).sum()

    return x / norm(x) + norm(-3) + norm("text")


@program(X, ignore=CYCLE)
def single_dispatch_method(x):
    class Scaler:
        @functools.singledispatchmethod
        def by(self, k):
            return x * 2

        @by.register
        def _(self, k: str):
            return x * len(k)

    scaler = Scaler()
    return scaler.by(1) + scaler.by("abc")


@program(X)
def partial_method_and_total_ordering(x):
    @functools.total_ordering
    class Size:
        def __init__(self, n):
            self.n = n

        def __eq__(self, other):
            return self.n == other.n

        def __lt__(self, other):
            print("lt", self.n, other.n)
            return self.n < other.n

        def scaled(self, v, k):
            return v * k * self.n

        tripled = functools.partialmethod(scaled, k=3)

    small, large = Size(1), Size(2)
    y = large.tripled(x)
    return y + 1, small >= large, sorted([large, small])[0].n


@program(A)
def product_and_combinations(a):
    total = a[0] * 0
    for i, j in itertools.product(range(2), repeat=2):
        total = total + a[i] * a[j]
    pairs = [u @ v for u, v in itertools.combinations(a, 2)]
    return total, pairs, len(list(itertools.permutations(range(3))))


@program(A)
def chain_and_islice(a):
    rows = itertools.chain(a, [a[0] * 2], a[:1])
    first = list(itertools.islice(rows, 1, 4))
    rest = next(rows)
    return sum(first) + rest, list(itertools.chain.from_iterable([[1], [2, 3]]))


@program(X)
def accumulate_and_count(x):
    sums = list(itertools.accumulate(x * 2))
    powers = itertools.accumulate(range(3), lambda v, _: v * 2, initial=x)
    evens = itertools.count(0, 2)
    return np.array(sums) + next(evens), list(powers)[-1] + next(evens), next(evens)


@program(X)
def cycle_and_zip_longest(x):
    signs = itertools.cycle([1, -1])
    y = np.array([v * s for v, s in zip(x, signs)])
    pairs = list(itertools.zip_longest([1, 2, 3], "ab", fillvalue=None))
    return y * 2, pairs, next(signs)


@program(X)
def group_by_and_takewhile(x):
    y = np.floor(x * 2)
    groups = {float(k): len(list(g)) for k, g in itertools.groupby(y)}
    low = list(itertools.takewhile(lambda v: v < 3, y))
    return y + len(low), groups, list(itertools.dropwhile(lambda v: v < 3, y))


@program(X)
def tee_and_pairwise(x):
    a, b = itertools.tee(x * 2)
    next(b)
    gaps = [q - p for p, q in zip(a, b)]
    return np.array(gaps) * 3, [q - p for p, q in itertools.pairwise([1, 4, 9])]


@program(X)
def starmap_repeat_compress(x):
    y = sum(itertools.starmap(lambda v, k: v * k, zip(itertools.repeat(x, 3), (1, 2, 3))))
    return y + 1, list(itertools.compress("abcd", [1, 0, 1, 0]))


@program(X, [{"w": 3, "v": 1}, {"w": 1, "v": 2}])
def item_and_attr_getters(x, rows):
    w = operator.itemgetter("w")
    ordered = sorted(rows, key=w)
    y = x * w(ordered[0]) + operator.attrgetter("shape")(x)[0]
    return y, ordered, operator.itemgetter(0, 2)(x), operator.methodcaller("sum")(y)


@program(X)
def operator_functions(x):
    y = operator.add(x, 1)
    z = operator.mul(y, operator.neg(x))
    z = operator.iadd(z, 2)
    operator.setitem(z, 0, 5)
    return operator.truediv(z, y), operator.getitem(z, slice(2)), operator.lt(1, 2), z is y


@program(X, 5, 2.5)
def math_functions(x, n, v):
    y = x * math.sqrt(v) + math.factorial(n)
    z = y / math.hypot(3, 4) - math.floor(v) + math.pi
    return z * math.gcd(12, 18), math.isclose(0.1 + 0.2, 0.3), math.inf > n, math.fsum([0.1] * 10)


@program(X)
def math_errors(x):
    y = x * 2
    try:
        y = y + math.sqrt(-1.0)
    except ValueError as error:
        print(error)
    try:
        y = y * math.exp(1000)
    except OverflowError as error:
        print(error)
    return y + math.log(0)


@program(X)
def math_of_array_items(x):
    y = np.array([math.sin(v) + math.pow(v, 2) for v in x])
    return y - np.sin(x), math.prod([1, 2, 3]), math.ceil(x.sum()), math.isnan(x[0])


@program(X)
def heap_and_bisect(x):
    heap = []
    for k in (5, 1, 3):
        heapq.heappush(heap, k)
    y = x * heapq.heappop(heap)
    ordered = [1.0, 1.5, 2.0]
    at = bisect.bisect(ordered, float(x[2]))
    bisect.insort(ordered, 1.7)
    return y + at, heap, ordered


@program(X, {"rows": [X, [1]]})
def copies(x, data):
    shallow = copy.copy(data)
    deep = copy.deepcopy(data)
    data["rows"][1].append(2)
    y = deep["rows"][0] * 2 + x
    return y, shallow["rows"] is data["rows"], deep["rows"][1], copy.copy(x) + 1


@program(X)
def pickled(x):
    y = x * 2
    back = pickle.loads(pickle.dumps({"y": y, "k": 3}))
    return back["y"] + back["k"], back["y"] is y


@program(X)
def json_and_re(x):
    text = json.dumps({"v": [float(v) for v in x[:2] * 2], "n": None})
    y = x + len(re.findall(r"\d+", text))
    return y, json.loads(text), re.sub(r"(\d)\.(\d)", r"\2.\1", text)


@program(X)
def fractions_and_dates(x):
    half = fractions.Fraction(1, 3) + fractions.Fraction(1, 6)
    day = datetime.date(2024, 2, 28) + datetime.timedelta(days=2)
    y = x * float(half) + day.month
    return y, half, day, day - datetime.date(2024, 1, 1)


@program(X)
def statistics_and_array(x):
    numbers = array.array("d", [1.0, 2.5])
    numbers.append(3.0)
    y = np.frombuffer(numbers) * 2
    return y, statistics.mean(numbers), statistics.median([3, 1, 2]), x + len(numbers)


@program(X)
def abstract_base_classes(x):
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self): ...

        def scaled(self, k):
            return self.area() * k

    class Square(Shape):
        def __init__(self, side):
            self.side = side

        def area(self):
            return self.side * self.side

    try:
        Shape()
    except TypeError as error:
        print(str(error)[:30])
    return Square(x * 2).scaled(3)


@setup()
def cached_function_of_the_module():
    calls = []

    @functools.cache
    def table(n):
        calls.append(n)
        return np.arange(n) * 2.0

    def f(x):
        y = x + table(len(x))
        return y * table(6), calls, table(6) is table(6)

    return f, X.copy()


@program(X)
def sorting_with_cmp_and_key(x):
    order = sorted(range(6), key=lambda k: (k % 3, -k))
    words = sorted(["b", "A", "c"], key=functools.cmp_to_key(lambda p, q: ord(p) - ord(q)))
    y = x[order] * 2
    return y, order, words


@program(X)
def array_of_a_list_in_itself(x):
    y = x + 1
    items = []
    items.append(items)
    try:
        return y, np.array(items)
    except ValueError as error:
        return y, str(error)


@program(X, list(range(1000)))
def array_of_a_long_list(x, items):
    y = x + 1
    return y * np.array(items).sum()


@program(np.ones((2, 3, 2, 3, 2, 3, 2, 3)), *[np.ones(2)] * 12)
def examples_stay_small(x, *vectors):
    y = x + 1
    names = "abcdefghijkl"
    z = np.einsum(",".join(names) + "->" + names, *vectors)
    return y.sum(), np.einsum("abcdefgh->ah", y), z.shape, len(np.meshgrid(*vectors[:9]))


@program(np.arange(6), np.float32(2))
def no_dtype_is_given(x, number):
    like = [make(x, dtype=None) * 0 for make in (np.zeros_like, np.ones_like, np.empty_like)]
    made = np.zeros(3, dtype=None), np.full(3, 2, dtype=None), np.full(3, number, None)
    return like, made, x.astype(None), x.sum(dtype=None), np.einsum_path("i,i", x, x)[0]
