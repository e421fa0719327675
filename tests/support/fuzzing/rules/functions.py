"""Functions of the user's: recursion, closures, defaults, globals; all rebound between calls."""

from __future__ import annotations

from fuzzing.grammar import Family

FUNCTIONS = Family(
    "functions",
    helpers='''
SCALE = np.full(1, 2.0)

LIMIT = 3

FLAG = True

def scaled(v, k=2, *more, plus=0.0):
    w = v * k + plus
    for one in more:
        w = w - one
    return w

def shifted(v, by=LIMIT, *, into=[]):
    into.append(by)
    return v + by + len(into)

def kept(v, memo={}):
    if "v" not in memo:
        memo["v"] = v * 2
    return memo["v"] + v

def keyed(v, **words):
    for word, value in words.items():
        v = v + value * len(word)
    return v

def deciding(v, k):
    if k > 1:
        return v, v
    if k == 1:
        return v, v * 2
    return [v, v.copy()]

def choice(v, w, k):
    return v if k % 2 else w

def grown(v, k):
    if k <= 0:
        return v
    return grown(v * 2 + k, k - 1)

def descended(v, k, out):
    out.append(v)
    v += 1
    if k > 0 and len(v) > 1:
        descended(v[1:], k - 1, out)
    return out

def even(v, k):
    return v if k <= 0 else odd(v + 1, k - 1)

def odd(v, k):
    return -v if k <= 0 else even(v * 2, k - 1)

def halves(v):
    if len(v) <= 1:
        return v.sum()
    k = len(v) // 2
    return halves(v[:k]) - halves(v[k:])

def nested(v, k):
    return [v] if k <= 0 else [nested(v + 1, k - 1), v]

def counted(v):
    global LIMIT
    LIMIT += 1
    return v + LIMIT

def replaced(v):
    global SCALE
    SCALE = v * 2
    return SCALE

def cell(v):
    count = 0

    def add(w):
        nonlocal v, count
        count += 1
        v = v + w * count
        return v

    return add

def twofold(f, v):
    return f(f(v))

def wrapped(f):
    @functools.wraps(f)
    def inner(*args, **words):
        got = f(*args, **words)
        return got + 1

    return inner

@wrapped
def decorated(v, k=1):
    return v * k

@functools.lru_cache(None)
def cached(k):
    return np.full(1, float(k))

@functools.singledispatch
def dispatched(v):
    return v

@dispatched.register(np.ndarray)
def for_arrays(v):
    return v * 2

doubled = functools.partial(scaled, k=2, plus=1.0)

settings = types.SimpleNamespace(scale=2.0, offset=np.ones(1))

class Level(enum.Enum):
    """An enumeration."""

    LOW = 1
    HIGH = 2

def make_pair(start):
    kept_array = start
    calls = 0

    def read(v):
        return v + kept_array * calls

    def write(value):
        nonlocal kept_array, calls
        kept_array = value
        calls += 1

    return read, write

read, write = None, None
''',
    statements="""
2: <new array> = scaled(<array>)

2: <new array> = scaled(<array>, <number>, <operand>, plus=<number>)

<new array> = scaled(v=<array name>, k=<count>)

<new array> = shifted(<array>, <number>)

<new array> = shifted(<array>, into=<list name>)

<new array> = keyed(<array>, a=<number>, bb=<operand>)

<new array> = keyed(<array>, **{'k': <number>})

<1:new list> = deciding(<array>, <count name>)
<new number> = int(<1>[0] is <1>[1])

<1:new list> = deciding(<array name>, <count name>)
<1>[1][:1] += 1

2: <new array> = choice(<array name>, <array name>, <count name>)

<1:new array> = choice(<array name>, <array name>, <count name>)
<1> += 1

<new list> = descended(<array name>, <count name>, [])

descended(<array>, 2, <list name>)

<new list> = nested(<array>, <count name> % 3)

<new array> = counted(<array>)

<new array> = replaced(<array>)

<1:new function> = cell(<array>)
<new array> = <1>(<array name>)
<new array> = <1>(2)

<new function> = scaled

<new function> = lambda v, k=<count name>: v * k + <array name>

def <1:new function>(v, k=<number>):
    nonlocal <2:array name>
    <2> = v * k
    return <2> + <array>
<new array> = <1>(<array name>)

def <1:new function>(v):
    <2:array name>[:1] += 1
    return v + <2>
<new array> = <1>(<array>)
<new array> = <1>(<array>)

def <1:new function>(v, k):
    return v if k <= 0 else <1>(v + <array name>, k - 1)
<new array> = <1>(<array>, 2)

<new list> = [f(<array name>) for f in (lambda v: v + 1, scaled, np.sin)]

SCALE = <array><global SCALE>

LIMIT += 1<global LIMIT>

FLAG = not FLAG<global FLAG>

SCALE *= <number>

settings.scale = <number>

settings.offset = <array>

settings.offset += 1

<new array> = twofold(<function name>, <array>)

<new array> = <function name>(<array>)

<new array>, <new number> = (lambda *v: (v[0], len(v)))(<array>, *<list name>)

scaled.calls = getattr(scaled, 'calls', 0) + 1

import math as <1:new module>
<new number> = <1>.sqrt(abs(<count name>))
""",
    expressions={
        "array": """
3: scaled(<array>)

scaled(<array>, <number>)

shifted(<array>)

kept(<array name>)

2: grown(<array>, <count name> % 3)

grown(<array>, 2)

even(<array>, <count name>)

choice(<array name>, <array name>, <count name>)

deciding(<array name>, <count name>)[0]

2: <array name> * SCALE

<array name> + LIMIT

decorated(<array>)

doubled(<array>)

dispatched(<array>)

<array name> + cached(<count name>)

<array name> * settings.scale

<array name> + settings.offset

twofold(scaled, <array>)

twofold(lambda v: v + <number>, <array>)

<function name>(<array>)

read(<array>)

(lambda v, k=<number>: v + k)(<array>)
""",
        "number": """
LIMIT

halves(<array name>)

Level.HIGH.value

settings.scale

len(inspect.signature(scaled).parameters)
""",
        "condition": """
FLAG

LIMIT > <count name>

Level(1 + <count name> % 2) is Level.HIGH

deciding(<array name>, <count name>)[0] is <array name>

callable(<function name>)

SCALE is <array name>

hasattr(scaled, 'calls')
""",
    },
    rebinding="""
2: M.SCALE = np.arange(4.0)

M.SCALE = 3

M.SCALE[:] = 5

M.SCALE.flags.writeable = False

2: M.LIMIT = <number>

M.LIMIT = np.ones(4)

del M.LIMIT

M.FLAG = not M.FLAG

M.FLAG = None

2: M.scaled = M.choice

M.scaled = lambda v, k=3, *more, plus=1: v + k

2: M.scaled.__kwdefaults__ = {"plus": 50.0}

M.scaled.__kwdefaults__["plus"] = 50

M.scaled.__defaults__ = (3,)

M.scaled.__defaults__ = (np.ones(2), 0.5, 3, 2)

M.scaled.__kwdefaults__ = {"plus": 50.0, "v": 2, "k": 3, "none": 1}

M.kept.__defaults__ = ({"v": np.zeros(3)}, {"v": np.ones(4)}, {"v": np.ones(2)})

M.scaled.__code__ = (lambda v, k=2, *more, plus=0.0: v - k).__code__

M.shifted.__defaults__ = (np.ones(1),)

M.shifted.__kwdefaults__["into"] = [1, 2]

M.kept.__defaults__[0].clear()

M.kept.__defaults__ = ({"v": np.zeros(4)},)

M.grown = lambda v, k: v - k

M.even = M.odd

M.doubled = functools.partial(M.scaled, k=3)

M.doubled.keywords["plus"] = 7.0

M.cached.cache_clear()

M.cached(1)[:] = 9

M.dispatched.register(float, lambda v: v + 1)

M.settings.scale = 5

M.settings.__dict__["scale"] = np.float32(3)

M.settings.offset = np.arange(4)

vars(M.settings)["offset"] = 2.5

vars(M)["LIMIT"] = 11

M.settings = types.SimpleNamespace(scale=1, offset=0)

M.Level.HIGH._value_ = 7

M.read, M.write = M.make_pair(np.ones(1))

M.read, M.write = M.make_pair(np.arange(4))

M.write and M.write(np.full(1, 3.0))

M.read and M.read.__closure__[1].__setattr__("cell_contents", np.full(1, 4))

M.decorated.__wrapped__.__defaults__ = (4,)

M.decorated.__closure__[0].cell_contents = lambda v, k=1: v

M.choice.__globals__["LIMIT"] = 8

M.scaled.__dict__["calls"] = 5

M.math = None

M.np_sin = np.sin
""",
)
