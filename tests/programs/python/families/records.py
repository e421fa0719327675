"""Dataclasses, enumerations, named tuples."""

import collections
import enum
import typing
from dataclasses import FrozenInstanceError, asdict, astuple, dataclass, field, replace

import numpy as np
from python_ladder import program, setup

X = np.linspace(0.5, 2, 6)


@dataclass
class State:
    """Mutable, with a method."""

    position: np.ndarray
    velocity: float = 1.0
    log: list = field(default_factory=list)

    def step(self, dt):
        self.position = self.position + self.velocity * dt
        self.log.append(dt)
        return self


@dataclass(frozen=True)
class Config:
    scale: float = 2.0
    shift: int = 1

    @property
    def both(self):
        return self.scale + self.shift


@dataclass(slots=True, order=True)
class Version:
    major: int
    minor: int = 0

    def __post_init__(self):
        print("made", self.major)
        self.minor += 1


@program(X, State(X * 2))
def dataclass_argument(x, state):
    y = x * state.velocity
    state.step(0.5).step(0.25)
    state.velocity *= 2
    return y + state.position, state.log


@program(X)
def dataclass_made_inside(x):
    y = x * 2
    state = State(y, velocity=3)
    other = State(position=y + 1)
    state.step(1)
    return state, other.log is state.log, state.position - other.position


@program(X, Config(3.0))
def frozen_dataclass(x, config):
    y = x * config.scale + config.both
    try:
        config.scale = 5
    except FrozenInstanceError as error:
        print(error)
    other = replace(config, shift=10)
    return y * other.shift, other == Config(3.0, 10), hash(config) == hash(Config(3.0))


@program(X)
def slots_and_order(x):
    a, b = Version(1), Version(1, 5)
    y = x * a.minor
    return y + b.minor, a < b, max(a, b), repr(a)


@program(X, State(X, 2.0, [1]))
def as_dict_and_tuple(x, state):
    named = asdict(state)
    y = named["position"] * named["velocity"] + x
    named["log"].append(5)
    return y, astuple(state)[1:], state.log, sorted(named)


@program(X)
def dataclass_in_a_function(x):
    @dataclass
    class Local:
        k: int
        data: typing.Any = None

        def total(self):
            return self.data.sum() * self.k

    local = Local(3, x * 2)
    return local.total() + x, local.k


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 4

    @property
    def weight(self):
        return self.value * 0.5


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Flags(enum.Flag):
    A = enum.auto()
    B = enum.auto()
    C = A | B


@program(X, Color.GREEN)
def enum_members(x, color):
    y = x * color.value + color.weight
    if color is Color.GREEN:
        y = y + 1
    return y, color.name, Color(4), Color["RED"] is Color.RED, color in (Color.RED,)


@program(X)
def loop_over_an_enum(x):
    total = x * 0
    for color in Color:
        total = total + x * color.weight
    return total, [color.name for color in Color], len(Color)


@program(X, Level.HIGH)
def int_enum(x, level):
    y = x * level
    z = y[:level] + level
    return y, z, level > Level.LOW, level + 1, type(level) is Level


@program(X)
def flags(x):
    options = Flags.A | Flags.B
    y = x * len(list(Flags))
    if options & Flags.B:
        y = y + options.value
    return y, options == Flags.C, Flags.A in options, ~Flags.A


@program(X)
def bad_enum_value(x):
    y = x * 2
    try:
        Color(7)
    except ValueError as error:
        y = y + len(str(error))
    return y, Color.PURPLE


Point = collections.namedtuple("Point", "x y")
Scaled = collections.namedtuple("Scaled", "data factor", defaults=[2.0])


class Result(typing.NamedTuple):
    """Typed, with a default and a method."""

    values: np.ndarray
    count: int = 0

    def mean(self):
        return self.values.sum() / self.count


@program(X, Point(2.0, 3))
def named_tuple_argument(x, point):
    y = x * point.x + point.y
    a, b = point
    return y * a - b, point[0], point._replace(y=5), point._fields


@program(X)
def named_tuple_result(x):
    y = x * 2
    result = Result(y, len(y))
    scaled = Scaled(y)
    return result, result.mean(), scaled.data * scaled.factor, Result(y).count


@program(X)
def named_tuple_is_a_tuple(x):
    p = Point(x, x * 2)
    q = p + (1,)
    try:
        p.x = 3
    except AttributeError:
        print("cannot be set")
    return p.x + p.y, len(q), isinstance(p, tuple), p == (x, p.y) if p[0] is x else None


@program(X)
def simple_namespace(x):
    from types import SimpleNamespace

    s = SimpleNamespace(data=x, k=2)
    s.data = s.data * s.k
    s.more = s.data + 1
    return s, s.more - x


@setup()
def counter_and_default_dict():
    counts = collections.Counter()

    def f(x):
        counts.update("abca")
        groups = collections.defaultdict(list)
        for k, v in enumerate(x * 2):
            groups[k % 2].append(v)
        return np.array(groups[0]) + counts["a"], sorted(groups), groups[5], counts.most_common(1)

    return f, X.copy()


@program(X)
def deque_as_a_window(x):
    window = collections.deque(maxlen=3)
    out = []
    for v in x * 2:
        window.append(v)
        out.append(sum(window))
    window.rotate(1)
    window.appendleft(7)
    return np.array(out) + 1, window


@program(X)
def ordered_and_chain_map(x):
    ordered = collections.OrderedDict(b=1, a=2)
    ordered.move_to_end("b")
    both = collections.ChainMap({"a": x * 2}, ordered)
    y = both["a"] * both["b"]
    both["c"] = y
    return y + 1, list(ordered), sorted(both)


@program(X, {"lr": 0.1, "steps": 3})
def typed_dict_and_generic(x, options):
    class Options(typing.TypedDict):
        lr: float
        steps: int

    T = typing.TypeVar("T")

    class Box(typing.Generic[T]):
        def __init__(self, item: T):
            self.item = item

    y = Box[np.ndarray](x)
    made = Options(**options)
    for _ in range(made["steps"]):
        y.item = y.item - made["lr"] * y.item
    return y.item
