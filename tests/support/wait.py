"""Waiting for a state. Tests never wait for a fixed time, and their timeouts only catch hangs
(scripts/check-waits)."""

import asyncio
import time

HANG_S = 60  # a test that waits this long has hung, however slow the machine is
PAUSE_S = 0.02
# Timeout of the server's calls to stand-ins for providers. Only those that hang on purpose reach it.
PROVIDER_TIMEOUT_MS = 2000


def until(look, what=None):
    """Polls look(), and returns its first true result. what: the message for a hang, or a function that
    returns it."""
    deadline = time.monotonic() + HANG_S
    while not (seen := look()):
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(PAUSE_S)
    return seen


async def until_async(look, what=None):
    """The same while other tasks run; look() must not block."""
    deadline = time.monotonic() + HANG_S
    while not (seen := look()):
        assert time.monotonic() < deadline, what() if callable(what) else what
        await asyncio.sleep(PAUSE_S)
    return seen
