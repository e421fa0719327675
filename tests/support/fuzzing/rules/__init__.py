"""The rules by which programs are written, a family a name."""

from fuzzing.rules.arrays import ARRAYS, FLOW
from fuzzing.rules.containers import CONTAINERS
from fuzzing.rules.deciding import DECIDING, SCALARS
from fuzzing.rules.dicts import DICTS
from fuzzing.rules.exceptions import EXCEPTIONS
from fuzzing.rules.frames import FRAMES
from fuzzing.rules.functions import FUNCTIONS
from fuzzing.rules.generators import GENERATORS
from fuzzing.rules.grids import GRIDS
from fuzzing.rules.held import HELD
from fuzzing.rules.meetings import MEETINGS
from fuzzing.rules.objects import ALIASES, OBJECTS
from fuzzing.rules.odd import ODD

FAMILIES = (
    OBJECTS,
    ALIASES,
    GENERATORS,
    CONTAINERS,
    FUNCTIONS,
    EXCEPTIONS,
    FRAMES,
    DECIDING,
    ODD,
    SCALARS,
    MEETINGS,
    DICTS,
    GRIDS,
    HELD,
)

__all__ = ["ARRAYS", "FAMILIES", "FLOW"]
