"""Runs a stage under the lock of captures, and converts errors of framejit's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...jit.errors import FramejitError, StageError, UnsupportedCodeError
from ...jit.filters import filtered
from ...jit.interrupts import meant_for_program
from ...jit.pipeline import TooLong
from . import capture_lock
from .capture_budget import MAX_SECONDS, OverBudget, Unsettled


@contextmanager
def at_work(stage: str) -> Iterator[None]:
    """Wait for captures of other threads, and silence warnings caused by framejit.

    Raises
    ------
    StageError
        For failures that only concern framejit: bytecode that CPython does not write, captures that
        take too long, and errors of its own.
    """
    lock = capture_lock.acquire(blocking=True)
    if lock is None:
        raise StageError(
            f"{stage}: called from code that runs while framejit itself captures in this thread: "
            "call it before or after"
        )
    try:
        with filtered("ignore"):
            yield
    except FramejitError:
        raise
    except UnsupportedCodeError as error:
        raise StageError(
            f"{stage}: the bytecode is not what CPython's compiler writes: {error}. Calls of the "
            "function run as plain Python; give jit the function that Python compiled"
        ) from error
    except Unsettled:
        raise StageError(
            f"{stage}: the capture begins anew and learns nothing. Calls of the function run as "
            "plain Python"
        ) from None
    except OverBudget:
        raise StageError(
            f"{stage}: the capture takes more than {MAX_SECONDS:g} s. Calls of the function run as "
            "plain Python; give jit smaller functions"
        ) from None
    except TooLong as error:
        raise StageError(
            f"{stage}: there is {error}. Calls of the function are captured in shorter parts; give "
            "jit smaller functions"
        ) from None
    except Exception as error:
        for_program = meant_for_program(error)
        if for_program is not None:
            raise for_program from for_program.__cause__
        raise StageError(
            f"{stage}: framejit met an error of its own ({type(error).__name__}: {error}). Calls "
            "of the function are not concerned: plain Python answers them where framejit fails. "
            "Please report it with this traceback"
        ) from error
    finally:
        capture_lock.release(lock)
