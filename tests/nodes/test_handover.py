"""A node that stops hands its tables to the others: who plays is told `moved`, goes on over there with what they have, and
nobody plays for them."""

import asyncio
import statistics
import threading

from rig import Going, acked_stand
from support.metrics import wait_for

TABLES = 6
MOVES_MORE = 3


def played_for(nodes, tables):
    """Moves of people that no command of theirs made."""
    return [
        nodes.look("SELECT count(*) FROM journal WHERE table_id = %s AND seat = %s AND command = ''", int(table.table), table.me)[0][0]
        for table in tables
    ]


async def stop(server):
    """By SIGTERM; the games go on meanwhile."""
    await asyncio.to_thread(server.stop)


async def until_each_has(tables, n):
    while min(len(table.acked_at) for table in tables) < n:
        await asyncio.sleep(0.02)


def test_all_nodes_are_restarted_one_after_another(nodes):
    (n1,) = nodes.start("n1", table_max=100)
    tables = [Going(n1) for _ in range(TABLES)]  # all of them here, while there is no other node
    (n2,) = nodes.start("n2", table_max=100)
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    over = threading.Event()

    async def restart(server, other):
        for table in tables:
            table.turn_to(other)
        before = [len(table.acked_at) for table in tables]
        await stop(server)
        assert nodes.look("SELECT count(*) FROM tables WHERE node = %s AND state IN ('waiting', 'playing')", server.options["node"]) == [(0,)]
        await asyncio.to_thread(server.start)
        await asyncio.to_thread(wait_for, other, lambda seen: seen["rummyd_nodes"] == 2)
        while any(len(table.acked_at) < n + MOVES_MORE and not table.over for table, n in zip(tables, before)):
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
    print(f"\n{len(pauses)} tables moved; paused for {statistics.median(pauses) * 1000:.0f} ms in the middle, {pauses[-1] * 1000:.0f} ms at most")
