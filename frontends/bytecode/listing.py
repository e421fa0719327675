"""Prints a code object as labelled text, for ``f.inspect("bytecode")``.

The `bytecode` package disassembles; the layout is ours: source lines, short labels, exception
regions, and each stub in a frame of its own, so that stubs are seen as insertions.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from types import CodeType
from typing import Any, Final

from ...jit.native import iterator_object
from .rows import BINARY_OPERATORS, COMPARISONS

NUMBERS: Final = (bool, int, float, complex)
PLAIN: Final = (type(None), type(...), *NUMBERS, str, bytes, tuple, frozenset, slice)
"""Types of constants that the compiler makes, apart from code objects."""

BESIDE_NULL: Final = frozenset({"LOAD_GLOBAL"})
"""Opcodes whose flag adds a NULL; for LOAD_ATTR and LOAD_SUPER_ATTR it means a method."""


def listing(code: CodeType) -> str:
    """Return the text of one code object; inner functions are named, not listed."""
    from bytecode import Bytecode  # only needed for listings

    items = list(Bytecode.from_code(code, conserve_exception_block_stackdepth=True))
    return "\n".join([*_header(code), *_Layout(items).lines()]) + "\n"


def is_segment(constant: object) -> bool:
    """True if the compiler cannot have made the constant, so that it is a segment."""
    return not isinstance(constant, (*PLAIN, CodeType)) and constant is not iterator_object


def _header(code: CodeType) -> Iterator[str]:
    yield f"{code.co_qualname}  ({code.co_filename}:{code.co_firstlineno})"
    segments = sum(is_segment(constant) for constant in code.co_consts)
    facts = [_count(segments, "segment"), f"stack {code.co_stacksize}"]
    for title, names in (
        ("locals", code.co_varnames),
        ("cells", code.co_cellvars),
        ("free", code.co_freevars),
    ):
        if names:
            facts.append(f"{title} {', '.join(names)}")
    yield "  " + "; ".join(facts)


class _Layout:
    """The items of the `bytecode` package as lines: source line, bar of a stub, text."""

    def __init__(self, items: list[Any]) -> None:
        from bytecode import Instr, Label
        from bytecode.instr import TryBegin

        self.items = items
        self.instruction, self.label, self.region = Instr, Label, TryBegin
        used = {id(label) for label in self.used_labels()}
        labels = [item for item in items if isinstance(item, Label) and id(item) in used]
        self.names = {id(label): f"L{number}" for number, label in enumerate(labels, 1)}

    def used_labels(self) -> Iterator[Any]:
        """Yield the labels that something refers to."""
        for item in self.items:
            if isinstance(item, self.region):
                yield item.target
            elif isinstance(item, self.instruction) and isinstance(item.arg, self.label):
                yield item.arg

    def lines(self) -> Iterator[str]:
        """Yield the lines of the body."""
        stubs = {start: (title, end) for start, title, end in self.stubs()}
        end_of_stub: object = None
        line = None
        for position, item in enumerate(self.items):
            if item is end_of_stub:
                yield "       +----"
                end_of_stub = None
            if position in stubs:
                title, end_of_stub = stubs[position]
                yield f"       +---- {title}"
            number = ""
            if isinstance(item, self.instruction) and item.lineno not in (None, line):
                line = item.lineno
                number = str(line)
            if text := self.text(item):
                bar = " " if end_of_stub is None else "|"
                yield f"{number:>6} {bar} {text}".rstrip()

    def stubs(self) -> Iterator[tuple[int, str, object]]:
        """Yield (position of the first instruction, title, label at the end) of each stub."""
        items = self.items
        for position, item in enumerate(items):
            if not isinstance(item, self.instruction) or not is_segment(item.arg):
                continue
            if item.name != "LOAD_CONST":
                continue
            calls = (at for at in range(position, len(items)) if _name(items[at]) == "CALL")
            call = next(calls)
            # COPY, POP_JUMP_IF_NOT_NONE, POP_TOP, and the jump to the original instruction
            end = items[call + 4].arg
            null_first = position and _name(items[position - 1]) == "PUSH_NULL"
            title = f"segment {_segment_name(item.arg)}, {_count(items[call].arg, 'live-in')}"
            yield position - bool(null_first), title, end

    def text(self, item: Any) -> str:
        """Return the text of one item; "" for an unused label."""
        if isinstance(item, self.label):
            name = self.names.get(id(item))
            return f"{name}:" if name else ""
        if isinstance(item, self.region):
            lasti = " (with lasti)" if item.push_lasti else ""
            return f"  -- try, handler {self.names[id(item.target)]}{lasti}"
        if isinstance(item, self.instruction):
            return f"      {item.name:<28} {self.argument(item)}"
        return f"  -- end of try, handler {self.names[id(item.entry.target)]}"

    def argument(self, item: Any) -> str:
        """Return an argument as readers would write it."""
        arg = item.arg
        if isinstance(arg, self.label):
            return f"to {self.names[id(arg)]}"
        if item.name in ("LOAD_CONST", "RETURN_CONST", "KW_NAMES"):
            return _constant(arg)
        if isinstance(arg, tuple):
            return _tuple_argument(item.name, arg)
        if isinstance(arg, Enum):
            return _operator(item.name, arg)
        name = getattr(arg, "name", None)  # CellVar and FreeVar
        if name is not None:
            return f"{name}  ({'free' if type(arg).__name__ == 'FreeVar' else 'cell'})"
        return str(arg) if isinstance(arg, (int, str)) and _has_argument(item) else ""


def _name(item: Any) -> str:
    """Return the opcode; "" for a label or the edge of a region."""
    return str(getattr(item, "name", ""))


def _has_argument(item: Any) -> bool:
    return bool(item.require_arg())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _constant(value: Any) -> str:
    if isinstance(value, CodeType):
        return f"<code {value.co_qualname}>"
    if value is iterator_object:
        return "iter()"
    if is_segment(value):
        return f"<segment {_segment_name(value)}>"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _segment_name(segment: Any) -> str:
    return str(getattr(segment, "__name__", None) or segment)


def _tuple_argument(opcode: str, arg: tuple[Any, ...]) -> str:
    """Format flags and names (LOAD_GLOBAL, LOAD_ATTR, LOAD_SUPER_ATTR), or two locals."""
    *flags, name = arg
    if not all(isinstance(flag, bool) for flag in flags):
        return ", ".join(getattr(one, "name", None) or str(one) for one in arg)
    mark = "NULL" if opcode in BESIDE_NULL else "method"
    return f"{name}  ({mark})" if flags[0] else str(name)


def _operator(opcode: str, arg: Enum) -> str:
    """Return the sign of an operator, or the name of another enum member."""
    if opcode == "BINARY_OP":
        inplace, plain = divmod(int(arg.value), len(BINARY_OPERATORS))
        return BINARY_OPERATORS[plain] + "=" * inplace
    if opcode == "COMPARE_OP":
        to_bool, plain = divmod(int(arg.value), 16)
        return COMPARISONS[plain] + "  (bool)" * to_bool
    return arg.name.lower()
