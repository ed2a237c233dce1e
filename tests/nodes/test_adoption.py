"""A node is killed during games: another one continues them, and any node sends players there."""

import asyncio
import subprocess
import time

from rig import Going, acked_stand
from support.cluster import READER, RUMMYD
from support.metrics import wait_for

TABLES = 6
MOVES_MORE = 3


def test_another_node_continues_the_games_of_a_killed_node(nodes):
    (n1,) = nodes.start("n1", table_max=100)
    tables = [Going(n1) for _ in range(TABLES)]  # on n1, the only node so far
    (n2,) = nodes.start("n2", table_max=100)
    wait_for(n1, lambda seen: seen["rummyd_nodes"] == 2)
    killed_at = []

    def enough(table):
        return bool(killed_at) and sum(at > killed_at[0] for at in table.acked_at) >= MOVES_MORE

    async def play():
        games = [asyncio.create_task(table.play(enough)) for table in tables]
        while min(len(table.acked_at) for table in tables) < 2:
            await asyncio.sleep(0.05)
        mine = nodes.look("SELECT id FROM tables WHERE node = 'n1' AND state = 'playing'")
        killed_at.append(time.monotonic())
        n1.kill()
        for table in tables:
            table.turn_to(n2)
        await asyncio.gather(*games)
        return {str(id) for (id,) in mine}

    mine = asyncio.run(play())
    assert len(mine) == TABLES
    assert acked_stand(nodes, tables) > 2 * TABLES
    assert nodes.look("SELECT DISTINCT node FROM tables WHERE state = 'playing'") == [("n2",)]
    assert all(table.ws_url.startswith(f"ws://localhost:{n2.ws_port}/") for table in tables)
    waited = [
        min(at for at in table.acked_at if at > killed_at[0]) - killed_at[0]
        for table in tables
        if table.table in mine
    ]
    proof = [RUMMYD, "ledger-check", "--db", nodes.cluster.conninfo(nodes.database, READER)]
    assert subprocess.run(proof, capture_output=True, check=False).returncode == 0
    for bug in ("bug:", "table_lost", "journal_refused"):
        assert bug not in n2.log()
    print(
        f"\n{len(mine)} of {TABLES} tables were on the node that was killed; the next move after"
        f" {max(waited):.1f} s at most"
    )
