"""Functions and classes that the programs of the generators' family iterate over and call."""

from __future__ import annotations

HELPERS = '''
def running(x):
    for i in range(3):
        x += i
        yield x

def counted_on(x, k=2):
    for i in range(k):
        x += i
        yield x

def fresh(x):
    for i in range(3):
        yield x * i

def paired(x, y):
    for v, w in zip((x, y), (y, x)):
        v += 1
        yield v
        yield w

def listed(l):
    for v in l:
        yield v
        v += 1

def one_of(x, y):
    yield x
    yield y
    x += 1
    yield x

def numbered(o):
    for k in (1, 2):
        o.count += k
        yield o.value * o.count

def views(x):
    for i in range(3):
        yield x[i % 2:]
        x[:1] += 1

def held(x):
    while x.sum() < 9:
        yield x
        x[0] += 4

def reading(l):
    for k in range(3):
        yield l[-1]
        l[-1] = l[-1] + k

def growing(l):
    k = 0
    while len(l) < 5 and k < 4:
        yield l[k % len(l)]
        k += 1

def looking(o):
    for _ in range(3):
        yield o.value
        o.count += 1

def both(x, y):
    yield x
    x += y
    yield y
    y[:] = x
    yield x + y

def within(x):
    yield x
    yield from running(x)
    return x * 2

def echoed(x):
    while x is not None:
        got = yield x
        x = None if got is None else x + got

def guarded(x):
    try:
        for i in range(4):
            yield x
            x *= 2
    finally:
        x -= 1

def failing(x):
    yield x
    x += 1
    raise ValueError("spent")

class Steps:
    """An iterator of its own kind."""

    def __init__(self, x, k=3):
        self.x, self.k = x, k

    def __iter__(self):
        return self

    def __next__(self):
        if self.k <= 0:
            raise StopIteration
        self.k -= 1
        self.x += self.k
        return self.x

class Sequence:
    """Gone over by its items."""

    def __init__(self, x):
        self.x = x

    def __getitem__(self, k):
        if k > 2:
            raise IndexError(k)
        self.x += k
        return self.x

    def __len__(self):
        return 3

def total(x):
    return float(x.sum())

def changed(x):
    x += 1
    return x

def spread(*arrays, **more):
    got = 0
    for one in arrays:
        got = got + one
    return got

def taken(x, y=0, *more):
    x += 1
    return x + y
'''
