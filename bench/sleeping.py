#!/usr/bin/env python3
"""Measures sleeping correspondence tables: the cost of 100,000 of them for an idle node, and the time to wake
one, from a player's connection to their snapshot (awake: the same for a table in memory). Prints a line of
JSON.

    /usr/bin/python3 bench/sleeping.py [TABLES] [WAKES]
"""

import asyncio
import json
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))

from support.after import resident_kib, served
from support.cluster import Cluster
from support.table import Player, Table, open_table

REST_S = 10
MANY = """
WITH made AS (
    INSERT INTO tables (variant, params, seats_n, people_n, stake, reward, multiplier_tenths, state, practice,
        node, server_seed, commit, fill_at, started_at, visibility, creator_id, turn_hours, asleep)
    SELECT variant, params, seats_n, people_n, stake, reward, multiplier_tenths, state, practice, node,
        server_seed, commit, fill_at, started_at, 'public', creator_id, turn_hours, true
    FROM tables CROSS JOIN generate_series(1, %s) WHERE asleep RETURNING id, creator_id)
INSERT INTO slow_turns (table_id, seat, player_id, v, due_at, told) SELECT id, 0, creator_id, 1,
    now() + interval '1 day', true FROM made
RETURNING 1"""


def cpu_s(server):
    fields = (
        pathlib.Path(f"/proc/{server.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    )
    return (int(fields[11]) + int(fields[12])) / 100


def at_rest(server):
    """Processor time in ms per second, and memory in KiB, of a server without requests."""
    before = cpu_s(server)
    time.sleep(REST_S)
    return round((cpu_s(server) - before) * 1000 / REST_S, 1), resident_kib(server)


async def sit_down(seat, server):
    async with Table(server, seat["table_id"], seat["ticket"]) as table:
        await table.sit_down()
        await table.my_turn_comes()


async def wake(player, table_id):
    table = open_table(player, table_id)
    began = time.perf_counter()
    async with table:
        await table.until("snapshot")
        return (time.perf_counter() - began) * 1000


def sleeps(server):
    while server.promises.look("SELECT asleep FROM tables ORDER BY id LIMIT 1") != [(True,)]:
        time.sleep(0.02)


def main(tables=100_000, wakes=40):
    cluster = Cluster()
    with tempfile.TemporaryDirectory() as folder:
        server = served(cluster, folder, {"sleep_after_ms": 400})
        try:
            player = Player(server)
            seat = player.post(
                "/tables", {"variant": "rummy51", "seats": 2, "bots": 1, "turn_hours": 24}
            ).json()
            asyncio.run(sit_down(seat, server))
            sleeps(server)
            alone = at_rest(server)
            server.promises.look(MANY, tables)
            server.promises.look("SELECT 1")
            server.stop()
            began = time.perf_counter()
            server.start()
            start_ms = (time.perf_counter() - began) * 1000
            among = at_rest(server)
            times, awake = [], []
            for _ in range(wakes):
                times.append(asyncio.run(wake(player, seat["table_id"])))
                awake.append(asyncio.run(wake(player, seat["table_id"])))
                sleeps(server)
            print(
                json.dumps(
                    {
                        "tables": tables,
                        "start_ms": round(start_ms),
                        "cpu_ms_per_s": [alone[0], among[0]],
                        "rss_kib": [alone[1], among[1]],
                        "wake_ms_p50": round(statistics.median(times), 2),
                        "wake_ms_max": round(max(times), 2),
                        "awake_ms_p50": round(statistics.median(awake), 2),
                    }
                )
            )
        finally:
            server.kill()
            cluster.close()


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3]))
