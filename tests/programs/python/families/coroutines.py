"""Coroutines, asynchronous generators, `async with` and `async for`."""

import asyncio
import contextlib
import contextvars
import warnings

import numpy as np
from python_ladder import CYCLE, program, setup

X = np.linspace(0.5, 2, 6)


async def doubled(x):
    await asyncio.sleep(0)
    return x * 2


@program(X, use=asyncio.run)
async def awaits_a_coroutine(x):
    y = await doubled(x + 1)
    z = y * y - x
    return await doubled(z) + 1


@program(X)
def asyncio_run_inside(x):
    async def work(v):
        y = v * 3
        await asyncio.sleep(0)
        return y + 1

    y = x * 2
    return asyncio.run(work(y)) - y


@program(X, use=asyncio.run)
async def gathers(x):
    async def part(k):
        print("begin", k)
        y = x * k
        await asyncio.sleep(0)
        print("end", k)
        return y + k

    parts = await asyncio.gather(*(part(k) for k in range(3)))
    return sum(parts) * 2


@program(X)
def driven_by_hand(x):
    class Pause:
        def __await__(self):
            got = yield "paused"
            return got

    async def work(v):
        y = v * 2
        k = await Pause()
        return y + k

    coroutine = work(x)
    said = coroutine.send(None)
    try:
        coroutine.send(5)
    except StopIteration as stop:
        return said, stop.value * 2


class Resource:
    """Says when it is taken and given back."""

    def __init__(self, log, swallow=False):
        self.log = log
        self.swallow = swallow

    async def __aenter__(self):
        self.log.append("enter")
        await asyncio.sleep(0)
        return 2.0

    async def __aexit__(self, kind, error, trace):
        self.log.append(f"exit {kind.__name__ if kind else None}")
        return self.swallow


@program(X, [], use=asyncio.run)
async def async_with(x, log):
    y = x * 2
    async with Resource(log) as k:
        y = y + k
        log.append(float(y[0]))
        y = y * 3
    return y - 1


@program(X, [], use=asyncio.run, ignore=CYCLE)
async def async_with_an_exception(x, log):
    y = x * 2
    async with Resource(log, swallow=True):
        y = y + 1
        y[99] = 0
        log.append("never")
    y = y * 2
    async with Resource(log):
        return y + np.ones(3)


async def numbers(n):
    try:
        for k in range(n):
            await asyncio.sleep(0)
            yield k
    finally:
        print("numbers are done")


@program(X, use=asyncio.run)
async def async_for(x):
    y = x * 0
    async for k in numbers(3):
        y = y + x * k
    else:
        y = y * 2
    return y


@program(X, use=asyncio.run)
async def async_comprehension(x):
    rows = [x * k async for k in numbers(4) if k != 2]
    named = {k: float((x + k).sum()) async for k in numbers(2)}
    return sum(rows), named


@program(X, use=asyncio.run)
async def awaits_inside_a_comprehension(x):
    rows = [await doubled(x + k) for k in range(3)]
    return rows[0] + rows[2], sum([(await doubled(r))[0] for r in rows])


async def collect(generator):
    return [item async for item in generator]


@program(X, use=lambda g: asyncio.run(collect(g)))
async def jitted_async_generator(x):
    y = x * 2
    yield y
    await asyncio.sleep(0)
    y = y + 1
    yield y * y
    for k in range(2):
        yield y[k]


@program(X, use=asyncio.run)
async def async_generator_is_closed(x):
    made = numbers(5)
    y = x * 0
    async for k in made:
        y = y + x * k
        if k == 2:
            break
    await made.aclose()
    return y


@program(X, use=asyncio.run)
async def async_generator_is_sent_to(x):
    async def echo(v):
        while True:
            k = yield v
            v = v + k

    e = echo(x)
    await e.asend(None)
    y = await e.asend(2)
    z = await e.asend(3)
    await e.aclose()
    return y * 2, z


@program(X, use=asyncio.run)
async def try_around_await(x):
    async def fails(k):
        await asyncio.sleep(0)
        raise ValueError(k)

    y = x * 2
    try:
        y = y + await fails(3)
    except ValueError as error:
        y = y - error.args[0]
    finally:
        print("finally")
    return y * 2


@program(X, use=asyncio.run, ignore=CYCLE)
async def exception_goes_through_await(x):
    y = x * 2

    async def inner(v):
        z = v + 1
        await asyncio.sleep(0)
        return z[100]

    return await inner(y)


@program(X, use=asyncio.run)
async def timeout_cancels(x):
    async def forever(log):
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            log.append("cancelled")
            raise

    log = []
    y = x * 2
    try:
        await asyncio.wait_for(forever(log), 0.001)
    except asyncio.TimeoutError:
        y = y + 1
    return y * 2, log


@program(X, use=asyncio.run)
async def tasks_in_turn(x):
    queue = asyncio.Queue()

    async def produce():
        for k in range(3):
            await queue.put(x * k)
        await queue.put(None)

    async def consume():
        total = x * 0
        while (item := await queue.get()) is not None:
            total = total + item
            print("consumed")
        return total

    task = asyncio.create_task(produce())
    y = await consume()
    await task
    return y * 2


@program(X, use=asyncio.run)
async def async_context_manager(x):
    @contextlib.asynccontextmanager
    async def scaled(v, k):
        print("enter")
        try:
            yield v * k
        finally:
            print("exit")

    async with scaled(x, 2) as y, scaled(x, 3) as z:
        total = y + z
    return total * 2


@setup(use=asyncio.run)
def context_variable():
    level = contextvars.ContextVar("level", default=1)

    async def child(v):
        level.set(level.get() + 10)
        return v * level.get()

    async def f(x):
        y = x * level.get()
        z = await asyncio.create_task(child(y))
        w = await child(y)
        return y, z, w * level.get()

    return f, X.copy()


@program(X)
def never_awaited(x):
    y = x * 2
    coroutine = doubled(y)
    coroutine.close()
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        lost = doubled(y)
        del lost
    return y + 1, [str(w.message) for w in shown]


@program(X, use=asyncio.run, ignore=CYCLE)
async def async_for_over_own_iterator(x):
    class Steps:
        def __init__(self, n):
            self.left = n

        def __aiter__(self):
            return self

        async def __anext__(self):
            if not self.left:
                raise StopAsyncIteration
            self.left -= 1
            return x * self.left

    y = x
    async for part in Steps(3):
        y = y + part
    return y
