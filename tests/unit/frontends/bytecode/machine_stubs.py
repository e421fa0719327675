"""Stubs whose segments are runs of the neutral machine, with exits that are chosen at random."""

from __future__ import annotations

from hostile import chain, consumable
from neutral_machine import INDEX, NULL, GiveUpError, Machine

from framejit.frontends.bytecode.kinds import Kind
from framejit.frontends.bytecode.model import SlotKind
from framejit.frontends.bytecode.placement import why_no_entry
from framejit.frontends.bytecode.stub import Exit, Stub, why_unsafe


class MachineSegment:
    """Runs the machine from its stub to whichever exit comes first."""

    def __init__(self, flow, names, stub, counters, rng):
        self.flow, self.names, self.at = flow, names, stub.at
        self.consumed, self.live, self.exits = stub.consumed, stub.live, stub.exits
        self.counters, self.rng = counters, rng

    def __call__(self, *arguments):
        if self.rng.random() < 0.2:
            self.counters.exit_0 += 1
            return None
        kinds = self.flow.stack_at(self.at)
        given = iter(arguments)
        stack = [
            INDEX if kind is Kind.INDEX else next(given)
            for kind in kinds[len(kinds) - self.consumed :]
        ]
        slots = dict(zip(self.live, given, strict=True))
        machine = Machine(self.flow.decoded, self.names, stack, slots)
        targets = [way.target for way in self.exits]
        try:
            number = targets.index(machine.run(self.at, targets))
            payload = self.deliver(machine, slots, self.exits[number])
        except AssertionError:
            raise
        except Exception:  # whatever it is, the plain bytecode will raise it again
            self.counters.exit_0 += 1
            return None
        self.counters.exits += 1
        self.counters.covered += machine.steps
        return chain(number, len(targets), payload)

    def deliver(self, machine, before, way):
        """The payload; every assertion here is about a promise of `Flow`."""
        slots, stack = machine.slots, machine.stack
        both = set(slots) | set(before)
        changed = {one for one in both if slots.get(one, NULL) is not before.get(one, NULL)}
        assert changed <= set(way.stores) | set(way.deletes), "a store was overlooked"
        assert set(way.stores) <= set(slots), "a local is unbound that should be bound"
        assert not set(way.deletes) & set(slots), "a local is bound that should be unbound"
        assert len(stack) == way.pushes, "the stack has another depth"
        kinds = self.flow.stack_at(way.target)[-way.pushes :] if way.pushes else ()
        for value, kind in zip(stack, kinds, strict=True):
            assert kind is not Kind.NULL or value is NULL
            assert kind is not Kind.INDEX or value is INDEX
            assert kind is not Kind.BOOL or type(value) is bool
            assert not kind.is_object or value not in (NULL, INDEX)
            if kind is Kind.MAYBE_NULL and value is NULL:
                raise GiveUpError("a NULL that only shows at run time")
        pushed = [value for slot, value in enumerate(stack) if slot not in way.nulls]
        values = (*(slots[slot] for slot in way.stores), *pushed)
        return values[0] if way.bare else values


def machine_stub(flow, index, names, rng, counters):
    """A stub with up to four exits behind it, or None where there is nothing to cover."""
    stack = flow.stack_at(index)
    possible = consumable(stack)
    consumed = possible[-1] if rng.random() < 0.6 else rng.choice(possible)
    targets = ahead(flow, index)
    targets = rng.sample(targets, min(len(targets), 10))
    exits = []
    for target in targets:
        way = exit_to(flow, index, consumed, target, rng)
        if way is not None and len(exits) < 4:
            # for example, a NULL of the caller's would have to be copied
            if why_unsafe(flow, Stub(index, None, consumed, (), (way,))) is None:
                exits.append(way)
            else:
                counters.refused += 1
    if not exits:
        return None
    live = tuple(sorted(flow.bound_at(index)))
    plain = Stub(index, None, consumed, live, tuple(exits))
    segment = MachineSegment(flow, names, plain, counters, rng)
    return Stub(index, segment, consumed, live, tuple(exits))


def ahead(flow, index, limit=40):
    """Instructions that the one at `index` leads to."""
    seen, pending = [], [index]
    while pending and len(seen) < limit:
        for other in flow.successors[pending.pop(0)]:
            if other not in seen:
                seen.append(other)
                pending.append(other)
    return [one for one in seen if why_no_entry(flow, one) is None]


def exit_to(flow, index, consumed, target, rng):
    """An exit that needs no knowledge of the path taken, or None."""
    kept = len(flow.stack_at(index)) - consumed
    after = flow.stack_at(target)
    if len(after) < kept:
        return None
    changed = flow.stores_between(index, target)
    if any(flow.decoded.kinds[slot] is not SlotKind.LOCAL for slot in changed):
        return None
    surely, maybe = flow.bound_at(target), flow.maybe_bound_at(target)
    if changed & (maybe - surely):
        return None
    stores = sorted(changed & surely)
    rng.shuffle(stores)
    nulls = tuple(n for n, kind in enumerate(after[kept:]) if kind in (Kind.NULL, Kind.INDEX))
    pushes = len(after) - kept
    one_value = len(stores) + pushes - len(nulls) == 1
    # a bare None would be exit 0, and only a machine that knows the value can exclude it
    bare = one_value and pushes == 1 and after[-1] is Kind.BOOL
    return Exit(target, tuple(stores), pushes, tuple(sorted(changed - maybe)), bare, nulls)
