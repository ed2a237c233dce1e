"""Clients that break every rule they can, and unreliable connections. Other tables continue, nothing is
lost or stays locked, and memory is returned.

RUMMY_SOCKETS and RUMMY_BREAKERS set their numbers (default 1500 and 150; the nightly run uses 10,000 and
1,000)."""

import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import select
import socket
import struct
import subprocess
import time

import pytest
import requests
import websockets
from support.after import SANITIZER_KIB, SLACK_KIB, metric, resident_kib, wait_for
from support.cluster import BUILD
from support.frames import write_frame
from support.table import Closed, Player, Table, open_table
from support.wait import HANG_S

LONG = True
SOCKETS = int(os.environ.get("RUMMY_SOCKETS", "1500"))
BREAKERS = int(os.environ.get("RUMMY_BREAKERS", "150"))
HERD_KIB, SECOND_KIB = 8 * 1024 + SANITIZER_KIB, 2 * 1024 + SANITIZER_KIB


@pytest.fixture
def options():
    return {
        "rate_limits": "on",
        "seed_wait_ms": 200,
        "reserve_ms": 0,
        "linger_ms": 5000,
        "proxies": "127.0.0.1",
    }


def raw(server, path="/ws/tables/1", ticket="x", upgrade=True):
    """A plain TCP connection that has sent a handshake and read nothing."""
    line = socket.create_connection(("127.0.0.1", server.ws_port), timeout=HANG_S)
    if upgrade:
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: rummy.v1, ticket.{ticket}\r\n\r\n".encode()
        )
    return line


def reset(line):
    """Closes with a RST, like a broken connection."""
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


def test_sockets_opened_and_dropped_leave_nothing_behind(table_server):
    """Closes in the middle of the handshake, after it, and with half a frame, by RST and by FIN."""
    server = table_server
    chance = random.Random(7)

    def some(n):
        for _ in range(n):
            what = chance.randrange(6)
            with contextlib.suppress(OSError):
                line = raw(server, upgrade=what > 1)
                if what == 1:
                    line.sendall(b"GET /ws/ta")
                if what == 3:
                    line.sendall(b"\x81\xfe\x10\x00half")
                if what >= 4:
                    line.recv(64)
                reset(line) if what % 2 else line.close()

    some(SOCKETS // 3)
    wait_for(server, "rummyd_ws_connections", 0)
    before = resident_kib(server)
    began = time.monotonic()
    some(SOCKETS)
    took = time.monotonic() - began
    wait_for(server, "rummyd_ws_connections", 0)
    after = resident_kib(server)
    print(f"\n{SOCKETS} sockets opened and dropped in {took:.1f} s: {before} KiB before, {after} KiB after")
    assert after < before + SLACK_KIB
    assert requests.get(server.url + "/healthz", timeout=HANG_S).status_code == 200


def bad_frame(chance):
    """Bytes that no client of ours would send."""
    kind = chance.randrange(9)
    body = json.dumps({"t": "draw", "id": "a", "d": {"from": "stock"}}).encode()
    if kind == 0:
        return 1, bytes(chance.randrange(256) for _ in range(chance.randrange(1, 200)))
    if kind == 1:
        return 1, body[: chance.randrange(1, len(body))]
    if kind == 2:
        return 1, body + b"x" * 9000
    if kind == 3:
        return 2, body
    if kind == 4:
        return 1, b'{"t":"discard","id":"a","d":{"cards":["TH1","TH1"]}}'
    if kind == 5:
        return (
            1,
            json.dumps(
                {
                    "t": chance.choice(["meld", "seed", "legal", "chat", "leave!", "dealt"]),
                    "id": "b" * chance.randrange(50),
                    "d": {"x": [[[1]]]},
                }
            ).encode(),
        )
    if kind == 6:
        return 1, b"[" * 4000
    if kind == 7:
        return 9, b"p" * 125
    return 1, b'{"t":"chat","id":"c","d":{"text":"\\u0000\\ud800"}}'


async def break_rules(server, number):
    """One client: takes a seat, then sends only what is not allowed, until it is closed or done."""
    chance = random.Random(number)
    player = await asyncio.to_thread(
        Player, server, f"Bad {number}", f"10.0.{number // 250}.{number % 250 + 1}"
    )
    seat = await asyncio.to_thread(player.take_seat)
    async with Table(server, seat["table_id"], seat["ticket"]) as table:
        table.checked = False
        with contextlib.suppress(Closed, OSError, websockets.WebSocketException):
            for _ in range(chance.randrange(5, 80)):
                opcode, text = bad_frame(chance)
                await write_frame(table.socket, True, opcode, text)
            if chance.randrange(2):
                table.socket.transport.abort()


def herd(server, numbers):
    async def one(at_once, number):
        async with at_once:
            await break_rules(server, number)

    async def crowd():
        at_once = asyncio.Semaphore(100)
        await asyncio.gather(*(one(at_once, number) for number in numbers))

    asyncio.run(crowd())


@contextlib.contextmanager
def herd_beside(server, numbers):
    """Runs in a separate process, so that only the server can disturb the players of other tables."""
    process = multiprocessing.get_context("fork").Process(target=herd, args=(server, numbers))
    process.start()
    try:
        yield
        process.join()
        assert process.exitcode == 0
    finally:
        process.kill()


def rest_kib(server, most):
    """Resident memory once the crowd's memory has been returned: at most `most`, or its value after a
    while."""
    wait_for(server, "rummyd_tables", 0, 120)
    wait_for(server, "rummyd_ws_connections", 0)
    until = time.monotonic() + HANG_S  # the allocator returns memory gradually
    while resident_kib(server) > most and time.monotonic() < until:
        time.sleep(0.1)
    return resident_kib(server)


def test_crowds_that_break_every_rule_do_not_disturb_a_game(table_server):
    """Runs twice: the data that the first crowd leaves in the server (tokens and rate limits of accounts,
    in tables of fixed size) is bounded, and the second crowd adds nothing."""
    server = table_server
    good = Player(server, "Good")
    own = {"variant": "rummy51", "seats": 4, "bots": 3, "options": {"turn_s": 120}}

    # Rule breakers do not move, so short turns make their tables continue and end soon.
    server.promises.look("UPDATE rooms SET params = 'turn_s=10 timeouts_max=1', seats_n = 2 RETURNING id")

    async def game():
        seat = await asyncio.to_thread(lambda: good.post("/tables", own).json())
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            assert (await table.play_out())["t"] == "settled"

    kib = [resident_kib(server)]
    for first, room in ((0, HERD_KIB), (BREAKERS // 2, SECOND_KIB)):
        with herd_beside(server, range(first, first + BREAKERS // 2)):
            asyncio.run(game())
        kib.append(rest_kib(server, kib[-1] + room))
        assert kib[-1] <= kib[-2] + room, kib
    bad = metric(server, "rummyd_ws_bad_frames_total")
    print(
        f"\n{BREAKERS} clients, {bad} bad frames: a game settled alongside each half; KiB before and after"
        f" each: {kib}"
    )
    assert bad > 2 * BREAKERS
    if BREAKERS >= 500:  # with fewer, a slow machine never has a crowd at one time
        assert metric(server, "rummyd_memory_return_seconds_count") >= 2


@pytest.mark.parametrize("options", [{"ping_s": 1}])
def test_half_open_sockets_are_dropped_and_quiet_ones_kept(table_server):
    """A client that reads nothing and answers no ping is dropped after two pings; one that only answers them
    stays."""
    server = table_server
    mute, quiet = Player(server, "Mute"), Player(server, "Quiet")
    seat = mute.take_seat()

    async def run():
        async with open_table(quiet) as other, Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.receive()
            line = raw(server, f"/ws/tables/{seat['table_id']}", mute.ticket(seat["table_id"]))
            silent = [raw(server, upgrade=False) for _ in range(20)]  # these never send anything
            assert await table.until_closed() == 4003, "the half-open one has the seat"
            began = time.monotonic()
            await asyncio.to_thread(wait_for, server, "rummyd_ws_connections", 1)
            took = time.monotonic() - began
            for each in [line, *silent]:
                each.close()
            assert (await other.do("ping"))["t"] == "pong", "its connection is intact"
            return took

    took = asyncio.run(run())
    print(f"\na half-open socket was let go after {took:.1f} s, pinged each second")
    assert took >= 1
    assert metric(server, "rummyd_ws_dead_total") == 1


PING, PONG = b"\x89\x01r", b"\x8a\x80\0\0\0\0"


def ping_times(lines, span_s):
    """Arrival times of pings on any of these connections, which answer them. Text frames contain no control
    characters, so none of them looks like a ping."""
    times, until = [], time.monotonic() + span_s
    while time.monotonic() < until:
        for line in select.select(lines, [], [], 0.2)[0]:
            if PING in line.recv(65536):
                times.append(time.monotonic())
                line.sendall(PONG)
    return times


@pytest.mark.parametrize("options", [{"ping_s": 1}])
def test_pings_are_spread_over_time(table_server):
    """Pings must not go out at the same moment, because those of thousands of clients, with their replies,
    would delay all moves."""
    server = table_server
    tickets = [Player(server).post("/lobby/tickets").json()["ticket"] for _ in range(20)]
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(raw(server, "/ws/lobby", ticket)) for ticket in tickets]
        for _ in range(10):  # a busy machine delivers them in bursts, so try again
            times = ping_times(lines, 2)
            moments = sum(later - earlier > 0.005 for earlier, later in zip(times, times[1:]))
            if moments >= 20:
                break
        assert moments >= 20, f"{len(times)} pings in two seconds, in {moments} moments"


@pytest.mark.parametrize(
    "options", [{"env": {**os.environ, "RUMMYD_JWT_SECRET": "load " * 10}, "seed_wait_ms": 200}]
)
def test_the_load_generator_reconnects_to_running_tables(table_server):
    """The cost of a connect is the duration of the second connect of all seats, if no table starts
    meanwhile."""
    server = table_server
    command = [
        BUILD / "tableload",
        "--mode",
        "idle",
        "--via",
        "sql",
        "--db",
        server.owner_db,
        "--ws",
        f"127.0.0.1:{server.ws_port}",
        "--tables",
        "3",
        "--seconds",
        "1",
        "--server-pid",
        str(server.process.pid),
    ]
    done = subprocess.run(command, env=server.env, stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    assert "connect_again_cpu_us" in json.loads(done.stdout)
    assert metric(server, "rummyd_ws_connections_total") == 2 * 3 * 4
    assert metric(server, "rummyd_tables") == 3


def test_duplicate_and_reordered_frames_count_once(table_server):
    """A client may repeat and reorder its commands: each id counts once, and premature commands are
    refused."""
    server = table_server
    player = Player(server)

    async def run():
        async with open_table(player) as table:
            await table.sit_down()
            assert await table.my_turn_comes()
            chance = random.Random(3)
            for turn in range(3):
                if table.phase == "over" or not await table.my_turn_comes():
                    return
                throw = table.throw_away()
                draw = json.dumps({"t": "draw", "id": f"d{turn}", "d": {"from": "stock"}})
                out = json.dumps({"t": "discard", "id": f"t{turn}", "d": {"cards": [throw]}})
                frames = [draw, draw, out, out, draw]
                if table.phase == "draw" and chance.randrange(2):
                    frames.insert(0, json.dumps({"t": "discard", "id": f"e{turn}", "d": {"cards": [throw]}}))
                held = len(table.hand)
                for text in frames:
                    await table.socket.send(text)
                answers = {}
                for _ in frames:
                    while True:
                        frame = await table.receive()
                        if frame["t"] in ("ack", "nack"):
                            break
                    answers.setdefault(frame["id"], set()).add(json.dumps(frame))
                assert all(len(same) == 1 for same in answers.values()), answers
                assert len(table.hand) <= held
                assert any('"ack"' in a for a in answers[f"t{turn}"]), answers

    asyncio.run(run())


@pytest.mark.parametrize("options", [{"rate_limits": "off"}])
def test_clients_that_do_not_answer_a_close_are_disconnected(table_server):
    """This happens long before two missed pings would reveal them."""
    server = table_server
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(raw(server)) for _ in range(120)]
        for line in lines:
            while b"\x88" not in (said := line.recv(4096)):
                assert said, "a close frame comes before the end"
        began = time.monotonic()
        wait_for(server, "rummyd_ws_connections", 0, seconds=HANG_S)
        print(f"\n{len(lines)} who said nothing were cut off after {time.monotonic() - began:.1f} s")
    assert metric(server, "rummyd_ws_dead_total") == 0
