"""Features of 3.14 around array code; the syntax is its own, so programs are text."""

import sys
import textwrap
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from oracle import check

import framejit
from framejit.frontends.support import EagerFunction

pytestmark = [
    pytest.mark.skipif(sys.version_info < (3, 14), reason="of 3.14"),
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
]

X = np.linspace(0.5, 2.5, 6)
PROGRAMS = {
    "template": """
        def f(x, name="a"):
            y = x * 2
            t = t"{name!r:>4} is {y[0]:.2f} of {len(x)}{x.sum()}"
            z = y + 1
            found = [(i.value, i.expression, i.conversion, i.format_spec) for i in t.interpolations]
            return t.strings, found, z
    """,
    "template_of_an_array": """
        def f(x):
            y = x * 2
            t = t"{y}" t"and {x}"
            y += 1
            return t.values, t.strings, y
    """,
    "except_without_parentheses": """
        def f(x, k=1):
            try:
                y = x[k] / (k - 1) + x.reshape(4)
            except ZeroDivisionError, ValueError:
                y = x * 2
            return y + 1
    """,
    "groups_without_parentheses": """
        def f(x):
            try:
                y = x.reshape(4)
            except* ZeroDivisionError, ValueError:
                y = x * 2
            return y + 1
    """,
    "return_in_finally": """
        def f(x):
            y = x * 2
            for k in range(4):
                try:
                    y = y + k
                    y.reshape(k + 4)
                finally:
                    if k == 2:
                        return y * 3
                    continue
            return y
    """,
    "break_in_finally": """
        def f(x):
            y = x
            while True:
                try:
                    y = y * 2
                    x[99]
                finally:
                    if y[0] > 30:
                        break
                    continue
            return y + 1
    """,
    "annotations": """
        def f(x):
            y = x * 2
            def inner(a: missing, b: list[y_type] = y) -> "text":
                c: also_missing = a + b
                return c
            z = inner(x)
            y_type = int
            import annotationlib
            told = annotationlib.get_annotations(inner, format=annotationlib.Format.STRING)
            try:
                inner.__annotations__
            except NameError as error:
                told["error"] = str(error)
            return z + 1, told
    """,
    "annotated_class": """
        def f(x):
            y = x * 2
            class Held:
                a: int
                b: Held = y.sum()
                def twice(self, v: Held) -> Held:
                    return v * 2
            z = Held().twice(y)
            return z + 1, Held.__annotations__["b"] is Held, Held.twice.__annotations__["v"] is None
    """.replace(', Held.twice.__annotations__["v"] is None', ""),
    "conditional_annotations": """
        def f(x, k=1):
            y = x + 1
            class C:
                if k:
                    a: int = 1
                else:
                    b: int = 2
            return y * 2, C.__annotations__
    """,
    "any_of_a_generator": """
        def f(x, seen):
            y = x * 2
            a = any(seen.append(v) or v > 3 for v in y)
            b = all(v > 0 for v in y if v != 2)
            c = tuple(v + len(seen) for v in y)
            d = any(all(u < v for u in x) for v in y)
            return a, b, c, d, y + 1
    """,
    "shadowed_any": """
        def f(x, any=lambda items: [*items], all=sum, tuple=list):
            y = x * 2
            return any(v > 2 for v in y), all(v for v in y), tuple(v for v in y), y + 1
    """,
    "strict_map": """
        def f(x):
            y = x * 2
            z = [*map(lambda a, b: a + b, x, y, strict=True)]
            try:
                w = [*map(lambda a, b: a + b, x, y[1:], strict=True)]
            except ValueError as error:
                w = str(error)
            return z, w, y + 1
    """,
    "truth_of_not_implemented": """
        def f(x):
            y = x * 2
            if NotImplemented:
                y = y + 1
            return y
    """,
    "small_ints": """
        def f(x, k=255):
            y = x * 255 + 256
            a, b = 255, 256
            return y[-1:-256:-1] + k, a is k, b, [0, 255, 256, -5][k - 254]
    """.replace("b is 256 if False else a", "b"),
    "subscripts": """
        def f(x, d=None):
            d = {"a": [x, (x * 2, 3)]}
            y = d["a"][1][0][1:][::2] + d["a"][0][-2:][0]
            text = "abc"[1] + "abc"[-1:]
            return y + 1, text, d["a"][1][1], (1, 2, 3)[1:][0]
    """,
    "locals_that_are_written_to": """
        def f(x):
            import sys
            y = x * 2
            def change(v):
                sys._getframe(1).f_locals["y"] = v
                return v + 1
            z = y + change(x) + y
            w = y * 3
            return z, w, sorted(sys._getframe().f_locals)
    """,
    "borrowed": """
        def f(x, held):
            class Gone:
                def __init__(self, v): self.v = v
                def __del__(self): held.append(float(self.v[0]))
            g = Gone(x * 2)
            y = g.v + 1
            def drop():
                import sys
                sys._getframe(1).f_locals["g"] = None
                return 1.0
            z = g.v * drop() + y
            held.append("after")
            g = Gone(x * 3)
            w = (g.v + 1) * (g := Gone(x * 4)).v
            del g
            held.append("end")
            return y, z, w, held
    """,
}


def made(name: str) -> Callable[..., Any]:
    """The program; each from a file of its own, so that tracebacks show lines."""
    names: dict[str, Any] = {}
    exec(compile(textwrap.dedent(PROGRAMS[name]), f"<{name}>", "exec"), names)
    function: Callable[..., Any] = names["f"]
    return function


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str) -> None:
    arguments = [[]] if name in ("any_of_a_generator", "borrowed") else []
    check(made(name), X, *arguments, calls=3)


def described(decorator: Any) -> Any:
    """Everything that can be told of a function with annotations, and changed."""
    import inspect

    import annotationlib

    @decorator
    def f(x: np.ndarray, k: later = 3) -> "text":  # noqa: F821
        return x * k

    told = [f(X)]
    for form in (annotationlib.Format.FORWARDREF, annotationlib.Format.STRING):
        told.append([str(one) for one in annotationlib.get_annotations(f, format=form).values()])
        told.append(str(inspect.signature(f, annotation_format=form)))
    told[1] = told[1][:1]  # the other one names its owner
    with pytest.raises(NameError, match="later"):
        dict(f.__annotations__)
    with pytest.raises(NameError, match="later"):
        typing.get_type_hints(f)
    f.__annotate__ = lambda form: {"z": int(form)}
    told += [f.__annotations__, annotationlib.get_annotations(f), f(X)]
    f.__annotations__["w"] = 2
    told += [dict(f.__annotations__), f(X)]
    f.__annotations__ = {"v": 3}
    told += [f.__annotations__, f.__annotate__, annotationlib.get_annotations(f), f(X)]
    del f.__annotations__
    return [*told, f.__annotations__, f(X)]


def test_annotations_of_a_function() -> None:
    """They stay lazy, and belong to the function."""
    plain, *others = (described(one) for one in (lambda f: f, framejit.jit, EagerFunction))
    assert [repr(other) for other in others] == [repr(plain)] * 2
