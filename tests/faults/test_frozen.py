"""PostgreSQL frozen (SIGSTOP) in the middle of games: connections stay, answers do not come."""

import asyncio
import os
import pathlib
import signal
import time

import pytest
import requests
from support.clock import HOURS
from support.table import Player, open_table


def processes(cluster):
    """The postmaster and all its children."""
    first = int((pathlib.Path(cluster.folder) / "data" / "postmaster.pid").read_text().split()[0])
    found = [first]
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == first:
            found.append(int(stat.parent.name))
    return found


class Frozen:
    def __init__(self, cluster):
        self.pids = processes(cluster)

    def __enter__(self):
        for pid in self.pids:
            os.kill(pid, signal.SIGSTOP)

    def __exit__(self, *_):
        for pid in reversed(self.pids):
            os.kill(pid, signal.SIGCONT)


@pytest.mark.parametrize(("seconds", "hours"), [(3, 0), (13, -5)])
def test_a_frozen_database_holds_answers_back_and_loses_none(own_cluster, own_table_server, wall_clock, seconds, hours):
    """Its silence is noticed after ten seconds, even when the wall clock is put back meanwhile."""
    server = own_table_server
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            assert await table.my_turn_comes()
            v = table.v
            with Frozen(own_cluster):
                began = time.monotonic()
                kind, d = table.plain_move()
                await table.send(kind, d, id="into-the-ice")
                health = await asyncio.to_thread(requests.get, server.url + "/healthz", timeout=5)
                assert health.status_code == 200, "the process itself lives"
                assert (await table.do("ping"))["t"] == "pong", "the line holds, whatever the database does"
                wall_clock.put(hours * HOURS)
                while time.monotonic() < began + seconds:
                    try:
                        frame = await table.receive(max(0.01, began + seconds - time.monotonic()))
                        assert frame["t"] in ("paused", "clock", "presence"), f"{frame} without a commit"
                    except asyncio.TimeoutError:
                        break
                assert seconds < 10 or table.frames[-1]["t"] == "paused", table.frames[-1]
                assert table.v == v, "nobody was shown what is not committed"
            answer = await table.answer("into-the-ice", 40)
            if answer["t"] == "nack":
                assert answer["code"] == "paused"
            assert await table.my_turn_comes() or table.phase == "over"
            while table.phase != "over":
                answer = await table.step()
                if answer["t"] == "ack":
                    break
                assert answer["code"] == "paused", answer
                await table.until("resumed", seconds=40)

    asyncio.run(play())
