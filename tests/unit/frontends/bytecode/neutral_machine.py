"""A small interpreter of the neutral instruction set on real values.

It asks for no version: it gives CPython's results on all of them, which it is here to
prove, of the decoder (what operations mean), of the analysis (stacks, bound slots, stores) and
of the stubs (a segment that covers many instructions and leaves by several exits).

It runs only what has no effect outside of itself, so a segment that gives up may take exit 0.
"""

from __future__ import annotations

import copy
import operator
import types

from framejit.frontends.bytecode import isa


class NullType:
    def __repr__(self):
        return "NULL"


NULL = NullType()
INDEX = NullType()
"""The NULL of an iterator."""


class GiveUpError(Exception):
    """The segment cannot go on; nothing has happened."""


PURE_TYPES = (int, float, complex, bool, str, tuple, type(None), range)
PURE_CALLABLES = {
    len, abs, min, max, sum, range, sorted, isinstance, int, str, float, bool, enumerate, repr,
}  # fmt: skip
ITERATORS = tuple(type(iter(one)) for one in ([], (), range(0), enumerate(())))

BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_,
    "^": operator.xor,
}  # fmt: skip
COMPARE = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
UNARY = {
    isa.UNARY_NEGATIVE: operator.neg, isa.UNARY_POSITIVE: operator.pos,
    isa.UNARY_INVERT: operator.invert,
}  # fmt: skip
CONVERT = {"str": str, "repr": repr, "ascii": ascii}


class Machine:
    """One run; `stack` holds only what the segment was given and what it pushed since."""

    def __init__(self, decoded, names, stack, slots):
        self.decoded, self.names = decoded, names
        self.stack, self.slots = list(stack), dict(slots)
        self.own = set()
        self.steps = 0

    def run(self, index, stops):
        """Execute from `index` until one of `stops` is reached; return which."""
        while True:
            self.next = index + 1
            for op in self.decoded.instructions[index].ops:
                handler = HANDLERS.get(op.name)
                if handler is None:
                    raise GiveUpError(op.name)
                handler(self, op.arg)
            self.steps += 1
            index = self.next
            if index in stops:
                return index
            if self.steps > 60:
                raise GiveUpError("too long")

    def pop(self):
        if not self.stack:
            raise GiveUpError("below the consumed items")
        return self.stack.pop()

    def popn(self, count):
        return [self.pop() for _ in range(count)][::-1]

    def push(self, *values):
        self.stack += values

    def at(self, depth):
        if depth > len(self.stack):
            raise GiveUpError("below the consumed items")
        return self.stack[-depth]

    def fresh(self, value):
        """Push an object that nobody else can see yet."""
        self.own.add(id(value))
        self.push(value)


def pure(*values):
    if not all(isinstance(value, PURE_TYPES) for value in values):
        raise GiveUpError("not pure")


def swap(m, depth):
    m.at(depth)
    m.stack[-1], m.stack[-depth] = m.stack[-depth], m.stack[-1]


def load_fast(m, slot):
    if slot not in m.slots:
        raise GiveUpError("unbound")
    m.push(m.slots[slot])


def load_fast_and_clear(m, slot):
    m.push(m.slots.pop(slot, NULL))


def store_fast(m, slot):
    value = m.pop()
    m.slots[slot] = value
    if value is NULL:
        del m.slots[slot]


def delete_fast(m, slot):
    if m.slots.pop(slot, NULL) is NULL:
        raise GiveUpError("unbound")


def load_global(m, name):
    for names in m.names:
        if name in names:
            m.push(names[name])
            return
    raise GiveUpError("no such name")


def load_method(m, method):
    owner = m.pop()
    pure(owner)
    kind = getattr(type(owner), method.name, None)
    if isinstance(kind, types.MethodDescriptorType):
        m.push(kind, owner)
    else:
        value = getattr(owner, method.name)
        m.push(*((NULL, value) if method.null_first else (value, NULL)))


def binary_op(m, arg):
    left, right = m.popn(2)
    pure(left, right)
    m.push(BINARY[arg.operator](left, right))


def compare_op(m, sign):
    left, right = m.popn(2)
    pure(left, right)
    m.push(COMPARE[sign](left, right))


def is_op(m, inverted):
    left, right = m.popn(2)
    m.push((left is right) != inverted)


def contains_op(m, inverted):
    item, container = m.popn(2)
    pure(item, container)
    m.push((item in container) != inverted)


def truth(value):
    if not isinstance(value, (*PURE_TYPES, list, dict)):
        raise GiveUpError("truth of a foreign object")
    return bool(value)


def to_bool(m, _):
    m.push(truth(m.pop()))


def unary_not(m, _):
    m.push(not truth(m.pop()))


def binary_subscr(m, _):
    container, key = m.popn(2)
    if type(container) not in (list, tuple, dict, str):
        raise GiveUpError("foreign container")
    m.push(container[key])


def build_map(m, count):
    items = m.popn(2 * count)
    m.fresh(dict(zip(items[::2], items[1::2], strict=True)))


def build_const_key_map(m, count):
    keys = m.pop()
    m.fresh(dict(zip(keys, m.popn(count), strict=True)))


def list_append(m, depth):
    item = m.pop()
    target = m.at(depth)
    if id(target) not in m.own:
        raise GiveUpError("a list that others see")
    target.append(item)


def list_extend(m, depth):
    items = m.pop()
    target = m.at(depth)
    if id(target) not in m.own or not isinstance(items, (list, tuple)):
        raise GiveUpError("a list that others see")
    target.extend(items)


def unpack_sequence(m, count):
    items = m.pop()
    if type(items) not in (tuple, list) or len(items) != count:
        raise GiveUpError("cannot unpack")
    m.push(*reversed(items))


def unpack_ex(m, arg):
    items = m.pop()
    if type(items) not in (tuple, list) or len(items) < arg.before + arg.after:
        raise GiveUpError("cannot unpack")
    end = len(items) - arg.after
    values = [*items[: arg.before], list(items[arg.before : end]), *items[end:]]
    m.push(*reversed(values))


def call(m, arg):
    values = m.popn(arg.argc)
    callee, own = m.popn(2)
    if callee is NULL or own is NULL:
        callee = own if callee is NULL else callee
    else:
        values.insert(0, own)
    method = isinstance(callee, types.MethodDescriptorType) and callee.__objclass__ in (str, int)
    if not method and not any(callee is one for one in PURE_CALLABLES):
        raise GiveUpError("call")
    split = len(values) - len(arg.keywords)
    if any(isinstance(value, ITERATORS) for value in values):
        raise GiveUpError("would use up an iterator")
    m.push(callee(*values[:split], **dict(zip(arg.keywords, values[split:], strict=True))))


def get_iter(m, _):
    value = m.pop()
    if type(value) not in (list, tuple, range, *ITERATORS):
        raise GiveUpError("foreign iterable")
    m.push(iter(value))


def copied(iterator):
    if not isinstance(iterator, enumerate):
        return copy.copy(iterator)
    inner, count = iterator.__reduce__()[1]  # its own copy would share this one
    return enumerate(copied(inner), count)


def for_iter(m, target):
    # work on a copy and deliver that: giving up later leaves the real iterator untouched
    iterator = m.pop()
    if type(iterator) not in ITERATORS:
        raise GiveUpError("foreign iterator")
    iterator = copied(iterator)
    item = next(iterator, NULL)
    if item is NULL:
        m.next = target
        if m.stack and m.stack[-1] is INDEX:
            m.pop()
    else:
        m.push(iterator, item)


def jump(m, target):
    m.next = target


def pop_jump(test):
    def handler(m, target):
        if test(m.pop()):
            m.next = target

    return handler


def jump_or_pop(wanted):
    def handler(m, target):
        if truth(m.at(1)) is wanted:
            m.next = target
        else:
            m.pop()

    return handler


def build(maker):
    return lambda m, count: m.fresh(maker(m.popn(count)))


HANDLERS = {
    isa.POP_TOP: lambda m, _: m.pop(),
    isa.PUSH_NULL: lambda m, _: m.push(NULL),
    isa.COPY: lambda m, depth: m.push(m.at(depth)),
    isa.SWAP: swap,
    isa.LOAD_CONST: lambda m, value: m.push(value),
    isa.LOAD_FAST: load_fast,
    isa.LOAD_FAST_AND_CLEAR: load_fast_and_clear,
    isa.STORE_FAST: store_fast,
    isa.DELETE_FAST: delete_fast,
    isa.LOAD_DEREF: lambda m, slot: m.push(m.slots[slot].cell_contents),
    isa.LOAD_CLOSURE: load_fast,
    isa.LOAD_GLOBAL: load_global,
    isa.LOAD_METHOD: load_method,
    isa.TO_BOOL: to_bool,
    isa.UNARY_NOT: unary_not,
    isa.BINARY_OP: binary_op,
    isa.COMPARE_OP: compare_op,
    isa.IS_OP: is_op,
    isa.CONTAINS_OP: contains_op,
    isa.BINARY_SUBSCR: binary_subscr,
    isa.BUILD_TUPLE: build(tuple),
    isa.BUILD_LIST: build(list),
    isa.BUILD_SET: build(set),
    isa.BUILD_MAP: build_map,
    isa.BUILD_CONST_KEY_MAP: build_const_key_map,
    isa.BUILD_STRING: build("".join),
    isa.BUILD_SLICE: build(lambda parts: slice(*parts)),
    isa.LIST_APPEND: list_append,
    isa.LIST_EXTEND: list_extend,
    isa.LIST_TO_TUPLE: lambda m, _: m.push(tuple(m.pop())),
    isa.UNPACK_SEQUENCE: unpack_sequence,
    isa.UNPACK_EX: unpack_ex,
    isa.CONVERT_VALUE: lambda m, name: m.push(CONVERT[name](m.pop())),
    isa.FORMAT_SIMPLE: lambda m, _: m.push(format(m.pop())),
    isa.FORMAT_WITH_SPEC: lambda m, _: m.push(format(*m.popn(2))),
    isa.CALL: call,
    isa.GET_ITER: get_iter,
    isa.PUSH_INDEX: lambda m, _: m.push(*(INDEX, m.pop())),
    isa.FOR_ITER: for_iter,
    isa.JUMP: jump,
    isa.POP_JUMP_IF_FALSE: pop_jump(lambda value: not truth(value)),
    isa.POP_JUMP_IF_TRUE: pop_jump(truth),
    isa.POP_JUMP_IF_NONE: pop_jump(lambda value: value is None),
    isa.POP_JUMP_IF_NOT_NONE: pop_jump(lambda value: value is not None),
    isa.JUMP_IF_FALSE_OR_POP: jump_or_pop(False),
    isa.JUMP_IF_TRUE_OR_POP: jump_or_pop(True),
    **{
        name: lambda m, _, function=function: (pure(m.at(1)), m.push(function(m.pop())))
        for name, function in UNARY.items()
    },
}
