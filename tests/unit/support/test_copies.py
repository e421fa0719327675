"""Copies of arguments: nothing but their addresses may tell them from the originals."""

from __future__ import annotations

import types

import numpy as np
from copies import deep_copy


def test_copies_of_memory() -> None:
    """Strides, flags, bases and sharing are those of the originals; the memory is not."""
    table = np.arange(24.0).reshape(4, 6).copy()
    locked = table.copy()
    locked.flags.writeable = False
    packed = np.zeros(3, [("a", "i1"), ("b", "f8")])["b"]
    state = [
        table,
        table.T,
        table[::-1, ::-2],
        table[1:1],
        table.view(np.int32),
        np.asfortranarray(table),
        np.transpose(np.ones((2, 3, 4)), (1, 0, 2)).copy(order="K"),
        np.broadcast_to(table[0], (3, 6)),
        np.lib.stride_tricks.as_strided(table, (3, 3), (8, 8)),
        np.frombuffer(b"0123456789abcdef"),
        locked,
        locked[1:],
        packed,
        np.array(5.0),
        np.empty((0, 3)),
    ]
    copied = deep_copy(state)

    for one, other in zip(state, copied, strict=True):
        assert one.tobytes() == other.tobytes()
        assert (one.dtype, one.shape, one.strides) == (other.dtype, other.shape, other.strides)
        assert str(one.flags) == str(other.flags)
        assert not np.shares_memory(one, other)
        assert (one.base is None) == (other.base is None)
    assert copied[1].base is copied[0]
    assert copied[11].base is copied[10]
    for k in range(9):
        for j in range(9):
            shared = np.shares_memory(state[k], state[j])
            assert np.shares_memory(copied[k], copied[j]) == shared
    offsets = [array.ctypes.data - state[0].ctypes.data for array in state[1:4]]
    assert [array.ctypes.data - copied[0].ctypes.data for array in copied[1:4]] == offsets


def test_copies_of_objects() -> None:
    """Identity inside a structure stays, subclasses and their attributes too."""
    array, number = np.ones(3), np.float64(2.5)
    generator = np.random.default_rng(1)
    thing = types.SimpleNamespace(a=array)
    masked = np.ma.array([1.0, 2.0], mask=[True, False])
    state = [array, array, number, {"k": array}, thing, masked, generator, np, np.sin, [array[1:]]]

    copied = deep_copy(state)

    assert copied[0] is copied[1] is copied[3]["k"] is copied[4].a is copied[9][0].base
    assert copied[0] is not array
    assert type(copied[2]) is np.float64
    assert copied[5].mask.tolist() == [True, False]
    assert copied[5]._mask is not masked._mask
    assert copied[6].random() == generator.random()
    assert copied[7] is np
    assert copied[8] is np.sin


def test_copies_of_nan_bits() -> None:
    """The payload of a NaN survives the copy."""
    bits = np.array([0xFFF8000000000123], np.uint64)
    copied = deep_copy([bits.view(np.float64)])[0]

    assert copied.view(np.uint64).tolist() == bits.tolist()
