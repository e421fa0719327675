"""Runs a frame instruction by instruction, with branches and loops as regions of the graph."""

from __future__ import annotations

from dataclasses import replace

from ....jit.checks import Check
from ....jit.ir.infer import CannotInfer
from ....jit.ir.ops import BAIL
from ...bytecode import isa
from ...bytecode.placement import why_no_entry
from ...runtime.capture_budget import STEPS_BETWEEN_CHECKS
from ..objects import contents
from ..objects.fields import fields_to_frame, fields_to_heap
from ..objects.finalisation import check_stay_on_stack, observed_items
from ..objects.growing import count
from ..objects.grown import grown_of, sized_list
from ..objects.number_identity import enter_made
from ..state.forks import Fork, one_kind
from ..state.frame import Frame
from ..state.heap import MustCarry
from ..state.machine import HANDLERS, Machine
from ..state.paths import ANYWHERE, RETURN, Landing, Pause, Region
from ..state.snapshots import Mark
from ..values.breaks import (
    CALL,
    DATA_BRANCH,
    INSTRUCTION,
    LOOP,
    NUMPY_REFUSED,
    UNBOUND,
    VARIES,
    Break,
    GraphBreak,
    OnlyWarns,
)
from ..values.expected import is_unseen
from ..values.limits import MAX_STEPS, MAX_UNLIKE
from ..values.symbolic import Symbolic, Union, Unknown
from .branches import capture_fork, finish, settle
from .exits import take_checkpoint
from .inlined import returned
from .lengths import check_size, may_end_at
from .loops import capture_loop_at
from .meeting import only_raises
from .moves import note_move

_MOVES = frozenset(
    {"STORE_FAST", "STORE_NAME", "STORE_GLOBAL", "COPY", "SWAP", "POP_TOP", "RETURN_VALUE"}
)
"""Operations that take values without using them."""
_TRUTHS = ("POP_JUMP_IF_FALSE", "POP_JUMP_IF_TRUE", "TO_BOOL", "UNARY_NOT")
"""Operations that use only the truth of a value."""
_NUMBERS = (
    *("BINARY_OP", "COMPARE_OP", "UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_NOT", "TO_BOOL"),
    *("POP_JUMP_IF_FALSE", "POP_JUMP_IF_TRUE", "JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP"),
    *("BINARY_SUBSCR", "STORE_SUBSCR", "BINARY_SLICE", "STORE_SLICE", "BUILD_SLICE"),
    *("BUILD_TUPLE", "CALL", "LIST_APPEND"),
)
"""Operations that accept numbers of either kind."""


def run(machine: Machine, frame: Frame, limit: int | None = None, begun: bool = False) -> Landing:
    """Run until a break, or until a return, a yield or a stop of the frame's region.

    The frame is then before that instruction. A yield ends the run only of generators that run
    here. Unknown stack items from before the segment stay in place: an instruction that would take
    one is a break. With `begun` the first instruction runs even if it is a stop.

    Raises:
        GraphBreak: one of several paths breaks where eager cannot continue.
    """
    runner = _Runner(machine, frame, limit)
    fields_to_heap(machine, frame)
    while not runner.has_arrived(frame, begun):
        if limit is not None and machine.steps >= limit:
            return Landing({frame.index: frame})
        at = frame.index
        landing = runner.one_instruction(frame)
        begun = False
        if landing is None:
            continue
        if len(landing.frames) != 1 or landing.ended_by is not None or landing.pauses:
            return landing
        frame = landing.only()
        fields_to_heap(machine, frame)
        begun = frame.index == at  # the instruction that has forked, with one outcome
    return runner.arrived(frame)


class _Runner:
    def __init__(self, machine: Machine, frame: Frame, limit: int | None) -> None:
        self.machine = machine
        self.limit = limit
        self.region: Region = frame.region
        outermost = machine.depth == 0
        self.below = frame.stack[: machine.base] if outermost else []
        self.observed = observed_items(frame.stack, machine.base) if outermost else {}

    # ---- arriving ------------------------------------------------------------------------------

    def has_arrived(self, frame: Frame, begun: bool) -> bool:
        """True if the frame is where its path waits or ends."""
        if frame.index == RETURN:
            return True
        if frame.ends() or (self.machine.depth > 0 and frame.yields()) or self._pauses(frame):
            return True
        loop = self.region.loop
        out = loop is not None and not loop.is_inside(frame.index)
        return not begun and (out or frame.index in self.region.stops)

    def _pauses(self, frame: Frame) -> bool:
        return frame.index in self.machine.ends and not self.machine.depth

    def arrived(self, frame: Frame) -> Landing:
        """Handle the arrival."""
        machine, region = self.machine, self.region
        inner = region is not ANYWHERE
        if inner and self._pauses(frame):
            return self._leave(frame, "break")
        stands = frame.index == RETURN or frame.index in region.stops
        if inner and not stands and frame.ends():
            if not machine.depth:
                return self._leave(frame, "return")
            frame.stack = [returned(frame)]
            frame.index = RETURN
            stands = True
        if inner:
            fields_to_frame(machine, frame, arrives=True)
        if region.loop is not None and not region.loop.is_inside(frame.index):
            region.loop.arrive(machine, frame)
            return Landing()
        if inner and not stands:
            raise GraphBreak(INSTRUCTION, "a yield on one of several paths")
        return Landing({frame.index: frame})

    # ---- one instruction -----------------------------------------------------------------------

    def one_instruction(self, frame: Frame) -> Landing | None:
        """Run one instruction; return a landing unless the next instruction simply follows."""
        machine = self.machine
        machine.steps += 1
        if machine.steps % STEPS_BETWEEN_CHECKS == 0:
            machine.budget.check()
        if machine.library_until is not None and machine.steps > machine.library_until:
            raise GraphBreak(CALL, "a long body of a library's function")
        self._count_items(frame)
        mark, at = machine.mark(frame), frame.index
        try:
            try:
                return self._step(frame, mark)
            except Fork as fork:
                gone = machine.are_made_since(mark, fork.deciders)
                machine.rollback(frame, mark)
                frame.index = at
                if gone:
                    detail = "the truth of a number that the same instruction makes"
                    raise GraphBreak(DATA_BRANCH, detail) from None
                if self.limit is not None or machine.steps > MAX_STEPS:
                    detail = "the truth of a value that is known only at run time"
                    raise GraphBreak(DATA_BRANCH, detail) from None
                return settle(machine, frame, capture_fork(machine, frame, fork))
        except MustCarry as must:
            machine.rollback(frame, mark)
            frame.index = at
            try:
                begun = must.begin()
            except GraphBreak as error:
                if (found := self._ended_by(frame, mark, error)) is None:
                    raise
                return found
            if not begun:
                raise
            return self.one_instruction(frame)
        except Pause as pause:
            if machine.depth or machine.is_inner:
                raise
            machine.rollback(frame, mark)
            frame.index = at
            return self._paused(frame, pause)
        except GraphBreak as error:
            frame.index = at
            if (found := self._ended_by(frame, mark, error)) is None:
                raise
            return found

    def _ended_by(self, frame: Frame, mark: Mark, error: GraphBreak) -> Landing | None:
        """Undo an instruction that breaks; return how the run ends there.

        None if eager cannot continue there; the caller then raises the error again, as here that
        would make a cycle that keeps arguments alive.
        """
        at = frame.index
        self.machine.rollback(frame, mark)
        frame.index = at
        return self._broken(frame, error)

    def _count_items(self, frame: Frame) -> None:
        """Add the length of a growing list, which is its truth, before the fork."""
        ops = frame.decoded.instructions[frame.index].ops
        if frame.stack and ops and ops[0].name in _TRUTHS:
            top = self.machine.one_of(frame.stack[-1]) or frame.stack[-1]
            top = contents.use(self.machine, top)
            known = contents.length(self.machine, top)
            frame.stack[-1] = known or frame.stack[-1]
            grown = grown_of(self.machine, sized_list(self.machine, top) or top)
            if grown is not None:
                frame.stack[-1] = count(self.machine, grown)

    def _step(self, frame: Frame, mark: Mark) -> Landing | None:
        machine, at = self.machine, frame.index
        outermost = machine.depth == 0 and not machine.is_inner
        check_size(machine, frame, outermost=outermost)
        if machine.depth == 0:
            machine.begin(frame, mark)
        machine.builder.place = frame.location
        check = machine.builder.check_here()
        if check is not None and check is not Check.STEP:  # a constant step is not checked
            raise GraphBreak(VARIES, f"kernels were left here again and again, {check.value}")
        landing = self._loop(frame)
        if landing is not None:
            return landing
        note_move(machine, frame)
        instruction = frame.decoded.instructions[at]
        target = None
        for op in instruction.ops:
            if op.name not in _MOVES:
                self._tell_apart(frame, isa.pops(op), op.name in _NUMBERS)
            handler = HANDLERS.get(op.name)
            if handler is None:
                raise GraphBreak(INSTRUCTION, f"instruction {op.name}", guess=False)
            try:
                target = handler(machine, frame, op.arg)
            except CannotInfer as error:
                raise GraphBreak(NUMPY_REFUSED, str(error)) from None
        stack = frame.stack
        if any(a is not b for a, b in zip(self.below, stack, strict=False)) or len(stack) < len(
            self.below
        ):
            cut = "what lay on the stack before is taken from it"
            raise GraphBreak(INSTRUCTION, cut, guess=True)
        check_stay_on_stack(self.observed, stack)
        if machine.identities.boxed:
            enter_made(machine, frame, at)
        frame.index = at + 1 if target is None else target
        if outermost:
            machine.passed(at)
            if machine.checkpoint_due:
                take_checkpoint(machine, frame)
        return None

    def _tell_apart(self, frame: Frame, count: int, numbers: bool) -> None:
        """Resolve unions among an instruction's operands.

        With `numbers` not those of either kind.
        """
        stack = frame.stack
        unlike = 0
        for place in range(max(0, len(stack) - count), len(stack)):
            value = self.machine.one_of(stack[place])
            stack[place] = stack[place] if value is None else value
            unlike += isinstance(value, Union) and not (numbers and value.either_number)
        if unlike > MAX_UNLIKE:
            raise GraphBreak(DATA_BRANCH, f"{unlike} values of several kinds in one instruction")
        for place in range(max(0, len(stack) - count), len(stack)):
            value = stack[place]
            if isinstance(value, Union) and not (numbers and value.either_number):
                stack[place] = one_kind(self.machine, value)

    def _loop(self, frame: Frame) -> Landing | None:
        """Capture the whole loop if the frame is at the header of one that can be a region."""
        loop = frame.flow.loop_at(frame.index)
        around = self.region.loop
        if loop is None or self.limit is not None or (around and around.loop is loop):
            return None
        captured = capture_loop_at(self.machine, frame, loop)
        return None if captured is None else settle(self.machine, frame, captured)

    def _paused(self, frame: Frame, pause: Pause) -> Landing | None:
        """End the segment here; break if it began here too or eager cannot continue here.

        A segment that is too long ends before a loop being unrolled, and breaks if there is nothing
        else.
        """
        machine = self.machine
        if pause.rule == "size":
            machine.unrolled_loop(frame)
        if may_end_at(machine, frame) and (machine.body.nodes or pause.rule != "size"):
            return Landing({frame.index: frame}, pauses=pause.rule)
        return self._broken(frame, GraphBreak(pause.otherwise, pause.detail))

    # ---- breaks --------------------------------------------------------------------------------

    def _broken(self, frame: Frame, error: GraphBreak) -> Landing | None:
        """Handle a break at the frame's instruction; None if the surrounding fork has to break.

        In a loop that is being unrolled, the segment ends before the loop.
        """
        machine = self.machine
        if self.region.is_conditional:
            return self._leave_path(frame, error)
        last_of_many = self.region is ANYWHERE and not machine.depth and machine.builder.exits
        if last_of_many and only_raises(frame.flow, frame.index):
            mark, at = machine.mark(frame), frame.index
            try:
                return self._leave_path(frame, error)
            except GraphBreak:  # eager cannot take over in the middle, so it is an ordinary break
                machine.rollback(frame, mark)
                frame.index = at
        found = _break_of(frame, error)
        if machine.unrolled_loop(frame):
            detail = f"the loop breaks at line {found.location.line}: {error.detail}"
            found = _break_of(frame, GraphBreak(LOOP, detail, guess=not found.predicted))
        return Landing({frame.index: frame}, ended_by=found)

    def _leave_path(self, frame: Frame, error: GraphBreak) -> Landing | None:
        """End only the path that breaks: leave the segment here, or in a callee bail to its call.

        None if the surrounding fork has to break. An instruction that only raises ends the function
        in eager too, so that it is no graph break.
        """
        machine, raises = self.machine, only_raises(frame.flow, frame.index)
        if not machine.depth and error.code is not UNBOUND:
            if not (raises and only_raises(frame.flow, frame.index, handled=False)):
                machine.breaks.append((_break_of(frame, error), frame))
            return self._leave(frame, "break")
        may_bail = error.code is UNBOUND or isinstance(error, OnlyWarns)
        if not may_bail and not raises:
            return None
        machine.builder.effect(BAIL, (), {})
        return Landing()

    def _leave(self, frame: Frame, kind: str) -> Landing:
        """End the segment here."""
        machine = self.machine
        frame.index = frame.flow.group_start(frame.index)
        if why_no_entry(frame.flow, frame.index) is not None:
            raise GraphBreak(DATA_BRANCH, "eager cannot take over on one of the paths")
        finish(machine, frame, kind)
        return Landing()


def _break_of(frame: Frame, error: GraphBreak) -> Break:
    ops = frame.decoded.instructions[frame.index].ops
    taken = sum(isa.pops(op) for op in ops)
    guessing = error.guess
    if guessing is None:
        guessing = any(_is_unknown(v) for v in frame.stack[-taken:] if taken)
    code, location = error.code, frame.location()
    if code in (LOOP, DATA_BRANCH):
        location = replace(location, line=_line_of_test(frame) or location.line)
    return Break(
        code.code, code.title, error.detail, code.hint, location, frame.index, not guessing
    )


def _line_of_test(frame: Frame) -> int | None:
    """Return the line of the test of a loop at whose header, or at whose jump to it, a frame is.

    None if that is the line of the frame.
    """
    instructions, header = frame.decoded.instructions, frame.index
    jumps, target = instructions[header].ops, instructions[header].target
    if [op.name for op in jumps] == ["JUMP"] and target is not None and target <= header:
        header = target
    loop = frame.flow.loop_at(header)
    if loop is None:
        return None
    last = loop.back[-1]
    # From 3.12 on a jump out of the loop stands right before the one to its header.
    before = (
        inside
        for inside, _ in loop.exits
        if inside < last and not any(one.ops for one in instructions[inside + 1 : last])
    )
    for place in (last, *before):
        ops = instructions[place].ops
        if any(isa.OPS[op.name].jumps and op.name != "JUMP" for op in ops):
            return instructions[place].line
    return instructions[header].line  # since 3.14 the test of a `while` stands before its body only


def _is_unknown(value: Symbolic) -> bool:
    """True for a value known only at run time."""
    return isinstance(value, Unknown) or is_unseen(value)
