"""kill -9 in sessions of several hands: between the hands, after a seed, after the deal. The commitment of
the next hand is kept, acknowledged seeds are in its shuffle, and the session continues to valid records."""

import asyncio
import subprocess

import pytest
from support.cluster import RUMMYD
from support.table import Closed, Player, Table


@pytest.fixture
def options():
    return {"hand_pause_ms": 60000}


async def play_to_the_end_of_a_hand(table):
    """Plays until a hand is over and the next one is announced; returns the `next_hand` frame."""
    while table.next_hand is None or table.phase != "hand_over":
        if table.my_turn():
            await table.step()
        else:
            await table.receive(60)
    return next(frame for frame in reversed(table.frames) if frame["t"] == "next_hand")


async def come_back(server, player, table):
    """Kills the server, starts it again, and reconnects to receive the missed frames."""
    server.kill()
    await asyncio.to_thread(server.start)
    table.next_hand = None
    table.reopen(await asyncio.to_thread(player.ticket, table.table))


@pytest.mark.parametrize("variant", ["treff", "straight", "deals3"])
def test_a_session_survives_kills_between_hands(table_server, tmp_path, variant):
    server = table_server
    player = Player(server)
    seat = player.post("/tables", {"variant": variant, "seats": 2, "bots": 1, "bot_level": "strong"}).json()

    async def run():
        table = Table(server, seat["table_id"], seat["ticket"])
        async with table:
            await table.sit_down()
            promise = await play_to_the_end_of_a_hand(table)
            seen = table.v
        await come_back(server, player, table)
        async with table:  # the commitment is unchanged, and the previous hand is sent again
            frame = await table.until("next_hand")
            assert (frame["d"]["hand_no"], frame["d"]["commit"]) == (
                promise["d"]["hand_no"],
                promise["d"]["commit"],
            )
            assert table.v == seen
            told = [f for f in table.frames if f["t"] == "fairness"]
            assert told[-1] == told[0] and told[0]["d"]["hand_no"] == 1
            seed = "ab" * 20
            assert (await table.do("seed", {"seed": seed}, id="s1"))["t"] == "ack"
        await come_back(server, player, table)
        async with table:  # the seed is kept, and its reply is not lost
            await table.until("next_hand")
            table.seeded = table.next_hand
            await table.send("ready")
            await table.until("dealt")
            await table.until("snapshot")
        server.options["hand_pause_ms"] = 200  # nothing more is done in a pause
        await come_back(server, player, table)
        async with table:  # a dealt hand stays dealt
            await table.until("clock")
            await table.play_out()
            while len([f for f in table.frames if f["t"] == "fairness" and f["d"]["hand_no"] > 1]) < 1:
                await table.receive()
        return table, promise, seed

    table, promise, seed = asyncio.run(run())
    second = next(f for f in table.frames if f["t"] == "fairness" and f["d"]["hand_no"] == 2)["d"]
    assert second["commit"] == promise["d"]["commit"] and second["client_seeds"][table.me] == seed
    game = next(f for f in table.frames if f["t"] == "settled")["d"]["game_id"]
    file = tmp_path / "session.txt"
    file.write_bytes(player.get(f"/games/{game}/record").content)
    done = subprocess.run(
        [RUMMYD, "verify", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_a_session_continues_after_a_restart_between_hands(table_server):
    """SIGTERM between hands: all players are notified, and the next process continues."""
    server = table_server
    player = Player(server)
    seat = player.post("/tables", {"variant": "rami", "seats": 2, "bots": 1, "bot_level": "strong"}).json()

    async def run():
        table = Table(server, seat["table_id"], seat["ticket"])
        async with table:
            await table.sit_down()
            await play_to_the_end_of_a_hand(table)
            stopped = asyncio.create_task(asyncio.to_thread(server.stop))
            assert await table.until_closed() == 4001
            assert table.frames[-1]["t"] == "restarting"
            assert await stopped == 0
        server.options["hand_pause_ms"] = 200
        await asyncio.to_thread(server.start)
        table.reopen(await asyncio.to_thread(player.ticket, table.table))
        table.next_hand = None
        async with table:
            await table.until("next_hand")
            try:
                return await table.play_out()
            except Closed as closed:
                raise AssertionError(closed.code) from None

    assert asyncio.run(run())["t"] == "settled"
