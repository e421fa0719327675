"""Classes with arrays: attributes, methods, properties, inheritance, operators; and aliases."""

from __future__ import annotations

from fuzzing.grammar import Family

_CLASSES = '''
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

OBJECTS = Family(
    "objects",
    statements="""
4: <object name>.value = <array>

2: <object name>.value += <operand>

<object name>.value[<index>] = <number>

<object name>.value[1:] *= 2

2: <object name>.count += 1

<object name>.count = <count>

3: <object name>.grow(<operand>)

2: <new array> = <object name>.bump(<operand>)

2: <object name> += <operand>

<object name> += <object name>

<new object> = <object name> + <operand>

<new object> = Box(<array>)

<new object> = Sub(<array>)

<new object> = Slotted(<array>)

<new object> = Box.of(<array>)

<object name>[<index>] = <number>

<object name>[1:] += 1

<object name>.twice = <array>

<object name>.twice += 1

<new object> = <object name>.grow(<array name>)

<object name>.log.append(<array>)

<new number> = <object name>.note(<number>)

setattr(<object name>, 'value', <array>)

<1:new pair> = Pair(<array>, <array>)
<1>.swap()
<1>.one += 1

<new array>, <new array> = <object name>

for <new array> in <object name>:
    <loop>

with <object name> as <new object>:
    <block>

if <object name>:
    <block>

<1:new point> = Point(<array>, <array>)
<new array> = <1>.x + <1>[1]

del <object name>.value

<object name>.__dict__['value'] = <array>

vars(<object name>).update(count=<count>)

<object name>.__class__ = Sub

Box.scale = <number>

Box.made.append(<array>)

type(<object name>).scale += 1

<object name>.scale = <number>

<object name>.grow = <object name>.bump

<1:new function> = <object name>.bump
<new array> = <1>(<number>)
""",
    expressions={
        "array": """
5: <object name>.value

2: <object name>.twice

<object name>.scaled()

<object name>.part()

<object name>(<number>)

<object name>[:]

<object name>.grow(<number>).value

Box.mixed(<array name>, <operand>)

getattr(<object name>, 'value')

(<object name> + <operand>).value

<array name> + Halved(<array name>).half

Sub(<array name>).extra

Pair(<array name>, <array>).total()

(-Box(<array name>)).value

Box(<array name>) * <number>

<array name> + Box(<array name>)
""",
        "condition": """
<object name>.count < 2

hasattr(<object name>, 'extra')

<object name> is <object name>

isinstance(<object name>, Sub)

<object name>.value is <array name>

bool(<object name>)

<object name> == <object name>
""",
        "count": "<object name>.count\n\nlen(<object name>)",
        "number": "<object name>.scale\n\nBox.scale",
    },
    helpers=_CLASSES,
    rebinding="""
M.Box.scale = <number>

M.Box.scale = np.float32(3)

M.Box.grow = lambda self, by: M.Box(self.value - by)

M.Box.bump = M.Box.grow

M.Box.__init__ = lambda self, value: vars(self).update(value=value * 2, count=1, log=[])

M.Sub.__bases__ = (type("Between", (M.Box,), {"grow": M.Box.bump}),)

M.Box.twice = property(lambda self: self.value * 3)

M.Box.half = 7.0

M.Sub.scale = 1

del M.Sub.scale

M.Sub.__iadd__ = M.Box.__iadd__

M.Box.__add__ = lambda self, other: self

M.Slotted.scale = np.ones(1)

M.Sub.grow = M.Box.grow

M.Sub.__bases__ = (M.Halved,)

M.Half.__get__ = lambda self, instance, owner: 3.0

M.Box.__getattribute__ = lambda self, name: object.__getattribute__(self, name)

M.Pair.total = lambda self: self.one

M.Box.mixed = staticmethod(lambda one, other: other)
""",
)

ALIASES = Family(
    "aliases",
    statements="""
2: <object name>.value = <array name>

2: <dict name>['k'] = <array name>

<dict name>['k'] = <object name>.value

3: <dict name>['k'] += <operand>

<list name>[0] = <array name>

2: <list name>[-1] += <operand>

<list name>.append(<array name>)

<list name>.append(<dict name>['k'])

<dict name>['l'] = <list name>

<object name>.value = <list name>[0]

<object name>.log = <list name>

<new array> = <list name>[0]

<new array> = <dict name>['k']

<new array> = <object name>.value

<new array> = <array name>[<window>]

<1:array name>[...] = <1>[::-1]

<list name>[0], <object name>.value = <object name>.value, <list name>[0]

<new list> = [<array name>] * 2

<new list> = [<array name>, <object name>.value, <dict name>['k']]

<new list> = <list name>

<new dict> = {'k': <array name>, 'o': <object name>}

<new dict> = <dict name>

<dict name>['o'] = <object name>

<list name>[0][<index>] = <number>

<dict name>['k'][<index>] += <number>

<1:array name>[1:] += <1>[:-1]

np.add(<1:array name>[1:], 1, out=<1>[:-1])

<new array> = <new array> = <array name>

<new array> = np.asarray(<array name>)

<new array> = <array name>.reshape(-1)

<new array> = <array name>.ravel()

<new array> = <array name>.T

<new array> = <array name>.view()
""",
    expressions={
        "array": """
3: <dict name>['k']

3: <list name>[0]

<list name>[-1]

<object name>.value

<dict name>.get('k')

<dict name>.setdefault('k', <array name>)

<list name>[<count name> % 2 - 1]
""",
        "condition": """
<list name>[0] is <array name>

<dict name>['k'] is <object name>.value

<array name>.base is None

<array name>.base is <array name>

np.shares_memory(<array name>, <array name>)

np.may_share_memory(<array name>, <object name>.value)
""",
    },
    helpers=_CLASSES,
)
