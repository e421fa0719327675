"""Arguments whose value decides the meaning of a call, made at run time."""

from __future__ import annotations

from fuzzing.grammar import Family

DECIDING = Family(
    "deciding",
    statements="""
4: <1:new array> = <deciding>
<1> *= 2

3: <new array> = <deciding>

<1:new array> = <deciding>
<1>[:1] = 7

<list name>.sort(key=len, reverse=<flag>)

<new list> = sorted([3, 1, 2], reverse=<flag>)

<new list> = list(zip(<array name>, [1, 2, 3, 4], strict=<flag>))

<array name>.sort(kind=('stable' if <flag> else 'quicksort'))

np.copyto(<array name>, <array>, where=<flag>)

np.add(<array name>, 1, out=<array name>, where=<flag>)

np.add(<array name>, 1, out=(<array name> if <flag> else None))

<array name>.setflags(write=<flag>)

<array name>[<flag>] = <number>

<new list> = list(np.unique(<array name>, return_counts=True))

<new number> = <array name>.sum(axis=<axis>)

print(<array name>, end=('' if <flag> else '!'))

<new number> = round(<number name>, <count name>)

<new number> = int('11', <count name> + 2)
""",
    expressions={
        "flag": """
3: <flag name>

<count name> > 1

<count name> == 1

bool(<count name>)

np.bool_(<count name>)

(not <flag name>)

<count name>

<object name>.count == 0

<list name>[:0] == []

<array name>.any()

<dict name>.get('n') == 1

(<flag name>, True)[<count name> % 2]
""",
        "axis": """
<count name> % 2 - 1

0 if <flag> else -1

None if <flag> else 0

-<count name> % 2

<count name> - 1
""",
        "deciding": """
3: np.array(<array name>, copy=<flag>)

2: np.asarray(<array name>, copy=(True if <flag> else None))

np.nan_to_num(<array name>, copy=<flag>)

<array name>.astype(<array name>.dtype, copy=<flag>)

np.array(<array name>, copy=(None if <flag> else True), ndmin=1 + <flag>)

np.array(<array name>, subok=<flag>)

2: <array name>.sum(keepdims=<flag>)

<array name>.max(axis=<axis>, keepdims=<flag>)

np.mean(<array name>, axis=<axis>)

np.std(<array name>, ddof=<count name> % 2)

np.concatenate([<array name>, <array name>], axis=<axis>)

np.stack([<array name>, <array name>], axis=<axis>)

np.linspace(0, 1, 4, endpoint=<flag>)

np.linspace(0, <number>, <count name> + 1, endpoint=<flag>)

np.sort(<array name>, axis=<axis>)

np.argsort(<array name>, kind=('stable' if <flag> else None))

np.cumsum(<array name>, axis=<axis>)

np.flip(<array name>, <axis>)

np.roll(<array name>, <count name>, axis=<axis>)

np.searchsorted(np.sort(<array name>), <number>, side=('left' if <flag> else 'right'))

np.isclose(<array name>, <array>, equal_nan=<flag>)

np.clip(<array name>, (None if <flag> else 0), 2)

np.take(<array name>, [0, 5], mode=('clip' if <flag> else 'wrap'))

<array name>.reshape(-1, order=('F' if <flag> else 'C'))

<array name>.ravel('F' if <flag> else 'C')

<array name>.copy('F' if <flag> else 'C')

<array name>.astype('f4' if <flag> else 'f8')

np.zeros_like(<array name>, dtype=(int if <flag> else None))

np.diff(<array name>, n=<count name>)

np.repeat(<array name>, <count name>)

np.tile(<array name>, <count name> % 3)

np.pad(<array name>, <count name> % 3, mode=('edge' if <flag> else 'wrap'))

np.var(<array name>, axis=<axis>, keepdims=<flag>)

np.expand_dims(<array name>, <axis>)

np.unique(<array name>, return_inverse=<flag>)[0]

np.full(3, <number>, dtype=(float if <flag> else None))

np.arange(<count name>, dtype=('f4' if <flag> else 'i8'))

np.eye(<count name> + 1, k=<count name> - 1)

np.triu(np.ones((3, 3)), <count name> - 1)

np.median(<array name>, axis=<axis>, keepdims=<flag>)

np.quantile(<array name>, 0.3, method=('linear' if <flag> else 'nearest'))

np.nan_to_num(<array name>, nan=<number>)

np.histogram(<array name>, bins=3, density=<flag>)[0]

np.trapezoid(<array name>, dx=<number>)

np.where(<flag>, <array name>, <number>)

np.select([<array name> > 0, <flag>], [<array>, <number>], 2)

np.array([<number>, <number>], dtype=('f8' if <flag> else None))

np.meshgrid(<array name>, <array name>, indexing=('ij' if <flag> else 'xy'))[0]

np.average(<array name>, weights=(None if <flag> else <array name>))

np.cov(<array name>, ddof=<count name> % 2)

np.isin(<array name>, [1, 2], invert=<flag>)

np.round(<array name>, <count name>)

np.linalg.norm(<array name>, ord=(1 if <flag> else None), keepdims=<flag>)

np.add.reduce(<array name>, keepdims=<flag>)

np.add.accumulate(<array name>, axis=<axis>)

np.moveaxis(np.ones((2, 3)), 0, <axis>)

np.swapaxes(np.ones((2, 3)), 0, <axis>)

np.ones((2, 3)).T if <flag> else np.ones((3, 2))

np.broadcast_to(<array name>, (2, len(<array name>)), subok=<flag>)

np.fft.fft(<array name>, norm=('ortho' if <flag> else None)).real

np.count_nonzero(<array name>, axis=<axis>, keepdims=<flag>)

np.all(<array name>, keepdims=<flag>)

<array name>.argmax(axis=<axis>, keepdims=<flag>)

np.vander(<array name>, 3, increasing=<flag>)

np.polyfit(<array name>, <array name>, 1, full=<flag>)[0]
""",
        "array": "3: <deciding>",
    },
)

SCALARS = Family(
    "scalars",
    statements="""
2: <new number> = <array name>.sum()

<new array> = <scalar>.reshape(1) + <array name>

<list name>.append(<scalar>.<attribute>)

<list name>.append(<scalar>.<attribute> is None)

<new number> = <scalar> * <scalar>

<new number> = <scalar> if <condition> else <number>

<new array> = np.array([<scalar>, <scalar>])

<list name>.append(<scalar> is <scalar>)

<dict name>['n'] = <scalar>
""",
    expressions={
        "scalar": """
2: <array name>.sum()

<array name>[0]

<array name>.max()

np.float64(<count name>)

np.sqrt(<array name>.sum())

<array name>.mean()

np.int64(<count name>)

np.bool_(<count name>)
""",
        "attribute": """
2: base

ndim

shape

strides

T

real

imag

dtype

size

itemsize

nbytes

item()

flat[0]

flags.writeable

flags.owndata

device

data.nbytes

copy()

conj()

astype('f4')

tolist()

all()
""",
        "condition": """
<scalar>.base is None

<scalar>.<attribute> == 0

<scalar>

<scalar>.flags.writeable

<scalar>.shape == ()
""",
        "number": "3: <scalar>\n\n<scalar>.real\n\n<scalar>.item()",
    },
)
