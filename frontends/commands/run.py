"""`python -m framejit run`: runs a script as Python does, with its array code compiled.

All that a program can observe of its start equals a plain run: `sys.argv`, `sys.path[0]`, the
module `__main__` and its attributes, how an exception is printed, and the exit code. Nothing heavy
is imported here: the capture is loaded when the program loads NumPy, and never if it does not.
"""

from __future__ import annotations

import builtins
import io
import os
import sys
from importlib import machinery
from time import thread_time
from types import CodeType, ModuleType

from .interpreter import start_again, taken_from

TYPE_CHECKING = False  # the one of `typing` would take as long as the start of the interpreter
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

_CACHED: dict[str, Any] = {"__cached__": None} if sys.version_info < (3, 15) else {}
"""The name of a module's file of bytecode, which later Pythons do not keep."""
USAGE = """usage: python -m framejit run [--report FILE] [-v] SCRIPT [ARGS...]
       python -m framejit run [--report FILE] [-v] -m MODULE [ARGS...]
       python -m framejit run [--report FILE] [-v] -c CODE [ARGS...]

Runs a program as `python` does, with its array code compiled. SCRIPT may be a folder or zip file
with a __main__.py, or - for the standard input. Options of Python itself may stand before it: -O,
-OO, -W, -X, -B, -b, -d, -P, -q, -s, -u.

  --report FILE  what was captured and what was not, and why, when the program has ended:
                 text, or JSON when FILE ends with .json; - is the standard error. Processes
                 that multiprocessing starts (pools, workers of dask) are summed up in it
  -v             long reports in full
"""


def main(arguments: Sequence[str], began: float) -> NoReturn:
    """Run the program that the arguments name and end the process as the program does.

    `began` is the CPU time before framejit was imported.
    """
    rest, report, verbose = parsed(arguments, "run", USAGE)
    from ..undecorated import entrance

    entrance.prepare(report, verbose=verbose)
    run(rest, began)


def parsed(
    arguments: Sequence[str], command: str, usage: str
) -> tuple[list[str], str | None, bool]:
    """Return the program with its arguments, the report file, and True for -v.

    Exits with status 2 on errors.
    """
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
    """Return the reason, as far as it shows before, why a report cannot be written, else ""."""
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


def run(words: list[str], began: float) -> NoReturn:
    """Run the program of `words` as the interpreter would; `words` become `sys.argv`."""
    module = ModuleType("__main__")
    known: dict[str, Any] = {"__builtins__": builtins}
    if sys.version_info < (3, 14):  # later Pythons evaluate them on request
        known = {"__annotations__": {}, **known}
    module.__dict__.update(known)
    sys.modules["__main__"] = module
    uncaught = _uncaught(words, module, began)
    if uncaught is None:
        sys.exit(0)
    from ..undecorated import entrance

    entrance.failed()
    _print(uncaught)
    if isinstance(uncaught, KeyboardInterrupt):
        _end_interrupted()
    sys.exit(1)


def _uncaught(words: list[str], module: ModuleType, began: float) -> BaseException | None:
    """Run the program; return its uncaught exception, stripped of framejit's frames."""
    from ..undecorated import entrance

    call, execute = _outermost()
    entrance.took = thread_time() - began
    try:
        if words[0] == "-m":
            _start_at(["-m", *words[2:]], os.getcwd())
            call(_run_module(), words[1], True)
        elif _is_folder(words[0]):
            _start_at(words, _absolute(words[0]), always=True)
            call(_run_module(), "__main__", False)
        else:
            code = _load(words, module)
            loaded = thread_time()
            body = entrance.prepared(code)
            entrance.took += thread_time() - loaded
            execute(body, module.__dict__)
    except SystemExit as error:
        if not _is_success(error.code):
            entrance.failed()
        entrance.stop()  # an exit code that is no C long leaves CPython in an odd state
        raise
    except BaseException as error:
        return _stripped(error)
    return None


def _is_success(code: object) -> bool:
    """True for exit codes of success; runs no `==` of the program's: that of arrays is no bool."""
    return code is None or (type(code) in (int, bool) and not code)


def _run_module() -> Callable[..., Any]:
    """Return the function that the interpreter itself calls for -m, folders and archives."""
    import runpy

    found: Callable[..., Any] = runpy._run_module_as_main  # type: ignore[attr-defined]
    return found


def _outermost() -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return functions that call and execute without a framejit frame if the C module exists."""
    try:
        from . import _outermost  # type: ignore[attr-defined,unused-ignore]
    except ImportError:
        return (lambda program, *args: program(*args)), exec
    return _outermost.call, _outermost.execute


# ---- loading the program -----------------------------------------------------------------------


def _load(words: list[str], module: ModuleType) -> CodeType:
    """Return the code to run.

    Sets argv, path and the attributes of the module as the interpreter does.
    """
    if words[0] == "-c":
        _start_at(["-c", *words[2:]], "")
        module.__loader__ = machinery.BuiltinImporter
        return _with_source(
            compile(words[1] + "\n", "<string>", "exec", dont_inherit=True), words[1]
        )
    if words[0] == "-":
        _start_at(words, "")
        module.__file__ = "<stdin>"
        module.__dict__.update(_CACHED)
        module.__loader__ = machinery.BuiltinImporter
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
    module.__dict__.update(_CACHED)
    module.__loader__ = machinery.SourceFileLoader("__main__", path)
    return compile(source, path, "exec", dont_inherit=True)


def _with_source(code: CodeType, source: str) -> CodeType:
    """Register the source of the code, so that tracebacks show its lines as Python 3.13 does."""
    import linecache

    register = getattr(linecache, "_register_code", None)
    if register is not None:
        by_code = hasattr(linecache, "_interactive_cache")  # since 3.13.1
        register(code if by_code else "<string>", source, "<string>")
    return code


def _start_at(argv: list[str], folder: str, always: bool = False) -> None:
    """Set `sys.argv`, and replace framejit's `sys.path[0]`."""
    sys.argv[:] = argv
    if not sys.flags.safe_path:
        sys.path[0] = folder
    elif always:
        sys.path.insert(0, folder)


def _absolute(path: str) -> str:
    """Make a path absolute as the interpreter does, without resolving `.` and `..`."""
    try:
        return os.path.join(os.getcwd(), path)
    except OSError:  # the folder was deleted
        return path


def _is_folder(path: str) -> bool:
    """True if Python would look for a `__main__` module in it, as in a folder or an archive."""
    if os.path.isdir(path):
        return True
    if not os.path.isfile(path) or path.endswith(".py"):
        return False
    import pkgutil

    return pkgutil.get_importer(path) is not None


# ---- the end of the process --------------------------------------------------------------------


def _stripped(error: BaseException) -> BaseException:
    """Return an exception without framejit's frames."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_globals is globals():
        trace = trace.tb_next
    return error.with_traceback(trace)


def _print(error: BaseException) -> None:
    """Pass an uncaught exception to `sys.excepthook`, as the interpreter does."""
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
    """End the process by SIGINT, as the interpreter does after an uncaught Ctrl-C.

    The exception was printed already; it is raised again with printing suppressed.
    """
    before = sys.excepthook

    def silent(*_: Any) -> None:
        sys.excepthook = before

    sys.excepthook = silent
    raise KeyboardInterrupt
