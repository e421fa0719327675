"""Reading graphs: what is printed comes back, and what is wrong has a place and a reason."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from fuzzing import KINDS, Fuzzer
from hypothesis import given
from hypothesis import strategies as st
from reading_back import all_graphs_round_trip, check_round_trip

from framejit.guards.sources import Live as Source
from framejit.jit.flags import Modes
from framejit.jit.ir.graph import (
    Block,
    Build,
    Call,
    Constant,
    Do,
    Exit,
    Graph,
    Leaf,
    Live,
    Location,
    Node,
    Slot,
    Value,
)
from framejit.jit.ir.numbers import pick
from framejit.jit.ir.ops import LEAVE, UFUNC
from framejit.jit.ir.parse import ParseError, parse_graph
from framejit.jit.ir.text import print_graph
from framejit.jit.ir.types import (
    PY_INT,
    ScalarType,
)

GOLDEN = Path(__file__).parents[2] / "golden"
SEED = f"round trips {sys.version_info[:2]}"

# ---- whole graphs --------------------------------------------------------------------------------


def texts_of(file: Path) -> list[str]:
    """The graphs in a golden text, whose exits stand at lines."""
    text = re.sub(r"(?m)^(exit \d+: \w+ at) line (\d+)", r"\1 \2", file.read_text())
    return re.findall(r"(?m)^graph\(.*(?:\n(?:  .*|exit .*))*", text)


@pytest.mark.parametrize(
    "file", sorted(GOLDEN.glob("*/*.txt")), ids=lambda file: f"{file.parent.name}/{file.stem}"
)
def test_golden_texts(file: Path) -> None:
    """Captured, and after each pass."""
    for text in texts_of(file):
        assert print_graph(parse_graph(text)) == text


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    ("kind", "count"), [("rules", 6), ("arrays", 10), ("calls", 40), ("tables", 40)]
)
def test_graphs_of_fuzzed_programs(kind: str, count: int) -> None:
    """`tests/campaigns/round_trips.py` runs as many as one likes."""
    with all_graphs_round_trip() as captured:
        tally = Fuzzer(KINDS[kind], ("numpy",)).run(count, SEED)

    assert tally.differing == []
    assert len(captured) > count / 4


def test_names_comments_and_blank_lines_are_free() -> None:
    """Texts of tests may have them, to be readable."""
    text = """
# the sum of two arrays
graph(%x: float64[s0], %y: float64[s0])

  %sum = ufunc(%x, %y) ufunc=add : float64[s0]
  leave(%sum) exit=0

exit 0: return at 7: push %sum
"""
    assert print_graph(parse_graph(text)) == (
        "graph(%0: float64[s0], %1: float64[s0])\n"
        "  %2 = ufunc(%0, %1) ufunc=add : float64[s0]\n"
        "  leave(%2) exit=0\n"
        "exit 0: return at 7: push %2"
    )


REGIONS = """\
graph(%0: bool, %1: int below 2147483648)
  if(%0)
    if(%0)
    else
      bail()
  else
    %2 = const() value=1 : int
  %3, %4 = if(%0) : int, bool
    yield %1, %0
  else
    yield %1, %0
  loop()
    break()
  %5 = loop(%3) : int
    with %6: int
    if(%4)
      break(%6)
    continue(%6)
  %7 = for(%1, %1, %1, %5) : int
    with %8: int, %9: int
    continue(%8)
  leave(%7) exit=0
exit 0: return at 5: push %7"""


def test_regions() -> None:
    """A block without nodes and results has no lines."""
    graph = parse_graph(REGIONS)

    assert print_graph(graph) == REGIONS
    check_round_trip(graph)
    first = graph.body.nodes[0]
    assert [len(block.nodes) for block in first.blocks] == [1, 1]
    assert [len(block.nodes) for block in first.blocks[0].nodes[0].blocks] == [0, 1]
    assert graph.bounds == {graph.params[1]: 2**31}


def test_exits() -> None:
    """Every recipe; one that stands in several places makes one object, and has a number."""
    x, gone = Value(PY_INT), Value(PY_INT)
    inner = Build("list", (Leaf(x),))
    outer = Build("tuple", (inner, Constant(None), inner))
    effect = Call(list.append, (Live(Source(0, "argument `x`")), outer))
    done = Do((effect,), Slot(3))
    exits = [
        Exit(4, "break", ((0, outer), (2, done)), (outer, Leaf(x)), (1, 5), (0, 3), (effect,)),
        Exit(9, "bail", pushes=(Leaf(gone), Leaf(gone), Call(pick, ()))),
        Exit(1, "bail", pushes=(Live(Source(0, "the globals['a; b']")), Constant(2.0))),
    ]
    graph = Graph((x,), Block((), [Node(LEAVE, (x,), {"exit": 0}, ())]), exits)

    assert print_graph(graph).split("\n")[2:] == [
        "exit 0: break at 4: do @2=call builtins.list.append(argument `x`, "
        "@1=tuple(@0=list(%0), None, @0)); local 0 = @1; local 2 = (do @2; slot 3); push @1; "
        "push %0; del local 1; del local 5; null at 0; null at 3",
        "exit 1: bail at 9: push %1: int; push %1; push call framejit.jit.ir.numbers.pick()",
        "exit 2: bail at 1: push source \"the globals['a; b']\"; push 2.0",
    ]
    check_round_trip(graph)


def test_modes() -> None:
    """Error modes in a node's place are part of its semantics."""
    said = Modes(frozenset({"over"}), frozenset({"divide", "under"}), frozenset({"invalid"}))
    where = Location("program.py", 3, "f", "program", {}, said)
    x = Value(PY_INT)
    node = Node(UFUNC, (x,), {"ufunc": np.exp}, (Value(ScalarType(np.dtype("d"), False)),), where)
    graph = Graph((x,), Block((), [node]))

    assert print_graph(graph).split("\n")[1] == (
        "  %1 = ufunc(%0) ufunc=exp errstate(divide=warn, over=ignore, under=warn, invalid=raise)"
        " : np.float64"
    )
    check_round_trip(graph)


# ---- what is wrong -------------------------------------------------------------------------------

HEAD = "graph(%0: float64[s0])\n"
WRONG = {
    "": "line 1, column 1: expected `graph`, found the end of the line",
    "grph()": "line 1, column 1: expected `graph`, found 'grph()'",
    "graph(%0)": "line 1, column 9: expected `:`, found ')'",
    "graph(%0: flot64[s0])": "line 1, column 11: expected a dtype, found 'flot64[s0])'",
    "graph(%0: float64[x])": "line 1, column 19: expected a length, found 'x])'",
    "graph(%0: decimal)": "line 1, column 11: expected a type, found 'decimal)'",
    "graph(%0: np.argmax)": "line 1, column 11: expected a type, found 'np.argmax)'",
    "graph(%0: float64[3] +0+1)": (
        "line 1, column 22: expected each of 1 axes once, found '+0+1)'"
    ),
    "graph(%0: list of float64[3])": (
        "line 1, column 19: expected the type of a number, found 'float64[3])'"
    ),
    "graph(%0: int, %0: int)": (
        "line 1, column 16: expected a name that no other value has, found '%0: int)'"
    ),
    "graph() x": "line 1, column 9: expected the end of the line, found 'x'",
    f"{HEAD}  %1 = uphunc(%0) : int": (
        "line 2, column 8: expected the name of an op, found 'uphunc(%0) : int'"
    ),
    f"{HEAD}  %1 = ufunc(%2) ufunc=exp : float64[s0]": (
        "line 2, column 14: expected a value known here, found '%2) ufunc=exp : floa...'"
    ),
    f"{HEAD}  %1 = ufunc(%0 ufunc=exp : float64[s0]": (
        "line 2, column 17: expected `)`, found 'ufunc=exp : float64[...'"
    ),
    f"{HEAD}  %1 = ufunc(%0) ufunc=expo : float64[s0]": (
        "line 2, column 24: expected a constant, or the name of a function, found "
        "'expo : float64[s0]'"
    ),
    f"{HEAD}  %1 = ufunc(%0) ufunc=os.system : float64[s0]": (
        "line 2, column 24: expected a constant, or the name of a function, found "
        "'os.system : float64[...'"
    ),
    f"{HEAD}  %1 = ufunc(%0) ufunc=exp": (
        "line 2, column 27: expected `:`, found the end of the line"
    ),
    f"{HEAD}  %1, %2 = ufunc(%0) ufunc=exp : int": (
        "line 2, column 37: expected `,`, found the end of the line"
    ),
    f"{HEAD}  %1 = index(%0) index=[1:a] : int": (
        "line 2, column 27: expected `]`, found 'a] : int'"
    ),
    f"{HEAD}  %1 = index(%0) index=[] x : int": "line 2, column 27: expected `:`, found 'x : int'",
    f"{HEAD}  %1 = index(%0) index=[a] : int": (
        "line 2, column 25: expected a part of an index, found 'a] : int'"
    ),
    f"{HEAD}  %1 = const() value=np.int8(300) : np.int8": (
        "line 2, column 22: expected a number of int8, found 'np.int8(300) : np.in...'"
    ),
    f"{HEAD}  %1 = const() value=complex(1.0) : complex": (
        "line 2, column 22: expected a real and an imaginary part, found 'complex(1.0) : compl...'"
    ),
    f"{HEAD}  %1 = cast(%0) dtype=dtype('flat') : int": (
        "line 2, column 29: expected the name of a dtype, found \"'flat') : int\""
    ),
    f"{HEAD}  store(%0, %0) errstate(over=quiet)": (
        "line 2, column 31: expected `ignore`, `warn` or `raise`, found 'quiet)'"
    ),
    f"{HEAD}  store(%0, %0) errstate(above=warn)": (
        "line 2, column 26: expected a kind of floating point error, found 'above=warn)'"
    ),
    f"{HEAD}    store(%0, %0)": (
        "line 2, column 3: expected 2 spaces before it, found '  store(%0, %0)'"
    ),
    f"{HEAD}  store(%0, %0)\n    store(%0, %0)": (
        "line 3, column 3: expected 2 spaces before it, found '  store(%0, %0)'"
    ),
    f"{HEAD} store(%0, %0)": (
        "line 2, column 1: expected an exit, which is not indented, found ' store(%0, %0)'"
    ),
    f"{HEAD}  else": "line 2, column 3: expected a node, or `yield`, found 'else'",
    f"{HEAD}  yield %0,": "line 2, column 12: expected a value, found the end of the line",
    f"{HEAD}  yield %0\n  bail()": (
        "line 3, column 1: expected an exit, which is not indented, found '  bail()'"
    ),
    f"{HEAD}exit 1: return at 3: push %0": (
        "line 2, column 6: expected number 0, found '1: return at 3: push...'"
    ),
    f"{HEAD}exit 0: return at line 3: push %0": (
        "line 2, column 19: expected an instruction, found 'line 3: push %0'"
    ),
    f"{HEAD}exit 0: return at 3: pull %0": (
        "line 2, column 22: expected what the exit does, found 'pull %0'"
    ),
    f"{HEAD}exit 0: return at 3: push %1": (
        "line 2, column 27: expected a value known here, found '%1'"
    ),
    f"{HEAD}exit 0: return at 3: push @0": (
        "line 2, column 27: expected the number of a recipe known here, found '@0'"
    ),
    f"{HEAD}exit 0: return at 3: push module os": (
        "line 2, column 34: expected a module of a known library, found 'os'"
    ),
    f"{HEAD}exit 0: return at 3: push call sys.exit()": (
        "line 2, column 32: expected the name of a function, found 'sys.exit()'"
    ),
    f"{HEAD}exit 0: return at 3: push source x": (
        "line 2, column 34: expected the text of a source, found 'x'"
    ),
    f"{HEAD}exit 0: return at 3: nothing; push %0": (
        "line 2, column 29: expected the end of the line, found '; push %0'"
    ),
}


@pytest.mark.parametrize(("text", "message"), WRONG.items(), ids=range(len(WRONG)))
def test_wrong_texts(text: str, message: str) -> None:
    """The place is where reading stopped."""
    with pytest.raises(ParseError) as caught:
        parse_graph(text)

    assert str(caught.value) == message
    assert message.startswith(f"line {caught.value.line}, column {caught.value.column}: ")


@given(st.data())
def test_cut_and_changed_texts(data: st.DataObject) -> None:
    """A text in which something is missing or another character stands is read or refused."""
    text = REGIONS
    at = data.draw(st.integers(0, len(text) - 1))
    changed = (
        text[:at] + data.draw(st.sampled_from(("", "%", ")", "\n", "x", "0"))) + text[at + 1 :]
    )
    try:
        graph = parse_graph(changed)
    except ParseError:
        return
    check_round_trip(graph)
