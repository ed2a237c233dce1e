"""The number of connections per address follows http_max; connections beyond that get a response, and other
addresses are still served."""

import contextlib
import json
import re
import socket
import time

import pytest
from support.raw import until_closed
from support.wait import HANG_S

PART = 8  # the part of http_max for one address


def connect(server, address="127.0.0.1"):
    return socket.create_connection(
        ("127.0.0.1", server.http_port), timeout=HANG_S, source_address=(address, 0)
    )


def asked(line):
    """The status of a request on an accepted connection."""
    line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    return int(line.recv(4096).split()[1])


def let_go(server):
    """Waits until the readiness checks have closed their connections; connects from another address."""
    until = time.monotonic() + HANG_S
    while True:
        with connect(server, "127.0.0.9") as line, line.makefile("rb") as answer:
            line.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            if re.search(rb"^rummyd_http_connections 1$", answer.read(), re.M):
                return
        assert time.monotonic() < until
        time.sleep(0.05)


def refused(line):
    """The response that a connection got before it sent a request."""
    got = until_closed(line)
    head, body = got.split(b"\r\n\r\n", 1)
    assert (
        head.startswith(b"HTTP/1.1 429 ")
        and b"\r\nRetry-After: " in head
        and b"\r\nConnection: close" in head
    ), got
    assert json.loads(body)["code"] == "too_many_connections"
    return True


@pytest.mark.parametrize("http_max", [16, 40, 100, 600])
def test_an_address_gets_one_eighth_of_the_connections(new_server, http_max):
    server = new_server(http_max=http_max, rest_loops=1, rate_limits="on")
    let_go(server)
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connect(server)) for _ in range(-(-http_max // PART))]
        for line in lines[:3] + lines[-1:]:
            assert asked(line) == 200
        for _ in range(3):
            with connect(server) as more:
                assert refused(more)
        for other in ("127.0.0.2", "127.0.0.3"):
            assert asked(stack.enter_context(connect(server, other))) == 200
        lines[0].close()  # closing one frees capacity for another
        until = time.monotonic() + HANG_S
        while True:
            with connect(server) as again:
                try:
                    assert asked(again) == 200
                    break
                except (AssertionError, ConnectionError, IndexError):
                    assert time.monotonic() < until
            time.sleep(0.05)


def test_a_proxy_has_no_connection_limit(new_server):
    server = new_server(http_max=16, rest_loops=1, rate_limits="on", proxies="127.0.0.1")
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(connect(server)) for _ in range(12)]
        assert [asked(line) for line in lines] == [200] * 12
