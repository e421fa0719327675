"""Methods, attributes, descriptors, inheritance: calls that go through a class."""

from functools import cached_property

import numpy as np
from python_ladder import program, setup

X = np.linspace(0.5, 2, 7)


class Line:
    """A class as users write it."""

    default_slope = 2.0

    def __init__(self, slope=None, offset=0.0):
        self.slope = self.default_slope if slope is None else slope
        self.offset = offset
        self.calls = 0

    def at(self, x):
        self.calls += 1
        return x * self.slope + self.offset

    def __call__(self, x, times=1):
        for _ in range(times):
            x = self.at(x)
        return x

    @classmethod
    def steep(cls, offset):
        return cls(cls.default_slope * 10, offset)

    @staticmethod
    def root(x):
        return np.sqrt(x)

    @property
    def scale(self):
        print("scale is read")
        return self.slope * 0.5

    @scale.setter
    def scale(self, value):
        print("scale is set")
        self.slope = value * 2


class Curve(Line):
    """Calls its base."""

    default_slope = 3.0

    def at(self, x):
        y = super().at(x)
        return y * y

    def __call__(self, x, times=1):
        return super(Curve, self).__call__(x, times) + 1


@program(X, Line(3, 1))
def method(x, line):
    y = line.at(x * 2)
    return line.at(y) + y, line.calls


@program(X, Line(3, 1))
def bound_method_in_a_local(x, line):
    at = line.at
    y = at(x)
    line.slope = 10
    return at(y) - y


@program(X, Line(2, 1))
def callable_object(x, line):
    y = line(x)
    return line(y, times=2) * y


@program(X)
def class_method(x):
    line = Curve.steep(1.0)
    y = line.at(x)
    return y * 2, line.slope, type(line) is Curve


@program(X, Line())
def static_method(x, line):
    y = Line.root(x) + line.root(x * 2)
    return y * 2


@program(X, Line(4))
def property_read_and_set(x, line):
    y = x * line.scale
    line.scale = 5
    z = y * line.scale + line.slope
    line.scale += 1
    return z, line.slope


@program(X, Curve(1.5))
def super_without_arguments(x, curve):
    y = curve.at(x) + 1
    return curve(y, 2)


@program(X)
def constructor_inside(x):
    y = x * 2
    line = Line(offset=1)
    z = line.at(y)
    return line, z + line.offset


class Left:
    def steps(self, x):
        print("Left")
        return x + 1


class Base:
    def steps(self, x):
        print("Base")
        return x * 2


class Middle(Base):
    def steps(self, x):
        print("Middle")
        return super().steps(x) - 1


class Other(Base):
    def steps(self, x):
        print("Other")
        return super().steps(x * 3)


class Both(Middle, Other):
    def steps(self, x):
        print("Both")
        return super().steps(x + 0.5)


@program(X, Both())
def multiple_inheritance(x, both):
    y = both.steps(x * 2)
    return y, [one.__name__ for one in type(both).__mro__]


@program(X, Both())
def super_with_arguments(x, both):
    y = super(Middle, both).steps(x)
    return super(Both, both).steps(y) * 2


class Counted:
    count = 0

    def __init__(self):
        type(self).count += 1
        self.number = self.count


class Own(Counted):
    count = 0


@setup()
def class_attributes():
    Own.count = 0

    def f(x):
        first = Own()
        y = x * first.number
        second = Own()
        Own.count += 10
        return y + second.number, Own.count, Counted.count

    return f, X.copy()


@program(X)
def instance_hides_class_attribute(x):
    class Setting:
        factor = 2

    one, two = Setting(), Setting()
    y = x * one.factor
    one.factor = 3
    Setting.factor = 4
    z = x * one.factor + x * two.factor
    del one.factor
    return y, z, x * one.factor


class Point:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def norm(self):
        return np.sqrt(self.x * self.x + self.y * self.y)


@program(X, Point(X, X * 2))
def slots(v, point):
    y = point.norm() * v
    point.x = y
    try:
        point.z = y
    except AttributeError:
        print("no attribute z")
    return point.norm(), point.x is y


@program(X, Point(1.0, 2.0))
def deleted_slot(v, point):
    y = v * point.x
    del point.x
    try:
        return y * point.x
    except AttributeError as error:
        return y, error.name, hasattr(point, "x")


class Clamped:
    """A data descriptor."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner):
        if instance is None:
            return self
        print("get", self.name)
        return getattr(instance, self.name, 1.0)

    def __set__(self, instance, value):
        print("set", self.name)
        setattr(instance, self.name, min(value, 10.0))

    def __delete__(self, instance):
        print("delete", self.name)
        delattr(instance, self.name)


class Knob:
    level = Clamped()
    gain = Clamped()


@program(X, Knob())
def data_descriptor(x, knob):
    y = x * knob.level
    knob.level = 20
    z = y * knob.level
    knob.level -= 4
    knob.gain = knob.level + 1
    del knob.level
    return z + knob.level, knob.gain


class Doubling:
    """A non-data descriptor: the instance's dictionary goes first."""

    def __get__(self, instance, owner=None):
        return 2.0 if instance is not None else 4.0


class Twice:
    factor = Doubling()


@program(X, Twice())
def non_data_descriptor(x, twice):
    y = x * twice.factor + Twice.factor
    twice.factor = 5
    return y * twice.factor


class Fallback:
    known = 2.0

    def __getattr__(self, name):
        print("asked for", name)
        if name.startswith("k"):
            return len(name)
        raise AttributeError(name)


@program(X, Fallback())
def getattr_of_the_class(x, fallback):
    y = x * fallback.known + fallback.kilo
    z = getattr(fallback, "missing", 3) * y
    return z + 1, hasattr(fallback, "km")


@program(X, Fallback())
def attribute_error_goes_through(x, fallback):
    y = x * fallback.known
    y[0] = 0
    x[1] = fallback.missing
    return y


class Watching:
    def __init__(self):
        self.factor = 3

    def __getattribute__(self, name):
        print("read", name)
        return super().__getattribute__(name)

    def __setattr__(self, name, value):
        print("write", name)
        super().__setattr__(name, value)


@program(X, Watching())
def getattribute_and_setattr(x, watching):
    y = x * watching.factor
    watching.factor = 4
    return y + watching.factor * x


class Report:
    def __init__(self, data):
        self.data = data

    @cached_property
    def mean(self):
        print("computing the mean")
        return self.data.mean()


@program(X)
def cached_property_once(x):
    report = Report(x * 2)
    y = x - report.mean
    return y * report.mean, sorted(vars(report))


@program(X)
def method_replaced_on_the_instance(x):
    line = Line(2)
    y = line.at(x)
    line.at = lambda v: v - 1
    z = line.at(y)
    return z, line(x, 2)


class Straight(Line):
    pass


@program(X, Straight(2))
def method_replaced_on_the_class(x, line):
    y = line.at(x)
    Straight.at = lambda self, v: v * 100 + self.slope
    z = line.at(x)
    del Straight.at
    return y, z, line.at(z)


@program(X, Line(1.0))
def augmented_attributes(x, line):
    line.slope += 1
    line.offset = x
    line.offset = line.offset * 2
    line.offset += 1
    held = line.offset
    line.offset -= x
    return held, line.offset is held, x
