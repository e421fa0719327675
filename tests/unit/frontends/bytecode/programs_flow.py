"""Programs about control flow: loops, exceptions, with, generators, coroutines."""

# the style of these functions is being tested

from __future__ import annotations

import asyncio
import inspect
import sys
from contextlib import contextmanager, suppress

from program_list import program


@program((0,), (7,), (30,))
def loops(n):
    total, seen = 0, []
    for i in range(n):
        if i % 7 == 5:
            continue
        for j in range(i):
            if j > 4:
                break
            total += i * j
        else:
            seen.append(i)
    k = 0
    while k * k < n:
        k += 1
        if k == 4:
            break
    else:
        seen.append(-k)
    return total, seen, k


@program((1, 0), (1, 2), ("a", 2), (None, None))
def try_except_finally(a, b):
    log = []
    for _ in range(2):
        try:
            try:
                log.append(a / b)
            except ZeroDivisionError as error:
                log.append(repr(error))
                b = 1
                continue
            else:
                log.append("else")
            finally:
                log.append("finally")
        except TypeError as error:
            log.append(str(error))
            return log
    return log


@program((0,), (3,), (-1,))
def nested_exceptions(n):
    def fail(k):
        if k == 0:
            raise KeyError("deep")
        try:
            fail(k - 1)
        except KeyError as error:
            raise ValueError(k) from error

    if n < 0:
        return [].pop()
    return fail(n)


@program((1,), ("x",), (0,))
def reraised(value):
    try:
        return [1, 2][value] + (10 // (value - 1))
    except (ZeroDivisionError, TypeError):
        try:
            raise
        finally:
            value = sys.exc_info()[0].__name__


@program((0,), (1,), (2,), (3,))
def exception_groups(n):
    caught = []
    errors = [ValueError(1), TypeError(2), KeyError(3)][: n + 1]
    try:
        if errors:
            raise ExceptionGroup("several", errors)
    except* ValueError as group:
        caught.append(("value", len(group.exceptions)))
    except* TypeError as group:
        caught.append(("type", [str(one) for one in group.exceptions]))
    return caught


@program((False,), (True,))
def with_statements(fail):
    log = []

    @contextmanager
    def manager(name):
        log.append("enter " + name)
        try:
            yield name
        except LookupError:
            log.append("swallowed in " + name)
        finally:
            log.append("exit " + name)

    with manager("a") as a, manager("b") as b:
        log.append(a + b)
        if fail:
            raise LookupError(a)
        log.append("done")
    with suppress(ZeroDivisionError):
        for i in range(3):
            with manager(str(i)):
                if i == 1:
                    break
    return log


@program((5,), (0,))
def generators(n):
    def inner(m):
        received = []
        try:
            for i in range(m):
                received.append((yield i))
        except ValueError as error:
            received.append(str(error))
            yield "caught"
        finally:
            received.append("closed")
        return received

    def outer(m):
        try:
            result = yield from inner(m)
        except KeyError:
            result = "key"
        yield ("result", result)

    log = [list(outer(n))]
    first = outer(n)
    log.append(next(first))
    with suppress(StopIteration):
        log.append(first.send("sent"))
        log.append(first.throw(ValueError("thrown")))
        log.append(list(first))
    second = outer(n)
    log.append(next(second))
    log.append(second.throw(KeyError("k")))
    second.close()
    third = inner(n)
    next(third, None)
    third.close()
    return log, first.gi_frame, third.gi_frame


@program((3,))
def generator_state(n):
    def numbers(m):
        a = 1
        yield a
        b = a + m
        yield b
        del a
        yield

    running = numbers(n)
    log = [inspect.getgeneratorstate(running)]
    for value in running:
        log.append((value, sorted(inspect.getgeneratorlocals(running).items())))
    log.append(inspect.getgeneratorstate(running))
    return log


@program((4,))
def delegation(n):
    def inner():
        x = yield 1
        return x

    def outer():
        y = yield from inner()
        yield y, n

    running = outer()
    next(running)
    delegate = running.gi_yieldfrom
    name = delegate.__name__
    value = running.send("v")
    return name, value, inspect.getgeneratorstate(delegate), running.gi_yieldfrom


@program((3,), (0,))
def coroutines(n):
    async def pause(value):
        await asyncio.sleep(0)
        return value

    async def numbers(m):
        for i in range(m):
            yield await pause(i)

    class Manager:
        async def __aenter__(self):
            return await pause("entered")

        async def __aexit__(self, kind, value, trace):
            return kind is not None and await pause(True)

    async def main():
        log = [x async for x in numbers(n) if x != 1]
        async for x in numbers(n):
            log.append(x)
        else:
            log.append("else")
        async with Manager() as entered:
            log.append(entered)
            raise KeyError("swallowed")
        log += await asyncio.gather(pause(1), pause(2))
        try:
            await asyncio.wait_for(asyncio.sleep(10), 0.001)
        except TimeoutError:
            log.append("timeout")
        return log

    return asyncio.run(main())


@program((3,))
def async_generator_protocol(n):
    async def numbers():
        received = []
        try:
            for i in range(n):
                received.append((yield i))
        except ValueError:
            yield received
        finally:
            await asyncio.sleep(0)

    async def main():
        running = numbers()
        log = [await running.__anext__(), await running.asend("a")]
        log.append(await running.athrow(ValueError()))
        await running.aclose()
        other = numbers()
        log.append(await anext(other))
        await other.aclose()
        log.append(await anext(other, "exhausted"))
        return log

    return asyncio.run(main())
