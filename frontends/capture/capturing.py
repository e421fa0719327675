"""Captures one segment: runs the symbolic machine and makes a graph of what it records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

from ...guards.conversions import IndexOf, Listed, Number, Spread
from ...guards.kinds import HasLength, IsBelow, IsConverted, IsFound
from ...guards.objects import IsThere
from ...guards.program import Guard
from ...guards.sources import Source
from ...jit.analysis.one_item import lengths_that_may_be_one
from ...jit.ir.graph import Constant, Graph, Recipe, sources
from ...jit.ir.types import PY_INT, Dim
from ...jit.pipeline import optimise_captured
from .. import explicit_breaks  # noqa: F401 (it makes graph_break() known to the machine)
from ..bytecode import isa
from ..bytecode.flow import Flow
from ..bytecode.placement import why_no_entry
from ..runtime.capture_budget import Budget, Unsettled
from ..runtime.lessons import Lessons
from ..runtime.profitability import is_worth_it
from ..runtime.replaced import check_functions
from . import handlers  # noqa: F401 (they fill the table of the machine)
from .flow.branches import finish
from .flow.exits import LocalsNotKept
from .flow.running import run
from .flow.unrolling import UnrolledTooFar
from .handlers.calls import call_value
from .length_guards import admitting_one, length_guards
from .objects.adopting import adopt, adopt_changes
from .outcome import Captured, Outcome, Place, StartState
from .state.distinct_objects import OneObjectChanges
from .state.frame import Frame
from .state.identity_tracker import IdentityDiffers, ListKey
from .state.live import constant
from .state.machine import Machine
from .state.machine_state import Interpreter
from .state.number_kinds import NumberMayChange, parameter_sources
from .values import folding
from .values.breaks import Break, GraphBreak
from .values.symbolic import List, Symbolic

INTERPRETER: Final = Interpreter(run, call_value)


NO_LESSONS = Lessons()
"""Lessons of a function that has not been called."""


def capture(
    start: StartState,
    *,
    origin: Machine | None = None,
    single: bool = False,
    static: frozenset[str] = frozenset(),
    lessons: Lessons = NO_LESSONS,
    most_nodes: int | None = None,
) -> Outcome:
    """Run the symbolic machine from a state of a frame.

    Exploring passes values of another capture, to whose machine `origin` they belong. With `single`
    one instruction is captured, whatever it does (hostile mode). Live-ins of locals with `static`
    names become constants. `most_nodes`: see `Budget`.

    Raises:
        OverBudget: it takes too long, counting from the start of `origin`.
        Unsettled: it would begin anew for ever.
    """
    check_functions()
    kept_slots: set[int] = set()

    def attempt(varying: Collection[str]) -> Outcome:
        kinds, lines = frozenset(lessons.kinds), frozenset(lessons.lines)
        open_ = frozenset(varying)
        boxed, plain = set[ListKey](), set[ListKey]()
        while True:
            machine = _machine(start, origin, lessons, budget)
            machine.identities.boxed, machine.plain_lists = frozenset(boxed), frozenset(plain)
            machine.varying, machine.any_kind = open_, kinds
            machine.any_line = lines & kinds
            machine.kept = frozenset(kept_slots)
            try:
                outcome = _capture(machine, start, origin, single, static)
                if outcome.captured is not None:
                    outcome.captured.graph.aside = lessons.aside
                return outcome
            except LocalsNotKept as error:
                learnt = not error.slots <= kept_slots
                kept_slots.update(error.slots)
            except (NumberMayChange, OneObjectChanges) as error:
                learnt = not kinds.isdisjoint(error.names)
                kinds -= error.names
            except IdentityDiffers as error:
                learnt = not error.keys <= plain
                if error.keys <= boxed:
                    plain |= error.keys
                boxed |= error.keys
            except UnrolledTooFar as error:
                learnt = not error.names <= open_
                open_ |= error.names
            if not learnt:
                raise Unsettled

    budget = Budget(most_nodes) if origin is None else origin.budget
    try:
        return _most_general(attempt, lessons)
    finally:
        folding.fresh.clear()  # it holds the objects that folding of the user's constants has made


def _machine(
    start: StartState, origin: Machine | None, lessons: Lessons, budget: Budget
) -> Machine:
    """Return a machine at the state of a frame, for one attempt."""
    folding.fresh.clear()
    flows = {} if origin is None else origin.flows
    machine = Machine(INTERPRETER, start.locals, start.below, flows, lessons.too_short, budget)
    _heed(machine, lessons)
    return machine


def _heed(machine: Machine, lessons: Lessons) -> None:
    """Pass on what earlier calls of the function have taught."""
    machine.takes_long = lessons.takes_long
    machine.builder.any_length = lessons.any_length
    machine.builder.spots = lessons.spots


def _most_general(attempt: Callable[[Collection[str]], Outcome], lessons: Lessons) -> Outcome:
    """Return the capture that relies on the fewest list lengths, of those that get equally far.

    `attempt` captures with lists and ints of these names left open.
    """
    of_any = attempt(lessons.varying | lessons.lengths) if lessons.lengths else None
    if of_any is not None and of_any.captured is not None and not of_any.breaks:
        return of_any
    outcome = attempt(lessons.varying)
    if of_any is not None and _comes_as_far(of_any, outcome):
        return of_any
    if of_any is not None:
        lessons.rely_on_lengths()
    lengths = _lengths_changed(outcome.machine) - lessons.varying
    again = attempt({*lessons.varying, *lengths}) if lengths else outcome
    return again if _comes_as_far(again, outcome) else outcome


def _comes_as_far(general: Outcome, exact: Outcome) -> bool:
    """True if a capture that relies on fewer list lengths ends no earlier than the exact one."""
    fewer = len(general.breaks) <= len(exact.breaks) and general.index >= exact.index
    return general.captured is not None and fewer


def _lengths_changed(machine: Machine) -> set[str]:
    """Return lists whose length the capture relied on, although it changes it for the next call."""
    longer = {
        str(effect.arguments[0].source)
        for effect in machine.heap.effects
        if effect.function in (list.append, list.__delitem__)
        and isinstance(effect.arguments[0], List)
    }
    relied = {str(one.source) for one in machine.guards if isinstance(one, HasLength)}
    return longer & relied


def _capture(
    machine: Machine,
    start: StartState,
    origin: Machine | None,
    single: bool,
    static: frozenset[str],
) -> Outcome:
    flow, locals_, stack = start.flow, start.locals, start.stack
    if origin is not None:
        syms: dict[Dim, Dim] = {}
        stack = [adopt(machine, value, origin, syms) for value in stack]
        machine.start = locals_ = [
            v if v is None else adopt(machine, v, origin, syms) for v in locals_
        ]
        adopt_changes(machine, origin, syms)
    machine.start = locals_ = _with_constants(machine, flow, locals_, static)
    machine.begun_at = start.index
    folded = folding.made
    first = Frame(flow, start.namespace, list(locals_), dict(start.cells), list(stack), start.index)
    landing = machine.run(first, limit=1 if single else None)
    frame = landing.only() if landing.frames else None
    breaks = [_place(frame, found) for found, frame in machine.breaks]
    if frame is not None and landing.ended_by is not None:
        breaks.append(_place(frame, landing.ended_by))
    pauses = frame is not None and (bool(landing.pauses) or frame.index in machine.ends)
    if frame is not None and pauses:
        breaks.append(Place(frame.index, frame.stack, frame.locals, pauses=True))
    last = len(flow.decoded.instructions) - 1
    index = last if frame is None else frame.index
    outcome = Outcome(None, breaks, landing.ended_by, index, machine, pauses)
    outcome.pauses_by = landing.pauses
    in_loop = any(start.index in loop.body for loop in flow.loops)
    if not single and not is_worth_it(list(machine.builder.nodes()), in_loop=in_loop):
        return outcome
    if frame is not None and not _has_finished(machine, frame, outcome, single=single):
        return outcome
    graph = machine.builder.graph()
    if folding.made > folded:
        graph.done["folded"] = folding.made - folded
    graph = optimise_captured(graph)
    parameters = parameter_sources(machine, graph)
    bounds = _bounds(graph, parameters)
    may_be_one = lengths_that_may_be_one(graph) - machine.builder.lengths_above_one()
    guards = admitting_one(_guards(machine), graph, parameters, may_be_one)
    exit_ = next((one for one in graph.exits[::-1] if one.kind == "return"), graph.exits[-1])
    outcome.captured = Captured(
        graph,
        [*guards, *bounds, *_conversions(parameters)],
        parameters,
        exit_,
        landing.ended_by,
        _returns(flow, graph),
        tuple(machine.taken_apart),
        frozenset(machine.ends),
        machine.builder.is_narrow,
        may_be_one,
    )
    return outcome


def _conversions(parameters: Iterable[Source]) -> list[Guard]:
    """Return the guards by which C converts values of the call, or finds their places."""
    return [
        IsFound(one) if isinstance(one, IndexOf) else IsConverted(one)
        for one in parameters
        if isinstance(one, Number | Listed | IndexOf | Spread)
    ]


def _has_finished(machine: Machine, frame: Frame, outcome: Outcome, *, single: bool) -> bool:
    """End the segment at the frame's position; return False if it cannot end there."""
    frame.index = outcome.index = frame.flow.group_start(frame.index)
    if frame.index == machine.begun_at:
        return False  # it would return to its own stub
    if why_no_entry(frame.flow, frame.index) is not None:
        return False
    kind = "break" if outcome.ended_by is not None or single or outcome.pauses else "return"
    try:
        finish(machine, frame, kind)
    except GraphBreak:
        return False
    return True


def _with_constants(
    machine: Machine, flow: Flow, locals_: list[Symbolic | None], static: frozenset[str]
) -> list[Symbolic | None]:
    """Return the locals, with those of `static` names replaced by their current values."""
    return [
        constant(machine, value) if value is not None and name in static else value
        for name, value in zip(flow.decoded.localsplus, locals_, strict=True)
    ]


def _place(frame: Frame, ended_by: Break) -> Place:
    return Place(frame.index, frame.stack, frame.locals, ended_by)


def _returns(flow: Flow, graph: Graph) -> dict[int, Recipe]:
    """Return the recipes of the return values, by number of the exit."""
    found: dict[int, Recipe] = {}
    for number, exit_ in enumerate(graph.exits):
        if exit_.kind == "return":
            loaded = flow.decoded.instructions[exit_.at].ops[0]
            constant = loaded.name == isa.LOAD_CONST
            found[number] = exit_.payload(Constant(loaded.arg) if constant else exit_.pushes[-1])
    return found


def _guards(machine: Machine) -> list[Guard]:
    """Return all guards that the segment relies on."""
    exits = machine.builder.exits
    made = (recipe for exit_ in exits for recipe in (*exit_.recipes, *exit_.effects))
    fetched = {source for recipe in made for source in sources(recipe)} | machine.realised.keys()
    dropped = [source for source in dict.fromkeys(machine.named) if source not in fetched]
    return [
        *machine.guards,
        *length_guards(machine.builder, machine.param_sources),
        *map(IsThere, dropped),
    ]


BOUNDS = (2**31, 2**40)
"""Ints below the first bound may be multiplied once, those below the second counted from, without
overflow checks."""


def _bounds(graph: Graph, sources: list[Source]) -> list[Guard]:
    """Return guards on the size of int parameters of a graph with loops, and tell the graph."""
    guards: list[Guard] = []
    if any(node.op.loops for node in graph.nodes()):
        for param, source in zip(graph.params, sources, strict=True):
            if param.type == PY_INT and param.hint is not None:
                bound = next((bound for bound in BOUNDS if abs(param.hint) < bound), None)
                if bound is not None:
                    graph.bounds[param] = bound
                    guards.append(IsBelow(source, bound))
    return guards
