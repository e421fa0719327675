"""Results of one of several branches, held by objects that are used where the branches have met."""

from __future__ import annotations

from fuzzing.grammar import Family

MEETINGS = Family(
    "meetings",
    helpers='''
def opened(one, v):
    """Return the contents of an object, or its result for an array."""
    if one is None:
        return v
    if callable(one):
        return one(v)
    if isinstance(one, dict):
        return [*one.values()]
    return [*one]

class Keeper:
    """Keeps an array, and hands out its methods."""

    def __init__(self, v):
        self.v = v

    def add(self, w):
        self.v = self.v + w
        return self.v

    def __iter__(self):
        return iter((self.v,))
''',
    statements="""
4: <1:new holder> = None
if <condition>:
    <1> = <holder>
    <block>
<new array> = <array>
<new list> = [opened(<1>, <array name>)]

3: if <condition>:
    <1:new holder> = <holder>
else:
    <1> = <holder>
<new list> = [opened(<1>, <array name>), repr(<array name>), opened(<1>, <array>)]

3: if <condition>:
    <1:new holder> = <holder>
    opened(<1>, <array>)
else:
    <block>
<new number> = len(repr(<array>))

2: <1:new holder> = None
for <2:new count> in range(3):
    <3:new holder> = <holder>
    opened(<3>, <array name>)
    if <2> == <count name>:
        <1> = <3>
<new list> = [opened(<1>, <array>)]

2: <1:new holder>, <2:new holder> = None, <holder>
if <condition>:
    <1> = (<2>, <holder>)
    <2> = <holder>
<new list> = [opened(<2>, <array>), <1> is None or <1>[0] is <2>]

<new list> = [opened(<holder name>, <array>)]
""",
    expressions={
        "holder": """
2: [<array>]

2: ([<array>], <array name>)

({'k': <array>}, <number>)

{'k': [<array>]}

2: cell(<array>)

Keeper(<array>)

2: Keeper(<array>).add

(Keeper(<array>), <array>)

functools.partial(np.add, <array>)

functools.partial(scaled, plus=<array>)

functools.partial(cell(<array>))

lambda v, w=<array>: v + w

lambda v, w=[<array>]: v + w[0]

[cell(<array>), Keeper(<array>).add]

(row for row in [<array>])

zip([<array>], [<array name>])

iter([<array>])

<holder name>
"""
    },
)
