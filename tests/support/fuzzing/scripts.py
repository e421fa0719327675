"""Programs whose statements stand at module level: run by `exec`, plainly or captured."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any

import framejit
from framejit.frontends.undecorated.body import ModuleBody, body_of

Names = dict[str, Any]


@lru_cache(64)
def body_code(source: str) -> tuple[CodeType, tuple[str, ...]]:
    """The statements of the function `program` as a module's, and the names of its parameters.

    Raises:
        SyntaxError: they cannot stand there: a `return` in the middle, a `yield`.
        ValueError: the function is made by another one.
    """
    tree = ast.parse(source)
    found = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == "program"]
    if not found:
        raise ValueError("no function of the module itself")
    statements = list(found[0].body)
    last = statements[-1]
    if isinstance(last, ast.Return):
        target = ast.Name("result", ast.Store())
        value = last.value or ast.Constant(None)
        statements[-1] = ast.copy_location(ast.Assign([target], value), last)
    module = ast.fix_missing_locations(ast.Module(statements, []))
    names = tuple(one.arg for one in found[0].args.args)
    return compile(module, "<program>", "exec", dont_inherit=True), names


@dataclass(eq=False)
class Script:
    """Runs the statements, in a namespace that has what the module has, and the arguments."""

    source: str
    module: Names
    names: Names = field(default_factory=dict)
    """The namespace of the last run."""

    def __call__(self, *given: Any) -> Names:
        code, parameters = body_code(self.source)
        around = {name: one for name, one in self.module.items() if not name.startswith("__")}
        del around["program"]
        self.forget()
        self.names.update({"__name__": "program", **around})
        self.names.update(zip(parameters, given, strict=True))
        with framejit.config(**self.options):
            exec(self.version(code), self.names)
        return self.made()

    def version(self, code: CodeType) -> CodeType:
        """Return the code to run in its place."""
        return code

    @property
    def options(self) -> dict[str, Any]:
        """Those that are in force meanwhile."""
        return {}

    def made(self) -> Names:
        """The objects that it has made, and the arguments, in their order."""
        ours = (*self.module, "__builtins__", "__warningregistry__")
        return {name: one for name, one in self.names.items() if name not in ours}

    def forget(self) -> None:
        """Clear the namespace."""
        self.names.clear()


@dataclass(eq=False)
class CapturedScript(Script):
    """The same as rewritten code."""

    backend: str = "numba"
    body: ModuleBody | None = None

    def version(self, code: CodeType) -> CodeType:
        if self.body is None:
            self.body = body_of(code, self.names)
        return self.body.code

    @property
    def options(self) -> dict[str, Any]:
        return {"backend": self.backend}

    def stats(self) -> dict[str, int]:
        """The counts that a jitted function has, too."""
        if self.body is None or self.body.dispatcher is None:
            return {"launches": 0, "bails": 0, "failures": 0, "hits": 0}
        found: dict[str, int] = self.body.stats(self.body.dispatcher)
        return found
