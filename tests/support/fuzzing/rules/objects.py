"""Classes with arrays: attributes, methods, properties, inheritance, operators; and aliases."""

from __future__ import annotations

from fuzzing.grammar import Family
from fuzzing.rules.classes import CLASSES

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

<1:new object> = Shared(<array>)
<2:new object> = Shared(<array>)
<1>.value = <2>.value + 1

<object name>.__dict__ = <object name>.__dict__

<1:new object> = Twin(<array>)
<1>.again += <operand>
<new array> = <1>.value
<1>.counted += 1

<new object> = Kind(<array>)

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

isinstance(<object name>, Kind)

Kind in (Box, Sub, Kind)

type(Kind) is Meta

not Kind

<object name>.value is <array name>

bool(<object name>)

<object name> == <object name>
""",
        "count": "<object name>.count\n\nlen(<object name>)",
        "number": "<object name>.scale\n\nBox.scale",
    },
    helpers=CLASSES,
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

M.Meta.__instancecheck__ = lambda kind, one: True

M.Meta.__eq__ = lambda kind, other: True
M.Meta.__hash__ = lambda kind: 1

M.Meta.__bool__ = lambda kind: False

M.Kind.__class__ = type("Other", (M.Meta,), {})

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
    helpers=CLASSES,
)
