"""The classes that programs of objects name, as text of a module."""

from __future__ import annotations

CLASSES = '''
class Box:
    """Holds an array."""

    scale = 2.0
    made = []

    def __init__(self, value):
        self.value = value
        self.count = 0
        self.log = []

    def __repr__(self):
        return type(self).__name__

    def grow(self, by):
        self.value = self.value + by
        self.count += 1
        return self

    def bump(self, by):
        self.value += by
        return self.value

    def scaled(self):
        return self.value * self.scale

    def part(self, k=1):
        return self.value[k:]

    def note(self, what):
        self.log.append(what)
        return len(self.log)

    @property
    def twice(self):
        return self.value * 2

    @twice.setter
    def twice(self, value):
        self.value = value / 2

    @classmethod
    def of(cls, value):
        return cls(value * cls.scale)

    @staticmethod
    def mixed(one, other):
        return one * 0.5 + other

    def __call__(self, by):
        self.count += 1
        return self.value * by

    def __len__(self):
        return len(self.value)

    def __add__(self, other):
        return type(self)(self.value + getattr(other, "value", other))

    def __radd__(self, other):
        return other + self.value

    def __iadd__(self, other):
        self.value += getattr(other, "value", other)
        self.count += 1
        return self

    def __mul__(self, other):
        return self.value * other

    def __matmul__(self, other):
        return self.value @ other

    def __neg__(self):
        return Box(-self.value)

    def __getitem__(self, key):
        return self.value[key]

    def __setitem__(self, key, value):
        self.value[key] = value

    def __contains__(self, what):
        return bool((self.value == what).any())

    def __iter__(self):
        yield self.value
        yield self.value + self.count

    def __bool__(self):
        return self.count < 2

    def __eq__(self, other):
        return isinstance(other, Box) and self.count == other.count

    __hash__ = None

    def __enter__(self):
        self.count += 1
        return self

    def __exit__(self, kind, error, trace):
        self.log.append(kind and kind.__name__)
        return self.count > 2

class Sub(Box):
    """Grows by more."""

    scale = 3.0

    def grow(self, by):
        super().grow(by)
        self.value *= 2
        return self

    def __getattr__(self, name):
        if name == "extra":
            return self.value + 1
        raise AttributeError(name)

    def __iadd__(self, other):
        return Sub(self.value + getattr(other, "value", other))

class Slotted:
    """Has no dictionary."""

    __slots__ = ("value", "count")
    scale = 0.5

    def __init__(self, value):
        self.value = value
        self.count = 0

    def grow(self, by):
        self.value = self.value - by
        return self

    __repr__ = Box.__repr__
    bump = Box.bump
    scaled = Box.scaled
    part = Box.part
    twice = Box.twice
    __add__ = Box.__add__
    __iadd__ = Box.__iadd__
    __getitem__ = Box.__getitem__
    __setitem__ = Box.__setitem__
    __call__ = Box.__call__
    __len__ = Box.__len__
    __iter__ = Box.__iter__

class Shared(Box):
    """All have one state."""

    state = {"log": []}

    def __init__(self, value):
        self.__dict__ = Shared.state
        self.value = value
        self.count = 0

class Twin(Slotted):
    """Its slots have other names, too."""

    __slots__ = ()
    again = Slotted.value
    counted = Slotted.count

class Meta(type):
    """Gets a say in what its classes answer."""

class Kind(Box, metaclass=Meta):
    """Is made by it."""

class Half:
    """A descriptor."""

    def __get__(self, instance, owner):
        return 0.5 if instance is None else instance.value * 0.5

class Halved(Box):
    """Has it."""

    half = Half()

@dataclasses.dataclass
class Pair:
    """Two arrays."""

    one: object
    other: object
    count: int = 0

    def total(self):
        return self.one + self.other

    def swap(self):
        self.one, self.other = self.other, self.one
        return self

Point = collections.namedtuple("Point", "x y")
'''
