"""SIGTERM, a database that is lost and returns, and starts that must fail."""

import asyncio
import os
import pathlib
import signal
import socket
import subprocess
import time

import pytest
import requests
import websockets
from support import metrics
from support.cluster import RUMMYD, SERVER
from support.lobby import Lobby
from support.server import free_port
from support.table import Player, Table, open_table
from support.times import promised
from support.wait import HANG_S


def test_sigterm_notifies_the_players_and_the_next_process_continues(table_server):
    server = table_server
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            await table.my_turn_comes()
            began = time.monotonic()
            code = await asyncio.to_thread(server.stop)
            assert code == 0
            promised("a stop with a game", time.monotonic() - began, 10)
            assert await table.until_closed() == 4001
            assert table.frames[-1] == {"t": "restarting", "d": {"retry_ms": 1000}}
        await asyncio.to_thread(server.start)
        async with open_table(player, table.table, table.v) as again:
            again.me, again.hand, again.phase, again.to_move = (
                table.me,
                table.hand,
                table.phase,
                table.to_move,
            )
            clock = await again.until("clock")
            assert clock["d"]["seat"] == table.me, "the same turn"
            assert 0 < clock["d"]["ms_left"] <= 30000
            assert (await again.step())["t"] == "ack"

    asyncio.run(play())


def test_clients_that_connect_during_a_stop_get_a_retry_delay(table_server):
    """A client that does not reply to the close frame delays the stop. Clients that connect meanwhile also
    get `restarting`."""
    server = table_server
    mute, player, late = (Player(server) for _ in range(3))

    async def connect(seat, ticket):
        table = Table(server, seat["table_id"], ticket)
        try:
            async with table:
                return await table.until_closed(), table.frames
        except (TimeoutError, OSError, websockets.WebSocketException):  # the process has ended
            return None, []

    async def stop():
        seats = [await asyncio.to_thread(one.take_seat) for one in (mute, player, late)]
        tickets = [await asyncio.to_thread(late.ticket, seats[2]["table_id"]) for _ in range(10)]
        async with (
            open_table(mute, seats[0]["table_id"]) as silent,
            open_table(player, seats[1]["table_id"]) as table,
        ):
            await silent.receive()
            await table.receive()
            silent.socket.transport.pause_reading()
            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            ends = [(await table.until_closed(), table.frames)]
            ends += [await connect(seats[2], ticket) for ticket in tickets]
            assert await stopping == 0
        told = [frames[-1] for code, frames in ends if code == 4001]
        assert told and all(frame == {"t": "restarting", "d": {"retry_ms": 1000}} for frame in told), ends
        assert {code for code, _ in ends} <= {4001, 1006, None}, ends
        print(f"\n{len(told) - 1} of {len(tickets)} clients that connected during the shutdown were notified")

    asyncio.run(stop())
    server.start()


def test_a_waiting_table_survives_a_kill(table_server):
    server = table_server
    server.promises.look("UPDATE rooms SET fill_wait_ms = 3600000 RETURNING id")
    player = Player(server)
    seat = player.take_seat()
    server.kill()
    server.start()

    async def join():
        async with open_table(player, seat["table_id"]) as table:
            waiting = await table.receive()
            assert waiting["t"] == "waiting"
            assert waiting["d"]["seats"][seat["seat"]]["player_id"] == player.id

    asyncio.run(join())


def test_a_command_repeated_after_a_crash_gets_its_first_reply(table_server):
    server = table_server
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            await table.my_turn_comes()
            kind, d = table.plain_move()
            first = await table.do(kind, d, id="before-the-crash")
            assert first["t"] == "ack"
        server.kill()
        await asyncio.to_thread(server.start)
        async with open_table(player, table.table) as again:
            assert await again.do(kind, d, id="before-the-crash") == first

    asyncio.run(play())


def crash(cluster):
    """PostgreSQL stops immediately, as in a crash; the folder of its socket remains."""
    pid = cluster.postmaster()
    os.kill(pid, signal.SIGQUIT)
    while (
        pathlib.Path(f"/proc/{pid}").exists()
        and "State:\tZ" not in pathlib.Path(f"/proc/{pid}/status").read_text()
    ):
        time.sleep(0.05)


def seat_when_back(player):
    """The tables have recovered, but an HTTP loop reconnects to the database separately. Until then it
    returns errors that permit a retry."""
    until = time.monotonic() + HANG_S
    while (answer := player.post("/rooms/desert/seats")).status_code == 503 and time.monotonic() < until:
        assert answer.json()["code"] in ("unavailable", "outcome_unknown"), answer.text
        time.sleep(0.1)
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_lost_database_pauses_tables_and_loses_no_acknowledged_move(own_cluster, own_table_server):
    server = own_table_server
    player, guest = Player(server), Player(server)

    async def play():
        async with open_table(player) as table, Lobby(guest) as lobby:
            await table.sit_down()
            await table.my_turn_comes()
            await asyncio.to_thread(crash, own_cluster)
            await table.until("paused", seconds=HANG_S)
            await lobby.until(lambda: lobby.frames[-1]["t"] == "paused" if lobby.frames else False)
            nack = await table.do("draw", {"from": "stock"}, id="while-away")
            assert nack["code"] == "paused"
            health = await asyncio.to_thread(requests.get, server.url + "/readyz", timeout=HANG_S)
            assert health.status_code == 503
            await asyncio.to_thread(own_cluster.start)
            await table.until("resumed", seconds=HANG_S)
            clock = await table.until("clock")
            assert clock["d"]["seat"] == table.me and clock["d"]["ms_left"] > 15000, "the clock stood still"
            await lobby.until(lambda: any(frame["t"] == "resumed" for frame in lobby.frames))
            mine = (await asyncio.to_thread(seat_when_back, guest))["table_id"]
            await lobby.until(lambda: str(mine) in lobby.tables, seconds=HANG_S)
            assert (await table.step())["t"] == "ack"
            await table.my_turn_comes()
            assert (await table.step())["t"] == "ack"

    asyncio.run(play())


def start_and_fail(arguments, env=None):
    """Runs `rummyd serve`, which must fail; returns its exit code and its one-sentence error."""
    done = subprocess.run(
        [RUMMYD, "serve", *arguments],
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if line.startswith("rummyd: ")]
    assert len(said) == 1, done.stderr
    return done.returncode, said[0]


def flags(conninfo, **more):
    options = {"db": conninfo, "http_port": free_port(), "ws_port": free_port(), **more}
    return ["--dev", *[f"--{key}={value}" for key, value in options.items()]]


@pytest.mark.parametrize("key", ["http_port", "ws_port"])
def test_a_port_in_use_fails_at_startup(cluster, database, key):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, said = start_and_fail(
            flags(cluster.conninfo(database, SERVER), **{key: taken.getsockname()[1]})
        )
    assert code == 1
    assert "in use" in said.lower(), said


def test_a_missing_postgresql_fails_at_startup(tmp_path):
    began = time.monotonic()
    code, said = start_and_fail(flags(f"host={tmp_path} dbname=none", db_wait_s=2))
    assert code == 1 and "db:" in said and "2 s" in said
    assert time.monotonic() - began >= 2


def test_a_weak_secret_outside_dev_fails_at_startup(cluster, database):
    arguments = [flag for flag in flags(cluster.conninfo(database, SERVER)) if flag != "--dev"]
    for secret in ("", "short", "a" * 64):
        code, said = start_and_fail(arguments, env={**os.environ, "RUMMYD_JWT_SECRET": secret})
        assert code == 1 and "jwt_secret" in said


def test_an_unknown_option_fails_at_startup(cluster, database):
    code, said = start_and_fail([*flags(cluster.conninfo(database, SERVER)), "--ws_prot=1"])
    assert code == 2 and "ws_prot" in said


def test_an_old_schema_outside_dev_fails_at_startup(cluster):
    empty = cluster.new_database(migrated=False)
    arguments = [flag for flag in flags(cluster.conninfo(empty, SERVER)) if flag != "--dev"]
    code, said = start_and_fail(arguments, env={**os.environ, "RUMMYD_JWT_SECRET": os.urandom(32).hex()})
    assert code == 1 and "rummyd migrate" in said
    cluster.drop_database(empty)


def test_a_second_node_of_the_same_name_fails_at_startup(table_server, cluster):
    server = table_server
    code, said = start_and_fail(flags(cluster.conninfo(server.database, SERVER)))
    assert code == 1 and "n1" in said


def test_a_socket_finds_a_table_that_the_hub_does_not_have_yet(table_server):
    """A seat taken through another process's REST API: the ticket alone leads to the table."""
    server = table_server
    server.promises.look("UPDATE rooms SET fill_wait_ms = 3600000 RETURNING id")
    player = Player(server)
    seat = player.take_seat()

    async def join():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            assert (await table.receive())["t"] == "waiting"

    asyncio.run(join())


def test_a_running_hub_takes_over_tables_assigned_in_the_database(table_server):
    """A table of another node becomes this node's by a change of its rows alone, and a table that belongs
    to another node remains there."""
    server = table_server
    player = Player(server)
    server.promises.look("INSERT INTO nodes (name, epoch) VALUES ('other', 1) RETURNING name")
    tables = [
        server.promises.look(f"""
            INSERT INTO tables (variant, params, seats_n, stake, reward, multiplier_tenths, node, server_seed,
                commit, fill_at, visibility, code, creator_id)
            VALUES ('rummy51', '', 4, 0, 0, 0, '{node}', sha256('s'), sha256('c'), now() + interval '1 hour',
                'private', '{node}', {player.id})
            RETURNING id""")[0][0]
        for node in ("other", "n1")
    ]
    metrics.wait_for(
        server, lambda seen: seen["rummyd_tables_cancelled_total"] == 1
    )  # it has no players, so it ends immediately
    assert server.promises.look(
        f"SELECT state FROM tables WHERE id IN ({tables[0]}, {tables[1]}) ORDER BY id"
    ) == [("waiting",), ("cancelled",)]
