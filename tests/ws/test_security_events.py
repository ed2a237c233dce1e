"""Attacks on sockets are logged by name, with the owner of the socket, and at a limited rate."""

import asyncio
import socket

import pytest
import requests
import websockets
from support.cluster import SERVER
from support.log import lines
from support.metrics import Metrics
from support.server import Server
from support.table import Closed, Player, Table
from support.wait import HANG_S


@pytest.fixture
def server(cluster, database, tmp_path):
    it = Server(cluster.conninfo(database, SERVER), tmp_path, rate_limits="on").start()
    yield it
    assert it.stop() == 0


def told(server, what, n=1):
    kind = lambda found: [line for line in found if line["what"] == what]
    found = kind(lines(server, "security", lambda all: len(kind(all)) >= n))
    assert len(found) == n, found
    return {name: value for name, value in found[0].items() if name not in ("at", "event", "level")}


def closed_after(server, player, seat, frames):
    async def run():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            table.checked = False
            await table.until("waiting")
            try:
                for frame in frames:
                    await table.socket.send(frame)
                while True:
                    await table.receive()
            except Closed as closed:
                return closed.code
            except websockets.ConnectionClosed as closed:
                return closed.rcvd.code

    return asyncio.run(run())


@pytest.mark.parametrize(
    "frames, code, what, why",
    [
        (["no JSON"] * 40, 1008, "frames_refused", "bad_frame"),
        (['{"t":"ping","id":"a"}'] * 2000, 4429, "socket_flooded", "flooding"),
    ],
)
def test_closing_a_socket_for_its_frames_is_logged(server, frames, code, what, why):
    player = Player(server)
    seat = player.take_seat()
    assert closed_after(server, player, seat, frames) == code
    assert told(server, what) == {
        "what": what,
        "code": why,
        "account": int(player.id),
        "table": int(seat["table_id"]),
    }


def test_invalid_handshakes_are_logged(server):
    """One in ten is logged."""
    for _ in range(11):
        with socket.create_connection(("127.0.0.1", server.ws_port), timeout=HANG_S) as line:
            line.sendall(b"GET /ws/tables/1 HTTP/1.1\r\nHost: x\r\nContent-Length : 1\r\n\r\n")
            while line.recv(4096):
                pass
    assert told(server, "handshake_refused", 2) == {
        "what": "handshake_refused",
        "code": "bad_header_line",
        "one_in": 10,
    }


def test_reachability_checks_are_not_counted_as_bad_requests(server):
    """A node checks itself every 2 s, which is not logged."""

    def counted():
        return [
            seen
            for name, seen in Metrics(server).samples.items()
            if "malformed" in name or "handshake_refused" in name
        ]

    before = counted()
    for _ in range(11):
        answer = requests.get(f"http://127.0.0.1:{server.ws_port}/ws/healthz", timeout=HANG_S)
        assert (answer.status_code, answer.content) == (200, b"")
    assert len(before) == 3 and counted() == before
    for wrong in ("/ws/healthz/", "/healthz"):
        assert requests.get(f"http://127.0.0.1:{server.ws_port}{wrong}", timeout=HANG_S).status_code == 404


def test_a_connection_from_another_origin_is_logged(server):
    async def run():
        with pytest.raises(websockets.InvalidHandshake):
            await websockets.connect(
                f"{server.ws_url}/ws/tables/7",
                subprotocols=["rummy.v1", "ticket.x"],
                origin="https://evil.example",
            )

    asyncio.run(run())
    assert told(server, "origin_refused") == {"what": "origin_refused", "table": 7, "one_in": 10}
    assert "evil.example" not in server.log()
