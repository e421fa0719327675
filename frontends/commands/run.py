"""`python -m framejit run`: a script as Python runs it, with its array code compiled.

Everything that a program can ask of how it was started is as if Python had been asked to run it:
`sys.argv`, `sys.path[0]`, the module `__main__` and what it knows of itself, how an exception is
printed and with which code the process ends. Nothing heavy is imported here: what works on arrays
is loaded when the program loads NumPy, and a program that never does is left alone.
"""

from __future__ import annotations

import builtins
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import BuiltinImporter, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, NoReturn

from .interpreter import start_again, taken_from

USAGE = """usage: python -m framejit run [--report FILE] [-v] SCRIPT [ARGS...]
       python -m framejit run [--report FILE] [-v] -m MODULE [ARGS...]
       python -m framejit run [--report FILE] [-v] -c CODE [ARGS...]

Runs a program as `python` does, with its array code compiled. SCRIPT may be a folder or zip file
with a __main__.py, or - for the standard input. Options of Python itself may stand before it: -O,
-OO, -W, -X, -B, -b, -d, -P, -q, -s, -u.

  --report FILE  what was captured and what was not, and why, when the program has ended:
                 text, or JSON when FILE ends with .json; - is the standard error. Processes
                 that multiprocessing forks write their own beside it: of r.txt, r.PID.txt
  -v             long reports in full
"""


def main(arguments: Sequence[str]) -> NoReturn:
    """Runs the program that the arguments name and ends the process as the program does."""
    rest, report, verbose = parsed(arguments, "run", USAGE)
    from ..undecorated import entrance

    entrance.prepare(report, verbose=verbose)
    run(rest)


def parsed(
    arguments: Sequence[str], command: str, usage: str
) -> tuple[list[str], str | None, bool]:
    """The program with its arguments, the file of the report, True for -v; or ends with 2."""
    rest = list(arguments)
    report, verbose = None, False
    if options := taken_from(rest):
        start_again(options, [command, *rest])
    while rest and (rest[0].startswith("--") or rest[0] == "-v"):
        option, _, value = rest.pop(0).partition("=")
        if option == "-v":
            verbose = True
            continue
        if option in ("--help",):
            print(usage, end="")
            sys.exit(0)
        why = f"unknown option {option}" if option != "--report" else "--report needs a FILE"
        if option != "--report" or not (value or rest):
            _refuse(why, command, usage)
        report = value or rest.pop(0)
        if why := _why_unwritable(report):
            _refuse(f"--report {report}: {why}", command, usage)
    if not rest or (rest[0] in ("-m", "-c") and len(rest) < 2):
        _refuse("a program is needed: SCRIPT, -m MODULE or -c CODE", command, usage)
    if rest[0].startswith("-") and rest[0] not in ("-", "-m", "-c"):
        _refuse(f"unknown option {rest[0]}", command, usage)
    return rest, report, verbose


def _why_unwritable(report: str) -> str:
    """Why no report can be written to a file; "" where one can, as far as can be known before."""
    folder = os.path.dirname(os.path.abspath(report))
    if report == "-":
        return ""
    if os.path.isdir(report):
        return "this is a folder"
    if not os.path.isdir(folder):
        return f"there is no folder {folder}"
    if report.endswith(".py"):
        return "a report is text or JSON; the script stands behind it: run --report FILE SCRIPT"
    there = os.path.exists(report)
    return "" if os.access(report if there else folder, os.W_OK) else "it cannot be written"


def _refuse(why: str, command: str, usage: str) -> NoReturn:
    print(f"{usage}\nframejit {command}: {why}", file=sys.stderr)
    sys.exit(2)


def run(words: list[str]) -> NoReturn:
    """Runs what `words` name, as the interpreter would; `words` become `sys.argv`."""
    module = ModuleType("__main__")
    known: dict[str, Any] = {"__builtins__": builtins}
    if sys.version_info < (3, 14):  # later they are evaluated when somebody asks
        known = {"__annotations__": {}, **known}
    module.__dict__.update(known)
    sys.modules["__main__"] = module
    uncaught = _uncaught(words, module)
    if uncaught is None:
        sys.exit(0)
    _print(uncaught)
    if isinstance(uncaught, KeyboardInterrupt):
        _end_interrupted()
    sys.exit(1)


def _uncaught(words: list[str], module: ModuleType) -> BaseException | None:
    """Runs the program; the exception that it did not catch, without frames of ours."""
    from ..undecorated import entrance

    call, execute = _outermost()
    try:
        if words[0] == "-m":
            _start_at(["-m", *words[2:]], os.getcwd())
            call(_run_module(), words[1], True)
        elif _is_folder(words[0]):
            _start_at(words, _absolute(words[0]), always=True)
            call(_run_module(), "__main__", False)
        else:
            execute(entrance.prepared(_load(words, module)), module.__dict__)
    except SystemExit:
        entrance.stop()  # with an exit code that is no C long, CPython goes down in an odd state
        raise
    except BaseException as error:
        return _stripped(error)
    return None


def _run_module() -> Callable[..., Any]:
    """What the interpreter itself calls for -m, for folders and for archives."""
    import runpy

    found: Callable[..., Any] = runpy._run_module_as_main  # type: ignore[attr-defined]
    return found


def _outermost() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """How to call and to execute with no frame of ours around, where that was compiled."""
    try:
        from . import _outermost  # type: ignore[attr-defined,unused-ignore]
    except ImportError:
        return (lambda program, *args: program(*args)), exec
    return _outermost.call, _outermost.execute


# ---- what is run -------------------------------------------------------------------------------


def _load(words: list[str], module: ModuleType) -> CodeType:
    """The code to run; argv, path and the names of the module are set as the interpreter does."""
    if words[0] == "-c":
        _start_at(["-c", *words[2:]], "")
        module.__loader__ = BuiltinImporter
        return _with_source(
            compile(words[1] + "\n", "<string>", "exec", dont_inherit=True), words[1]
        )
    if words[0] == "-":
        _start_at(words, "")
        module.__file__ = "<stdin>"
        module.__cached__ = None  # type: ignore[attr-defined]
        module.__loader__ = BuiltinImporter
        return compile(sys.stdin.buffer.read(), "<stdin>", "exec", dont_inherit=True)
    path = _absolute(words[0])
    try:
        with io.open_code(path) as file:
            source = file.read()
    except OSError as error:
        why = f"[Errno {error.errno}] {error.strerror}"
        print(f"{sys.executable}: can't open file {path!r}: {why}", file=sys.stderr)
        sys.exit(2)
    _start_at(words, os.path.dirname(os.path.realpath(path)))
    module.__file__ = path
    module.__cached__ = None  # type: ignore[attr-defined]
    module.__loader__ = SourceFileLoader("__main__", path)
    return compile(source, path, "exec", dont_inherit=True)


def _with_source(code: CodeType, source: str) -> CodeType:
    """Code whose lines a traceback can show, where the interpreter sees to that (3.13)."""
    import linecache

    register = getattr(linecache, "_register_code", None)
    if register is not None:
        by_code = hasattr(linecache, "_interactive_cache")  # since 3.13.1
        register(code if by_code else "<string>", source, "<string>")
    return code


def _start_at(argv: list[str], folder: str, always: bool = False) -> None:
    """Sets `sys.argv`, and `sys.path[0]` in the place of framejit's own."""
    sys.argv[:] = argv
    if not sys.flags.safe_path:
        sys.path[0] = folder
    elif always:
        sys.path.insert(0, folder)


def _absolute(path: str) -> str:
    """A path as the interpreter makes it absolute: what it holds of `.` and `..` stays."""
    try:
        return os.path.join(os.getcwd(), path)
    except OSError:  # the folder is gone
        return path


def _is_folder(path: str) -> bool:
    """Whether Python would look for a `__main__` module in it: a folder or an archive."""
    if os.path.isdir(path):
        return True
    if not os.path.isfile(path) or path.endswith(".py"):
        return False
    import pkgutil

    return pkgutil.get_importer(path) is not None


# ---- how it ends -------------------------------------------------------------------------------


def _stripped(error: BaseException) -> BaseException:
    """An exception without the frames that are ours."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_globals is globals():
        trace = trace.tb_next
    return error.with_traceback(trace)


def _print(error: BaseException) -> None:
    """Hands an exception that nobody caught to `sys.excepthook`, as the interpreter does."""
    kind, trace = type(error), error.__traceback__
    sys.last_type, sys.last_value, sys.last_traceback = kind, error, trace
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    hook = getattr(sys, "excepthook", None)
    sys.audit("sys.excepthook", hook, kind, error, trace)
    if hook is None:
        print("sys.excepthook is missing", file=sys.stderr)
        hook = sys.__excepthook__
    try:
        hook(kind, error, trace)
    except SystemExit:
        raise
    except BaseException as second:
        print("Error in sys.excepthook:", file=sys.stderr)
        inner: Any = second.__traceback__
        second = second.with_traceback(inner.tb_next)  # without this frame
        sys.__excepthook__(type(second), second, second.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(kind, error, trace)


def _end_interrupted() -> NoReturn:
    """Ends the process by the signal, as the interpreter does after an uncaught Ctrl-C.

    The exception that makes it do so has been printed: it is raised once more, to nobody.
    """
    before = sys.excepthook

    def silent(*_: Any) -> None:
        sys.excepthook = before

    sys.excepthook = silent
    raise KeyboardInterrupt
