"""The dims of one graph: which are known to be equal, and their lengths at capture."""

from __future__ import annotations

from collections.abc import Sequence

from .infer import CannotInfer
from .signature import core_axes
from .types import ArrayType, Dim, ScalarType, Sym, Type


class Dims:
    """Makes symbolic dims and records what the graph assumes about them."""

    def __init__(self) -> None:
        self._syms = 0
        self._same: dict[Sym, Dim] = {}
        self.lengths: dict[Sym, int] = {}
        """Length of each dim at capture; used for decisions only."""
        self.equal: list[Sym] = []
        """Dims that were unified with another one, in order."""
        self.any_length = False
        """Treat computed lengths of 0 and 1 as symbolic too, instead of fixing them."""
        self.relied_wide: set[Dim] = set()
        """See `lengths_above_one`."""
        self.is_narrow = False
        """True once a computed length was fixed to 0 or 1."""

    @property
    def sym_count(self) -> int:
        """Number of symbolic dims made so far."""
        return self._syms

    def fresh_sym(self, length: int | None = None) -> Sym:
        """Return a new dim of which at most the length at capture is known."""
        sym = Sym(self._syms)
        self._syms += 1
        if length is not None:
            self.lengths[sym] = length
        return sym

    def computed(self, length: int) -> Dim:
        """Return the dim of an axis whose length the graph computes, given its length at capture.

        Lengths 0 and 1 are fixed, as NumPy broadcasts axes of length 1 and treats empty ones
        specially. Most programs that see such a length always see it, and fixed dims allow better
        code.
        """
        if length >= 2 or self.any_length:
            return self.fresh_sym(length)
        self.is_narrow = True
        return length

    def resolve(self, dim: Dim) -> Dim:
        """Return the representative of all dims known to equal this one."""
        while isinstance(dim, Sym) and dim in self._same:
            dim = self._same[dim]
        return dim

    def resolved(self, type_: Type) -> Type:
        """Return the type with every dim resolved."""
        if isinstance(type_, ScalarType):
            return type_
        return ArrayType(type_.dtype, tuple(map(self.resolve, type_.dims)), type_.layout)

    def lengths_above_one(self) -> set[Dim]:
        """Return the lengths that a decision of the frontend needs to be at least 2."""
        return {self.resolve(dim) for dim in self.relied_wide}

    def unify(self, one: Dim, other: Dim) -> None:
        """Assume from here on that two dims are equal, unless their lengths at capture differ."""
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
        """Assume that the dims of a stored value equal the target's, except where they are 1."""
        for want, dim in zip(reversed(target), reversed(value), strict=False):
            if self.resolve(dim) != 1:
                self.unify(want, dim)

    def length_at_capture(self, dim: Dim) -> int | None:
        """Return the dim's length at capture, or None if unknown."""
        return dim if isinstance(dim, int) else self.lengths.get(dim)

    def unify_broadcast(self, shapes: Sequence[Sequence[Dim]]) -> None:
        """Assume that dims which broadcast against each other are equal, unless they are 1."""
        for axis in range(1, max(map(len, shapes), default=0) + 1):
            dims = [dims[-axis] for dims in shapes if axis <= len(dims) and dims[-axis] != 1]
            for dim in dims[1:]:
                self.unify(dims[0], dim)

    def unify_core(self, signature: str, shapes: Sequence[Sequence[Dim]]) -> None:
        """Assume that core dims of one name are equal, and that the remaining axes broadcast."""
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
        """Drop all but the first `count` equalities; used by rollback."""
        for sym in self.equal[count:]:
            del self._same[sym]
        del self.equal[count:]
