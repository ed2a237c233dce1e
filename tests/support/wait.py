"""Waiting for a state. Tests never wait for a fixed time, and their time-outs only catch hangs
(scripts/check-waits)."""

import asyncio
import time

HANG_S = 60  # a test that has waited so long hangs, however slow the machine is
PAUSE_S = 0.02
# For the server's calls to stand-ins of providers: a few hang on purpose, and a slow machine adds no more.
PROVIDER_TIMEOUT_MS = 2000


def until(look, what=None):
    """The first true answer of look(). what: said of a hang, or a function that makes it."""
    deadline = time.monotonic() + HANG_S
    while not (seen := look()):
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(PAUSE_S)
    return seen


async def until_async(look, what=None):
    """The same beside other tasks; look() must not block."""
    deadline = time.monotonic() + HANG_S
    while not (seen := look()):
        assert time.monotonic() < deadline, what() if callable(what) else what
        await asyncio.sleep(PAUSE_S)
    return seen
