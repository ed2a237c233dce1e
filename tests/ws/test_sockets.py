"""Who may connect, and what closes a socket."""

import asyncio
import contextlib
import json
import socket
import struct

import pytest
import requests
import websockets
from support.table import Closed, Player, Table, open_table, without_bots
from support.wait import HANG_S


def close_code(server, table, ticket):
    async def connect():
        async with Table(server, table, ticket) as socket:
            return await socket.until_closed()

    return asyncio.run(connect())


def refused(url, **options):
    """The HTTP status of a refused handshake."""

    async def connect():
        async with websockets.connect(url, **{"subprotocols": ["rummy.v1"], **options}):
            return

    try:
        return asyncio.run(connect())
    except (
        websockets.InvalidHandshake
    ) as refusal:  # InvalidStatus since version 14, before it InvalidStatusCode
        return getattr(refusal, "response", refusal).status_code


@pytest.fixture(scope="module")
def seated(server):
    player = Player(server)
    return player, player.take_seat()


def test_a_newer_socket_replaces_the_older(server):
    player = Player(server)

    async def play():
        seat = player.take_seat()
        async with open_table(player, seat["table_id"]) as first:
            await first.receive()
            async with open_table(player, seat["table_id"]) as second:
                await second.receive()
                assert await first.until_closed() == 4003
                assert (await second.do("ping"))["t"] == "pong"

    asyncio.run(play())


def test_a_ticket_is_valid_for_one_connection(server, seated):
    player, seat = seated

    async def connect():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.receive()

    asyncio.run(connect())
    assert close_code(server, seat["table_id"], seat["ticket"]) == 4401


def test_a_ticket_is_valid_only_for_its_table(server, seated):
    other = Player(server).take_seat()
    player, seat = seated
    assert close_code(server, int(other["table_id"]) + 1000, player.ticket(seat["table_id"])) == 4401


@pytest.mark.parametrize(
    "ticket", ["", "x", "00" * 16 + "." + "00" * 16, "5e" * 16, "~" * 40, "a" * 95, "a" * 96, "a" * 103]
)
def test_made_up_tickets_are_refused(server, seated, ticket):
    assert close_code(server, seated[1]["table_id"], ticket) == 4401


def test_a_modified_ticket_is_refused(server, seated):
    player, seat = seated
    ticket = player.ticket(seat["table_id"])
    changed = ("0" if ticket[0] != "0" else "1") + ticket[1:]
    assert close_code(server, seat["table_id"], changed) == 4401


def test_a_ticket_in_the_url_is_accepted_and_not_logged(server, seated):
    """For clients that can offer only one subprotocol."""
    player, seat = seated
    ticket = player.ticket(seat["table_id"])
    url = f"{server.ws_url}/ws/tables/{seat['table_id']}?ticket={ticket}"

    async def first_frame():
        async with websockets.connect(url, subprotocols=["rummy.v1"]) as socket:
            return json.loads(await socket.recv())["t"]

    assert asyncio.run(first_frame()) in ("waiting", "snapshot")
    assert refused(url, subprotocols=["rummy.v1", "ticket.x"]) == 400  # ambiguous
    assert close_code(server, seat["table_id"], "x") == 4401
    assert ticket not in server.log() and "ticket=" not in server.log()


@pytest.mark.parametrize(
    "more", [["ticket.x", "ticket.y"], ["ticket." + "a" * 3000], ["x" * 40] * 3, ["x" * 120]]
)
def test_ambiguous_or_oversized_subprotocols_are_refused(server, more):
    assert refused(f"{server.ws_url}/ws/tables/1", subprotocols=["rummy.v1", *more]) == 400


def test_the_server_selects_the_protocol_and_does_not_echo_the_ticket(server, seated):
    player, seat = seated

    async def connect():
        async with Table(server, seat["table_id"], player.ticket(seat["table_id"])) as table:
            return table.socket.subprotocol

    assert asyncio.run(connect()) == "rummy.v1"


def test_the_subprotocol_is_required(server, seated):
    url = f"{server.ws_url}/ws/tables/1"
    assert refused(url, subprotocols=None) == 400


@pytest.mark.parametrize(
    "path",
    ["/", "/ws", "/ws/tables/", "/ws/tables/x", "/ws/tables/0", "/ws/tables/-1", "/ws/lobby/", "/ws/lobby/1"],
)
def test_unknown_paths_are_not_found(server, path):
    assert refused(server.ws_url + path) == 404


@pytest.mark.parametrize("since", ["x", "-1", "1.5", "4294967296"])
def test_an_invalid_version_is_refused(server, seated, since):
    assert refused(f"{server.ws_url}/ws/tables/1?v={since}") == 400


def test_foreign_origins_are_refused(server, seated):
    url = f"{server.ws_url}/ws/tables/1"
    assert refused(url, origin="https://evil.example") == 403
    assert refused(url, origin="http://localhost:5173") is None


def test_plain_http_requests_get_not_found(server):
    answer = requests.get(server.ws_url.replace("ws://", "http://") + "/ws/tables/1", timeout=HANG_S)
    assert answer.status_code == 404


def test_a_client_that_does_not_read_is_closed_and_can_reconnect(server):
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            await table.my_turn_comes()
            if table.phase == "draw":  # the starter does not have to draw
                await table.step()
            assert table.my_turn() and table.phase == "play", (
                "a player who has drawn has many moves: long replies"
            )
            transport = table.socket.transport
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            transport.pause_reading()
            with contextlib.suppress(websockets.ConnectionClosed, asyncio.TimeoutError, OSError):
                for _ in range(20000):  # lapse: the socket accepts no more once the server stops reading
                    await asyncio.wait_for(table.socket.send('{"t":"legal","id":"a","d":{}}'), 2)
            transport.resume_reading()
            assert await table.until_closed(HANG_S) in (4008, 1006)
            at = table.v
        async with open_table(player, table.table, at) as again:
            assert (await again.until("clock"))["t"] == "clock"

    asyncio.run(play())
    metrics = requests.get(server.url + "/metrics", timeout=HANG_S).text
    assert "rummyd_ws_slow_total 1" in metrics


def segments(line):
    """Number of data segments that TCP has delivered on this connection (tcpi_data_segs_in)."""
    return struct.unpack_from("I", line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256), 152)[0]


def test_a_snapshot_and_its_frames_are_sent_in_one_write(server):
    """A snapshot and all following frames are sent in one write, not in one per 512 bytes."""
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            async with open_table(player, table.table) as again:
                assert len(json.dumps(await again.until("snapshot"))) > 2000
                await again.until("clock")
                return segments(again.socket.transport.get_extra_info("socket"))

    assert 2 <= asyncio.run(play()) <= 4  # the handshake, all of this, and perhaps a move and a ping


def test_a_player_who_left_cannot_reconnect(server):
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            await table.send("leave")
            assert await table.until_closed() == 4000
            return table

    table = asyncio.run(play())
    assert any(frame["t"] == "left" for frame in table.frames)
    answer = player.post(f"/tables/{table.table}/tickets")
    if answer.status_code == 201:
        assert close_code(server, table.table, answer.json()["ticket"]) in (1000, 4403)


def test_a_vanished_socket_is_reported_to_the_others(server):
    one, two = Player(server, "One"), Player(server, "Two")
    with without_bots(server):
        first, second = one.take_seat(), two.take_seat()

    async def play():
        async with Table(server, first["table_id"], first["ticket"]) as a:
            async with Table(server, second["table_id"], second["ticket"]) as b:
                await asyncio.gather(a.send("ready"), b.send("ready"))
                await asyncio.gather(a.sit_down(), b.sit_down())
            while (await a.until("presence"))["d"] != {"seat": b.me, "on": False}:
                pass  # b arrived
            async with open_table(two, second["table_id"]) as b:
                while True:
                    back = await a.until("presence")
                    if back["d"]["on"]:
                        break
                assert back["d"]["seat"] == second["seat"]

    try:
        asyncio.run(play())
    except Closed as closed:
        raise AssertionError(f"closed with {closed.code}") from None
