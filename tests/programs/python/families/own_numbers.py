"""Classes of the user's that take part in arithmetic, comparison, truth and conversion."""

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)


class Meters:
    """A number with a unit: says which method is called."""

    def __init__(self, value):
        self.value = value

    def _other(self, other):
        return other.value if isinstance(other, Meters) else other

    def __add__(self, other):
        print("add")
        return Meters(self.value + self._other(other))

    def __radd__(self, other):
        print("radd")
        return Meters(self._other(other) + self.value)

    def __mul__(self, other):
        print("mul")
        return Meters(self.value * self._other(other))

    __rmul__ = __mul__

    def __iadd__(self, other):
        print("iadd")
        self.value = self.value + self._other(other)
        return self

    def __neg__(self):
        return Meters(-self.value)

    def __eq__(self, other):
        print("eq")
        return self.value == self._other(other)

    def __lt__(self, other):
        print("lt")
        return self.value < self._other(other)

    __hash__ = None


@program(X, Meters(2.0))
def operators(x, m):
    y = x * 2
    a = m + 1
    b = 3 * a
    b += m
    same = b is m
    return y + b.value, -b, a == Meters(3.0), a < b, same, m != 2.0


@program(X, Meters(3.0))
def array_and_object_operand(x, m):
    m.__array_ufunc__ = None
    y = x * 2
    z = y[0] * m
    return y, z, (m * y).value + 1


class Left:
    """Wins over arrays."""

    __array_ufunc__ = None

    def __add__(self, other):
        print("add", type(other).__name__)
        return other * 2

    def __radd__(self, other):
        print("radd", type(other).__name__)
        return other * 3

    def __rmatmul__(self, other):
        return "rmatmul"


@program(X, Left())
def array_ufunc_is_none(x, left):
    y = x + left
    z = left + y
    return z - y, x @ left


class Logged:
    """Takes every ufunc."""

    def __init__(self, data):
        self.data = data

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        print(ufunc.__name__, method, sorted(kwargs))
        plain = [one.data if isinstance(one, Logged) else one for one in inputs]
        made = getattr(ufunc, method)(*plain, **kwargs)
        return Logged(made) if isinstance(made, np.ndarray) else made

    def __array_function__(self, function, types, args, kwargs):
        print(function.__name__, len(types))
        return function(*[a.data if isinstance(a, Logged) else a for a in args], **kwargs)


@program(X)
def array_ufunc(x):
    logged = Logged(x * 2)
    y = np.add(logged, x)
    z = np.multiply(x, y)
    total = np.add.reduce(z)
    return z.data + 1, total, x + np.exp(logged).data


@program(X)
def array_function(x):
    logged = Logged(x * 2)
    y = np.concatenate([x, x])
    mean = np.mean(logged)
    return y * mean, np.sort(logged) + 1, np.shape(logged)


class Wrapped:
    """Turns into an array when asked."""

    __array_priority__ = 20

    def __init__(self, data):
        self.data = data

    def __array__(self, dtype=None, copy=None):
        print("array")
        return np.asarray(self.data, dtype=dtype)

    def __rmul__(self, other):
        print("rmul")
        return NotImplemented


@program(X, Wrapped([1.0, 2, 3, 4, 5, 6]))
def array_protocol(x, wrapped):
    y = x * 2
    z = np.add(y, wrapped)
    return z + np.asarray(wrapped), np.sum(wrapped)


@program(X)
def subclass_of_ndarray(x):
    class Tagged(np.ndarray):
        def __array_finalize__(self, source):
            self.tag = getattr(source, "tag", "new")

    y = x.view(Tagged)
    y.tag = "mine"
    z = y * 2 + 1
    return type(z).__name__, z.tag, np.asarray(z) - x, z[1:].tag


@program(X)
def finalizer_is_heard(x):
    class Loud(np.ndarray):
        def __array_finalize__(self, origin):
            print("made from", type(origin).__name__, np.shape(origin))

    y = x.view(Loud)
    return (y * 2).view(np.ndarray) + 1


@program(X)
def index_is_heard(x):
    class Axis:
        def __index__(self):
            print("asked")
            return 0

    y = x * 2
    return np.sum(y, axis=Axis()) + 1, np.roll(y, Axis())


class Odd:
    """Truth, length, containment and iteration of its own."""

    def __init__(self, n):
        self.n = n

    def __bool__(self):
        print("bool")
        return self.n % 2 == 1

    def __len__(self):
        print("len")
        return self.n

    def __contains__(self, item):
        print("contains", item)
        return item < self.n

    def __iter__(self):
        print("iter")
        return iter(range(self.n))

    def __reversed__(self):
        return iter([9, 8])


@program(X, Odd(3))
def truth_and_length(x, odd):
    y = x * 2
    if odd:
        y = y + len(odd)
    if not Odd(2) and 2 in odd:
        y = y * 2
    return y, [k for k in odd], list(reversed(odd)), odd and 1, bool(odd)


class Real:
    """Conversions."""

    def __float__(self):
        print("float")
        return 2.5

    def __int__(self):
        return 7

    def __index__(self):
        print("index")
        return 2

    def __round__(self, digits=None):
        return 3

    def __abs__(self):
        return 4


@program(X, Real())
def conversions(x, real):
    y = x * float(real) + int(real)
    z = y[real] + round(real) + abs(real)
    return (
        z,
        y[: real + 0] if hasattr(real, "__add__") else y[:real],
        np.float64(real) * y,
        hex(real),
    )


@program(X)
def not_implemented_falls_back(x):
    class One:
        def __add__(self, other):
            print("One.add")
            return NotImplemented

    class Two:
        def __radd__(self, other):
            print("Two.radd")
            return 5

    y = x * 2
    y = y + (One() + Two())
    try:
        One() + 1
    except TypeError as error:
        print(error)
    return y


@program(X)
def comparison_methods(x):
    class Near:
        def __init__(self, v):
            self.v = v

        def __eq__(self, other):
            print("eq")
            return abs(self.v - getattr(other, "v", other)) < 0.1

        def __hash__(self):
            print("hash")
            return 1

    y = x * 2
    values = [Near(1), Near(2)]
    table = {Near(5): y}
    return y + (Near(1.05) in values), values.index(2.01), table[Near(5.05)] is y


class Proxy:
    """Claims to be a float."""

    @property
    def __class__(self):
        print("class")
        return float

    def __rmul__(self, other):
        return other * 3


@program(X)
def lies_about_its_class(x):
    y = x * 2
    proxy = Proxy()
    z = y[0] * 1.0
    return z, isinstance(proxy, float), y + 1, type(proxy) is Proxy


@program(X)
def matmul_and_inplace_protocols(x):
    class Matrix:
        def __init__(self, data):
            self.data = data

        def __matmul__(self, other):
            return Matrix(self.data @ other.data)

        def __imatmul__(self, other):
            print("imatmul")
            self.data = self.data @ other.data
            return self

        def __getitem__(self, key):
            return self.data[key]

    a = Matrix(np.outer(x, x))
    b = Matrix(np.eye(6) * 2)
    c = a @ b
    c @= b
    return c[0] + 1, a[1, 2]


class Loud(np.float64):
    """A NumPy scalar of the user's own class."""

    dtype = float

    def __add__(self, other):
        print("add")
        return "a sum"

    def __bool__(self):
        print("bool")
        return False


@program(X, Loud(3))
def derived_numpy_scalar(x, number):
    y = x * 2
    return y, number + 1, 1 if number else 2, np.multiply(y, number)


@program(X)
def keys_that_compare_themselves(x):
    class Name(str):
        def __eq__(self, other):
            print("eq")
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    table = {Name("a"): x * 2}
    y = table.get("a")
    table["a"] = y + 1
    return table["a"], "a" in table, "b" in table, len(table)
