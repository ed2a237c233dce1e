"""The machine's wall clock is moved forward and back by hours while games run, for the server and for
PostgreSQL.

Turns use the monotonic clock: no player times out, and no moves are played for them. Effects of the wall
clock (on tokens, tickets, the age of a table) are limited, and correct themselves."""

import asyncio
import contextlib
import socket
import subprocess
import time

import pytest
import requests
from support.after import metric
from support.clock import HOURS
from support.table import Closed, Player, Table, open_table
from support.times import promised
from support.wait import HANG_S

# A table for one player and a bot that is not a practice table, so it does not wait for an absent player.
COUNTED = {"variant": "rummy51", "seats": 2, "bots": 1, "visibility": "public"}
LASTING = {"opening_min": 200}  # opening is impossible, so the bot does not end the game


def now_there(server):
    """Offset of PostgreSQL's time from the real time, in seconds."""
    return float(server.promises.look("SELECT extract(epoch FROM clock_timestamp())")[0][0]) - time.time()


async def acked(table, moves):
    """Makes this many of the player's moves."""
    while moves > 0 and await table.my_turn_comes():
        answer = await table.step()
        assert answer["t"] == "ack", answer
        moves -= 1


@pytest.mark.parametrize("hours", [5, -5, 50])
def test_games_continue_when_the_wall_clock_jumps(own_table_server, wall_clock, hours):
    server = own_table_server
    thinker, mover = Player(server, "Thinker"), Player(server, "Mover")
    private = {"variant": "rummy51", "seats": 2, "bots": 1, "options": LASTING}

    async def run():
        seats = [player.post("/tables", private).json() for player in (thinker, mover)]
        thinks, moves = (
            open_table(player, seat["table_id"]) for player, seat in zip((thinker, mover), seats, strict=True)
        )
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
            assert thinks.v == v, "nothing was played for the thinking player"
            assert (await thinks.do("ping"))["t"] == "pong"
            assert thinks.v == v
            assert (await thinks.step())["t"] == "ack", "their connection and their turn are unchanged"
            await thinks.my_turn_comes()
            v = thinks.v

        # The access token is valid for 15 min: it has expired, or may not be valid yet.
        answer = await asyncio.to_thread(thinker.get, "/me")
        assert answer.status_code == 401 or (answer.status_code == 200 and hours < 0), answer.text
        await asyncio.to_thread(thinker.refresh)
        assert (await asyncio.to_thread(thinker.get, "/me")).status_code == 200
        if hours > 0:  # the ticket has expired, too
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
        async with again:
            snapshot = await again.until("snapshot")
            assert snapshot["v"] == v, "the restart played nothing for them"
            clock_now = await again.until("clock")
            assert 0 < clock_now["d"]["ms_left"] <= 30000, clock_now
            await acked(again, 2)
            wall_clock.put(0)  # and correct again
            await acked(again, 2)
            assert metric(server, "rummyd_timeouts_total") == 0

    asyncio.run(after())


def test_a_waiting_table_fills_in_time_after_the_clock_is_put_back(own_table_server, wall_clock):
    """Its fill deadline was set by the old clock. After a restart the remaining time is not longer than
    before."""
    server = own_table_server
    # lapse: the test is about this time
    server.promises.look("UPDATE rooms SET fill_wait_ms = 3000 RETURNING id")
    player = Player(server)
    seat = player.take_seat()
    server.kill()
    wall_clock.put(-5 * HOURS)
    server.start()
    player.refresh()

    async def run():
        async with open_table(player, seat["table_id"]) as table:
            await table.sit_down()
            await acked(table, 1)

    asyncio.run(run())


def test_the_server_stops_in_time_when_the_clock_is_put_back(own_table_server, wall_clock):
    server = own_table_server
    player = Player(server)

    async def run():
        async with open_table(player) as table:
            await table.sit_down()
            await acked(table, 1)
            wall_clock.put(-5 * HOURS)
            began = time.monotonic()
            assert await asyncio.to_thread(server.stop) == 0
            promised("a stop with the clock put back", time.monotonic() - began, 10)
            assert await table.until_closed() == 4001

    asyncio.run(run())
    server.start()
    assert requests.get(server.url + "/readyz", timeout=HANG_S).status_code == 200


def my_clock(table):
    """Milliseconds left of the player's turn, from the last clock frame."""
    told = [frame["d"] for frame in table.frames if frame["t"] == "clock" and frame["d"]["seat"] == table.me]
    return told[-1]["ms_left"]


def last_word(server):
    return server.promises.look("SELECT seen_at FROM node_leases")


def start_in_vain(server):
    """Starts a process that takes over the node name, and then fails because its port is in use."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", server.ws_port))
        taken.listen()
        done = subprocess.run(
            server.command(), env=server.env, capture_output=True, text=True, timeout=60, check=False
        )
    assert done.returncode == 1 and "in use" in done.stderr, done.stderr


@contextlib.contextmanager
def outage(server, began):
    """Kills the process and, after the block, starts it again; yields a function that returns how many
    seconds a process has been running since `began`."""
    server.kill()
    before = time.monotonic() - began
    starting = None
    yield lambda: before + time.monotonic() - starting
    starting = time.monotonic()
    server.start()


@contextlib.asynccontextmanager
async def back_at(player, seat):
    """Connects to the table and yields it in the state of the first frames; at the end a move must
    succeed."""
    async with open_table(player, seat["table_id"]) as table:
        await table.until("snapshot")
        await table.until("clock")
        yield table
        assert (await table.step())["t"] == "ack"


def test_a_turn_has_the_same_time_left_after_an_outage(own_table_server, wall_clock):
    """The outage itself does not count, however long it lasts and however often a start fails."""
    server = own_table_server
    player = Player(server)
    seat = player.post("/tables", {**COUNTED, "options": {"turn_s": 120}}).json()

    async def before():
        async with open_table(player, seat["table_id"]) as table:
            await table.sit_down()
            began = time.monotonic()
            await table.my_turn_comes()
            wall_clock.let_pass(30)  # the player thinks, and the process keeps reporting that it is alive
            said = last_word(server)
            while last_word(server) == said:
                await asyncio.sleep(0.05)
            return began

    began = asyncio.run(before())
    with outage(server, began) as ran:
        wall_clock.let_pass(80)
        start_in_vain(server)
        wall_clock.let_pass(80)

    async def after():
        async with back_at(player, seat) as table:
            left, ran_s = my_clock(table), ran()
            assert 120_000 - 30_000 - ran_s * 1000 - 100 <= left <= 120_000 - 30_000, (left, ran_s)

    asyncio.run(after())


def test_a_hand_clock_has_the_same_time_left_after_a_kill(own_table_server, wall_clock):
    """Time used in turns before the kill is not returned, and no player is charged for the time in which no
    process ran."""
    server = own_table_server
    player = Player(server)
    seat = player.post("/tables", {**COUNTED, "options": {"turn_s": 60, **LASTING}}).json()

    def hand_clocks(table):
        told = [
            frame["d"] if frame["t"] == "clock" else frame["d"]["clock"]
            for frame in table.frames
            if frame["t"] in ("clock", "snapshot")
        ]
        return [clock for clock in told if clock][-1]["hand_ms_left"]

    async def think(table):
        """Takes a turn of slightly more than 50 s; returns the remaining time of the hand clock at its
        start."""
        assert await table.my_turn_comes()
        left = hand_clocks(table)[table.me]
        wall_clock.let_pass(50)
        while table.my_turn():
            answer = await table.step()
            assert answer["t"] == "ack", answer
        return left

    async def before():
        async with open_table(player, seat["table_id"]) as table:
            await table.sit_down()
            lefts = [await think(table) for _ in range(3)]
            assert lefts[0] == 240_000 and all(
                30_000 < a - b <= 42_000 + 5_000 for a, b in zip(lefts, lefts[1:])
            ), lefts
            assert await table.my_turn_comes()
            return hand_clocks(table), time.monotonic()

    left, began = asyncio.run(before())
    with outage(server, began) as ran:
        wall_clock.let_pass(300)

    async def after():
        async with back_at(player, seat) as table:
            now, ran_ms = hand_clocks(table), ran() * 1000
            assert left[table.me] - ran_ms - 100 <= now[table.me] <= left[table.me], (left, now, ran_ms)
            assert now[1 - table.me] == left[1 - table.me] == 240_000, "a bot has all of it"

    asyncio.run(after())


@pytest.mark.parametrize("options", [{"reserve_ms": 120_000}])
def test_time_bank_use_persists_across_a_kill(own_table_server, wall_clock):
    """A player who lost the connection uses 60 s of their 120 s; after the restart they have at most 60 s.

    The real duration of the test is also deducted, so the budget is large."""
    server = own_table_server
    player = Player(server)
    seat = player.post("/tables", {**COUNTED, "options": {"turn_s": 60, **LASTING}}).json()

    async def lose_line_and_time(table, bank_s):
        """The player is away until their turn has run out and the time bank is in use; they return after
        this many seconds."""
        async with table:
            await table.until("clock")
            assert await table.my_turn_comes()
        wall_clock.let_pass(60)
        again = open_table(player, seat["table_id"])
        async with again:
            await again.until("snapshot")
            await again.until("clock")
            while my_clock(again) <= 0:
                await again.until("clock")
            left = my_clock(again)
            wall_clock.let_pass(bank_s)
            while again.my_turn():
                answer = await again.step()
                assert answer["t"] == "ack", (answer, again.frames[-12:])
            return left

    async def first():
        table = open_table(player, seat["table_id"])
        async with table:
            await table.sit_down()
        return await lose_line_and_time(open_table(player, seat["table_id"]), 60)

    assert 60_000 < asyncio.run(first()) <= 120_000
    used = server.promises.look(
        "SELECT max(time_bank_ms) FROM journal WHERE table_id = %s", int(seat["table_id"])
    )[0][0]
    assert 60_000 <= used < 120_000
    server.kill()
    server.start()
    left = asyncio.run(lose_line_and_time(open_table(player, seat["table_id"]), 0))
    assert 0 < left <= 120_000 - used, (left, used)
    assert metric(server, "rummyd_timeouts_total") == 0
