"""Displays, comprehensions and unpacking of tuples, lists, dicts and strings."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

from ....jit.filters import filtered
from ...runtime import exit_calls
from ..arrays.inner_lists import items_of_inner
from ..arrays.nodes import operator_call
from ..objects import attributes, dicts, growing
from ..objects.contents import of_kind, stand_in
from ..objects.list_promotion import kind_with
from ..objects.lists import items_of, new_list
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine, handles
from ..values.breaks import INDEXING, INSTRUCTION, NUMPY_REFUSED, GraphBreak
from ..values.class_namespaces import class_lookup, is_function
from ..values.folding import folded, is_constant
from ..values.inner_lists import InnerList
from ..values.symbolic import (
    Array,
    Dict,
    Instance,
    Known,
    List,
    Method,
    NewFunction,
    Scalar,
    Symbolic,
    Tuple,
)
from ..values.wording import in_words, refusal
from . import run_time_keys
from .calls import call_value
from .grown_lists import extend
from .indexing import rows_of
from .iteration import all_items, each_item, own_iterator_of
from .operators import apply
from .searching import count_in_list
from .stack import take, truth_value
from .strings import text


@handles("BUILD_TUPLE")
def build_tuple(machine: Machine, frame: Frame, count: int) -> None:
    frame.stack.append(Tuple(take(frame, count)))


@handles("BUILD_LIST")
def build_list(machine: Machine, frame: Frame, count: int) -> None:
    frame.stack.append(new_list(machine, take(frame, count)))


@handles("BUILD_MAP")
def build_map(machine: Machine, frame: Frame, count: int) -> None:
    flat = take(frame, 2 * count)
    entries: dict[Any, Symbolic] = {}
    for key, value in zip(flat[::2], flat[1::2], strict=True):
        entries[dicts.plain_key(machine, realise(machine, key))] = value
    frame.stack.append(dicts.new_dict(machine, entries))


@handles("BUILD_CONST_KEY_MAP")
def build_const_key_map(machine: Machine, frame: Frame, count: int) -> None:
    *values, keys = take(frame, count + 1)
    made = [
        dicts.plain_key(machine, realise(machine, key)) for key in all_items(machine, frame, keys)
    ]
    frame.stack.append(dicts.new_dict(machine, dict(zip(made, values, strict=True))))


@handles("LIST_APPEND")
def list_append(machine: Machine, frame: Frame, depth: int) -> None:
    value = frame.stack.pop()
    growing.append(machine, frame, _list(machine, frame, depth), value)


@handles("LIST_EXTEND")
def list_extend(machine: Machine, frame: Frame, depth: int) -> None:
    value = frame.stack.pop()
    extend(machine, frame, _list(machine, frame, depth), value)


def _list(machine: Machine, frame: Frame, depth: int) -> List:
    """Return the list that a display or comprehension is building; it stays on the stack."""
    found = realise(machine, frame.stack[-depth])
    if not isinstance(found, List):
        raise GraphBreak(INSTRUCTION, "a list that an instruction around is building")
    return found


@handles("LIST_TO_TUPLE")
def list_to_tuple(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(Tuple(all_items(machine, frame, frame.stack.pop())))


@handles("MAP_ADD")
def map_add(machine: Machine, frame: Frame, depth: int) -> None:
    value, key = frame.stack.pop(), realise(machine, frame.stack.pop())
    run_time_keys.set_item(machine, frame, _dict(machine, frame, depth), key, value)


@handles("DICT_UPDATE")
def dict_update(machine: Machine, frame: Frame, depth: int) -> None:
    _add_all(machine, frame, depth, may_repeat=True)


@handles("DICT_MERGE")
def dict_merge(machine: Machine, frame: Frame, depth: int) -> None:
    """Merge dicts for `f(**a, **b)`, where a duplicate key is an error."""
    _add_all(machine, frame, depth, may_repeat=False)


def _add_all(machine: Machine, frame: Frame, depth: int, may_repeat: bool) -> None:
    source = realise(machine, frame.stack.pop())
    target = _dict(machine, frame, depth)
    if not isinstance(source, Dict):
        raise GraphBreak(INSTRUCTION, f"`**` of {in_words(source)}")
    for key, value in dicts.dict_entries(machine, source).items():
        if not may_repeat and dicts.get_item(machine, target, key) is not None:
            raise GraphBreak(NUMPY_REFUSED, f"TypeError: two values for {key!r}")
        dicts.set_item(machine, target, key, value)


def _dict(machine: Machine, frame: Frame, depth: int) -> Dict:
    found = realise(machine, frame.stack[-depth])
    if not isinstance(found, Dict):
        raise GraphBreak(INSTRUCTION, "a dict that an instruction around is building")
    return found


@handles("UNPACK_SEQUENCE")
def unpack_sequence(machine: Machine, frame: Frame, count: int) -> None:
    value = realise(machine, frame.stack.pop())
    if isinstance(value, Array) and value.type.ndim:
        items = rows_of(machine, value, count)
    elif isinstance(value, InnerList):
        items = items_of_inner(machine, value, count)
    else:
        items = all_items(machine, frame, own_iterator_of(machine, frame, value))
    if len(items) != count:
        raise GraphBreak(INSTRUCTION, f"unpacking of {len(items)} items into {count}")
    frame.stack.extend(reversed(items))


@handles("UNPACK_EX")
def unpack_ex(machine: Machine, frame: Frame, arg: Any) -> None:
    items = all_items(machine, frame, frame.stack.pop())
    middle = len(items) - arg.after
    if middle < arg.before:
        raise GraphBreak(INSTRUCTION, "unpacking of too few items")
    rest = new_list(machine, items[arg.before : middle])
    frame.stack.extend(reversed((*items[: arg.before], rest, *items[middle:])))


MAX_COMPARED = 16
"""Maximum number of constants with which a number is compared one by one."""


@handles("CONTAINS_OP")
def contains_op(machine: Machine, frame: Frame, inverted: bool) -> None:
    container, item = (realise(machine, frame.stack.pop()) for _ in range(2))
    if isinstance(container, Dict):
        frame.stack.append(run_time_keys.contains(machine, frame, container, item))
        frame.stack.append(
            truth_value(machine, frame, operator.not_ if inverted else operator.truth)
        )
        return
    if isinstance(container, Instance) and container.class_ is set:
        kind = of_kind(kind_with(machine, item))
        stand_in(machine, container, kind, None, changes=False)
    said = count_in_list(machine, frame, container, item)
    if isinstance(container, Array | Instance):
        said = _says_itself(machine, frame, item, container)
    if said is not None:
        frame.stack.append(said)
        frame.stack.append(
            truth_value(machine, frame, operator.not_ if inverted else operator.truth)
        )
        return
    compared = _compared_with_each(machine, frame, item, container)
    if compared is not None:
        if inverted:
            compared = operator_call(machine, frame, operator.not_, (compared,))
        frame.stack.append(compared)
        return
    found = _is_among(machine, frame, item, container)
    frame.stack.append(Known(found != inverted))


def _says_itself(
    machine: Machine, frame: Frame, item: Symbolic, container: Array | Instance
) -> Symbolic:
    """Return `item in container` for an array, `(array == item).any()`, or by `__contains__`."""
    if isinstance(container, Array):
        if not isinstance(item, Known | Scalar | Array):
            raise GraphBreak(INSTRUCTION, f"membership of {in_words(item)} in an array")
        same = apply(machine, frame, operator.eq, (container, item))
        if not isinstance(same, Array):
            raise GraphBreak(INSTRUCTION, f"membership of {in_words(item)} in an array")
        return call_value(Method(same, "any"), Invocation(machine, frame, (), {}))
    found = class_lookup(container.kind, "__contains__")
    if not is_function(found):
        raise refusal(INSTRUCTION, f"membership in {in_words(container)}", container)
    method = attributes.special_method(machine, container, "__contains__", found)
    return call_value(method, Invocation(machine, frame, (item,), {}))


def _compared_with_each(
    machine: Machine, frame: Frame, item: Symbolic, container: Symbolic
) -> Symbolic | None:
    """Return `number in (1, 2, 3)` for a number of the graph and constants; else None.

    A NaN among them is found by identity.
    """
    if not isinstance(item, Scalar) or not isinstance(container, Known):
        return None
    constants = container.object
    if type(constants) not in (tuple, frozenset) or not 0 < len(constants) <= MAX_COMPARED:
        return None
    if not all(type(one) in (bool, int, float) and one == one for one in constants):
        return None

    def call(function: Callable[..., Any], *operands: Symbolic) -> Symbolic:
        return operator_call(machine, frame, function, operands)

    found = (call(operator.truth, call(operator.eq, item, Known(one))) for one in constants)
    return reduce(lambda one, other: call(operator.or_, one, other), found)


def _is_among(machine: Machine, frame: Frame, item: Symbolic, container: Symbolic) -> bool:
    if isinstance(container, Known) and type(container.object) in (str, bytes, frozenset, range):
        if isinstance(item, Known) and dicts.is_plain_key(item.object):
            dicts.rely_on_plain_key(machine, item.object)
            try:
                with filtered("error"):  # `python -b` warns about bytes and str in one set
                    return bool(item.object in container.object)
            except (TypeError, ValueError, Warning) as error:
                raise GraphBreak(INSTRUCTION, str(error)) from None
        raise GraphBreak(INDEXING, "`in` for a value that is not known")
    found = (
        _is_equal_or_same(machine, item, realise(machine, value))
        for value in each_item(machine, frame, container)
    )
    return any(found)


def _is_equal_or_same(machine: Machine, item: Symbolic, value: Symbolic) -> bool:
    if not isinstance(item, Known) or not isinstance(value, Known):
        raise GraphBreak(INDEXING, "`in` among values that are not known")
    objects = (item.object, value.object)
    dtypes = all(type(one) is not tuple and is_constant(one) for one in objects)
    if not dtypes and not all(map(dicts.is_plain_key, objects)):
        raise GraphBreak(INDEXING, "`in` among values that are not known")
    for one in objects:
        dicts.rely_on_plain_key(machine, one)
    return bool(folded(operator.contains, (value.object,), item.object))


# ---- strings ---------------------------------------------------------------------------------


@handles("CONVERT_VALUE")
def convert_value(machine: Machine, frame: Frame, name: str) -> None:
    function = {"str": str, "repr": repr, "ascii": ascii}[name]
    frame.stack.append(text(machine, function, frame.stack.pop()))


@handles("FORMAT_SIMPLE")
def format_simple(machine: Machine, frame: Frame, arg: Any) -> None:
    frame.stack.append(text(machine, format, frame.stack.pop()))


@handles("FORMAT_WITH_SPEC")
def format_with_spec(machine: Machine, frame: Frame, arg: Any) -> None:
    spec, value = frame.stack.pop(), frame.stack.pop()
    frame.stack.append(text(machine, format, value, spec))


@handles("BUILD_STRING")
def build_string(machine: Machine, frame: Frame, count: int) -> None:
    frame.stack.append(text(machine, exit_calls.joined, *take(frame, count)))


# ---- functions -------------------------------------------------------------------------------


@handles("MAKE_FUNCTION")
def make_function(machine: Machine, frame: Frame, arg: Any) -> None:
    code = realise(machine, frame.stack.pop())
    if not isinstance(code, Known):
        raise GraphBreak(INSTRUCTION, "a function of code that is not known")
    frame.stack.append(NewFunction(code.object, frame.namespace))


@handles("SET_FUNCTION_ATTRIBUTE")
def set_function_attribute(machine: Machine, frame: Frame, name: str) -> None:
    function, value = frame.stack.pop(), realise(machine, frame.stack.pop())
    if not isinstance(function, NewFunction):
        raise GraphBreak(INSTRUCTION, "an attribute of a function that is not known")
    given: dict[str, Any] = {}
    if name == "kwdefaults":
        if not isinstance(value, Dict):
            raise GraphBreak(INSTRUCTION, "a function whose keyword defaults are not known")
        given[name] = dict(dicts.dict_entries(machine, value))
    elif name == "annotate":
        given["annotations"] = (value,)
    else:
        given[name] = items_of(machine, _as_tuple(value)) or ()
    frame.stack.append(replace(function, **given))


def _as_tuple(value: Symbolic) -> Symbolic:
    if isinstance(value, Known) and type(value.object) is tuple:
        return Tuple(tuple(Known(item) for item in value.object))
    return value
