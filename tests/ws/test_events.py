"""The lobby as server-sent events, for clients that cannot hold a WebSocket."""

import asyncio
import contextlib
import json
import socket
import time
import urllib.parse

import pytest
import requests
from support.lobby import Lobby
from support.metrics import Metrics
from support.table import CONTRACT, Player
from support.wait import HANG_S


class Events:
    """One stream, parsed manually: blocks of lines, each followed by an empty line."""

    def __init__(self, server, ticket, head="", receive_bytes=None):
        self.line = socket.socket()
        if receive_bytes:
            self.line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.line.connect(("127.0.0.1", server.ws_port))
        self.line.settimeout(HANG_S)
        self.line.sendall(f"GET /ws/events?ticket={ticket} HTTP/1.1\r\nHost: x\r\n{head}\r\n".encode())
        self.text, self.comments, self.frames, self.closed = b"", 0, [], None
        self.head = self.upto(b"\r\n\r\n").decode()
        self.status = int(self.head.split()[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()

    def upto(self, mark):
        while mark not in self.text:
            piece = self.line.recv(65536)
            if not piece:
                raise EOFError(self.text)
            self.text += piece
        got, self.text = self.text.split(mark, 1)
        return got

    def receive(self):
        """The next frame; also records comments, the retry time, and the end."""
        while True:
            lines = self.upto(b"\n\n").decode().split("\n")
            if lines == [":"]:
                self.comments += 1
            elif lines[0] == "event: close":
                self.closed = json.loads(lines[1].removeprefix("data: "))["code"]
            elif lines[0].startswith("retry: "):
                self.retry_ms = int(lines[0].split()[1])
            else:
                (line,) = lines
                frame = json.loads(line.removeprefix("data: "))
                CONTRACT.check(frame)
                self.frames.append(frame)
                return frame

    def until(self, true, seconds=HANG_S):
        until = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < until, self.frames[-3:]
            self.receive()

    def rest(self):
        """Reads to the end; returns the close code."""
        try:
            while True:
                self.receive()
        except EOFError:
            return self.closed


def where(player):
    answer = requests.get(
        player.server.url + "/v1/events", headers=player.headers, timeout=HANG_S, allow_redirects=False
    )
    assert answer.status_code == 307, answer.text
    return urllib.parse.urlsplit(answer.headers["Location"])


def ticket(player):
    place = where(player)
    assert (place.scheme, place.path) == ("http", "/ws/events") and place.port == player.server.ws_port
    return place.query.removeprefix("ticket=")


def test_a_client_that_follows_redirects_gets_the_stream_at_once(server):
    player = Player(server)
    with requests.get(
        server.url + "/v1/events", headers=player.headers, stream=True, timeout=HANG_S
    ) as answer:
        assert answer.status_code == 200 and answer.headers["Content-Type"] == "text/event-stream"
        assert answer.headers["Cache-Control"] == "no-store" and answer.headers["X-Accel-Buffering"] == "no"
        lines = answer.iter_lines(chunk_size=1)
        assert next(lines).startswith(b"retry: ") and next(lines) == b""
        assert json.loads(next(lines).removeprefix(b"data: "))["t"] == "lobby"


def test_a_stream_carries_the_same_frames_as_the_socket(server):
    watcher, other, player = Player(server), Player(server), Player(server)

    async def run():
        with Events(server, ticket(watcher)) as events:
            assert events.status == 200
            async with Lobby(other) as lobby:
                assert events.receive()["t"] == (await lobby.receive())["t"] == "lobby"
                seat = await asyncio.to_thread(player.take_seat)
                mine = str(seat["table_id"])
                await lobby.until(lambda: mine in lobby.tables)
                opened = lambda frames: [
                    t
                    for f in frames
                    if f["t"] == "lobby_changed"
                    for t in f["d"]["tables"]
                    if t["id"] == mine
                ]
                await asyncio.to_thread(events.until, lambda: opened(events.frames))
                assert opened(events.frames)[0]["room"] == opened(lobby.frames)[0]["room"] == "desert"
            assert not [f for f in events.frames if f["t"] not in ("lobby", "lobby_changed")]

    asyncio.run(run())


def test_a_stream_carries_only_the_player_s_own_notifications(server, cluster):
    player, other = Player(server), Player(server)
    with Events(server, ticket(player)) as events, Events(server, ticket(other)) as strange:
        events.receive()
        strange.receive()
        connection = cluster.connect(server.database)
        with connection.cursor() as cursor:
            cursor.execute("SELECT notify_player(%s, 'level', '{\"level\": 7}')", (player.id,))
        connection.close()
        events.until(lambda: any(f["t"] == "notification" for f in events.frames))
        assert events.frames[-1]["d"]["data"] == {"level": 7}
        assert not any(f["t"] == "notification" for f in strange.frames)


def test_a_ticket_is_valid_once_and_only_for_the_lobby(server):
    player = Player(server)
    good = ticket(player)
    with Events(server, good) as events:
        assert events.receive()["t"] == "lobby"
    before = Metrics(server)["rummyd_ws_waiting"]
    for bad in (good, player.take_seat()["ticket"], "a" * 32 + "." + "b" * 32, "x"):
        with Events(server, bad) as events:
            assert events.status == 401 and "Content-Type: application/problem+json" in events.head
    assert Metrics(server)["rummyd_ws_waiting"] <= before + 1


@pytest.mark.parametrize(
    "target",
    [
        "/ws/events",
        "/ws/events?",
        "/ws/events?ticket=",
        "/ws/events?ticket=%41",
        "/ws/events?ticket=a&ticket=b",
        "/ws/events?v=1",
        "/ws/events?ticket=" + "a" * 200,
    ],
)
def test_malformed_requests_are_refused(server, target):
    with socket.create_connection(("127.0.0.1", server.ws_port), 10) as line:
        line.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        answer = b""
        while part := line.recv(4096):
            answer += part
    assert answer.startswith(b"HTTP/1.1 400 ") and answer.count(b"HTTP/1.1 ") == 1
    assert json.loads(answer.split(b"\r\n\r\n", 1)[1])["code"] == "bad_parameter"


@pytest.mark.parametrize(
    "request_line, status",
    [
        ("POST /ws/events?ticket=x HTTP/1.1", 404),
        ("GET /ws/events?ticket=x HTTP/1.0", 404),
        ("GET /ws/eventsx HTTP/1.1", 404),
        ("HEAD /ws/events?ticket=x HTTP/1.1", 404),
    ],
)
def test_other_methods_and_paths_are_refused(server, request_line, status):
    with socket.create_connection(("127.0.0.1", server.ws_port), 10) as line:
        line.sendall(f"{request_line}\r\nHost: x\r\n\r\n".encode())
        assert line.recv(200).startswith(f"HTTP/1.1 {status} ".encode())


def test_a_partial_request_waits_and_trailing_bytes_close_the_stream(server):
    player = Player(server)
    line = socket.create_connection(("127.0.0.1", server.ws_port), 10)
    whole = f"GET /ws/events?ticket={ticket(player)} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    for piece in (whole[:30], whole[30:-1], whole[-1:]):
        line.sendall(piece)
        time.sleep(0.05)  # lapse: the pieces arrive apart
    assert line.recv(12) == b"HTTP/1.1 200"
    line.sendall(b"GET / HTTP/1.1\r\n\r\n")
    line.settimeout(HANG_S)
    try:
        while line.recv(65536):
            pass
    except ConnectionResetError:
        pass  # the reset came because the previous reply was not read


def test_only_listed_origins_are_allowed(new_server):
    server = new_server(origins="https://play.example", rate_limits="off")
    player = Player(server)
    with Events(server, ticket(player), "Origin: https://play.example\r\n") as events:
        assert (
            events.status == 200
            and "Access-Control-Allow-Origin: https://play.example\r\n" in events.head + "\r\n"
            and "Vary: Origin" in events.head
        )
    with socket.create_connection(("127.0.0.1", server.ws_port), 10) as line:
        line.sendall(
            f"GET /ws/events?ticket={ticket(player)} HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\n\r\n".encode()
        )
        assert line.recv(200).startswith(b"HTTP/1.1 403 ")


def test_a_newer_stream_or_socket_replaces_the_older_one(server):
    player = Player(server)

    async def run():
        first = Events(server, ticket(player))
        first.receive()
        async with Lobby(player) as lobby:
            assert (await lobby.receive())["t"] == "lobby"
            assert await asyncio.to_thread(first.rest) == 4003
            with Events(server, ticket(player)) as second:
                second.receive()
                assert await lobby.until_closed() == 4003

    asyncio.run(run())


def test_closed_streams_are_removed_and_silent_ones_kept_alive(new_server):
    server = new_server(rate_limits="off", ping_s=1)
    people = [Player(server) for _ in range(3)]
    streams = [Events(server, ticket(person)) for person in people]
    for stream in streams:
        stream.receive()
    assert Metrics(server)["rummyd_event_streams"] == 3
    until = time.monotonic() + HANG_S
    while streams[0].comments < 2:  # longer than a socket may be silent
        assert time.monotonic() < until
        streams[0].line.settimeout(0.5)  # lapse: a poll; the loop retries
        with contextlib.suppress(TimeoutError):
            streams[0].receive()
    for stream in streams:
        stream.line.close()
    until = time.monotonic() + HANG_S
    while Metrics(server)["rummyd_event_streams"] > 0 or Metrics(server)["rummyd_ws_connections"] > 0:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert server.stop() == 0


def test_signing_out_closes_the_stream(server):
    player = Player(server)
    with Events(server, ticket(player)) as events:
        events.receive()
        assert player.post("/auth/logout", {"refresh_token": player.refresh_token}).status_code == 204
        assert events.rest() == 4005


def test_a_restart_notifies_the_streams(new_server):
    server = new_server(rate_limits="off")
    with Events(server, ticket(Player(server))) as events:
        events.receive()
        assert server.stop() == 0
        assert events.rest() == 4001 and events.frames[-1]["t"] == "restarting"


def test_a_client_that_reads_nothing_uses_no_more_than_its_outbox(new_server):
    server = new_server(rate_limits="off", ping_s=60)
    slow = Events(server, ticket(Player(server)), receive_bytes=4096)
    player = Player(server)
    with Events(server, ticket(player)) as quick:
        quick.receive()
        for _ in range(30):
            other = Player(server)
            assert (
                other.post("/tables", {"variant": "treff", "seats": 2, "visibility": "public"}).status_code
                == 201
            )
        quick.until(
            lambda: len({t["id"] for f in quick.frames for t in f["d"].get("tables", [])}) >= 30, HANG_S
        )
        shown = {t["id"] for f in quick.frames for t in f["d"].get("tables", [])}
    slow.until(lambda: shown <= {t["id"] for f in slow.frames for t in f["d"].get("tables", [])})
    assert len(slow.frames) < 30, "not every change, but the latest state"
    slow.line.close()
    assert server.stop() == 0
