"""Rules that every program is made of: arrays, numbers, branches and loops."""

from __future__ import annotations

from fuzzing.grammar import Family

ARRAYS = Family(
    "arrays",
    statements="""
8: <new array> = <array>

3: <array name> += <operand>

<array name> *= <operand>

<array name> -= <array>

2: <array name>[<index>] = <number>

<array name>[<index>] += <number>

<array name>[1:] = <array name>[:-1]

<array name>[...] = <array>

<1:array name>[<1> > <number>] = <number>

np.add(<array>, <operand>, out=<array name>)

2: <new number> = <number>

<number name> += <number>

<new count> = <count>

<new array> = <array name>[<window>]

<1:array name>, <2:array name> = <2>, <1>

<new array>, <new number> = <array>, <number>
""",
    expressions={
        "array": """
12: <array name>

3: <array name> + <operand>

3: <array name> * <operand>

<array> - <array name>

-<array name>

np.sin(<array name>)

np.where(<array name> > <operand>, <array name>, <array>)

np.maximum(<array name>, <operand>)

<array name>.copy()

<array name>[::-1]

np.cumsum(<array name>)

<array name>.astype(<dtype>)

np.zeros_like(<array name>)

np.sqrt(abs(<array name>))

np.clip(<array name>, <number>, 3)

(<array> if <condition> else <array>)
""",
        "operand": """
2: <array name>

<array name>[::-1]

2: <number>

<array name>.sum()
""",
        "number": """
3: <number name>

3: <count name>

2

0.5

-1

<array name>.sum()

float(<array name>.sum())

<array name>[<index>]

<number name> * 2

<number name> + <count>
""",
        "count": """
6: <count name>

<count name> + 1

<count name> % 3

len(<array name>)

<array name>.shape[0]

2
""",
        "index": "4: 0\n\n3: -1\n\n<count name>\n\n<count name> % 2\n\n1:\n\n:2\n\n::2\n\n...",
        "window": "::-1\n\n1:\n\n:-1\n\n...\n\n::2\n\n:<count name>",
        "dtype": "'f8'\n\n'f4'\n\n'i8'\n\n'c16'\n\nbool\n\nfloat",
        "condition": """
3: <count name> > <count>

<count name> % 2 == 0

2: <number name> > <number>

<array name>.sum() > np.sum(<operand>)

<array name>.sum() > <number>

<array name>[0] > 0

(<array name> > 0).any()

<flag name>

not <flag name>

<count name>

<array name> is <array name>

<count name> > 1 and <condition>

len(<array name>) > 2
""",
        "turns": """
3: range(3)

2: range(<count name> % 4)

range(len(<array name>))

range(3, 0, -1)

range(<count name>, 4)
""",
    },
)

FLOW = Family(
    "flow",
    statements="""
3: if <condition>:
    <block>

2: if <condition>:
    <block>
else:
    <block>

if <condition>:
    <block>
elif <condition>:
    <block>
else:
    <block>

4: for <new count> in <turns>:
    <loop>

for <new count> in <turns>:
    <loop>
else:
    <block>

for <new number> in <array name>:
    <loop>

<1:new count> = 3
while <1> > 0:
    <1> -= 1
    <loop>

4: <in loop>if <condition>:
    break

2: <in loop>if <condition>:
    continue

<in loop>if <condition>:
    return <array>

if <condition>:
    return <array>, <number>

for <new array> in (<array>, <array name>):
    <loop>

match <count name> % 3:
    case 0:
        <block>
    case 1 | 2 if <condition>:
        <block>
    case _:
        <block>

match (<count name>, <array name>):
    case (0 | 1, _):
        <block>
    case (_, <new array>):
        <block>
""",
)
