"""HTTP as bytes: the test provides the bytes to send, and reads the whole reply."""

import contextlib
import socket

from .wait import HANG_S


def connect(port, timeout=HANG_S, **more):
    """A connection that sends each piece immediately."""
    line = socket.create_connection(("127.0.0.1", port), timeout=timeout, **more)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def end_sending(line):
    """Closes the sending side. The peer may already have closed the connection."""
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_WR)


def until_closed(line):
    """All bytes until the peer closes the connection, as it must."""
    got = b""
    with contextlib.suppress(
        ConnectionError
    ):  # closed while we were sending; the reset may discard the reply
        while part := line.recv(1 << 20):
            got += part
    return got


def answers(got):
    """Each final response as (status, headers, body)."""
    out = []
    while got:
        head, got = got.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        status = int(lines[0].split()[1])
        if status < 200:
            continue
        headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:])}
        length = int(headers.get("content-length", 0))
        out.append((status, headers, got[:length]))
        got = got[length:]
    return out
