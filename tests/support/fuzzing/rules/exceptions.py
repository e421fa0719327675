"""Exceptions of the user's, Python's and NumPy's, in loops too, and what handles them."""

from __future__ import annotations

from fuzzing.grammar import Family

EXCEPTIONS = Family(
    "exceptions",
    helpers='''
class Manager:
    """Notes that it was entered and left; may swallow what is raised."""

    def __init__(self, out, swallows=False):
        self.out, self.swallows = out, swallows

    def __enter__(self):
        self.out.append("enter")
        return self

    def __exit__(self, kind, error, trace):
        self.out.append(kind and kind.__name__)
        return self.swallows

@contextlib.contextmanager
def changing(x):
    x += 1
    try:
        yield x
    finally:
        x -= 2

def raising(v, k):
    v += 1
    if k > 1:
        raise ValueError(k)
    return v

def handled(v, k):
    try:
        v = raising(v, k)
    except ValueError as error:
        return v * error.args[0]
    else:
        v = v + 1
    finally:
        v[:1] = 0
    return v

def last_word(v, k):
    for i in range(3):
        try:
            v = v + i
            if i == k:
                return v
        finally:
            if i == 2:
                return -v
            v = v * 2
    return v

class Refused(Exception):
    """The user's own, with an array."""

    def __init__(self, value):
        super().__init__("refused")
        self.value = value
''',
    statements="""
3: try:
    <block>
    <raising>
except <caught>:
    <block>

2: try:
    <block>
    <raising>
except <caught> as error:
    <list name>.append(type(error).__name__)
    <list name>.append(str(error))

2: try:
    <block>
finally:
    <block>

try:
    <raising>
except <caught>:
    <block>
else:
    <block>
finally:
    <block>

3: for <1:new count> in range(3):
    try:
        <loop>
        if <1> == <count name>:
            <raising>
    except <caught>:
        <loop>
    finally:
        <block>

2: for <1:new count> in range(3):
    try:
        <2:array name> += <array name>
        if <1> == <count name>:
            break
    finally:
        <2>[:1] = <number>

for <1:new count> in range(3):
    try:
        <block>
        if <1> == 1:
            continue
        <raising>
    except <caught>:
        continue
    else:
        <block>
    finally:
        <array name>[:1] += 1

for <1:new count> in range(4):
    try:
        <block>
        <raising>
    except <caught>:
        break
    finally:
        <block>
else:
    <block>

for <1:new count> in range(3):
    try:
        if <1> == <count name> % 3:
            return <array>
        <block>
    finally:
        <2:list name>.append(<array>)

for <1:new count> in range(3):
    try:
        <raising>
    finally:
        <block>
        break

for <1:new count> in range(2):
    with Manager(<list name>, <condition>), np.errstate(all='ignore'):
        <block>
        <raising>

for <1:new count> in range(2):
    with changing(<array name>) as <new array>:
        <loop>

while <count name> < 3:
    <block>
    <raising>
    break

with Manager(<list name>, True):
    <block>
    <raising>

with contextlib.suppress(<caught>):
    <block>
    <raising>

with np.errstate(divide='raise', invalid='ignore'):
    <new array> = <array> / <number>

with np.errstate(all=<errstate>):
    <block>

2: with np.errstate(all='raise'):
    <array name> += <operand>
    <array name> *= <operand>
    <array name>[1:] /= <number>

with np.errstate(all='raise'):
    for <1:new count> in range(30):
        <2:array name> *= 1e30
        <2> += <operand>

for <1:new count> in range(30):
    with np.errstate(all='raise'):
        <array name> /= 29 - <1>

2: for <1:new count> in range(40):
    <2:array name>[<1> % 3] += <number>
    <2>[<1> // 8] *= 0.5

2: for <1:new count> in range(40):
    if <1> % 7 == <count name>:
        <new number> = <1> * 0.5
    <2:array name>[<1> % 3] += <number>
    <2>[<1> // 8] *= 0.5

2: for <1:new count> in range(20):
    <2:new number> = 0.0
    for <3:new count> in range(<1> // 2, <1> + <count name> % 2):
        <2> += <4:array name>[<3> // 4]
    <4>[<1> % 2] = <2>

try:
    for <1:new count> in range(60):
        if <1> % 5 == <count name>:
            <new number> = <1> * 2
        <array name>[<1> // 20] += <number>
except <caught>:
    <list name>.append(sorted(locals()))

try:
    for <1:new count> in range(60):
        for <2:new count> in range(<1> % 3):
            <new array> = <3:array name> * 0.5
        <3>[<1> // 20] += <2> + 7 // (58 - <1>)
except <caught> as error:
    <list name>.append(sorted(error.__traceback__.tb_frame.f_locals))

try:
    for <1:new count> in range(30):
        <new number> = <1> * 2
        <array name>[:1] += 7 // (<count name> + 27 - <1>)
except <caught>:
    <block>

while <count name> < 3:
    <1:count name> += 1
    <array name>[<1>] -= <number>

<new array> = handled(<array name>, <count name>)

<new array> = last_word(<array>, <count name>)

try:
    <raising>
except* <caught>:
    <block>

try:
    try:
        <raising>
    except <caught>:
        <raising>
except <caught> as error:
    <list name>.append(type(error.__context__).__name__)

if <condition>:
    <raising>

<raising>
""",
    expressions={
        "raising": """
2: raise ValueError(<count name>)

raise Refused(<array>)

raise KeyError('k') from ValueError(1)

2: <array name>[<count name> + 3]

<array name>[99] = 1

2: <new array> = <array name> + np.ones(7)

<array name> += np.ones((2, 4))

<array name>[:] = np.ones(9)

<new number> = 1 // (<count name> - <count name>)

<new number> = 1 // <count name>

<new array> = raising(<array name>, <count name>)

<array name>.reshape(3, 5)

np.concatenate([])

np.concatenate([<array name>, np.ones((1, 1))])

<dict name>['missing']

<list name>[99]

assert <count name> < 2, <array name>.shape

missing_name

<new array> = <array name> @ np.ones(9)

np.add(<array name>, <array>, out=np.zeros(9))

<array name>.astype('f8') @ <array name>[:1]

np.linalg.inv(np.zeros((2, 2)))

int('x')

<new number> = <array name>.max(axis=3)

<1:new array>, <2:new array> = <array name>[:3]

<array name>.nothing

<new array> = <array name> + 'text'

<new array> = np.zeros(<count name> - 2)

next(iter(()))
""",
        "caught": """
2: ValueError

(IndexError, ZeroDivisionError)

2: Exception

LookupError

TypeError

Refused
""",
        "errstate": "'raise'\n\n'ignore'\n\n'warn'",
        "array": "handled(<array name>, <count name>)\n\nlast_word(<array>, <count name>)",
    },
    rebinding="""
M.raising = lambda v, k: v

M.Refused = KeyError

M.Manager.__exit__ = lambda self, *rest: True

M.handled.__globals__["raising"] = M.last_word
""",
)
