"""Waits for lines of a server's log."""

import json
import time

from .wait import HANG_S


def line(text):
    """Parses a line as an object; fails on a duplicate key."""

    def once(pairs):
        assert len(dict(pairs)) == len(pairs), text
        return dict(pairs)

    return json.loads(text, object_pairs_hook=once)


def lines(server, event, wait=lambda found: True):
    """Waits until `wait` accepts the lines of an event, and returns them."""
    until = time.monotonic() + HANG_S
    while True:
        found = [one for one in map(line, server.log().splitlines()) if one["event"] == event]
        if wait(found) or time.monotonic() > until:
            return found
        time.sleep(0.05)


def of(server, event, trace):
    """The only line of an event with this trace id."""
    found = [
        line
        for line in lines(server, event, lambda all: any(entry.get("trace_id") == trace for entry in all))
        if line.get("trace_id") == trace
    ]
    assert len(found) == 1, found
    return found[0]
