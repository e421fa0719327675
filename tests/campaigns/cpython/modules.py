"""CPython's test modules that are run, and their known differences, with reasons."""

from __future__ import annotations

import fnmatch
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
        "test_contextlib",
        "test_exception_variations",
        "test_frame",
        "test_super",
        "test_unpack_ex",
        "test_yield_from",
    )
    if name in MODULES
)
"""The modules that the suite runs."""

CODE: Final = "the code object of a frame that has segments is not the function's"
SHOWN: Final = f"it disassembles what a frame runs; {CODE}"
QUICKENED: Final = f"it runs a function until CPython specialises its code; {CODE}"
ITSELF: Final = "it waits for the collector to run by itself; a capture makes objects meanwhile"
LATER: Final = (
    "it leaves cycles to a later collection; a capture makes objects, which may start one"
)
COUNTED: Final = "it counts the objects of the whole process; a capture keeps what it found out"


@dataclass(frozen=True, slots=True)
class Known:
    """Tests that may differ from the empty hook, and why that is no fault."""

    test: str
    """A pattern (fnmatch) of ids."""
    reason: str
    modes: tuple[str, ...] = ()
    """Only there; empty for all."""
    versions: tuple[tuple[int, int], ...] = ((3, 11), (3, 12), (3, 13), (3, 14), (3, 15))


STUBS: Final = ("stub_everywhere", "exit0_everywhere", "bail_everywhere")
KNOWN: Final = (
    Known("test.test_generators.__test__.syntax", f"it has `g.gi_code is f.__code__`: {CODE}"),
    Known(
        "test.test_genexps.__test__.doctests",
        "it compares addresses of tuples that are dead: a capture takes memory meanwhile",
    ),
    Known("test.test_dis.*.test_disassemble_*generator", SHOWN),
    Known("test.test_dis.*.test_disassemble_coroutine", SHOWN),
    Known("test.test_dis.*.test_from_traceback_dis", SHOWN),
    Known("test.test_dis.*.test_distb_*", SHOWN),
    Known("test.test_dis.*.test_show_caches", QUICKENED),
    Known("test.test_dis.*.test_super_instructions", QUICKENED),
    Known(
        "test.test_sys_settrace.*.test_async_for_backwards_jump_has_no_line",
        "a coroutine that has segments is made before tracing begins: 3.12 reports a line twice "
        "where an exit leads to the middle of it (see frontends/bytecode/rewrite.py)",
        versions=((3, 12),),
    ),
    Known("test.test_sys.SysModuleTest.test_getframe", f"it has `f.__code__ is f_code`: {CODE}"),
    Known("test.test_sys.SysModuleTest.test_refcount", COUNTED, versions=((3, 11),)),
    Known("test.test_array.*.test_bug_782369", COUNTED, versions=((3, 11),)),
    Known("test.test_sys.SysModuleTest.test_getallocatedblocks", COUNTED, STUBS),
    Known("test.test_sys.SizeofTest.test_objecttypes", f"it measures its own frame: {CODE}", STUBS),
    Known("test.test_descr.ClassPropertiesAndMethods.test_slots", COUNTED),
    Known("test.test_gc.GCTests.test_get_objects_arguments", COUNTED),
    Known("test.test_gc.GCTests.test_heap_size", COUNTED, versions=((3, 14), (3, 15))),
    Known("test.test_gc.GCTests.test_get_count", ITSELF, STUBS),
    Known("test.test_gc.GCTogglingTests.test_bug1055820[cd]", ITSELF),
    Known("test.test_weakref.ReferencesTestCase.test_callback_in_cycle_resurrection", LATER, STUBS),
    Known("test.test_weakref.ReferencesTestCase.test_callbacks_on_callback", LATER, STUBS),
    Known(
        "test.test_code.CoExtra.test_free*",
        "CPython calls the free function of each user of `co_extra`, with NULL, for a code object "
        "that another user has marked; framejit is one, and code that it replaces dies meanwhile",
    ),
    Known("test.test_gc.*.test_resurrection_does_not_block_cleanup_of_other_objects", COUNTED),
    Known(
        "test.test_threading.InterruptMainTests.test_can_interrupt_tight_loops",
        "its loop has 100 million iterations, and is to be stopped by a thread that looks up after "
        "10 ms: a kernel has come to its end by then",
    ),
)


LEFT_OUT: Final[dict[str, str]] = {
    "test.test_sys.SysModuleTest.test_current_exceptions": "another thread has to raise before "
    "this one goes on, which takes longer with stubs; where it fails, that thread never ends",
}
"""Tests that are run in no mode: what they do to the process would hide those after them."""


def why_known(test: str, mode: str) -> str | None:
    """The reason that a test may differ on this version, None when it may not."""
    for known in KNOWN:
        here = sys.version_info[:2] in known.versions and mode in (known.modes or (mode,))
        # Subtests have the id of the test, and their arguments behind it.
        if here and fnmatch.fnmatchcase(test.split(" ")[0], known.test):
            return known.reason
    return None


FLOORS: Final[dict[str, dict[str, int]]] = {
    "capture": {
        "tests": 16_000,
        "rewritten frames": 1_400_000,
        "stubs": 40_000_000,
        "functions": 18_000,
        "captures": 95_000,
        "code objects": 5_700,
    },
    "stub_everywhere": {
        "tests": 2_500,
        "rewritten frames": 180_000,
        "stubs": 24_000_000,
        "exits": 10_000_000,
        "functions": 5_500,
        "captures": 340_000,
        "code objects": 2_800,
    },
}
"""Half or less of the counts of a run of all modules on the version with the fewest, by mode."""
