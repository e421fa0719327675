"""`super()`, and its attributes."""

from __future__ import annotations

from typing import Any

from ....guards.grip import Grip
from ....guards.kinds import IsObject
from ....guards.objects import MISSING
from ....guards.sources import Fixed, Super
from ....jit.frozen import dataclass
from ....jit.ir import graph as ir
from ..objects.attributes import class_method, fixed
from ..state.behaviour import BEHAVIOURS, Behaviour
from ..state.frame import Frame
from ..state.invocation import Invocation
from ..state.live import realise
from ..state.machine import Machine, handles
from ..values.breaks import ATTRIBUTE, GraphBreak
from ..values.class_namespaces import is_function
from ..values.symbolic import NULL, BoundMethod, Cell, Instance, Known, Symbolic
from ..values.value_kind import RecipeOf, ValueKind
from ..values.wording import in_words
from .attributes import calls_from
from .builtins import builtin
from .names import cell_contents


@dataclass(frozen=True, eq=False, slots=True)
class SuperObject(ValueKind):
    """`super(cls, owner)`."""

    words = "super()"
    cls: type
    owner: Instance

    def recipe(self, of: RecipeOf) -> ir.Recipe:
        """Call `super`."""
        return ir.Call(super, (ir.Constant(self.cls), of(self.owner)))


@builtin(super, takes=(0, 2))
def _super(call: Invocation) -> Symbolic | None:
    """Capture `super()`, which in 3.11 reads the class from a cell and the object from a local."""
    if len(call.arguments) == 2:
        return _super_object(*call.realised())
    frame = call.frame
    names = frame.decoded.localsplus
    cell = frame.cells.get(names.index("__class__")) if "__class__" in names else None
    first = frame.locals[0] if frame.decoded.code.co_argcount else None
    if call.arguments or not isinstance(cell, Cell) or first is None:
        return None
    cls = realise(call.machine, cell_contents(call.machine, cell))
    return _super_object(cls, realise(call.machine, first))


@handles("LOAD_SUPER_ATTR", "LOAD_SUPER_METHOD")
def load_super(machine: Machine, frame: Frame, arg: Any) -> None:
    """Load `super().name`, for which 3.12 and later make no super object."""
    owner, cls, callee = (realise(machine, frame.stack.pop()) for _ in range(3))
    if not isinstance(callee, Known) or callee.object is not super:
        raise GraphBreak(ATTRIBUTE, "a `super` of the program's own")
    value = _attribute(machine, frame, _super_object(cls, owner), arg.name)
    if hasattr(arg, "null_first"):
        frame.stack.extend((NULL, value) if arg.null_first else (value, NULL))
    else:
        frame.stack.append(value)


def _super_object(cls: Symbolic, owner: Symbolic) -> SuperObject:
    """Return `super(cls, owner)`."""
    kind = cls.object if isinstance(cls, Known) else None
    if not isinstance(kind, type) or not isinstance(owner, Instance):
        raise GraphBreak(ATTRIBUTE, "super() of something else than a class and an object")
    if not issubclass(owner.class_, kind):
        raise GraphBreak(ATTRIBUTE, f"super() of {in_words(owner)}, which is no {kind.__name__}")
    return SuperObject(kind, owner)


def _attribute(machine: Machine, frame: Frame, owner: SuperObject, name: str) -> Symbolic:
    """Return `super(cls, owner).name`."""
    instance = owner.owner
    behind = instance.class_.__mro__
    after = behind[behind.index(owner.cls) + 1 :] if owner.cls in behind else ()
    found = next((vars(kind)[name] for kind in after if name in vars(kind)), MISSING)
    if found is MISSING:
        raise GraphBreak(ATTRIBUTE, f"super() has no attribute `{name}`")
    where = f"super().{name}"
    made_here = instance.source is None  # then its class, which made it, leads to the bases
    holder = instance.source or Fixed.of(instance.class_, f"class `{instance.class_.__name__}`")
    source = Super(holder, Grip.of(owner.cls), name, of_class=made_here)
    machine.guard(IsObject.of(source, found))
    if isinstance(found, property) and found.fget is not None:
        return calls_from(machine, frame)(fixed(found.fget, where), (instance,))
    if is_function(found):
        return BoundMethod(fixed(found, where), instance)
    if isinstance(found, classmethod):
        return class_method(machine, instance, found, where)
    if isinstance(found, staticmethod):
        return fixed(found.__func__, where)
    if found is object.__init__ or found is object.__setattr__:
        return BoundMethod(Known(found), instance)
    raise GraphBreak(ATTRIBUTE, f"`{where}` is no function")


BEHAVIOURS[SuperObject] = Behaviour(attribute=_attribute)
