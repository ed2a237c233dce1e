"""Requests that are not a WebSocket handshake, or that a proxy might read differently, never reach
libwebsockets: they are refused and the connection closed."""

import contextlib
import pathlib
import socket
import time

import pytest
import requests
from support.attacks import ATTACKS
from support.wait import HANG_S

GOOD = (
    b"GET /ws/tables/1 HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade:"
    b" websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key:"
    b" dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: rummy.v1, ticket.x\r\n\r\n"
)


def changed(old, new):
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def talk(server, *pieces, pause=0.02):
    """Everything received until the server closes the connection, as it must."""
    with socket.create_connection(("127.0.0.1", server.ws_port), timeout=HANG_S) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        got = b""
        with contextlib.suppress(ConnectionError):
            for i, piece in enumerate(pieces):
                if i:
                    time.sleep(pause)  # lapse: the pieces arrive apart
                line.sendall(piece)
        with contextlib.suppress(ConnectionError):
            while part := line.recv(65536):
                got += part
        return got


def status(got):
    assert got.count(b"HTTP/1.1 ") == 1 and got.startswith(b"HTTP/1.1 "), got
    return int(got.split()[1])


WRONG = {
    "another method": (changed(b"GET ", b"POST "), 400),
    "HTTP/1.0": (changed(b"HTTP/1.1", b"HTTP/1.0"), 400),
    "a body": (changed(b"Host: x", b"Host: x\r\nContent-Length: 5"), 400),
    "chunks": (changed(b"Host: x", b"Host: x\r\nTransfer-Encoding: chunked"), 400),
    "no connection": (changed(b"Connection: keep-alive, Upgrade\r\n", b""), 400),
    "a connection that stays": (changed(b"keep-alive, Upgrade", b"keep-alive"), 400),
    "no upgrade": (changed(b"Upgrade: websocket\r\n", b""), 404),
    "another upgrade": (changed(b"Upgrade: websocket", b"Upgrade: h2c"), 404),
    "two upgrades": (changed(b"Upgrade: websocket", b"Upgrade: websocket\r\nUpgrade: h2c"), 400),
    "another version": (changed(b"Version: 13", b"Version: 777"), 426),
    "no version": (changed(b"Sec-WebSocket-Version: 13\r\n", b""), 426),
    "two versions": (changed(b"Version: 13", b"Version: 13\r\nSec-WebSocket-Version: 8"), 400),
    "no key": (changed(b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", b""), 400),
    "a short key": (changed(b"dGhlIHNhbXBsZSBub25jZQ==", b"dGhl"), 400),
    "two keys": (
        changed(b"Sec-WebSocket-Key:", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key:"),
        400,
    ),
    "two protocols": (
        changed(b"Sec-WebSocket-Protocol:", b"Sec-WebSocket-Protocol: x\r\nSec-WebSocket-Protocol:"),
        400,
    ),
    "two origins": (
        changed(b"Host: x", b"Host: x\r\nOrigin: http://localhost\r\nOrigin: http://evil.example"),
        400,
    ),
    "two hosts": (changed(b"Host: x", b"Host: x\r\nHost: y"), 400),
    "bare line feeds": (GOOD.replace(b"\r\n", b"\n"), 400),
    "a blank before a colon": (changed(b"Upgrade: websocket", b"Upgrade : websocket"), 400),
    "a fold": (changed(b"Upgrade: websocket", b"Upgrade:\r\n websocket"), 400),
    "a NUL": (changed(b"Host: x", b"Host: x\r\nX: a\x00b"), 400),
    "an empty line before": (b"\r\n" + GOOD, 400),
    "a whole address": (changed(b"GET /", b"GET http://x/"), 400),
    "too long": (changed(b"Host: x", b"Host: x\r\nX: " + b"y" * 9000), 431),
}


@pytest.mark.parametrize("name", WRONG)
def test_invalid_handshakes_are_refused(server, name):
    data, wanted = WRONG[name]
    assert status(talk(server, data)) == wanted
    assert status(talk(server, data[:40], data[40:90], data[90:])) == wanted
    assert status(talk(server, data + GOOD)) == wanted  # nothing after it is read


def test_http_attacks_are_refused(server):
    for name, (data, _, _) in ATTACKS.items():
        assert status(talk(server, data)) in (400, 404, 431), name


@pytest.mark.parametrize("size", [1, 7, 100])
def test_a_valid_handshake_succeeds_however_it_is_split(server, size):
    with socket.create_connection(("127.0.0.1", server.ws_port), timeout=HANG_S) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(GOOD), size):
            line.sendall(GOOD[at : at + size])
            time.sleep(0.002)  # lapse: the pieces arrive apart
        assert line.recv(1000).startswith(b"HTTP/1.1 101 ")


def test_a_handshake_aborted_halfway_costs_no_cpu_time(server):
    """Half a handshake is not passed to the library, and the loop does not spin on it."""

    def cpu():
        fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])  # in hundredths of a second

    lines = [socket.create_connection(("127.0.0.1", server.ws_port), timeout=HANG_S) for _ in range(40)]
    for i, line in enumerate(lines):
        line.sendall(GOOD[: 50 + i])
        if i % 2:
            line.shutdown(socket.SHUT_WR)
    time.sleep(0.3)  # lapse: the server has read the received data by then
    before = cpu()
    time.sleep(1.5)  # lapse: measures the CPU time of this interval
    assert cpu() - before < 50, "the loop turned"
    for i, line in enumerate(lines):
        if i % 2:
            with contextlib.suppress(ConnectionError):  # their data was not read
                assert line.recv(100) == b""
        line.close()
    assert requests.get(server.url + "/healthz", timeout=HANG_S).status_code == 200
