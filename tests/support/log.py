"""Lines of a server's log, waited for."""

import json
import time


def lines(server, event, wait=lambda found: True):
    """The lines of a kind, as soon as they are what is waited for."""
    until = time.monotonic() + 10
    while True:
        found = [line for line in map(json.loads, server.log().splitlines()) if line["event"] == event]
        if wait(found) or time.monotonic() > until:
            return found
        time.sleep(0.05)


def of(server, event, trace):
    """The one line of a kind with this trace id."""
    found = [line for line in lines(server, event, lambda all: any(l.get("trace_id") == trace for l in all)) if line.get("trace_id") == trace]
    assert len(found) == 1, found
    return found[0]
