"""The strongest bots at live tables: every variant, and what other players can see."""

import asyncio
import os

import pytest
from support.after import metric
from support.table import Player, Table
from support.wait import HANG_S, until

MOST = {
    "rummy51": 4,
    "straight": 4,
    "treff": 4,
    "rummy40": 4,
    "rami": 4,
    "points": 6,
    "pool101": 6,
    "pool201": 6,
    "deals2": 2,
    "deals3": 2,
}
# As many bots as a table holds in one variant of each family; nightly, in all variants.
ALL = os.environ.get("RUMMY_MASTERS_ALL") == "1"
SEATS = {v: n if ALL or v in ("rummy51", "points") else min(n, 3) for v, n in MOST.items()}
TURNS = 2  # turns of the player
TABLES_MAX = 20  # long enough for a thought, however slow the machine is
ENDS = ("played", "late", "refused")  # of a thought


def thoughts(server):
    """Number of thoughts by how they ended; the hub counts them once per second."""
    return {end: metric(server, f'rummyd_bot_thoughts_total{{outcome="{end}"}}') for end in ENDS}


def open_with_masters(player, variant, seats):
    answer = player.post(
        "/tables", {"variant": variant, "seats": seats, "bots": seats - 1, "bot_level": "master"}
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


async def play_some_turns(table):
    turns = 0
    while turns < TURNS and await table.my_turn_comes(2 * HANG_S):
        turns += 1
        while table.my_turn():
            await table.step()


def play_with_masters(server, variant):
    """Plays some turns at a table; returns the moves of the masters there."""
    seat = open_with_masters(Player(server), variant, SEATS[variant])

    async def play():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            await play_some_turns(table)
            return table

    table = asyncio.run(play())
    seats = next(frame for frame in table.frames if frame["t"] == "snapshot")["d"]["seats"]
    assert [s.get("level") for s in seats if s["bot"]] == ["master"] * (SEATS[variant] - 1)
    assert all("level" not in s for s in seats if not s["bot"])
    assert not [frame for frame in table.frames if frame["t"] == "timed_out" and frame["seat"] != table.me]
    return [
        frame
        for frame in table.frames
        if frame["t"] in ("drew", "discarded", "dropped", "declared") and frame["seat"] != table.me
    ]


@pytest.mark.parametrize("variant", SEATS)
def test_masters_play_every_variant(server, variant):
    """On a loaded machine a thought can take too long, and the bot plays as a strong one does."""
    before = thoughts(server)
    moved = play_with_masters(server, variant)
    ended = until(lambda: not moved or (now := thoughts(server)) != before and now, "no thought has ended")
    assert not moved or ended["refused"] == before["refused"]


def test_masters_play_the_moves_they_have_computed(server):
    for _ in range(TABLES_MAX):
        if thoughts(server)["played"] > 0:
            break
        play_with_masters(server, "deals2")
    until(lambda: thoughts(server)["played"] > 0, "every thought came too late")


def test_without_thinker_threads_masters_play_like_strong_bots(new_server):
    server = new_server(rate_limits="off", bot_think_ms=0, seed_wait_ms=100, thinkers=0)
    seat = open_with_masters(Player(server), "rami", 3)

    async def play():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            await play_some_turns(table)
            return table

    table = asyncio.run(play())
    assert any(frame["t"] == "discarded" and frame["seat"] != table.me for frame in table.frames)
    assert not [frame for frame in table.frames if frame["t"] == "timed_out" and frame["seat"] != table.me]
    assert server.stop() == 0
