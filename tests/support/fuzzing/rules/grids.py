"""Lists of lists of numbers from outside, read at places that only running tells."""

from __future__ import annotations

from fuzzing.grammar import Family

GRIDS = Family(
    "grids",
    helpers="""
GRID = [[k * 0.5 + j for j in range(6)] for k in range(7)]

TABLE = [[3, 1, 2], [0, 5, 4], [7, 7, 1], [2, 0, 6]]

GRAPH = [[1, 2], [3], [], [4, 0, 2], [1]]

SAME = [TABLE[1]] * 4

MIXED = [[1, 2.0], [3.0, 4], [True, 2], [5, 6]]

LONG = [[k, k + 1] for k in range(40)]
""",
    statements="""
6: for <1:new count> in range(<trips>):
    <array name>[0] += <grid>[<1> % 4][<1> % 2]

4: <1:new number> = 0
for <2:new count> in range(len(<3:grid>)):
    for <4:new count> in range(len(<3>[<2>])):
        <1> = <1> * 2 + <3>[<2>][<4>]

4: <1:new number> = 0.0
for <2:new inner> in <grid>:
    for <3:new number> in <2>:
        <1> += <3> * <count name>

3: <1:new number> = 1
for <2:new count>, <3:new inner> in enumerate(<grid>):
    <1> += sum(<3>) * <2> + len(<3>)
    <loop>

2: for <1:new number>, <2:new number> in <grid>:
    <array name>[0] += <1> * <2>

<new number>, <new number> = <grid>[<count name> % 4]

3: for <1:new inner>, <2:new count> in zip(<grid>, range(<trips>)):
    <array name>[-1] = <1>[0] * <2>

3: for <1:new count> in range(<trips>):
    <2:new inner> = <grid>[<1> % 4]
    if <condition>:
        <array name>[0] = len(<2>)

2: for <1:new count> in range(<trips>):
    <2:grid>[<1> % 4][0] = <2>[0][<1> % 2] + 1

2: for <1:new count> in range(<trips>):
    <list name>.append(<grid>[<1> % 4][0] * 2)

<new inner> = <grid>[<count name> % 4]

<new list> = [one[0] for one in <grid>]

<new list> = [<grid>[<1:new count> % 4][0] for <1> in range(<trips>)]

<new number> = <inner name>[<count name> % 2]

<array name>[:1] = sum(<inner name>)

<new list> = [len(<inner name>), 3 in <inner name>, <inner name> is TABLE[1]]

<inner name>[0] = <count name>

<inner name>.append(<count name>)

<new number> = max(one[0] for one in <grid>)

<1:inner name>, <2:inner name> = <2>, <1>

<grid>.append([1, 2])

<new list> = <inner name>
""",
    expressions={
        "grid": "3: GRID\n\n3: TABLE\n\n2: GRAPH\n\nSAME\n\nMIXED\n\n2: LONG\n\n<list name>",
        "trips": "3: 9\n\n2: 40\n\nlen(<array name>)\n\n<count name> % 7",
    },
    rebinding="""
M.GRID = [[2.5, 1.0], [0.5, 3.0], [1.0, 1.0], [4.0, 0.0]]

M.GRID[1] = [1.5] * 6

M.TABLE[2][0] += 1

M.TABLE[1] = M.TABLE[0]

M.GRAPH.append([2, 2])

M.LONG = [[k * 0.5] for k in range(50)]
""",
)
