"""Games that end together: they are settled in batches on a separate connection, even if a player sits at
two of the tables or one is refused, and moves do not wait for this."""

import asyncio
import contextlib
import time
from contextlib import AsyncExitStack

import pytest
from support.after import metric, served
from support.rounds import seated, sit_down
from support.table import Closed, Player
from support.wait import HANG_S


@pytest.fixture
def server(cluster, tmp_path):
    """One that loses a table on purpose, so its log is not checked."""
    it = served(cluster, tmp_path, {"log_level": "info", "seed_wait_ms": 300})
    yield it
    assert it.stop() == 0, it.log()[-3000:]
    it.no_finding()
    cluster.drop_database(it.database)


@contextlib.contextmanager
def held_up(cluster, server):
    """Makes settlements wait, because no game can be stored; moves do not wait."""
    connection = cluster.connect(server.database)
    connection.autocommit = False
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games IN SHARE MODE")
        try:
            yield cursor
        finally:
            connection.rollback()
            connection.close()


async def on_move(tables):
    """The player to move, and the other one."""
    while not any(table.my_turn() for table in tables):
        await asyncio.gather(*(table.receive(60) for table in tables))
    return sorted(tables, key=lambda table: not table.my_turn())


async def until_waiting(cluster, server):
    """Waits until a settlement is in the database and waits for the lock."""
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        deadline, waits = time.monotonic() + HANG_S, False
        while not waits:
            assert time.monotonic() < deadline
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type"
                " = 'Lock' AND query LIKE '%do_settle_batch%'"
            )
            waits = cursor.fetchone()[0] > 0
            await asyncio.sleep(0.05)
    connection.close()


def test_games_that_end_together_are_settled_in_batches(cluster, server):
    ana, *others = (Player(server, name) for name in ("Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal"))
    pairs = [
        (ana, others[0]),
        (ana, others[1]),
        (others[2], others[3]),
        (others[4], others[5]),
        (others[5], others[6]),
    ]
    for player in (ana, *others):  # for the stakes held at two tables
        assert server.promises.look(
            "SELECT code FROM do_credit(%s, 'gold', 200, 'grant', %s, '')",
            int(player.id),
            f"gold:{player.id}",
        ) == [("ok",)]

    async def play():
        async with AsyncExitStack() as stack:
            games = []
            for pair in pairs:
                tables = await sit_down(
                    stack,
                    server,
                    seated(list(pair), "points", visibility="public", point_value=1, options={"turn_s": 120}),
                )
                games.append(list(tables.values()))
            movers = [await on_move(tables) for tables in games]
            refused, beside = movers[3][0].table, movers.pop()
            assert server.promises.look(
                "SELECT code FROM do_credit(%s, 'gold', 1, 'grant', %s, '')",
                int(others[6].id),
                f"settle:table:{refused}",
            ) == [("ok",)]
            with held_up(cluster, server):
                for mover, _ in movers:
                    await mover.send("drop")  # with two players, this ends the game
                await until_waiting(cluster, server)
                assert (await beside[0].step())["t"] == "ack", "moves continue"
                assert not any(
                    frame["t"] == "settled" for tables in games for table in tables for frame in table.frames
                )
            for number, (_, stayer) in enumerate(movers):
                if stayer.table == refused:
                    with pytest.raises(Closed) as closed:
                        await stayer.until("settled", seconds=HANG_S)
                    assert closed.value.code == 4004
                else:
                    settled = [f for f in stayer.frames if f["t"] == "settled"] or [
                        await stayer.until("settled", seconds=HANG_S)
                    ]
                    won = settled[0]["d"]["seats"][stayer.me]
                    assert won["silver"] + won["silver_lost"] + won["gold"] == 20, number
            return {stayer.table for _, stayer in movers} - {refused}

    ended = asyncio.run(play())
    assert metric(server, "rummyd_settled_games_total") == 3
    assert metric(server, "rummyd_settle_batch_seconds_count") >= 3, (
        "one alone, then what was there at once, halved for the one that is refused"
    )
    assert server.promises.look("SELECT count(*) FROM games") == [(3,)]
    assert server.promises.look("SELECT count(*) FROM q_ledger_check()") == [(0,)]
    assert ended == {str(row[0]) for row in server.promises.look("SELECT table_id FROM games")}
