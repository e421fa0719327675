"""Causes of breaks that are containers of the standard library."""

from __future__ import annotations

from .entry import Cause, Pair
from .operands import DEQUE_ITEM, DICT_OF_LISTS
from .statements import SET_DISPLAY

SET_METHOD = Cause(
    "set",
    r"^`(?P<method>\w+)` of (?:(?:argument|local|global) `(?P<name>[^`]+)`|an object) "
    r"\((?:set|frozenset)\)",
    "keep the items as keys of a dict: `seen[item] = True`",
    SET_DISPLAY.pair,
    named=("keep the items as keys of a dict: `{new}`",),
    rewrites=(
        ("_s.add(_item)", "_s[_item] = True"),
        ("_s.discard(_item)", "_s.pop(_item, None)"),
        ("_s.remove(_item)", "del _s[_item]"),
    ),
)
SET_CALL = Cause(
    "set",
    r"^call of `(?:(?:set|frozenset)(?:\.\w+)?|[\w.<>]*<setcomp>)`",
    "keep the items as keys of a dict, or use np.unique of an array",
    Pair(
        """\
@jit
def f(x):
    y = x * 2
    kinds = set(y.tolist())
    return y + len(kinds)

answer = f(np.array([1.0, 2.0, 1.0]))
""",
        """\
@jit
def f(x):
    y = x * 2
    kinds = np.unique(y)
    return y + len(kinds)

answer = f(np.array([1.0, 2.0, 1.0]))
""",
    ),
    named=("keep the items as keys of a dict, or use np.unique of an array: `{new}`",),
    rewrites=(
        ("set()", "{}"),
        ("set(_a.tolist())", "np.unique(_a)"),
        ("set(_a)", "np.unique(_a)"),
        *SET_METHOD.rewrites,
    ),
)
DEQUE_METHOD = Cause(
    "deque",
    r"^`(?P<method>\w+)` of .* \(deque\)|^call of `collections\.deque`",
    "use a list; `del items[0]` in place of `popleft` and of `maxlen`",
    DEQUE_ITEM.pair,
    named=("use a list, with `del` in place of `popleft` and of `maxlen`: `{new}`",),
    rewrites=(
        ("collections.deque(maxlen=_n)", "[]"),
        ("deque(maxlen=_n)", "[]"),
        ("collections.deque()", "[]"),
        ("deque()", "[]"),
        ("collections.deque(_items)", "list(_items)"),
        ("deque(_items)", "list(_items)"),
        ("_q.popleft()", "_q.pop(0)"),
        ("_q.appendleft(_item)", "_q.insert(0, _item)"),
    ),
)
DICT_CALL = Cause(
    "defaultdict",
    r"^call of `collections\.(?:defaultdict|Counter|OrderedDict)`",
    "use a plain dict with `setdefault` or `get`",
    DICT_OF_LISTS.pair,
    named=("use a plain dict with `setdefault` or `get`: `{new}`",),
    rewrites=(
        ("collections.defaultdict(_kind)", "{}"),
        ("defaultdict(_kind)", "{}"),
        ("collections.OrderedDict()", "{}"),
        ("OrderedDict()", "{}"),
        ("collections.Counter()", "{}"),
        ("Counter()", "{}"),
    ),
)
