"""The only module that imports the C core `_core`.

If the platform or the Python is unsupported, `_core` is absent or unused: then `why_unsupported()`
returns the reason, the other names may not exist, and everything runs eagerly.
"""

from __future__ import annotations

from importlib import import_module

from ..numpy_versions import why_too_old
from ..platforms import why_not_here


def _in_subinterpreter() -> bool:
    """True if this is not the main interpreter of the process."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # 3.13 and its predecessors
        try:
            interpreters = import_module(name)
        except ImportError:
            continue
        return bool(interpreters.get_current() != interpreters.get_main())
    return False


_reason = why_not_here()
if _reason is None and _in_subinterpreter():
    _reason = "subinterpreters are not supported yet"
if _reason is None:
    try:
        from ._core import (
            BETWEEN,
            FP_FLAGS,
            GUARD_OPS,
            HALT,
            HALTED,
            KERNEL_BAIL,
            KERNEL_ERROR,
            LOADS,
            MAX_BAILS_IN_ROW,
            MAX_NDIM,
            RECIPE_OPS,
            ROOM,
            WORDS,
            Dispatcher,
            Entry,
            Gate,
            HookHandler,
            Lap,
            Laps,
            ObjectCode,
            Segment,
            Timing,
            adopts_orphans,
            all_owned,
            and_then,
            arrive,
            code_memory,
            copy_process,
            count_bail,
            count_function,
            drop_memory,
            dtype_functions,
            engine_enter,
            engine_leave,
            exchange,
            exchanged_builtins,
            finalisation_is_observable,
            hook_disable,
            hook_enable,
            hook_get_mark,
            hook_get_rule,
            hook_mark,
            hook_set_callbacks,
            hook_state,
            hostile_counts,
            is_sampling,
            iterator_object,
            keep_records,
            kept_memory,
            library_addresses,
            loop_keeps_flags,
            names_are_own,
            one_of_kinds,
            open_channel,
            options_now,
            outermost_call,
            own,
            own_names,
            own_time,
            own_tool,
            owned,
            owner,
            parallel_counts,
            plain_attributes,
            pop_options,
            processor,
            push_options,
            raise_held,
            reads_errstate,
            receive_some,
            records,
            replace_const,
            running_code,
            sample,
            sample_eagerly,
            send_some,
            set_aside,
            set_crossed,
            set_default_options,
            set_hostile,
            set_if_bound,
            set_policy,
            set_trials,
            share_everywhere,
            spawn_detached,
            stand_in,
            stop_clock,
            tell_at,
            time_spent,
            tools_active,
            ufunc_loop,
            wait_for_channel,
            watch_builtins,
        )
    except ImportError as error:
        from .missing import why_missing

        _reason = why_missing(error)
    else:
        _reason = hook_state()["unsupported"] or why_too_old()


def why_unsupported() -> str | None:
    """Return why this process has no C core, in a sentence; None if it has one."""
    return _reason


__all__ = [
    "BETWEEN",
    "FP_FLAGS",
    "GUARD_OPS",
    "HALT",
    "HALTED",
    "KERNEL_BAIL",
    "KERNEL_ERROR",
    "LOADS",
    "MAX_BAILS_IN_ROW",
    "MAX_NDIM",
    "RECIPE_OPS",
    "ROOM",
    "WORDS",
    "Dispatcher",
    "Entry",
    "Gate",
    "HookHandler",
    "Lap",
    "Laps",
    "ObjectCode",
    "Segment",
    "Timing",
    "adopts_orphans",
    "all_owned",
    "and_then",
    "arrive",
    "code_memory",
    "copy_process",
    "count_bail",
    "count_function",
    "drop_memory",
    "dtype_functions",
    "engine_enter",
    "engine_leave",
    "exchange",
    "exchanged_builtins",
    "finalisation_is_observable",
    "hook_disable",
    "hook_enable",
    "hook_get_mark",
    "hook_get_rule",
    "hook_mark",
    "hook_set_callbacks",
    "hook_state",
    "hostile_counts",
    "is_sampling",
    "iterator_object",
    "keep_records",
    "kept_memory",
    "library_addresses",
    "loop_keeps_flags",
    "names_are_own",
    "one_of_kinds",
    "open_channel",
    "options_now",
    "outermost_call",
    "own",
    "own_names",
    "own_time",
    "own_tool",
    "owned",
    "owner",
    "parallel_counts",
    "plain_attributes",
    "pop_options",
    "processor",
    "push_options",
    "raise_held",
    "reads_errstate",
    "receive_some",
    "records",
    "replace_const",
    "running_code",
    "sample",
    "sample_eagerly",
    "send_some",
    "set_aside",
    "set_crossed",
    "set_default_options",
    "set_hostile",
    "set_if_bound",
    "set_policy",
    "set_trials",
    "share_everywhere",
    "spawn_detached",
    "stand_in",
    "stop_clock",
    "tell_at",
    "time_spent",
    "tools_active",
    "ufunc_loop",
    "wait_for_channel",
    "watch_builtins",
    "why_unsupported",
]
