"""Arguments of the programs."""

import numpy as np

X = np.arange(6.0)
Y = X[::-1].copy()
KINDS = ("f8", "f4", "i8", "i4", "c16", "?", "u1")
GIVEN = [np.ones(3, kind) for kind in KINDS] + [np.ones((2, 2), kind) for kind in KINDS]
