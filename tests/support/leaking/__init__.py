"""Programs that call and capture again and again, and what each leaves behind."""

from leaking.calling import CALLS
from leaking.capturing import CAPTURES
from leaking.slopes import Slope, slope

__all__ = ["CALLS", "CAPTURES", "Slope", "slope"]
