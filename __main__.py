"""The command line: `python -m framejit COMMAND ...`."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from time import thread_time

from . import TYPE_CHECKING, __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGAN = thread_time()
"""CPU time of the interpreter's own start; what comes until the program begins is framejit's."""

COMMANDS: dict[str, tuple[str, str]] = {
    "cache": (
        ".frontends.commands.cache",
        "list what is kept on disk of compiled kernels, or clear it",
    ),
    "demo": (
        ".frontends.commands.demo",
        "run the example programs, eager and compiled, and compare",
    ),
    "doctor": (".frontends.commands.doctor", "what is installed and what works here"),
    "explain": (
        ".frontends.commands.explain",
        "what a code of graph breaks, such as FJ201, means, and what to write instead",
    ),
    "run": (".frontends.commands.run", "run a program with its array code compiled"),
    "warm": (
        ".frontends.commands.warm",
        "run a program to fill the cache, so that later runs capture and compile nothing",
    ),
}
"""Command -> (the module with its `main(arguments) -> exit code`, help); imported if asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command with the rest of the arguments; return its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given[:1] in (["run"], ["warm"]):  # without a parser, as they end like the program
        import_module(COMMANDS[given[0]][0], __package__).main(given[1:], BEGAN)
    import argparse

    parser = argparse.ArgumentParser(
        prog="python -m framejit",
        description="A just-in-time compiler for unmodified NumPy code.",
        epilog="\n".join(
            ["commands:", *(f"  {name:<10}{text}" for name, (_, text) in COMMANDS.items())]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"framejit {__version__}")
    parser.add_argument(
        "command", metavar="COMMAND", nargs="?", choices=COMMANDS, help="one of those below"
    )
    parser.add_argument("rest", metavar="...", nargs=argparse.REMAINDER, help="its arguments")
    chosen = parser.parse_args(given)
    if chosen.command is None:
        parser.print_help(sys.stderr)
        return 2
    home, _ = COMMANDS[chosen.command]
    try:
        code: int = import_module(home, __package__).main(chosen.rest)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader stopped early, as in `... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
