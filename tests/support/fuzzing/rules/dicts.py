"""Dicts, counters, default dicts and sets with keys that only running tells."""

from __future__ import annotations

from fuzzing.grammar import Family

DICTS = Family(
    "dicts",
    statements="""
6: <1:new table> = <empty>
for <2:new count> in range(<few>):
    <1>[<key>] = <1>.get(<2> % 5, 0) + <count>

4: <1:new table> = <empty>
for <2:new count> in range(len(<array name>)):
    <3:new key> = <2> * 7 % (<2> % 3 + 2)
    if <3> in <1>:
        <1>[<3>] += <amount>
    else:
        <1>[<3>] = <amount>

4: <1:new table> = <empty>
for <2:new count> in range(<few>):
    <1>[<2> % 4] = <amount>
    <loop>

3: <1:new table> = <counting>
for <2:new count> in range(<few>):
    <1>[<2> * <2> % 7] += <amount>

3: <1:new table> = <empty>
for <2:new count>, <3:new key> in enumerate(<pairs>):
    <1>[<3>] = <1>.get(<3>, 0) + <2>

2: <1:new table> = {<3:new key>: <2:new count> for <2>, <3> in enumerate(<pairs>)}

3: <1:new table> = <empty>
for <2:new count> in range(<few>):
    <1>[<2> % 3, <2> % 2] = <1>.get((<2> % 2, 1), 0) + 1

<new table> = <counting>

<new table> = collections.Counter(<values>)

2: <table name>[<key>] = <amount>

2: <table name>[<key>] += <amount>

<new number> = <table name>.get(<key>, <amount>)

<new number> = <table name>[<key>]

<new number> = <table name>.setdefault(<key>, <amount>)

2: for <1:new key> in <2:table name>:
    <2>[<1>] += <amount>

for <1:new key>, <2:new number> in <table name>.items():
    <array name>[0] = <2> * <1>

for <1:new number> in <table name>.values():
    <array name>[-1:] = <1>

for <1:new key> in <2:table name>:
    <2>[<1> + 50] = 0

<new list> = sorted(<table name>.items())

<new list> = [*<table name>.values(), <key> in <table name>, len(<table name>)]

<new table> = {<1:new key>: <2:new number> * 2 for <1>, <2> in <table name>.items()}

<1:new key> = max(<2:table name>, key=<2>.get)

del <table name>[<key>]

<table name>.pop(<key>, None)

<new table> = <table name>.copy()

<new table> = dict(<table name>)

3: <1:new table> = <empty>
for <2:new count> in range(<few>):
    <3:new key> = <2> * <count name> % 5
    if <3> in <1>:
        del <1>[<3>]
    else:
        <1>[<3>] = <amount>

2: <new number> = <table name>.pop(<key>, <amount>)

<new number> = <table name>.pop(<key>)

<new list> = [*<table name>.popitem()]

while len(<1:table name>) > 2:
    <1>.popitem()

<table name>.clear()

2: <new list> = [<1:table name> == <table name>, <1> != <table name>]

for <1:new key> in list(<2:table name>):
    if <1> % 2:
        del <2>[<1>]

3: <1:new hashed> = set()
for <2:new count> in range(<few>):
    <1>.add(<key>)

2: <new hashed> = set(<values>)

2: <new hashed> = {k * <count name> % 7 for k in range(<few>)}

2: <new hashed> = <hashed name> <combined> <hashed name>

2: <new list> = [<hashed name> <compared> <hashed name>]

2: <new list> = [len(<hashed name> <combined> <hashed name>)]

<new list> = sorted(<hashed name> <combined> <hashed name>)

<new list> = [<hashed name>.isdisjoint(<hashed name>)]

<new list> = [<hashed name>, <key> in <hashed name> <combined> <hashed name>]

<hashed name>.add(<key>)

<hashed name>.update(<values>)

<hashed name> |= <hashed name>

<hashed name> -= <hashed name>

2: <hashed name>.discard(<key>)

<hashed name>.remove(<key>)

3: <1:new hashed> = set()
for <2:new count> in range(<few>):
    <1>.add(<key>)
    <1>.discard(<key>)

2: <1:new hashed> = {3, 8}
for <2:new count> in range(<few>):
    <1> |= {<key>, <2>}
    <1> -= {<key>}

<1:hashed name>, <2:hashed name> = <2>, <1>

if <condition>:
    <new hashed> = <hashed name> <combined> <hashed name>

for <1:new key> in <hashed name>:
    <array name>[0] = <1>

<1:table name>, <2:table name> = <2>, <1>

<new list> = [<table name>, <table name>]

print(<table name>)

if <condition>:
    <new table> = <counting>

<new list> = collections.Counter(<values>).most_common(<few> % 3)
""",
    expressions={
        "empty": "6: {}\n\n{1: 0}\n\n{0: 0.5, 3: 1.5}\n\n{'a': 0}\n\n2: <counting>",
        "combined": "2: &\n\n2: |\n\n-\n\n^",
        "compared": "<=\n\n<\n\n==\n\n!=\n\n>=",
        "counting": """
2: collections.Counter()

2: collections.defaultdict(int)

collections.defaultdict(float)

collections.defaultdict(lambda: 3)

collections.defaultdict(list)
""",
        "values": """
[1, 2, 1]

(<array name> * 3).astype(int)

range(<few>)

(k % 3 for k in (2, 4, 5))
""",
        "pairs": "3: CELLS\n\nCELLS[:<few>]\n\ntuple(CELLS)\n\n[*CELLS, ('a', 1)]",
        "few": "4: 9\n\n4: 40\n\nlen(<array name>)\n\n<count name> % 7",
        "key": """
4: <count name> % 5

3: <count name>

<key name>

int(<array name>[0])

-<count name> * 2**40

np.int64(<count name> % 4)

(<count name> % 3, 1)

<number name>

'a'

2**70
""",
        "amount": """
4: 1

2: <count name>

2: <number>

<array name>[0]

float(<count name>)

None
""",
    },
    helpers="CELLS = [(k % 3, k % 5) for k in range(24)]",
)
