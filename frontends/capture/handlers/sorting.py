"""`sorted` and `list.sort`."""

from __future__ import annotations

from dataclasses import replace

from ...numpy.decompositions import sorting
from ..objects import lists
from ..objects.grown import grown_of, items_of_model
from ..objects.lists import new_list
from ..state.invocation import Invocation
from ..state.live import concrete, realise
from ..values.breaks import ARGUMENT, NUMPY_REFUSED, GraphBreak
from ..values.symbolic import Known, List, Scalar, Symbolic
from ..values.wording import in_words
from .builtins import builtin
from .calls import call_value
from .library_bodies import in_line
from .stack import truth


@builtin(sorted, takes=(1, 1), named=("key", "reverse"))
def _sorted(call: Invocation) -> Symbolic | None:
    (given,) = call.realised()
    items = items_of_model(call.machine, given) or given
    made = call_value(Known(list), replace(call, arguments=(items,), keywords={}))
    known = _of_known(call, made)
    return known or in_line(sorting.in_order, _of_running(call, made))


@builtin(list.sort, takes=(1, 1), named=("key", "reverse"))
def _sort(call: Invocation) -> Symbolic | None:
    (owner,) = call.realised()
    if not isinstance(owner, List):
        return None
    known = _of_known(call, owner)
    if known is None:
        return in_line(sorting.sort, _of_running(call, owner))
    lists.replace_items(call.machine, owner, lists.list_items(call.machine, known))
    return Known(None)


def _of_running(call: Invocation, items: Symbolic) -> Invocation:
    """Return the call of a decomposition with these items."""
    key, backward = call.keywords.get("key", Known(None)), Known(_reverse(call))
    return replace(call, arguments=(items, key, backward), keywords={})


def _of_known(call: Invocation, owner: Symbolic) -> List | None:
    """Return a new list of the items if all keys are known; None if only running tells them."""
    if not isinstance(owner, List) or grown_of(call.machine, owner) is not None:
        return None
    values, keys = lists.list_items(call.machine, owner), []
    key = realise(call.machine, call.keywords.get("key", Known(None)))
    mark = call.machine.mark(call.frame)
    for value in values:
        made = value
        if not isinstance(key, Known) or key.object is not None:
            made = call_value(key, Invocation(call.machine, call.frame, (value,), {}))
        known = concrete(call.machine, made)
        if known is None or type(known.object) not in (str, int, float, bool):
            call.machine.rollback(call.frame, mark)
            return None
        keys.append(known.object)
    try:
        order = sorted(range(len(keys)), key=keys.__getitem__, reverse=_reverse(call))
    except TypeError as error:
        raise GraphBreak(NUMPY_REFUSED, f"TypeError: {error}") from None
    return new_list(call.machine, tuple(values[k] for k in order))


def _reverse(call: Invocation) -> bool:
    """Return the flag of a sort, which CPython accepts only for some types."""
    value = call.keywords.get("reverse", Known(False))
    given = realise(call.machine, value)
    if isinstance(given, Known):
        example = given.object
    elif isinstance(given, Scalar):
        zero = given.type.dtype.type(0)
        example = zero.item() if given.type.python else zero
    else:
        raise GraphBreak(ARGUMENT, f"reverse= of `sorted`, which is {in_words(given)}")
    try:
        sorted((), reverse=example)
    except TypeError as error:
        raise GraphBreak(NUMPY_REFUSED, f"TypeError: {error}") from None
    return truth(call.machine, value)
