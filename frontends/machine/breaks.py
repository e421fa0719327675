"""Graph breaks: THE table of reasons why capture stops, each with a hint for the user."""

from __future__ import annotations

from ...jit.frozen import dataclass
from ...jit.ir.graph import Location


@dataclass(frozen=True, slots=True)
class BreakCode:
    """One reason. `code` is stable: users search for it and silence it by it."""

    code: str
    title: str
    hint: str


BREAKS: dict[str, BreakCode] = {}


def _code(code: str, title: str, hint: str) -> BreakCode:
    row = BREAKS[code] = BreakCode(code, title, hint)
    return row


INSTRUCTION = _code(
    "FJ101",
    "this kind of statement is not captured yet",
    "it runs as plain Python between two segments; keep it out of the hot loop if it costs",
)
UNBOUND = _code(
    "FJ102",
    "a local variable may be unbound here",
    "assign it on every path before it is used",
)
CALL = _code(
    "FJ201",
    "this function cannot go into a graph",
    "it is called as plain Python between two segments; move it out of the loop if it costs",
)
ATTRIBUTE = _code(
    "FJ202",
    "this attribute cannot be followed",
    "read it into a local variable before the array code",
)
ARGUMENT = _code(
    "FJ203",
    "this argument is not followed for this function",
    "write the call with positional arrays and numbers, or keep it outside the array code",
)
NUMPY_REFUSED = _code(
    "FJ301",
    "NumPy refuses these operands",
    "eager raises the same error at this line",
)
NOT_PLAIN = _code(
    "FJ302",
    "this is not a plain array or number",
    "exact ndarrays of bool, integer, float and complex dtypes are captured; others run eagerly",
)
INDEXING = _code(
    "FJ303",
    "this kind of index is not captured yet",
    "arrays of ints and bools are, unless NumPy converts what is written; others run eagerly",
)
LARGE = _code(
    "FJ304",
    "this container holds too much to be followed",
    "put many numbers into an array; up to a thousand items of a container are followed",
)
VARIES = _code(
    "FJ305",
    "what this gives is another kind of thing each time",
    "it runs as plain Python between two segments; give it operands of one kind, if that can be",
)
DATA_BRANCH = _code(
    "FJ401",
    "a branch depends on array data",
    "use np.where, or let the branch run as plain Python",
)
LOOP = _code(
    "FJ402",
    "this loop is not captured as a whole",
    "it stays a Python loop, with segments inside it",
)
TOO_LONG = _code(
    "FJ403",
    "this is too much for one kernel",
    "it stays Python, with segments inside it; move parts of it into functions of their own",
)
EFFECT = _code(
    "FJ501",
    "this writes to something that outlives the segment",
    "it runs as plain Python between two segments",
)
INTERNAL = _code(
    "FJ901",
    "framejit met an error of its own; eager ran instead",
    "please report it, with the traceback that the report holds",
)


class GraphBreak(Exception):  # noqa: N818
    """Capture cannot go on past the current instruction."""

    def __init__(self, code: BreakCode, detail: str, *, guess: bool | None = None) -> None:
        """`guess`: a value that is not known yet is the reason, and another may come.

        None where that follows from the operands of the instruction.
        """
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.guess = guess


class OnlyWarns(GraphBreak):
    """A way of a library's function on which it warns: few data lead there."""


@dataclass(frozen=True, slots=True)
class Break:
    """Where and why capture stopped."""

    code: str
    title: str
    detail: str
    hint: str
    location: Location
    index: int
    foreseen: bool = True
    """False while exploring when the reason is only that a value is not known yet."""
