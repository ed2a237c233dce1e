"""Connections without a ticket: however many there are, players and requests continue."""

import asyncio
import base64
import contextlib
import os
import resource
import select
import socket
import subprocess
import time

import pytest
import requests
from support.after import metric
from support.cluster import ROOT, RUMMYD, SERVER
from support.table import Player, Table, open_table
from support.times import promised
from support.wait import HANG_S

HANDSHAKE_S = 5
BEAT_S = 0.1


class Crowd:
    """Silent connections, from many addresses of this machine."""

    def __init__(self, server):
        self.server = server
        self.sockets = []

    def connect(self, address, port=None):
        line = socket.socket()
        self.sockets.append(line)
        line.bind((address, 0))
        line.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            line.connect(("127.0.0.1", port or self.server.ws_port))
        return line

    def come(self, n, each=16, port=None):
        """Opens n of them, `each` from one address."""
        for i in range(n):
            self.connect(f"127.1.{i // each // 250}.{1 + i // each % 250}", port)

    def go(self):
        while self.sockets:
            self.sockets.pop().close()


@pytest.fixture
def options():
    return {}


@pytest.fixture
def server(new_server, options):
    """Low limits, so that small crowds reach them."""
    it = new_server(
        **{
            "socket_max": 200,
            "socket_waiting_max": 100,
            "socket_waiting_address_max": 8,
            "http_max": 64,
            "table_max": 100,
            **options,
        }
    )
    yield it
    assert it.stop() == 0, it.log()[-3000:]


@pytest.fixture
def crowd(server):
    it = Crowd(server)
    yield it
    it.go()


def wait_until(condition, seconds=HANG_S):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def is_closed(line, seconds=HANG_S):
    """Whether the server has closed the connection: end of the stream, or a reset."""
    ready, _, _ = select.select([line], [], [], seconds)
    if not ready:
        return False
    try:
        return line.recv(4096) == b""
    except OSError:
        return True


def is_refused(line, seconds=HANG_S):
    """Whether the server has sent 429 and a problem document with its code, and closed the connection."""
    ready, _, _ = select.select([line], [], [], seconds)
    if not ready:
        return False
    answer = line.recv(4096)
    assert (
        answer.startswith(b"HTTP/1.1 429 ")
        and b'"code":"too_many_connections"' in answer
        and b"Retry-After: " in answer
    ), answer
    return is_closed(line)


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def limit(server):
    with open(f"/proc/{server.process.pid}/limits", encoding="ascii") as limits:
        return next(int(line.split()[3]) for line in limits if line.startswith("Max open files"))


def warnings(server):
    return [
        line for line in server.log().splitlines() if '"level":"warn"' in line or '"level":"error"' in line
    ]


async def plays(table, moves):
    """Makes this many moves of the player."""
    while moves > 0:
        if table.my_turn():
            await table.step()
            moves -= 1
        else:
            await table.receive(HANG_S)


@pytest.mark.parametrize("options", [{"ping_s": 5}])
def test_many_connections_without_tickets_do_not_disturb_players(server, crowd):
    player = Player(server)

    def crowded():
        """Runs in a separate thread, because a player has to answer pings meanwhile."""
        crowd.come(600, each=8)
        for _ in range(20):
            assert requests.get(server.url + "/readyz", timeout=HANG_S).status_code == 200
        assert metric(server, "rummyd_ws_waiting") <= 100
        assert metric(server, "rummyd_ws_paused") == 1
        assert descriptors(server) <= limit(server) - 64
        return Player(server, "Other").take_seat()  # a guest account, a seat: REST and the database continue

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            ticket = await asyncio.to_thread(crowded)
            # The kernel queues the crowd in front of this connection; the server closes each of them at its
            # timeout.
            async with Table(server, ticket["table_id"], ticket["ticket"]) as late:
                await late.receive(120)
            await plays(table, 2)

    began = time.monotonic()
    asyncio.run(play())
    said = warnings(server)
    assert 1 <= len(said) <= time.monotonic() - began + 3, "at most one line per second"
    assert all('"sockets_refused"' in line for line in said), said
    assert metric(server, 'rummyd_ws_refused_total{reason="late"}') >= 100
    crowd.go()
    wait_until(lambda: metric(server, "rummyd_ws_waiting") == 0)
    assert metric(server, "rummyd_ws_paused") == 0

    async def come():
        async with open_table(Player(server, "Later")) as table:
            await table.sit_down()

    asyncio.run(come())


def test_connections_without_tickets_are_limited_per_address(server, crowd):
    lines = [crowd.connect("127.0.0.2") for _ in range(12)]
    wait_until(lambda: metric(server, 'rummyd_ws_refused_total{reason="address"}') == 4)
    assert metric(server, "rummyd_ws_waiting") == 8
    assert [is_refused(line, BEAT_S) for line in lines].count(True) == 4
    assert not is_closed(crowd.connect("127.0.0.3"), BEAT_S)
    lines[0].close()  # closing one frees capacity for another
    wait_until(lambda: metric(server, "rummyd_ws_waiting") == 8)
    assert not is_closed(crowd.connect("127.0.0.2"), BEAT_S)


@pytest.mark.parametrize("options", [{"rate_limits": "off"}])
def test_without_rate_limits_addresses_have_no_connection_limit(server, crowd):
    for _ in range(40):
        crowd.connect("127.0.0.2")
    wait_until(lambda: metric(server, "rummyd_ws_waiting") == 40)


def handshake(ticket="x", **headers):
    lines = [
        "GET /ws/tables/1 HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Sec-WebSocket-Protocol: rummy.v1, ticket.{ticket}",
    ]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def shake(crowd, address="127.0.0.1", **headers):
    """Returns the status of the response; the connection stays open, and does not reply to the close
    frame."""
    line = crowd.connect(address)
    select.select([], [line], [], HANG_S)
    line.setblocking(True)
    line.settimeout(HANG_S)
    line.sendall(handshake(**headers))
    return int(line.recv(4096).split()[1])


@pytest.mark.parametrize("options", [{"proxies": "127.0.0.1, 127.0.0.9"}])
def test_behind_a_proxy_the_limit_applies_to_the_forwarded_address(server, crowd):
    for line in [crowd.connect("127.0.0.1") for _ in range(20)]:  # a proxy itself has no limit
        assert not is_closed(line, 0.01)  # lapse: none is refused immediately
    assert [shake(crowd, X_Forwarded_For="192.0.2.1") for _ in range(9)] == [101] * 8 + [429]
    assert shake(crowd, X_Forwarded_For="192.0.2.1, 192.0.2.2") == 101
    assert shake(crowd, X_Forwarded_For="192.0.2.2, 192.0.2.1") == 429, (
        "entries that a client sends itself come first"
    )
    assert shake(crowd, X_Forwarded_For="192.0.2.1, 127.0.0.9") == 429, "a proxy before the proxy"
    assert shake(crowd, X_Forwarded_For="::ffff:192.0.2.1") == 429, "the same address"
    assert [shake(crowd, X_Forwarded_For=f"2001:db8::{i:x}:1") for i in range(9)] == [101] * 8 + [429], (
        "a network of 64 bits"
    )
    assert shake(crowd, X_Forwarded_For="2001:db8:0:1::1") == 101
    for unreadable in (
        "1" * 600,
        "unknown",
        "_hidden",
        "",
        ",",
        "192.0.2.3, rubbish",
        "192.0.2.3:",
        "[192.0.2.3]",
    ):
        assert shake(crowd, X_Forwarded_For=unreadable) == 400, unreadable
    for readable in (
        "192.0.2.3:1",
        '"[2001:db8:0:2::1]:443"',
        "[2001:db8:0:2::2]",
        "fe80::1%eth0",
        "rubbish, 192.0.2.3",
        ",192.0.2.3,",
    ):
        assert shake(crowd, X_Forwarded_For=readable) == 101, readable
    assert shake(crowd, X_Forwarded_For="192.0.2.4\r\nX-Forwarded-For: 127.0.0.9") == 101, "one line each"
    assert shake(crowd, X_Forwarded_For="192.0.2.1\r\nX-Forwarded-For: 127.0.0.9") == 429, (
        "the first line names the client"
    )
    assert shake(crowd, Forwarded='for="[2001:db8:0:3::1]:443";proto=https') == 101
    assert shake(crowd, Forwarded="for=192.0.2.1") == 429 and shake(crowd, Forwarded="proto=https") == 400
    assert shake(crowd, X_Forwarded_For="192.0.2.5", Forwarded="for=192.0.2.6") == 400, "two clients"
    assert shake(crowd, "127.0.0.2", X_Forwarded_For="rubbish", Forwarded="rubbish") == 101, (
        "not our proxy: its headers are ignored"
    )
    assert shake(crowd, "127.0.0.2", X_Forwarded_For="192.0.2.1") == 101, (
        "not our proxy: it cannot name another client"
    )


def test_incomplete_handshakes_time_out(server, crowd):
    """A client that is silent, one that sends a part, and one that keeps sending single bytes."""
    silent, part, drips = (crowd.connect("127.0.0.2") for _ in range(3))
    began = time.monotonic()
    select.select([], [part], [], HANG_S)
    part.sendall(handshake()[:40])
    over, dripped = {}, 0
    while len(over) < 3 and time.monotonic() < began + 60:
        with contextlib.suppress(OSError):
            drips.sendall(handshake()[dripped : dripped + 1])
            dripped += 1
        for name, line in (("silent", silent), ("part", part), ("drips", drips)):
            if name not in over and is_closed(line, 0.02):  # lapse: a poll; the loop retries
                over[name] = time.monotonic() - began
    assert sorted(over) == ["drips", "part", "silent"]
    assert all(seconds > HANDSHAKE_S - 0.2 for seconds in over.values()), over
    promised("a handshake that does not come is cut", max(over.values()), HANDSHAKE_S + 1)
    wait_until(lambda: metric(server, "rummyd_ws_waiting") == 0)
    assert metric(server, 'rummyd_ws_refused_total{reason="late"}') == 3


def test_a_player_with_a_ticket_no_longer_counts_as_waiting(server):
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            assert metric(server, "rummyd_ws_waiting") == 0
            await asyncio.sleep(HANDSHAKE_S + 0.5)  # lapse: longer than a handshake may take
            assert (await table.do("ping"))["t"] == "pong"

    asyncio.run(play())


@pytest.mark.parametrize("options", [{"http_max": 16}])
def test_idle_http_connections_do_not_disturb_the_tables(server, crowd):
    """HTTP has its own descriptors, separate from those of sockets and of the database."""
    player = Player(server)

    async def play():
        seat = player.take_seat()
        before = descriptors(server)
        crowd.come(200, each=16, port=server.http_port)
        wait_until(lambda: descriptors(server) >= before + 12)
        await asyncio.sleep(0.3)  # lapse: no more of them are accepted
        # plus the files that the server opens for itself meanwhile
        assert descriptors(server) <= before + 16 + 4
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            await plays(table, 2)
        crowd.go()

    asyncio.run(play())
    assert requests.get(server.url + "/readyz", timeout=HANG_S).status_code == 200


def test_the_database_reconnects_while_all_other_connections_are_used(server, crowd, cluster):
    """Reconnecting requires descriptors, which are reserved for it."""
    crowd.come(300, each=8)
    for i in range(60):
        crowd.connect(f"127.2.0.{i + 1}", server.http_port)
    wait_until(lambda: descriptors(server) > 170)
    with (
        contextlib.closing(cluster.connect(server.database, user="postgres")) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = %s AND datname"
            " = %s",
            (SERVER, server.database),
        )
        assert cursor.fetchone()[0] > 3

    def served():
        with contextlib.suppress(AssertionError):
            return Player(server).take_seat()

    wait_until(served)
    assert descriptors(server) < limit(server)


def test_descriptors_open_at_startup_stay_within_their_budget(server):
    requests.get(server.url + "/readyz", timeout=HANG_S)
    assert descriptors(server) < 160 / 2, os.listdir(f"/proc/{server.process.pid}/fd")
    assert limit(server) == 200 + 100 + 2 * 64 + 160


@pytest.mark.parametrize(
    "hard, flags, key",
    [
        (1000, ["--socket_max=500"], "socket_max: 500 sockets"),
        (1000, [], "http_max: "),
        (20000, ["--socket_max=100000"], "socket_max: 100000 sockets"),
        (20000, ["--socket_waiting_max=0"], "socket_waiting_max: "),
        (20000, ["--http_max=8"], "http_max: "),
    ],
)
def test_limits_above_the_descriptor_limit_are_refused_at_startup(cluster, database, hard, flags, key):
    hard = min(hard, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    done = subprocess.run(
        [RUMMYD, "serve", "--dev", f"--db={cluster.conninfo(database, SERVER)}", *flags],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard)),
    )
    assert done.returncode in (1, 2) and f"rummyd: {key}" in done.stderr, done.stderr
