"""Wrong arguments, whose exceptions must match."""

from __future__ import annotations

from fuzzing.grammar import Family

ODD = Family(
    "odd",
    statements="""
4: <new array> = <odd call>

try:
    <new array> = <odd call>
except Exception as error:
    <list name>.append(str(error))

<array name>[<odd>] = <number>

<array name>[<index>] = <odd>

<array name> += <odd>

<new array> = <array name> + <odd>
""",
    expressions={
        "odd": """
2: None

2: 'text'

2.5

-1

True

()

[]

[<array name>]

{}

<object name>

np.float32(1.5)

np.int8(-3)

2 ** 70

1j

slice(1)

np.array(2)

[1, 2]

(1, 2)

np.nan

3

float

<array name>.astype('u8')

<array name>.astype('i1')

<array name>.astype('U3')

<array name>.astype(object)

np.ones((2, 2))

np.array([], 'i4')

np.array('2020', 'M8[Y]')
""",
        "odd call": """
2: np.pad(<array name>, <odd>)

2: np.pad(<array name>, 1, constant_values=<odd>)

np.pad(<array name>, 1, mode=<odd>)

2: np.select([<array name> > 0, <array name> < 0], [<array name>, <odd>], <odd>)

np.select(<odd>, [<array name>])

np.clip(<array name>, <odd>, <odd>)

np.where(<odd>, <array name>, <odd>)

np.where(<odd>)

np.concatenate([<array name>, <odd>])

np.concatenate(<odd>)

np.stack([<array name>, <odd>], axis=<odd>)

np.vstack([<array name>, <odd>])

np.hstack(<odd>)

np.take(<array name>, <odd>)

np.take(<array name>, [0], mode=<odd>)

np.repeat(<array name>, <odd>)

np.tile(<array name>, <odd>)

np.roll(<array name>, <odd>)

np.linspace(0, <odd>, 3)

np.linspace(0, 1, <odd>)

np.arange(<odd>)

np.full(2, <odd>)

np.full(<odd>, 1.5)

np.zeros(<odd>)

np.ones(2, <odd>)

np.eye(<odd>)

np.diff(<array name>, <odd>)

np.diff(<array name>, prepend=<odd>)

np.interp(<array name>, <array name>, <odd>)

np.interp(<odd>, [1, 2], [3, 4])

np.sum(<array name>, axis=<odd>)

np.sum(<array name>, initial=<odd>)

np.mean(<odd>)

np.sum(<odd>)

np.max(<array name>, initial=<odd>)

np.std(<array name>, ddof=<odd>)

np.median(<array name>, axis=<odd>)

np.quantile(<array name>, <odd>)

np.percentile(<array name>, 30, method=<odd>)

np.average(<array name>, weights=<odd>)

np.histogram(<array name>, <odd>)[0]

np.bincount(<odd>)

np.digitize(<array name>, <odd>)

np.searchsorted(<array name>, <odd>)

np.unique(<odd>)

np.isclose(<array name>, <odd>)

np.allclose(<array name>, <odd>)

np.array_equal(<array name>, <odd>)

np.dot(<array name>, <odd>)

np.outer(<array name>, <odd>)

np.cross(<array name>, <odd>)

np.einsum(<odd>, <array name>)

np.einsum('i,i', <array name>, <odd>)

np.tensordot(<array name>, <odd>, 1)

np.kron(<array name>, <odd>)

np.meshgrid(<array name>, <odd>)[0]

np.nan_to_num(<array name>, nan=<odd>)

np.insert(<array name>, <odd>, 1)

np.delete(<array name>, <odd>)

np.append(<array name>, <odd>)

np.split(<array name>, <odd>)[0]

np.reshape(<array name>, <odd>)

np.transpose(<array name>, <odd>)

np.expand_dims(<array name>, <odd>)

np.squeeze(<array name>, <odd>)

np.swapaxes(<array name>, <odd>, 0)

np.moveaxis(<array name>, <odd>, 0)

np.broadcast_to(<array name>, <odd>)

np.triu(<odd>)

np.diag(<array name>, <odd>)

np.trace(<odd>)

np.polyval(<odd>, <array name>)

np.piecewise(<array name>, [<array name> > 0], [<odd>])

np.cumsum(<array name>, axis=<odd>)

np.cumprod(<odd>)

np.sort(<array name>, axis=<odd>)

np.argsort(<array name>, kind=<odd>)

np.partition(<array name>, <odd>)

np.flip(<array name>, <odd>)

np.round(<array name>, <odd>)

np.gradient(<array name>, <odd>)

np.trapezoid(<array name>, <odd>)

np.convolve(<array name>, <odd>)

np.corrcoef(<array name>, <odd>)

np.cov(<odd>)

np.linalg.norm(<array name>, <odd>)

np.linalg.det(<odd>)

np.fft.fft(<array name>, <odd>)

np.apply_along_axis(np.sum, <odd>, <array name>)

np.maximum(<array name>, <odd>)

np.power(<array name>, <odd>)

np.add(<array name>, <odd>, dtype=<odd>)

np.add(<array name>, 1, casting=<odd>)

np.copyto(<array name>, <odd>)

np.putmask(<array name>, <odd>, 1)

np.place(<array name>, <array name> > 0, <odd>)

np.array(<odd>)

np.array([<number>, <odd>])

np.asarray(<array name>, <odd>)

<array name>.astype(<odd>)

<array name>.reshape(<odd>)

<array name>.sum(<odd>)

<array name>.view(<odd>)

<array name>.item(<odd>)

<array name>.fill(<odd>)

<array name>.clip(<odd>, <odd>)

<array name>.dot(<odd>)

<array name>.take(<odd>)

<array name>.repeat(<odd>)

<array name>.transpose(<odd>)

<array name>[<odd>]

<array name>[<odd>, <odd>]

sum(<odd>)

max(<array name>, <odd>)

abs(<odd>)

len(<odd>)

float(<odd>)

int(<array name>.sum(), <odd>)

range(<odd>)

round(<array name>, <odd>)

divmod(<array name>, <odd>)

pow(<array name>, <odd>)

sorted(<odd>)

zip(<odd>, strict=True)

isinstance(<array name>, <odd>)
""",
    },
)
