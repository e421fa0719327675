"""Sets, dicts, deques and long lists that others hold: globals with two names, and attributes."""

from __future__ import annotations

from fuzzing.grammar import Family

HELD = Family(
    "held",
    statements="""
5: for <1:new count> in range(<many>):
    if <1> * 7 % 11 in <set held>:
        <array name>[0] += <1>
    elif <condition>:
        <set held>.add(<1> % 5)

4: <1:new list> = []
for <2:new count> in range(<many>):
    if <place> not in <3:set held>:
        <3>.add(<place>)
        <1>.append(<2>)

5: for <1:new count> in range(<many>):
    <2:dict held>[<1> * 3 % 7] = <2>.get(<1> % 4, <amount>) + <amount>

4: <1:new number> = 0.0
for <2:new count> in range(<many>):
    if <place> in <3:dict held>:
        <1> += <3>[<place>]
    else:
        <3>[<place>] = <amount>

3: <1:new number> = 0
for <2:new count> in range(<many>):
    <1> = <dict held>.get(<place>, <1>)
    <loop>

5: for <1:new count> in range(<many>):
    <2:queue held>.append(<amount>)
    if len(<2>) > 4:
        <queue held>.popleft()
    <array name>[-1:] += sum(<queue held>)

3: <1:new number> = 0
while <2:queue held> and <1> < 40:
    <1> += <queue held>.pop()
    if <1> % 3 == 1:
        <2>.append(<amount>)

3: for <1:new number> in <queue held>:
    <array name>[:1] -= <1>
    if <1> == 7:
        <queue held>.append(3)

2: <1:new number> = <2:queue held>[0]
for <3:new count> in range(<many>):
    <2>.append(<2>.popleft())

4: for <1:new count> in range(<many> % 4):
    <2:queue held>.append(<1> * 0.5)
    if len(<2>) > 5:
        <2>.popleft()
<new count> = len(KEPT)

6: <1:new number> = 0.0
for <2:new number> in <list held>:
    <1> += <2> * <amount>
    <loop>

4: <1:new number> = 0.0
for <2:new count>, <3:new number> in enumerate(<4:list held>):
    if <3> > <amount>:
        <1> += <list held>[<2> % 30]
    elif <condition>:
        <4>[<2> % 5] = <amount>

3: <1:new number> = 0.0
for <2:new count> in range(<many>):
    <1> += <list held>[<2> * 7 % 33] * 0.5

3: for <1:new count>, <2:new count> in PAIRS:
    <array name>[(<1> + <2>) % 2] += <1>
    if <condition>:
        print(<2>)

3: <new list> = [<1:new number> * 2 for <1> in <list held> if <1> > <amount>]

3: <new number> = sum(<list held>) + sum(<1:new number> * 0.5 for <1> in <list held>)

2: <new list> = [one for one in <list held> if one > 1]

<list held>.append(<amount>)

<list held>.pop()

<new list> = [max(<list held>), <list held>[-1] is held.long[-1], len(<list held>)]

2: for <1:new count> in range(<many>):
    <1:new number> = <queue held>.popleft()
    <queue held>.append(<amount>)
    <dict held>[<place>] = <1>

2: for <1:new count> in range(<many>):
    <2:queue held>[<1> % 3 - 1] = <queue held>[0] + <amount>

<new list> = [len(<set held>), len(<dict held>), len(<queue held>), list(<queue held>)]

<new list> = [*<set held>, *<dict held>.items()]

<new list> = [one is other for one in <queue held> for other in <queue held>]

<dict held>[<place>] = <amount>

<dict held>.pop(1, None)

<set held>.discard(3)

<queue held>.appendleft(<amount>)

<set held>.update(<array name>.astype(int).tolist())

<new list> = [SEEN is seen_too(), WINDOW is held.window, <dict held>, KEPT]

print(<set held>, <dict held>)
""",
    expressions={
        "many": "5: 9\n\n3: 30\n\nlen(<array name>)\n\n<count name> % 7",
        "place": """
5: <count name> % 6

2: int(<array name>[0])

2: <count name> * 2**40

(<count name> % 3, 1)

np.int64(<count name>)

<number>

'a'

2**70
""",
        "amount": """
4: 1

3: <count name>

3: 0.5

2: <count name> * 0.25

<array name>[0]

<number name>

WINDOW[0]

None
""",
        "set held": "5: SEEN\n\n3: held.seen\n\n2: seen_too()\n\nOTHERS\n\nODD",
        "dict held": "5: COUNTS\n\n4: WEIGHTS\n\n3: held.memo\n\nPATHS\n\nMIXED\n\nheld.of_arrays",
        "list held": "5: LONG\n\n3: WHOLES\n\n3: held.long\n\nOF_NUMPY\n\nSHORT",
        "queue held": "5: WINDOW\n\n4: held.window\n\n3: LAST\n\nheld.tasks",
    },
    helpers="""
SEEN = {1, 2, 9}
OTHERS = set()
ODD = {1, 2.0, "a", True}
COUNTS = {0: 1, 5: 2}
WEIGHTS = {k: k / 4 for k in range(7)}
PATHS = {(0, 1): 1, (2, 1): 5}
MIXED = {1: 2, 2: 2.5, "a": None}
WINDOW = collections.deque([1.0, 2.5, 0.5])
KEPT = [*WINDOW, *WEIGHTS.values()]
LAST = collections.deque([3, 1], 3)
LONG = [k * 0.25 - 3 for k in range(40)]
WHOLES = [k * 7 % 11 for k in range(36)]
PAIRS = [(k % 3, k % 5) for k in range(38)]
OF_NUMPY = list(np.linspace(-1.0, 2.0, 34))
SHORT = [0.5, 2.0]
held = types.SimpleNamespace(
    seen=OTHERS, memo={}, long=LONG, window=WINDOW, tasks=collections.deque([7, 2]),
    of_arrays={np.int64(2): np.float64(0.5)},
)


def seen_too():
    return SEEN
""",
    rebinding="""
2: M.SEEN.add(4)

M.SEEN = {"a"}

M.OTHERS.clear()

M.COUNTS[2] = 0.5

2: M.COUNTS.clear()

M.WEIGHTS = {1: 1}

M.WINDOW.extend([4.5, 6.5])

M.WINDOW.append(3)

M.LONG.append(0.5)

M.LONG.pop(3)

M.LONG = [1.5] * 50

M.WHOLES[4] = 0.5

M.PAIRS.append((1, 1))

M.held.long = M.WHOLES

M.LAST = __import__("collections").deque([1], 2)

M.held.memo = M.COUNTS
""",
)
