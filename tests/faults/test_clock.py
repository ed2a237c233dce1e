"""The wall clock of the machine is put on and back by hours while games run, under the server and under PostgreSQL.

Turns are on the clock that only goes forward: nobody's time is up, nothing is played for anybody. What is told by the
wall clock (tokens, tickets, the age of a table) is bounded, and comes right by itself."""

import asyncio
import time

import pytest
import requests
from support.after import metric
from support.clock import HOURS
from support.table import Closed, Player, Table, open_table

def now_there(server):
    """What PostgreSQL takes for now, against the truth."""
    return float(server.promises.look("SELECT extract(epoch FROM clock_timestamp())")[0][0]) - time.time()


async def acked(table, moves):
    """So many own moves are made."""
    while moves > 0 and await table.my_turn_comes():
        answer = await table.step()
        assert answer["t"] == "ack", answer
        moves -= 1


@pytest.mark.parametrize("hours", [5, -5, 50])
def test_games_go_on_when_the_wall_clock_jumps(own_table_server, wall_clock, hours):
    server = own_table_server
    thinker, mover = Player(server, "Thinker"), Player(server, "Mover")
    private = {"variant": "rummy51", "seats": 2, "bots": True}

    async def run():
        seats = [player.post("/tables", private).json() for player in (thinker, mover)]
        thinks, moves = (open_table(player, seat["table_id"]) for player, seat in zip((thinker, mover), seats, strict=True))
        server.tables += [thinks, moves]
        async with thinks, moves:
            await asyncio.gather(thinks.sit_down(), moves.sit_down())
            await thinks.my_turn_comes()
            await acked(moves, 2)
            v = thinks.v
            spare = await asyncio.to_thread(thinker.ticket, thinks.table)

            wall_clock.put(hours * HOURS)
            assert abs(now_there(server) - hours * HOURS) < 60
            await acked(moves, 6)
            assert metric(server, "rummyd_timeouts_total") == 0 and metric(server, "rummyd_paused") == 0
            assert thinks.v == v, "nothing was played for who thinks"
            assert (await thinks.do("ping"))["t"] == "pong"
            assert thinks.v == v
            assert (await thinks.step())["t"] == "ack", "his line and his turn are what they were"
            await thinks.my_turn_comes()
            v = thinks.v

        # The access token is good for a quarter of an hour: it is too old now, or perhaps not good yet.
        answer = await asyncio.to_thread(thinker.get, "/me")
        assert answer.status_code == 401 or (answer.status_code == 200 and hours < 0), answer.text
        await asyncio.to_thread(thinker.refresh)
        assert (await asyncio.to_thread(thinker.get, "/me")).status_code == 200
        if hours > 0:  # and so is the ticket
            with pytest.raises(Closed) as closed:
                async with Table(server, thinks.table, spare) as late:
                    await late.until("snapshot")
            assert closed.value.code == 4401
        return thinks, v

    thinks, v = asyncio.run(run())
    server.kill()
    server.start()

    async def after():
        again = open_table(thinker, thinks.table)
        server.tables.append(again)
        async with again:
            snapshot = await again.until("snapshot")
            assert snapshot["v"] == v, "the restart played nothing for him"
            clock_now = await again.until("clock")
            assert 0 < clock_now["d"]["ms_left"] <= 30000, clock_now
            await acked(again, 2)
            wall_clock.put(0)  # and right again
            await acked(again, 2)
            assert metric(server, "rummyd_timeouts_total") == 0

    asyncio.run(after())


def test_a_waiting_table_fills_in_time_when_the_clock_was_put_back(own_table_server, wall_clock):
    """Its filling time was written by the old clock; after a restart it is no further away than it ever was."""
    server = own_table_server
    server.promises.look("UPDATE rooms SET fill_wait_ms = 3000 RETURNING id")
    player = Player(server)
    seat = player.take_seat()
    server.kill()
    wall_clock.put(-5 * HOURS)
    server.start()
    player.refresh()

    async def run():
        async with open_table(player, seat["table_id"]) as table:
            server.tables.append(table)
            await table.sit_down()
            await acked(table, 1)

    asyncio.run(run())


def test_it_stops_in_time_when_the_clock_is_put_back(own_table_server, wall_clock):
    server = own_table_server
    player = Player(server)

    async def run():
        async with open_table(player) as table:
            server.tables.append(table)
            await table.sit_down()
            await acked(table, 1)
            wall_clock.put(-5 * HOURS)
            began = time.monotonic()
            assert await asyncio.to_thread(server.stop) == 0
            assert time.monotonic() - began < 10
            assert await table.until_closed() == 4001

    asyncio.run(run())
    server.start()
    assert requests.get(server.url + "/readyz", timeout=5).status_code == 200
