"""Those who read frames: locals(), vars(), eval, exec, dir(), f_locals of a frame."""

from __future__ import annotations

from fuzzing.grammar import Family

FRAMES = Family(
    "frames",
    helpers="""
def peek(name):
    return sys._getframe(1).f_locals.get(name)

def names_of_caller():
    return sorted(sys._getframe(1).f_locals)

def snapshot():
    frame = sys._getframe(1)
    return {name: copied(value) for name, value in frame.f_locals.items()}

def copied(value):
    return value.copy() if isinstance(value, np.ndarray) else repr(type(value))

def query(text):
    frame = sys._getframe(1)
    return eval(text, {"np": np}, dict(frame.f_locals))

def deeper(name):
    return peeked_from_two(name)

def peeked_from_two(name):
    return sys._getframe(2).f_locals.get(name)

def keep():
    frames = vars(keep).setdefault("frames", [])
    frames[:] = [*frames[-1:], sys._getframe(1)]

def kept():
    frames = vars(keep).get("frames", [])
    return [{name: copied(v) for name, v in one.f_locals.items()} for one in frames]

def traced():
    try:
        raise ValueError
    except ValueError as error:
        return sorted(error.__traceback__.tb_frame.f_back.f_locals)
""",
    statements="""
2: <list name>.append(sorted(locals()))

2: <new dict> = {k: copied(v) for k, v in locals().items()}

<new dict> = snapshot()

2: <list name>.append(snapshot())

<list name>.append(names_of_caller())

<list name>.append(dir())

2: <new array> = eval('<array name> + 1')

<new array> = eval('<array>')

exec('print(<array name>)')

exec('<array name>[0] = 7')

2: <new array> = locals()['<array name>']

<new array> = vars()['<array name>'] * 2

2: <new array> = sys._getframe().f_locals['<array name>']

2: <new array> = peek('<array name>')

<list name>.append(peek('<number name>'))

<new array> = deeper('<array name>')

2: <new array> = query('<array name> * 2')

<new array> = query('<1:array name> - <array name>')

<list name>.append(traced())

2: keep()

<list name>.append(kept())

<list name>.append(kept())
keep()

print(<array name>)

print(<number>, <count name>)

print(sorted(locals()))

2: for <1:new array> in (<array>, <array>):
    <2:new array> = <1> * 2
<list name>.append(snapshot())

3: for <1:new count> in range(3):
    <2:new array> = <array name> * <1>
    <3:array name> = <2> + 1
<new array> = eval('<2> + <3>')

2: for <1:new count> in range(3):
    <2:new array> = <array name> * <1>
    <loop>
<new array> = peek('<2>')

2: if <condition>:
    <1:new array> = <array>
else:
    <1> = <array name> * 2
<list name>.append(locals()['<1>'].copy())

for <1:new count> in range(2):
    <2:new array> = <array> + <1>
    <list name>.append(sorted(locals()))

for <1:new count> in range(3):
    <2:new array> = <array> + <1>
    if <condition>:
        <list name>.append(peek('<2>'))

<1:new array> = <array>
del <1>
<list name>.append(sorted(locals()))

warnings.warn('read', stacklevel=1)
""",
    expressions={
        "array": """
eval('<array name> * 2')

peek('<array name>')

query('<array name> + 1')
""",
        "condition": "'<array name>' in locals()\n\n'nothing' in dir()",
    },
    rebinding="""
M.peek = lambda name: np.ones(1)

M.snapshot = M.names_of_caller
""",
)
