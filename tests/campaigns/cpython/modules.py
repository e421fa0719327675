"""Which of CPython's test modules are run, and what is known to differ, with the reason."""

from __future__ import annotations

import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_TEXT: Final = """
test_generators test_generator_stop test_coroutines test_asyncgen test_yield_from test_genexps
test_exceptions test_baseexception test_exception_group test_except_star test_exception_variations
test_exception_hierarchy test_raise test_traceback test_frame test_scope test_with test_contextlib
test_contextlib_async test_call test_extcall test_keywordonlyarg test_positional_only_arg
test_inspect test_code test_dis test_compile test_peepholer test_opcodes test_sys_settrace
test_sys_setprofile test_monitoring test_bdb test_trace test_profile test_cprofile test_descr
test_super test_property test_metaclass test_subclassinit test_patma test_listcomps test_dictcomps
test_setcomps test_unpack test_unpack_ex test_gc test_weakref test_weakset test_finalization
test_threading test_threading_local test_thread test_context test_funcattrs test_decorators
test_class test_dataclasses test_enum test_functools test_itertools test_fstring
test_named_expressions test_builtin test_iter test_dynamicclassattribute test_dynamic test_global
test_augassign test_binop test_richcmp test_contains test_index test_bool test_slice
test_isinstance test_typechecks test_types test_type_params test_type_aliases test_grammar
test_syntax test_string_literals test_unary test_int test_list test_tuple test_dict test_set
test_range test_enumerate test_sort test_operator test_copy test_copyreg test_pickle test_typing
test_abc test_genericalias test_genericclass test_module test_sys test_warnings test_doctest
test_collections test_ordered_dict test_defaultdict test_userdict test_userlist test_heapq
test_bisect test_fractions test_numeric_tower test_reprlib test_string test_format test_math
test_queue test_sched test_codeop test_array test_argparse test_configparser test_ast test_asyncio
"""

_FOLDER: Final = Path(sysconfig.get_path("stdlib"), "test")

MODULES: Final = tuple(
    name for name in _TEXT.split() if (_FOLDER / f"{name}.py").exists() or (_FOLDER / name).is_dir()
)
"""Those of them that this version has."""

FAST: Final = tuple(
    name
    for name in (
        "test_scope",
        "test_with",
        "test_raise",
        "test_genexps",
    )
    if name in MODULES
)
"""What the suite runs."""


@dataclass(frozen=True, slots=True)
class Known:
    """A test that may differ from the empty hook, and why that is no fault."""

    test: str
    """Its id, or the beginning of it."""
    reason: str
    versions: tuple[tuple[int, int], ...] = ((3, 11), (3, 12), (3, 13))


KNOWN: Final[tuple[Known, ...]] = ()


def why_known(test: str) -> str | None:
    """The reason that a test may differ on this version, None when it may not."""
    for known in KNOWN:
        if test.startswith(known.test) and sys.version_info[:2] in known.versions:
            return known.reason
    return None


FLOORS: Final[dict[str, dict[str, int]]] = {}
"""About half of what a run of all modules counts on the version that counts least, by mode."""
