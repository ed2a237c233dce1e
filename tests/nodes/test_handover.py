"""A stopping node hands its tables to the others: players get `moved`, continue there with their hands, and
nothing is played for them. The same for a draining node, and for tables that are spread over a new node."""

import asyncio
import statistics
import threading
import time
import uuid

import requests
from rig import Going, acked_stand
from support.keys import make_key
from support.metrics import wait_for
from support.table import Player
from support.wait import HANG_S, until

TABLES = 6
MOVES_MORE = 3


def played_for(nodes, tables):
    """Moves of human players without a command of theirs."""
    return [
        nodes.look(
            "SELECT count(*) FROM journal WHERE table_id = %s AND seat = %s AND command = ''",
            int(table.table),
            table.me,
        )[0][0]
        for table in tables
    ]


async def stop(server):
    """By SIGTERM; the games continue meanwhile."""
    await asyncio.to_thread(server.stop)


async def until_each_has(tables, n):
    while min(len(table.acked_at) for table in tables) < n:
        await asyncio.sleep(0.02)


def test_games_continue_while_all_nodes_are_restarted_in_turn(nodes):
    (n1,) = nodes.start("n1", table_max=100)
    tables = [Going(n1) for _ in range(TABLES)]  # on n1, the only node so far
    (n2,) = nodes.start("n2", table_max=100)
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    over = threading.Event()

    async def restart(server, other):
        for table in tables:
            table.turn_to(other)
        before = [len(table.acked_at) for table in tables]
        await stop(server)
        assert nodes.look(
            "SELECT count(*) FROM tables WHERE node = %s AND state IN ('waiting', 'playing')",
            server.options["node"],
        ) == [(0,)]
        await asyncio.to_thread(server.start)
        await asyncio.to_thread(wait_for, other, lambda seen: seen["rummyd_nodes"] == 2)
        while any(
            len(table.acked_at) < n + MOVES_MORE and not table.over for table, n in zip(tables, before)
        ):
            await asyncio.sleep(0.02)

    async def play():
        games = [asyncio.create_task(table.play(lambda table: over.is_set())) for table in tables]
        await until_each_has(tables, 2)
        await restart(n1, n2)
        await restart(n2, n1)
        over.set()
        await asyncio.gather(*games)

    asyncio.run(play())
    at_play = [table for table in tables if not table.over]
    assert at_play and all(table.moves_of_mine == 2 for table in at_play)
    assert all(table.ws_url.startswith(f"ws://localhost:{n1.ws_port}/") for table in at_play)
    assert acked_stand(nodes, tables) > 0
    assert played_for(nodes, tables) == [0] * TABLES
    pauses = sorted(pause for table in tables for pause in table.pauses)
    for server in (n1, n2):
        for bug in ("bug:", "table_lost", "journal_refused", "tables_adopted"):
            assert bug not in server.log()
    print(
        f"\n{len(pauses)} tables moved; paused for {statistics.median(pauses) * 1000:.0f} ms in the middle,"
        f" {pauses[-1] * 1000:.0f} ms at most"
    )


def test_games_continue_while_three_nodes_are_restarted(nodes):
    """Wherever a table is by now, its players notice only a pause."""
    names = ("n1", "n2", "n3")
    servers = nodes.start(*names, table_max=100)
    for server in servers:
        wait_for(server, lambda seen: seen["rummyd_nodes"] == 3)
    tables = [Going(servers[n % 3]) for n in range(2 * TABLES)]
    over = threading.Event()

    async def restart(server, others):
        for n, table in enumerate(tables):
            table.turn_to(others[n % 2])
        before = [len(table.acked_at) for table in tables]
        await stop(server)
        assert nodes.look(
            "SELECT count(*) FROM tables WHERE node = %s AND state IN ('waiting', 'playing')",
            server.options["node"],
        ) == [(0,)]
        await asyncio.to_thread(server.start)
        for one in others:
            await asyncio.to_thread(wait_for, one, lambda seen: seen["rummyd_nodes"] == 3)
        while any(len(table.acked_at) < n + 1 and not table.over for table, n in zip(tables, before)):
            await asyncio.sleep(0.02)

    async def play():
        games = [asyncio.create_task(table.play(lambda table: over.is_set())) for table in tables]
        await until_each_has(tables, 1)
        for server in servers:
            await restart(server, [other for other in servers if other is not server])
        over.set()
        await asyncio.gather(*games)

    asyncio.run(play())
    assert sum(table.moves_of_mine for table in tables) >= TABLES
    assert acked_stand(nodes, tables) > 0
    assert played_for(nodes, tables) == [0] * len(tables)
    pauses = sorted(pause for table in tables for pause in table.pauses)
    for server in servers:
        for bug in ("bug:", "table_lost", "journal_refused", "tables_adopted"):
            assert bug not in server.log()
    print(
        f"\n{len(pauses)} tables moved; paused for {statistics.median(pauses) * 1000:.0f} ms in the middle,"
        f" {pauses[-1] * 1000:.0f} ms at most"
    )


def copies(nodes, table, n):
    """Adds copies of this table, with seats of the same player, as if another node had just handed them
    over."""

    def columns(name, *but):
        found = nodes.look(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT"
            " attisdropped AND attgenerated = ''",
            name,
        )
        return ", ".join(column for (column,) in found if column not in but)

    kept = columns("tables", "id", "stopped_at", "code")
    ids = [
        id
        for (id,) in nodes.look(
            f"INSERT INTO tables ({kept}, stopped_at) SELECT {kept}, now() FROM tables, generate_series(1,"
            " %s) WHERE id = %s RETURNING id",
            n,
            int(table),
        )
    ]
    kept = columns("seats", "id", "table_id")
    nodes.look(
        f"INSERT INTO seats (table_id, {kept}) SELECT t, {kept} FROM seats, unnest(%s) t WHERE table_id = %s",
        ids,
        int(table),
    )
    return ids


def test_more_tables_than_one_sweep_reads_are_taken_over(nodes):
    """One sweep reads HUB_HANDOVER_SWEEP_MAX tables; the next poll reads the rest."""
    (n1,) = nodes.start("n1", table_max=1000)
    nodes.look("UPDATE settings SET value = '1000' WHERE name = 'tables_per_player_max'")
    seat = Player(n1).post("/tables", {"variant": "straight", "seats": 3, "visibility": "public"}).json()
    copies(nodes, seat["table_id"], 510)
    found = (
        "rummyd_tables",
        "rummyd_tables_cancelled_total",
    )  # a table without connections is canceled after a while
    wait_for(n1, lambda seen: sum(map(seen.__getitem__, found)) == 511, 60)


def order(nodes, server, what, role="owner", status=202):
    """Sends an operator's request to this node."""
    headers = {
        "Authorization": f"Bearer {make_key(nodes.cluster.conninfo(nodes.database), role)}",
        "Idempotency-Key": uuid.uuid4().hex,
    }
    answer = requests.post(f"{server.url}/v1/admin/nodes/{what}", json={}, headers=headers, timeout=HANG_S)
    assert answer.status_code == status, answer.text
    return answer.json()


def tables_of(nodes):
    return dict(
        nodes.look("SELECT node, count(*) FROM tables WHERE state IN ('waiting', 'playing') GROUP BY node")
    )


def open_tables(nodes, server, n):
    nodes.look("UPDATE settings SET value = '1000' WHERE name = 'tables_per_player_max'")
    player = Player(server)
    return [player.post("/tables", {"variant": "straight", "seats": 2}).json() for _ in range(n)]


def told(nodes, server):
    """The last report of a node."""
    return nodes.look("SELECT state, tables FROM node_leases WHERE node = %s", server.options["node"])[0]


def test_a_draining_node_hands_over_all_tables_and_keeps_running(nodes):
    (n1,) = nodes.start("n1", table_max=100)
    waiting = open_tables(nodes, n1, 5)
    playing = Going(n1)
    order(nodes, n1, "n9/drain", status=404)
    order(nodes, n1, "n1/drain", role="support", status=403)

    async def play():
        async with playing:
            await playing.sit_down()
            assert await playing.my_turn_comes()
            assert order(nodes, n1, "n1/drain")["drain"] is True
            await asyncio.to_thread(until, lambda: told(nodes, n1) == ("draining", 6))
            assert tables_of(nodes) == {"n1": 6}, "alone it keeps them"
            (n2,) = await asyncio.to_thread(nodes.start, "n2", table_max=100)
            await asyncio.to_thread(until, lambda: tables_of(nodes) == {"n2": 6})
            assert (await playing.step())["t"] == "ack"
            assert playing.ws_url.startswith(f"ws://localhost:{n2.ws_port}/")
            return n2

    n2 = asyncio.run(play())
    assert played_for(nodes, [playing]) == [0]
    # the waiting tables have no connected players
    until(lambda: told(nodes, n1)[1] == 0 and told(nodes, n2)[1] == 6)
    assert requests.get(n1.url + "/readyz", timeout=HANG_S).status_code == 200, "it still serves REST"
    assert all(
        seat["ws_url"].startswith(f"ws://localhost:{n2.ws_port}/") for seat in open_tables(nodes, n1, 4)
    )
    assert len(waiting) == 5
    n1.stop()
    n1.start()
    assert told(nodes, n1) == ("ready", 0), "and it takes tables again"


def test_a_drain_can_be_undone(nodes):
    n1, n2 = nodes.start("n1", "n2", table_max=100)
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    order(nodes, n2, "n9/drain/undo", status=404)
    order(nodes, n2, "n1/drain/undo", role="support", status=403)
    order(nodes, n2, "n1/drain")
    until(lambda: told(nodes, n1)[0] == "draining")
    assert {seat["ws_url"].split("/ws/")[0] for seat in open_tables(nodes, n1, 6)} == {
        f"ws://localhost:{n2.ws_port}"
    }
    assert order(nodes, n2, "n1/drain/undo")["drain"] is False
    until(lambda: told(nodes, n1)[0] == "ready")
    assert tables_of(nodes) == {"n2": 6}, "tables that moved stay there"
    until(lambda: told(nodes, n2)[1] == 6)
    assert order(nodes, n1, "rebalance")["tables"] == 3
    until(lambda: tables_of(nodes) == {"n1": 3, "n2": 3})
    assert order(nodes, n1, "n1/drain/undo")["state"] == "ready", (
        "canceling on a node that is not draining changes nothing"
    )


def test_an_added_node_gets_new_tables_at_once_and_others_on_request(nodes):
    (n1,) = nodes.start("n1", table_max=100)
    open_tables(nodes, n1, 20)
    (n2,) = nodes.start("n2", table_max=50)
    player, began = Player(n1), time.monotonic()
    while (
        not player.post("/tables", {"variant": "straight", "seats": 2})
        .json()["ws_url"]
        .startswith(f"ws://localhost:{n2.ws_port}/")
    ):
        time.sleep(0.1)
    print(f"\na new node had its first table {time.monotonic() - began:.2f} s after it was ready")
    until(lambda: told(nodes, n1)[1] == tables_of(nodes)["n1"])
    here, there = (
        told(nodes, n1)[1],
        told(nodes, n2)[1],
    )  # the node that opened it learns of it within 5 s
    asked = order(nodes, n2, "rebalance")["tables"]
    assert (
        here - asked in (-(-(here + there) * 100 // 150), -(-(here + there + 1) * 100 // 150)) and asked > 4
    )
    until(lambda: tables_of(nodes)["n1"] == here - asked)
    until(lambda: told(nodes, n1)[1] == here - asked and told(nodes, n2)[1] >= asked)
    assert order(nodes, n1, "rebalance")["tables"] <= 1
