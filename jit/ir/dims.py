"""The dims of one graph: which are known to be equal, and what they were at capture."""

from __future__ import annotations

from collections.abc import Sequence

from .infer import CannotInfer
from .signature import core_axes
from .types import ArrayType, Dim, ScalarType, Sym, Type


class Dims:
    """Makes symbolic dims and keeps what a graph relies on about them."""

    def __init__(self) -> None:
        self._syms = 0
        self._same: dict[Sym, Dim] = {}
        self.lengths: dict[Sym, int] = {}
        """What each dim was at capture; guides decisions only."""
        self.equal: list[Sym] = []
        """Dims that were found to equal another one, in order."""
        self.any_length = False
        """Lengths of one item and none that the graph computes are as others, not for good."""
        self.is_narrow = False
        """A length that the graph computes was taken to be one, or none, for good."""

    @property
    def sym_count(self) -> int:
        """Symbolic dims made so far."""
        return self._syms

    def fresh_sym(self, length: int | None = None) -> Sym:
        """A dim that nothing but its length at capture is known about."""
        sym = Sym(self._syms)
        self._syms += 1
        if length is not None:
            self.lengths[sym] = length
        return sym

    def computed(self, length: int) -> Dim:
        """The dim of an axis whose length the graph computes: by what it was at capture.

        NumPy broadcasts axes of one item and has rules of its own for empty ones. Most programs
        that meet one meet no others there, and more is known of such graphs.
        """
        if length >= 2 or self.any_length:
            return self.fresh_sym(length)
        self.is_narrow = True
        return length

    def resolve(self, dim: Dim) -> Dim:
        """The one dim that stands for all dims known to equal this one."""
        while isinstance(dim, Sym) and dim in self._same:
            dim = self._same[dim]
        return dim

    def resolved(self, type_: Type) -> Type:
        """The type with every dim resolved."""
        if isinstance(type_, ScalarType):
            return type_
        return ArrayType(type_.dtype, tuple(map(self.resolve, type_.dims)), type_.layout)

    def unify(self, one: Dim, other: Dim) -> None:
        """Relies on the two dims being equal from here on, if they may have been at capture."""
        one, other = self.resolve(one), self.resolve(other)
        lengths = self.length_at_capture(one), self.length_at_capture(other)
        if one == other or (None not in lengths and lengths[0] != lengths[1]):
            return
        if not isinstance(one, Sym) or (isinstance(other, Sym) and one.index < other.index):
            one, other = other, one  # what was there first stands for both
        assert isinstance(one, Sym)
        self._same[one] = other
        self.equal.append(one)

    def unify_store(self, target: Sequence[Dim], value: Sequence[Dim]) -> None:
        """Relies on the dims of a stored value being those of the target where they are not 1."""
        for want, dim in zip(reversed(target), reversed(value), strict=False):
            if self.resolve(dim) != 1:
                self.unify(want, dim)

    def length_at_capture(self, dim: Dim) -> int | None:
        """What the dim was, None where nobody knows."""
        return dim if isinstance(dim, int) else self.lengths.get(dim)

    def unify_broadcast(self, shapes: Sequence[Sequence[Dim]]) -> None:
        """Relies on dims being equal that broadcast against each other and are not 1."""
        for axis in range(1, max(map(len, shapes), default=0) + 1):
            dims = [dims[-axis] for dims in shapes if axis <= len(dims) and dims[-axis] != 1]
            for dim in dims[1:]:
                self.unify(dims[0], dim)

    def unify_core(self, signature: str, shapes: Sequence[Sequence[Dim]]) -> None:
        """Dims of one name are equal; what is left of them on the other axes broadcasts."""
        try:
            groups = core_axes(signature, [len(dims) for dims in shapes])
        except ValueError as error:
            raise CannotInfer(str(error)) from error
        named: dict[str, Dim] = {}
        outer = []
        for group, dims in zip(groups, shapes, strict=False):
            present = [core for core in group if core.axis is not None]
            for core in present:
                dim = dims[core.axis or 0]
                self.unify(named.setdefault(core.name, dim), dim)
            outer.append(dims[: len(dims) - len(present)])
        self.unify_broadcast(outer)

    def forget_equal(self, count: int) -> None:
        """Keeps only the first so many findings of equality."""
        for sym in self.equal[count:]:
            del self._same[sym]
        del self.equal[count:]
