"""Forward data flow: stack kinds and bound slots before each instruction.

One pass computes both, because storing a stack slot that may be NULL unbinds a local. States only
grow at joins (`kinds.join`; fewer surely bound slots; more maybe bound ones), so the pass
terminates.
"""

from __future__ import annotations

from ...jit.errors import UnsupportedCodeError
from .edges import next_indices
from .isa import LOAD_CONST, RETURN_VALUE
from .kinds import Kind, Stack, State, join
from .model import Decoded, Handler, Instruction, SlotKind

Facts = tuple[tuple[Stack | None, ...], tuple[int, ...], tuple[int, ...]]
"""Before each instruction: stack (None if unreachable), surely bound slots, maybe bound slots."""


def facts(decoded: Decoded) -> Facts:
    """Compute the facts by iterating to a fixed point."""
    return _Pass(decoded).run()


class _Pass:
    """The tables being filled."""

    def __init__(self, decoded: Decoded) -> None:
        self.decoded = decoded
        count = len(decoded.instructions)
        self.stacks: list[Stack | None] = [None] * count
        self.bound = [0] * count
        self.maybe = [0] * count
        self.dirty = [False] * count
        self.free = sum(
            1 << slot for slot, kind in enumerate(decoded.kinds) if kind is SlotKind.FREE
        )

    def run(self) -> Facts:
        arguments = (1 << self.decoded.arguments) - 1
        self.arrive(0, (), arguments, arguments)
        while True in self.dirty:
            for index, dirty in enumerate(self.dirty):
                if dirty:
                    self.dirty[index] = False
                    self.step(index)
        return tuple(self.stacks), tuple(self.bound), tuple(self.maybe)

    def step(self, index: int) -> None:
        """Propagate the state before an instruction to its successors."""
        instruction = self.decoded.instructions[index]
        before = self.stacks[index]
        assert before is not None
        state = State(list(before), self.bound[index], self.maybe[index], self.free)
        # an exception may occur before or after any operation has taken effect
        surely, maybe = state.bound, state.maybe
        for op in instruction.ops[:-1]:
            state.run(op)
            surely &= state.bound
            maybe |= state.maybe
        through, jump = next_indices(instruction)
        if jump is not None:
            branch = State(list(state.stack), state.bound, state.maybe, self.free)
            branch.run_jump(instruction.ops[-1])
            self.arrive(jump, tuple(branch.stack), branch.bound, branch.maybe)
        if instruction.ops:
            state.run(instruction.ops[-1])
        if through is not None:
            self.arrive(through, tuple(state.stack), state.bound, state.maybe)
        if instruction.handler is not None and not _is_left(instruction, before):
            stack = _handler_stack(before, instruction.handler)
            self.arrive(
                instruction.handler.target, stack, surely & state.bound, maybe | state.maybe
            )

    def arrive(self, index: int, stack: Stack, bound: int, maybe: int) -> None:
        """Merge a state into the one known before an instruction."""
        known = self.stacks[index]
        if known is not None:
            stack = join(known, stack)
            bound &= self.bound[index]
            maybe |= self.maybe[index]
            if (stack, bound, maybe) == (known, self.bound[index], self.maybe[index]):
                return
        self.stacks[index], self.bound[index], self.maybe[index] = stack, bound, maybe
        self.dirty[index] = True


def _is_left(instruction: Instruction, stack: Stack) -> bool:
    """True if the handler is one for a fuller stack, at an instruction that never raises.

    Such is that of a generator expression, since 3.15, after its loop. No stub stands there.
    """
    handler = instruction.handler
    never_raises = all(op.name in (LOAD_CONST, RETURN_VALUE) for op in instruction.ops)
    return handler is not None and handler.depth > len(stack) and never_raises


def _handler_stack(stack: Stack, handler: Handler) -> Stack:
    if handler.depth > len(stack):
        raise UnsupportedCodeError(f"handler of depth {handler.depth} on a stack of {len(stack)}")
    lasti = (Kind.LASTI,) if handler.lasti else ()
    return (*stack[: handler.depth], *lasti, Kind.EXCEPTION)
