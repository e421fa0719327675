"""try, except, else, finally, raise: the state afterwards is eager's."""

import sys
import traceback

import numpy as np
from python_ladder import CYCLE, program

X = np.linspace(0.5, 2, 6)
A = np.linspace(-1, 1, 12).reshape(3, 4)


class Trouble(Exception):
    """A user's own."""

    def __init__(self, where, amount=1):
        super().__init__(where, amount)
        self.where = where
        self.amount = amount


@program(X)
def nothing_is_raised(x):
    try:
        y = x * 2
    except ValueError:
        y = x
    else:
        y = y + 1
    finally:
        z = y * 2
    return z


@program(X)
def raised_and_caught(x):
    y = x * 2
    try:
        y = y + 1
        raise Trouble("here", 3)
    except Trouble as trouble:
        y = y * trouble.amount
    else:
        y = y * 0
    finally:
        y = y - 1
    return y


@program(X)
def shape_mismatch(x):
    y = x * 2
    try:
        z = y + np.ones(4)
    except ValueError as error:
        print(error)
        z = y - 1
    return z * y


@program(X)
def goes_out(x):
    y = x * 2
    x[0] = 7
    z = y + 1
    raise Trouble(float(z[1]))


@program(X)
def goes_out_of_a_callee(x):
    def inner(v):
        w = v * 3
        v[1] = -1
        if w[0] > 1:
            raise Trouble("inner", len(w))
        return w

    y = x * 2
    x[2] = 0
    return inner(y) + 1


@program(X)
def numpy_error_goes_out(x):
    y = x * 2
    x[0] = y[1]
    y[1:3] = x
    return y


@program(X)
def reraised(x):
    log = []
    y = x * 2
    try:
        try:
            y[99] = 1
        except IndexError:
            log.append("first")
            y = y + 1
            raise
    except LookupError as error:
        log.append(type(error).__name__)
        y = y * 2
    return y, log


@program(X)
def bare_raise_without_exception(x):
    y = x * 2
    try:
        raise
    except RuntimeError as error:
        return y + 1, str(error)


@program(X)
def raise_from(x):
    y = x * 2
    try:
        y["name"]
    except IndexError as error:
        raise Trouble("cause") from error


@program(X)
def raise_from_none(x):
    y = x + 1
    try:
        int("a")
    except ValueError:
        raise Trouble(float(y[0])) from None


@program(X)
def context_of_a_new_exception(x):
    y = x * 2
    try:
        y[99]
    except IndexError:
        y = y + 1
        return y + {}["missing"]


@program(X)
def several_handlers(x):
    seen = []
    total = x * 0
    for k in range(5):
        try:
            if k == 1:
                total = total + [1][k]
            elif k == 2:
                total = total + {}[k]
            elif k == 3:
                total = total + np.ones(k)
            else:
                total = total + x
        except IndexError:
            seen.append("index")
        except (KeyError, TypeError) as error:
            seen.append(type(error).__name__)
        except Exception as error:
            seen.append(str(error)[:8])
        else:
            seen.append(k)
        finally:
            total = total * 2
    return total, seen


@program(X)
def handler_is_computed(x):
    def kinds():
        print("kinds")
        return (ValueError, LookupError)

    y = x * 2
    try:
        y = y[20]
    except kinds() as error:
        y = y + len(error.args)
    return y


@program(X)
def return_in_finally(x):
    y = x * 2
    try:
        raise Trouble("lost")
    finally:
        return y + 1


@program(X)
def finally_overrides_return(x):
    log = []

    def inner(v):
        try:
            return log.append("try") or v * 2
        finally:
            log.append("finally")
            v = v + 100

    def other(v):
        for _ in range(3):
            try:
                return v
            finally:
                break
        return v * 5

    return inner(x), other(x), log


@program(X)
def continue_in_finally(x):
    y = x * 0
    for k in range(4):
        try:
            if k % 2:
                continue
            y = y + x * k
        finally:
            y = y + 1
    return y


@program(X)
def nested_in_handlers(x):
    y = x * 2
    try:
        try:
            y = y + np.ones(3)
        except ValueError:
            try:
                y = y[50]
            except IndexError as inner:
                print(type(inner.__context__).__name__)
                y = y + 1
                raise Trouble("outer") from inner
    except Trouble as trouble:
        return y * 2, str(trouble.__cause__), trouble.__suppress_context__


@program(X)
def variable_is_unbound_afterwards(x):
    error = "before"
    y = x * 2
    try:
        y[99]
    except IndexError as error:
        y = y + len(error.args)
    try:
        return y, error
    except UnboundLocalError as again:
        return y * 2, str(again)


@program(X)
def exc_info(x):
    y = x * 2
    before = sys.exc_info()
    try:
        y[99]
    except IndexError:
        kind, error, trace = sys.exc_info()
        inside = (kind.__name__, str(error), trace.tb_lineno - trace.tb_frame.f_code.co_firstlineno)
        y = y + 1
        del error, trace
    return y, before, inside, sys.exc_info()


@program(X, ignore=CYCLE)
def error_is_kept(x):
    y = x * 2
    kept = None
    try:
        y + np.ones(2)
    except ValueError as error:
        kept = error
    names = [frame.name for frame in traceback.extract_tb(kept.__traceback__)]
    return y + 1, names, traceback.format_exception_only(kept)
