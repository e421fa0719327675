"""In-place operators and methods of Python's own mutable objects, wherever they are held."""

from __future__ import annotations

from fuzzing.grammar import Family

CONTAINERS = Family(
    "containers",
    helpers='''
STORE = {"k": np.ones(4), "n": 0}

ITEMS = [np.arange(4.0), 1.5]

SEEN = set()

class Bag(list):
    """A list with operators of its own."""

    def __iadd__(self, other):
        self.append(other)
        return self

    def __imul__(self, k):
        return Bag(self[:k])

class Tally(dict):
    """A dictionary that makes what is missing."""

    def __missing__(self, key):
        self[key] = 0.0
        return self[key]

class Meter:
    """In-place operators that give themselves, another, or None."""

    def __init__(self, value):
        self.value = value

    def __iadd__(self, other):
        self.value = self.value + other
        return self

    def __isub__(self, other):
        self.value -= other
        return self.value

    def __imul__(self, other):
        return Meter(self.value * other)

    def __ior__(self, other):
        self.value[:1] = other

    def __sub__(self, other):
        return NotImplemented

    def __truediv__(self, other):
        return Meter(self.value / other)
''',
    statements="""
3: <list name> *= <count name> % 3

<list name> *= 2

2: <list name> += [<array>]

<list name> += (<array>, <number>)

<list name> += <list name>

2: <dict name> |= {'z': <array>}

<dict name> |= {'k': <array>, 'n': <number>}

<dict name> |= [('y', <number>)]

<dict name>['n'] += <number>

<dict name>['k'] *= 2

<dict name>['l'] += [<array>]

<dict name>.update(z=<array>)

<new array> = <dict name>.pop('k', <array name>)

<set name> |= {<count name>, 7}

<set name> &= {1, 2, <count name>}

<set name> -= {<count name>}

<set name> ^= {1, 9}

<set name>.add(<count>)

<bytes name> += b'ab'

<bytes name> *= <count name> % 3

<bytes name>[:1] = b'xyz'

<bytes name>.append(65 + <count name> % 9)

<queue name> += [<array>]

<queue name> *= 2

<queue name>.appendleft(<array>)

<queue name>.rotate(1)

<queue name>[0] += <number>

<object name>.log += [<number>]

<object name>.log *= 2

<object name>.log[:] = [<array>]

<object name>.log.extend([<number>, <array>])

2: STORE['k'] += <operand>

STORE['n'] += 1

STORE |= {'z': <array>}<global STORE>

2: ITEMS.append(<array>)

ITEMS += [<number>]<global ITEMS>

ITEMS *= 1<global ITEMS>

ITEMS[0] *= 2

ITEMS[-1:] = [<array>]

SEEN.add(<count>)

SEEN |= {<count name>}<global SEEN>

<1:new bag> = Bag([<array>])
<1> += <array>
<1> *= 2

<1:new tally> = Tally()
<1>[<count name>] += <number>
<1>['x'] += <array>

<1:new meter> = Meter(<array>)
<2:new meter> = <1>
<1> += <operand>

<1:new meter> = Meter(<array name>)
<1> -= <number>

<1:new meter> = Meter(<array name>)
<2:new meter> = <1>
<1> *= 2
<1> /= 2

<1:new meter> = Meter(<array name>)
<1> |= <number>

<1:new list> = <list name>
<1> += [<number>]

<1:new list> = <list name>
<1> = <1> + [<number>]

<new list> = [0] * 3
<list name>[1:] = []

<list name>[0], <list name>[-1] = <list name>[-1], <list name>[0]

del <list name>[:1]

<list name>.reverse()

<list name>.insert(0, <array>)

<new array> = <list name>.pop()

<list name>.clear()

<new list> = <list name>[:]

<new list> = <list name>.copy()

<1:new cells> = array.array('d', [1.0, 2.0])
<1> += array.array('d', [<count name>])
<1> *= 2

<new list> = [[<array name>] * 2, <list name>]

(<list name> if <condition> else <object name>.log).append(<number>)

for <new array> in <list name>:
    <list name>[0] += 1

for <1:new array> in list(<dict name>):
    <dict name>[<1> * 2] = <array>

for <new number> in sorted(<set name>):
    <loop>

<new count> = len(<list name>) % 4

<new list> = [*<list name>, *<queue name>]

<new dict> = {**<dict name>, 'q': <array>}

<new dict> = <dict name>.copy()

<new text> = <bytes name>.decode()
""",
    expressions={
        "array": """
STORE['k']

ITEMS[0]

<list name>[0]

<dict name>['k']

<queue name>[0]

(<list name> * 2)[-1]

(<dict name> | {'k': <array name>})['k']
""",
        "number": """
len(<list name>)

STORE['n']

len(<bytes name>)

ITEMS[1]

len(<set name>)
""",
        "condition": """
<list name>

<count name> in <set name>

'z' in <dict name>

<list name> is ITEMS

<dict name> is STORE

<bytes name>

<1:list name> is <list name>

len(<queue name>) > 1
""",
    },
    rebinding="""
M.STORE = {"k": np.zeros(4), "n": 5}

M.STORE["k"] = np.ones(1)

M.STORE["k"] = np.arange(4)

M.ITEMS = [np.full(4, 2.0), 3]

M.ITEMS[1] = np.ones(4)

M.ITEMS.reverse()

M.STORE.clear()

M.Bag.__iadd__ = list.__iadd__

M.Meter.__iadd__ = M.Meter.__imul__

del M.Meter.__imul__

M.Tally.__missing__ = lambda self, key: 1.0
""",
)
