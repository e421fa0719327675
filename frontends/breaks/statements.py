"""FJ1: statements."""

from __future__ import annotations

from .entry import BreakCode, Cause, Pair

SET_DISPLAY = Cause(
    "set",
    r"^a set (?:display|comprehension)",
    "keep the items as keys of a dict, or in a tuple if none is added",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    seen = {0.5, 1.5}
    seen.add(2.5)
    return y + len(seen)

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    seen = {0.5: True, 1.5: True}
    seen[2.5] = True
    return y + len(seen)

answer = f(np.arange(4.0))
""",
    ),
    named=(
        "keep the items of `{made}` as keys of a dict, or in a tuple if none is added: `{new}`",
    ),
    rewrites=(("{*_items}", "dict display"),),
)
MEMBERSHIP = Cause(
    "in-set",
    r"^membership in (?:argument|global) `(?P<name>[^`]+)` \((?P<kind>set|frozenset)\)",
    "ask a dict with these keys",
    Pair(
        """\
@jit
def f(x, chosen):
    y = x * 2
    if 1 in chosen:
        y = y + 1
    return y

answer = f(np.arange(4.0), {1, 2})
""",
        """\
@jit
def f(x, chosen):
    y = x * 2
    if 1 in chosen:
        y = y + 1
    return y

answer = f(np.arange(4.0), dict.fromkeys({1, 2}, True))
""",
    ),
    named=("make it a dict with these keys before {call}: `{name} = dict.fromkeys({name}, True)`",),
)
OWN_MEMBERSHIP = Cause(
    "in-own-set",
    r"^membership in local `(?P<name>[^`]+)` \((?P<kind>set|frozenset)\)",
    "keep the items as keys of a dict",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    seen = set()
    for k in range(4):
        if k * 0.5 not in seen:
            seen.add(k * 0.5)
    return y + len(seen)

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    seen = {}
    for k in range(4):
        if k * 0.5 not in seen:
            seen[k * 0.5] = True
    return y + len(seen)

answer = f(np.arange(4.0))
""",
    ),
    named=("make `{name}` a dict, and add items as `{name}[item] = True`",),
)
TEXT = Cause(
    "text",
    r"^the text of something that is no number or string",
    "return the array, and make its text behind the call",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    return str(y)

answer = f(np.arange(4.0))
""",
        """\
@jit
def f(x):
    y = x * 2
    return y

answer = str(f(np.arange(4.0)))
""",
    ),
    named=("return {reads} from `{f}`, and make the text behind its call: `{line}`",),
    looped=(
        "collect {reads} in a list in the loop, return that, and make the texts behind {call}",
    ),
)
IMPORT = Cause(
    "import",
    r"^an import",
    "import at the top of the file",
    Pair(
        """\
@jit
def f(x):
    import colorsys
    y = x * 2
    return y + colorsys.ONE_THIRD

answer = f(np.arange(4.0))
""",
        """\
import colorsys

@jit
def f(x):
    y = x * 2
    return y + colorsys.ONE_THIRD

answer = f(np.arange(4.0))
""",
    ),
    named=("move `{line}` to the top of the file",),
)
WITH = Cause(
    "with",
    r"^the start of an? `(?:async )?with` block",
    "put the `with` block around the call",
    Pair(
        """\
import threading

lock = threading.Lock()

@jit
def f(x):
    with lock:
        return x * 2 + 1

answer = f(np.arange(4.0))
""",
        """\
import threading

lock = threading.Lock()

@jit
def f(x):
    return x * 2 + 1

with lock:
    answer = f(np.arange(4.0))
""",
    ),
    named=("put `{line}` around {call}",),
)
CLASS = Cause(
    "class",
    r"^a class statement|^call of `__build_class__`",
    "define the class at the top of the file",
    Pair(
        """\
@jit
def f(x):
    class State:
        pass
    state = State()
    state.y = x * 2
    return state.y + 1

answer = f(np.arange(4.0))
""",
        """\
class State:
    pass

@jit
def f(x):
    state = State()
    state.y = x * 2
    return state.y + 1

answer = f(np.arange(4.0))
""",
    ),
    named=("move `{line}` with its body out of `{f}`, to the top of the file",),
)

INSTRUCTION = BreakCode(
    "FJ101",
    "this kind of statement is not captured yet",
    "Capture has no rule for this statement, or none for these operands. The segment ends before "
    "it, plain Python runs it, and another segment begins behind it.",
    "take it out of the function: return what it needs, or pass what it makes as an argument",
    WITH.pair,
    named=("take it out of `{f}`: return what it needs, or pass what it makes as an argument",),
    causes=(SET_DISPLAY, MEMBERSHIP, OWN_MEMBERSHIP, TEXT, IMPORT, WITH, CLASS),
)
UNBOUND = BreakCode(
    "FJ102",
    "a local variable may be unbound here",
    "On one of the paths to this line nothing has assigned the variable. Plain Python raises the "
    "UnboundLocalError, if there is one.",
    "assign it on every path before it is used",
    Pair(
        """\
@jit
def f(x, flag):
    if flag:
        z = x
    y = x * 2
    try:
        return y + z
    except UnboundLocalError:
        return y

answer = f(np.arange(4.0), False)
""",
        """\
@jit
def f(x, flag):
    z = None
    if flag:
        z = x
    y = x * 2
    if z is not None:
        return y + z
    return y

answer = f(np.arange(4.0), False)
""",
    ),
    named=(
        "give `{name}` a value on every path that leads here, such as `{name} = None` at the start",
    ),
    found=r"^(?:local )?(?:variable|name) `(?P<name>\w+)`|^local variable `(?P<other>\w+)`",
)
