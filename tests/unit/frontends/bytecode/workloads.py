"""Standard library modules to run under stubs, each with something to do that has an answer.

The tests run those of `QUICK`; ``python tests/unit/frontends/bytecode/workloads.py [seed]`` all.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import random
import re
import sys
from types import ModuleType

from hostile import Counters, stub_everywhere

TEXT = """[first]
name = value
long = The quick brown fox jumps over the lazy dog, and then it does so again: a, b; c.
; comment
[second]
list = 1, 2, 3
flag: yes
"""

CODE = '''
def f(a, /, b: int = 2, *args, c=3, **kw) -> "x":
    """doc"""
    with open(a) as h, g() as (i, j):
        yield from (x async for x in y if not z)
    try:
        return [*a, f"{b!r:>{c}} {{}}", lambda q: q @ 1]
    except* (E, F) as e:
        raise X from None
    match a:
        case {"k": [1, *r], **rest} if r: del r[1:2, ::3]
        case A(b=None) | -1: pass
'''

HTML = '<!doctype html><p class=a id="b">one &amp; two<br/><!-- c --><script>x<y</script></p>'


def execute(name, transform):
    """Module `name`, executed again from its source, with its code sent through `transform`."""
    spec = importlib.util.find_spec(name)
    module = importlib.util.module_from_spec(spec)
    source = spec.loader.get_source(name)
    code = transform(compile(source, spec.origin, "exec", dont_inherit=True))
    original = sys.modules[name]
    sys.modules[name] = module  # enum and dataclasses look their module up
    try:
        exec(code, module.__dict__)
    finally:
        sys.modules[name] = original
    return module


def compare(name, rng, counters):
    """The answers of a module's plain code and of its code under stubs, as text."""
    work = WORKLOADS[name]
    plain = work(importlib.import_module(name))
    other = work(execute(name, lambda code: stub_everywhere(code, rng, counters)))
    return tuple(re.sub("0x[0-9a-f]+", "0x", repr(answer)) for answer in (plain, other))


def work_textwrap(m: ModuleType):
    return m.wrap(TEXT, 20), m.dedent("  a\n   b"), m.shorten(TEXT, 30), m.indent("a\n\nb", "> ")


def work_difflib(m):
    a, b = TEXT.splitlines(), TEXT.replace("quick", "slow").splitlines()[1:]
    return list(m.unified_diff(a, b)), list(m.ndiff(a, b)), m.get_close_matches("appel", ["apple"])


def work_fractions(m):
    f = m.Fraction
    return [f(3, 7) ** 2 - f("0.25"), f(1.1).limit_denominator(10), f(7, 3) // 2, round(f(7, 3), 1)]


def work_statistics(m):
    data = [1.5, 2, 7, 7, 3.25, 9]
    return m.mean(data), m.stdev(data), m.quantiles(data), m.mode(data), m.median_grouped(data)


def work_string(m):
    template = m.Template("$a ${b} $$ $c").safe_substitute(a=1, b=2)
    return template, m.Formatter().format("{0!r:>5}{x[k]}", "a", x={"k": 3}), m.capwords("a bc")


def work_shlex(m):
    return m.split('a \'b c\' "d\\"e" # f', comments=True), m.quote("it's"), m.join(["a b", "c"])


def work_configparser(m):
    parser = m.ConfigParser()
    parser.read_string(TEXT)
    parser["second"]["more"] = "%(flag)s!"
    out = io.StringIO()
    parser.write(out)
    return out.getvalue(), parser.getboolean("second", "flag"), parser["second"]["more"]


def work_argparse(m):
    parser = m.ArgumentParser(prog="p", description="d", exit_on_error=False)
    parser.add_argument("--number", "-n", type=int, choices=[1, 2], help="a number")
    parser.add_argument("files", nargs="*")
    sub = parser.parse_args(["-n", "1", "a", "b"])
    try:
        parser.parse_args(["-n", "9"])
    except Exception as error:
        return parser.format_help(), vars(sub), str(error)


def work_calendar(m):
    calendar = m.TextCalendar(6)
    return calendar.formatmonth(2024, 2), m.monthrange(2023, 2), m.HTMLCalendar().formatweek([])


def work_html_parser(m):
    log = []

    class Parser(m.HTMLParser):
        def handle_starttag(self, tag, attrs):
            log.append((tag, attrs))

        def handle_data(self, data):
            log.append(data)

    Parser().feed(HTML)
    return log


def work_urllib_parse(m):
    url = "http://u:p@h.org:80/a;b/../c%20d?q=1&q=2&r=%C3%A9#frag"
    return m.urlsplit(url), m.parse_qs("q=1&q=2&e="), m.urljoin(url, "../x"), m.quote("é /", "")


def work_ipaddress(m):
    network = m.ip_network("192.168.0.0/29")
    return list(network.hosts()), m.ip_address("2001:db8::1").exploded, list(network.subnets(1))


def work_graphlib(m):
    sorter = m.TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}})
    try:
        tuple(m.TopologicalSorter({1: [2], 2: [1]}).static_order())
    except ValueError as error:
        return sorted(sorter.static_order()), error.args


def work_pprint(m):
    return m.pformat({"k": [list(range(30)), {"x": ("a" * 50, "b" * 50)}], "z": {1, 2}}, width=40)


def work_ast(m):
    tree = m.parse(CODE)
    return m.unparse(tree), m.dump(tree), m.literal_eval("{'a': [1, -2.5, (None,)]}")


def work_tokenize(m):
    return [tuple(token) for token in m.generate_tokens(io.StringIO(CODE).readline)]


def work_re__parser(m):
    return repr(m.parse(r"(?P<n>a|b)*?(?:c{2,3})[^\wx-z](?<=x)(?(n)y|z)\Z"))


def work_base64(m):
    data = bytes(range(40))
    return m.b32encode(data), m.b85encode(data), m.a85decode(m.a85encode(data)), m.b16encode(data)


def work__pydecimal(m):
    d = m.Decimal
    with m.localcontext() as context:
        context.prec = 12
        return str(d(2).sqrt()), str(d("1.1") ** 5 / 3), str(d(10).ln()), f"{d('1234.5'):,.2f}"


def work_dataclasses(m):
    @m.dataclass(order=True)
    class Point:
        x: int
        y: list = m.field(default_factory=list, compare=False)

    return repr(Point(1)), Point(1) < Point(2), m.asdict(Point(3, [Point(4)])), m.replace(Point(1))


def work_collections(m):
    pair = m.namedtuple("Pair", "a b", defaults=[2])
    chain = m.ChainMap({"a": 1}, {"b": 2})
    return pair(1)._asdict(), m.Counter("hello").most_common(2), dict(chain.new_child({"c": 3}))


def work_csv(m):
    dialect = m.Sniffer().sniff("a;b;c\n1;2;3\n4;5;6\n")
    rows = list(m.DictReader(io.StringIO("x,y\n1,2\n3\n")))
    return dialect.delimiter, rows


def work_inspect(m):
    namespace = {}
    exec("def f(a, /, b: int = 2, *c, d=3, **e): pass", namespace)
    bound = m.signature(namespace["f"]).bind(1, 2, 3, d=4, z=5)
    return str(m.signature(namespace["f"])), bound.arguments, m.cleandoc("a\n   b\n  c")


def work_dis(m):
    out = io.StringIO()
    m.dis(compile("def f(a):\n  return [x + a for x in a]", "f", "exec").co_consts[0], file=out)
    return out.getvalue()


def work_contextlib(m):
    log = []
    with m.ExitStack() as stack:
        stack.callback(log.append, "callback")
        stack.enter_context(m.suppress(KeyError))
        with m.redirect_stdout(io.StringIO()) as out:
            print("text")
        log.append(out.getvalue())
        raise KeyError
    return log


def work__strptime(m):
    parse = getattr(m, "_strptime_datetime", None) or m._strptime_datetime_datetime
    import datetime

    return parse(datetime.datetime, "Tue 3 Jan 2023 14:05", "%a %d %b %Y %H:%M")


WORKLOADS = {
    name.removeprefix("work_").replace("re__parser", "re._parser")
    .replace("html_parser", "html.parser").replace("urllib_parse", "urllib.parse"): function
    for name, function in list(globals().items())
    if name.startswith("work_")
}  # fmt: skip

QUICK = (
    "textwrap", "string", "shlex", "graphlib", "tokenize", "html.parser", "csv", "contextlib",
    "_strptime", "fractions",
)  # fmt: skip


def main(seed="0"):
    """All of them; 1 when one answer differs."""
    counters = Counters()
    different = []
    for name in WORKLOADS:
        plain, other = compare(name, random.Random(seed + name), counters)
        if plain != other:
            different.append(name)
    print(f"{len(WORKLOADS)} modules, {counters}, different: {different}")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
