"""A node frozen for longer than its lease writes nothing afterward, logs why, and exits. A node frozen for
less time continues."""

import asyncio
import contextlib
import os
import re
import signal
import time
from pathlib import Path

import pytest
import requests
from support.metrics import wait_for
from support.table import Player, Table, open_table
from support.wait import HANG_S


def freeze(server):
    """Waits until each thread of the process has stopped, because a signal reaches one thread, which stops
    the others when it next runs."""
    os.kill(server.process.pid, signal.SIGSTOP)
    threads = Path(f"/proc/{server.process.pid}/task")
    while any(stat.read_text().rpartition(")")[2].split()[0] != "T" for stat in threads.glob("*/stat")):
        time.sleep(0.001)


def thaw(server):
    os.kill(server.process.pid, signal.SIGCONT)


def written(nodes):
    return nodes.look("SELECT table_id, v, seat, move, epoch FROM journal ORDER BY table_id, v")


def test_a_node_frozen_beyond_its_lease_writes_nothing_logs_why_and_ends(nodes):
    (n1,) = nodes.start("n1")
    player = Player(n1)
    seat = player.take_seat()  # before there is another node that could open the table
    (n2,) = nodes.start("n2")
    for node in (n1, n2):  # a node that believes it is alone logs that it pauses
        wait_for(node, lambda seen: seen["rummyd_nodes"] == 2)

    async def play():
        async with open_table(player, seat["table_id"]) as table:
            await table.sit_down()
            assert await table.my_turn_comes()
            epoch = nodes.look("SELECT epoch FROM nodes WHERE name = 'n1'")[0][0]
            before = written(nodes)
            freeze(n1)
            kind, d = table.plain_move()
            await table.send(kind, d, id="into-the-ice")
            until = time.monotonic() + HANG_S
            while nodes.look("SELECT node FROM tables WHERE id = %s", int(table.table)) != [("n2",)]:
                assert time.monotonic() < until, n2.log()[-2000:]
                await asyncio.sleep(0.05)
            thaw(n1)
            assert n1.process.wait(HANG_S) == 1
            assert [move for move in written(nodes) if move[4] == epoch] == before
            while True:
                try:
                    frame = await table.receive(HANG_S)
                except Exception:
                    break
                assert frame.get("id") != "into-the-ice" and frame["t"] != "ack", frame

    asyncio.run(play())
    said = re.search(
        r'rummyd: node: "n1" did not report for (\d+) ms, so other nodes have its tables; start it again',
        n1.log(),
    )
    assert said and int(said.group(1)) >= 3000, n1.log()[-2000:]
    assert n1.logged('"fenced"') and "bug:" not in n1.log()
    n1.start()
    assert requests.get(n1.url + "/readyz", timeout=HANG_S).status_code == 200, (
        "a new process can take its name"
    )


@pytest.mark.parametrize("seconds", [1, 4])
def test_a_single_node_continues_after_a_freeze_of_any_length(nodes, seconds):
    """Within its lease, it continues as if nothing had happened. Beyond it, no other node can have taken
    its tables, so it pauses, renews its lease, and continues."""
    (n1,) = nodes.start("n1")
    player = Player(n1)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            assert await table.my_turn_comes()
            began = time.monotonic()
            freeze(n1)
            await asyncio.sleep(seconds)  # lapse: frozen for this long
            thaw(n1)
            frozen = time.monotonic() - began
            wait = time.monotonic() + HANG_S
            while (answer := await table.step())["t"] != "ack":
                assert frozen > 2 and answer["code"] == "paused" and time.monotonic() < wait, answer
                await asyncio.sleep(0.1)

    asyncio.run(play())
    assert "fenced" not in n1.log()


@contextlib.contextmanager
def unheard(nodes, server):
    """PostgreSQL responds to everything except renewals of the lease, which has expired."""
    with contextlib.closing(nodes.cluster.connect(nodes.database)) as connection:
        connection.autocommit = False
        with connection.cursor() as cursor:
            cursor.execute("SELECT FROM node_leases FOR UPDATE")
        wait_for(server, lambda seen: seen["rummyd_paused"] == 1)
        yield
        connection.rollback()


def test_a_single_node_lets_new_clients_wait_for_its_lease(nodes):
    """They are neither redirected, as if another node had the table, nor sent stale data."""
    (n1,) = nodes.start("n1")
    players = [Player(n1), Player(n1, "Boris")]
    seats = [player.take_seat() for player in players]

    async def play():
        with unheard(nodes, n1):
            tables = [Table(n1, seat["table_id"], seat["ticket"]) for seat in seats]
            for table in tables:
                await table.connect()
            until = time.monotonic() + HANG_S
            while nodes.look("SELECT count(*) FROM tickets WHERE used_at IS NULL") != [(0,)]:
                assert time.monotonic() < until, "their tickets are redeemed"
                await asyncio.sleep(0.05)
        await asyncio.gather(*(table.sit_down() for table in tables))
        for table in tables:
            await table.socket.close()

    asyncio.run(play())
