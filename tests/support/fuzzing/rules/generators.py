"""Iterators whose items share state with those who make and use them; and their consumers."""

from __future__ import annotations

from fuzzing.grammar import Family
from fuzzing.rules.generator_helpers import HELPERS

GENERATORS = Family(
    "generators",
    helpers=HELPERS,
    statements="""
4: for <new array> in <iterator>:
    <loop>

for <new array> in iter(<list name>):
    <loop>

2: for <new count>, <new array> in enumerate(<iterator>):
    <loop>

2: for <new array>, <new array> in zip(<iterator>, <iterator>):
    <loop>

for <1:new array> in <iterator>:
    <1> += 1
    <array name>[0] += 1

2: for <1:new array> in running(<2:array name>):
    <2>[:] = <1> * 2

for <1:new array> in reading(<2:list name>):
    <2>[-1] = <1> + 1

for <1:new array> in reading(<2:list name>):
    <2>.append(<1> + 1)

for <1:new array> in growing(<2:list name>):
    <2>.append(<1> * 2)

for <1:new array> in looking(<2:object name>):
    <2>.value = <1> + 1

2: <new list> = list(<iterator>)

<new list> = [*<iterator>]

<new list> = [*<iterator>, <array name>, *<iterator>]

2: <list name>.extend(<iterator>)

2: <list name> += <iterator>

<list name>[1:1] = <iterator>

<list name>[:] = <iterator>

2: <new list> = [<1:new array> + 1 for <1> in <iterator>]

<new list> = [<1:new array> for <1> in <iterator> if <1>.sum() > <number>]

<new list> = [<1:new array> + <2:new array> for <1> in <iterator> for <2> in (<1>, <array name>)]

<new list> = [<1:new number> for <1> in map(total, <iterator>)]

<new dict> = {total(<1:new array>): <1> for <1> in <iterator>}

<new dict> = dict(enumerate(<iterator>))

<new dict> = dict(zip('abc', <iterator>))

<dict name>.update(zip('abc', <iterator>))

<new set> = {total(<1:new array>) for <1> in <iterator>}

<new set> = set(map(total, <iterator>))

2: <new array>, <new array>, *<new list> = <iterator>

<new array>, <new array>, <new array> = <iterator>

<new list> = sorted(<iterator>, key=total)

<new list> = sorted(<iterator>, key=lambda v: -v.sum(), reverse=True)

<list name>.sort(key=total)

<list name>.sort(key=changed)

<new list> = list(map(changed, <iterator>))

<new list> = list(filter(total, <iterator>))

<new list> = list(zip(<iterator>, <iterator>))

<new list> = list(map(taken, <iterator>, <iterator>))

<new list> = list(itertools.accumulate(<iterator>))

<new list> = list(itertools.islice(<iterator>, 2))

<new list> = list(itertools.chain(<iterator>, <iterator>))

<new list> = list(itertools.chain.from_iterable([<iterator>, <iterator>]))

<new list> = list(itertools.takewhile(lambda v: v.sum() < 9, <iterator>))

<new list> = list(itertools.starmap(taken, zip(<iterator>, <iterator>)))

<new list> = list(itertools.pairwise(<iterator>))

<new queue> = collections.deque(<iterator>, 2)

<1:new iterator> = <iterator>
<new array> = next(<1>)
<array name>[0] += 3
<new array> = next(<1>, <array name>)

<1:new iterator> = <iterator>
<new list> = [next(<1>), *<1>]

<1:new iterator> = <iterator>
<new list> = list(zip(<1>, <1>))

<1:new iterator> = echoed(<array name>)
<new array> = next(<1>)
<array name>[0] += 2
<new array> = <1>.send(<array>)
<1>.close()

<1:new iterator> = guarded(<array name>)
<new array> = next(<1>)
<1>.close()

<new array> = np.array(list(<iterator>))

<new array> = np.concatenate(list(<iterator>))

<new array> = np.stack([*<iterator>])

<new array> = np.fromiter(map(total, <iterator>), float)

<array name>[:3] = [total(<1:new array>) for <1> in <iterator>]

<new list> = list(reversed(list(<iterator>)))

<new list> = <list name> + list(<iterator>)

<new number> = min(map(total, <iterator>), default=0)
""",
    expressions={
        "iterator": """
4: running(<array name>)

counted_on(<array name>, <count name> % 4)

counted_on(<array name>)

2: paired(<array name>, <array name>)

listed(<list name>)

2: one_of(<array name>, <array name>)

numbered(<object name>)

fresh(<array name>)

2: views(<array name>)

held(<array name>)

2: reading(<list name>)

growing(<list name>)

looking(<object name>)

2: both(<array name>, <array name>)

within(<array name>)

guarded(<array name>)

failing(<array name>)

Steps(<array name>)

Sequence(<array name>)

(changed(<array name>) for i in range(3))

(v + 1 for v in running(<array name>))

(v for v in <list name>)

map(changed, <list name>)

map(changed, running(<array name>))

map(taken, running(<array name>), <list name>)

filter(total, running(<array name>))

itertools.islice(running(<array name>), 2)

itertools.accumulate(running(<array name>))

iter(<list name>[:])

reversed(<list name>)

<list name>

<dict name>.values()

iter([<array name>, <array>])

(<array name>, <array>)
""",
        "array": """
4: sum(<iterator>)

2: sum(<iterator>, <array name>)

2: max(<iterator>, key=total)

min(<iterator>, key=lambda v: v[0])

2: functools.reduce(np.add, <iterator>)

functools.reduce(lambda p, q: p + q, <iterator>, <array name>)

functools.reduce(taken, <iterator>)

2: spread(*<iterator>)

spread(<array name>, *<iterator>)

taken(*<iterator>)

next(<iterator>)

next(iter(<iterator>), <array name>)

list(<iterator>)[-1]

[*<iterator>][0]

np.add.reduce(list(<iterator>))
""",
        "number": """
sum(map(total, <iterator>))

math.fsum(total(v) for v in <iterator>)

len(list(<iterator>))

sum(1 for v in <iterator> if v.sum() > 2)

max(map(total, <iterator>))
""",
        "condition": """
any(v.sum() > 5 for v in <iterator>)

all(v.sum() < 9 for v in <iterator>)

any(map(total, <iterator>))

3.0 in map(total, <iterator>)

2.0 in (total(v) for v in <iterator>)
""",
    },
    rebinding="""
M.running = M.fresh

M.total = lambda x: -float(x.max())

M.counted_on.__defaults__ = (3,)

M.changed = M.total

M.spread.__code__ = M.taken.__code__
""",
)
