"""PostgreSQL frozen (SIGSTOP) during games: connections stay open, replies do not arrive."""

import asyncio
import time

import pytest
import requests
from support.clock import HOURS
from support.table import Player, open_table
from support.wait import HANG_S


@pytest.mark.parametrize(("seconds", "hours"), [(3, 0), (13, -5)])
def test_a_frozen_database_delays_replies_and_loses_none(
    own_cluster, own_table_server, wall_clock, seconds, hours
):
    """The server notices the silence after 10 s, even if the wall clock is set back meanwhile."""
    server = own_table_server
    player = Player(server)

    async def play():
        async with open_table(player) as table:
            await table.sit_down()
            assert await table.my_turn_comes()
            v = table.v
            with own_cluster.frozen():
                began = time.monotonic()
                kind, d = table.plain_move()
                await table.send(kind, d, id="into-the-ice")
                health = await asyncio.to_thread(requests.get, server.url + "/healthz", timeout=HANG_S)
                assert health.status_code == 200, "the process is alive"
                assert (await table.do("ping"))["t"] == "pong", "the connection survives the database"
                wall_clock.put(hours * HOURS)
                silent = seconds > 10

                def left():
                    noticed = not silent or table.frames[-1]["t"] == "paused"
                    return began + (seconds if noticed else HANG_S) - time.monotonic()

                while left() > 0:
                    try:
                        frame = await table.receive(max(0.01, left()))
                        assert frame["t"] in ("paused", "clock", "presence"), f"{frame} without a commit"
                    except TimeoutError:
                        break
                assert not silent or table.frames[-1]["t"] == "paused", table.frames[-1]
                assert table.v == v, "an uncommitted move was shown"
            answer = await table.answer("into-the-ice", HANG_S)
            if answer["t"] == "nack":
                assert answer["code"] == "paused"
            assert await table.my_turn_comes() or table.phase == "over"
            while table.phase != "over":
                answer = await table.step()
                if answer["t"] == "ack":
                    break
                assert answer["code"] == "paused", answer
                await table.until("resumed", seconds=HANG_S)

    asyncio.run(play())
