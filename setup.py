"""Build of the C core; everything else is in pyproject.toml."""

import compileall
import os
import py_compile
import re
import runpy
import sysconfig
from pathlib import Path

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

NATIVE = Path("jit", "native")
FLAGS = ["-std=c11", "-O2", "-fvisibility=hidden"]
if os.environ.get("FRAMEJIT_BUILD_WERROR"):
    FLAGS += ["-Wall", "-Wextra", "-Werror"]

# Where everything runs eagerly (jit/platforms.py) there is nothing to build: the wheel is pure.
why_not_here = runpy.run_path(str(Path("jit", "platforms.py")))["why_not_here"]
IS_BUILT = why_not_here() is None and not sysconfig.get_config_var("Py_GIL_DISABLED")

# A machine without a working compiler still gets the package; it then runs eagerly and says so once
# (jit/native/__init__.py), and `run` shows a program the frames that it runs in.
OPTIONAL = not os.environ.get("FRAMEJIT_BUILD_WERROR")


class Modules(build_py):
    """The checkout is the package: this file, which stands in it, is no module."""

    def find_package_modules(self, package, package_dir):
        """All but this one."""
        found = super().find_package_modules(package, package_dir)
        return [one for one in found if (package, one[1]) != ("framejit", "setup")]


class CompiledInPlace(build_ext):
    """A build in the checkout compiles its modules too, as an installation does.

    Where Python writes no bytecode (PYTHONDONTWRITEBYTECODE), each import would compile them.
    """

    def run(self):
        """The extensions, then modules that are newer than their bytecode, if it can be written."""
        super().run()
        if not (self.inplace or self.editable_mode):
            return
        for package in self.distribution.packages or ():
            folder = Path(__file__).parent.joinpath(*package.split(".")[1:])
            compileall.compile_dir(
                folder,
                maxlevels=0,
                quiet=2,
                rx=re.compile(r"/setup\.py$"),
                invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP,
            )


EXTENSIONS = [
    Extension(
        "framejit.jit.native._core",
        sources=sorted(str(path) for path in NATIVE.glob("*.c")),
        depends=sorted(str(path) for path in NATIVE.glob("*.h")),
        include_dirs=[numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=FLAGS,
        libraries=["dl", "pthread"],  # before glibc 2.34 they are no part of libc
        optional=OPTIONAL,
    ),
    Extension(
        "framejit.frontends.commands._outermost",
        sources=["frontends/commands/outermost.c"],
        depends=[str(NATIVE / "version.h")],
        extra_compile_args=FLAGS,
        optional=OPTIONAL,
    ),
]

setup(
    cmdclass={"build_ext": CompiledInPlace, "build_py": Modules},
    ext_modules=EXTENSIONS if IS_BUILT else [],
)
