"""f-strings, strings, bytes."""

import string
import textwrap

import numpy as np
from python_ladder import program

X = np.linspace(0.5, 2, 6)


@program(X)
def shapes_and_numbers(x):
    y = x * 2
    text = f"{y.shape} {y.dtype} {y.sum():.3f} {len(y):>4d} {y[0]!r} {y[1]}"
    return y + len(text), text


@program(X, 8, 2)
def nested_format_specs(x, width, digits):
    y = x * 3
    lines = [f"{v:{width}.{digits}f}|{v:<{width + 1}.{digits}e}" for v in y]
    return y - 1, lines


@program(X)
def conversions_and_debug(x):
    name, k = "räksmörgås", 3
    y = x * k
    return f"{name!r} {name!a} {name!s:>12} {k=} {k * 2 = :04d} {{}}", y


@program(X)
def arrays_in_text(x):
    y = x * 2
    print(f"y = {y}")
    print("first", y[:2], repr(y[:1]), str(y.astype(int)))
    return y + 1


@program(X)
def percent_and_format(x):
    y = x + 0.5
    line = "%s %5.2f %d%%" % ("a", y[1], 3) + "{:.1f} {name} {0!r}".format(y[2], name="n")
    return y * len(line), line


@program(X, "  The quick brown fox  ")
def string_methods(x, text):
    words = text.strip().lower().split()
    y = x * len(words)
    joined = "-".join(w.capitalize() for w in words)
    return y, joined, joined.replace("-", "+", 1), joined.find("Q"), joined.partition("-")[0]


@program(X)
def string_building_in_a_loop(x):
    out = ""
    for k, v in enumerate(x * 2):
        if k:
            out += ", "
        out += f"{k}:{v:.2f}"
    return x + len(out), out


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __format__(self, spec):
        print("format", repr(spec))
        return f"{self.amount:.2f} {spec or 'EUR'}"

    def __str__(self):
        return "money"

    def __repr__(self):
        return f"Money({self.amount})"


@program(X, Money(3.0))
def own_format(x, money):
    y = x * money.amount
    text = f"{money} {money:USD} {money!s} {money!r:>10}"
    return y + len(text), text


@program(X)
def failing_format(x):
    y = x * 2
    try:
        text = f"{y[0]:.2f} {y[1]:d}"
    except ValueError as error:
        text = str(error)
    return y + 1, text, f"{y[0]:>{'ab'}}"


@program(X)
def order_in_an_f_string(x):
    seen = []

    def note(v):
        seen.append(v)
        return v

    y = x * 2
    text = f"{note(1)} {note(2):{note(3)}} {note(4)}"
    return y + len(seen), text, seen


@program(X, b"\x01\x02\xff\x10")
def bytes_to_arrays(x, data):
    y = np.frombuffer(data, np.uint8) * 2
    part = data[1:3] + bytes([7]) + bytearray(b"ab")
    return y, part, data.hex(), x[: len(part)] * part[0], int.from_bytes(data, "big")


@program(X)
def array_to_bytes(x):
    y = x * 2
    raw = y.tobytes()
    back = np.frombuffer(raw) + 1
    view = memoryview(bytearray(4))
    view[1] = 9
    return back, len(raw), bytes(view)


@program(X)
def string_comparisons(x):
    names = ["beta", "Alpha", "gamma"]
    y = x * 2
    ordered = sorted(names, key=str.lower)
    if ordered[0] < "B" and "lph" in ordered[0] and not names[0].startswith("A"):
        y = y + 1
    return y, ordered, max(names), "a" * 3, "abc"[::-1]


@program(X)
def templates_and_wrapping(x):
    y = x + 1
    text = string.Template("$name has $n").substitute(name="x", n=len(y))
    return y * 2, text, textwrap.shorten("one two three four", 12)


@program(X)
def encoding(x):
    y = x * 2
    data = "naïve €".encode()
    try:
        data.decode("ascii")
    except UnicodeDecodeError as error:
        y = y + error.start
    return y, data.decode(), data.decode("latin-1"), str(data, "utf-8") == "naïve €"


@program(X, "key")
def strings_as_keys(x, key):
    table = {key: x * 2, key + "2": x * 3, f"{key}3": 1}
    return table["key2"] - table[key], sorted(table), table.get("none", x[0])


@program(X)
def number_parsing(x):
    y = x * int("12") + float("1e-1") - int("ff", 16)
    try:
        y = y + int("1.5")
    except ValueError as error:
        print(error)
    return y, int(" 7 "), bin(10), hex(255), oct(8), chr(97), ord("b"), ascii("é")
