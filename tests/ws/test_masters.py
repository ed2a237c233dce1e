"""The strongest bots at live tables: every variant with as many of them as it takes, and what the others see
of it."""

import asyncio

import pytest
from support.after import metric
from support.table import Player, Table

SEATS = {
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
TURNS = 3  # of the player


def thoughts(server, outcome):
    return metric(server, f'rummyd_bot_thoughts_total{{outcome="{outcome}"}}')


def open_with_masters(player, variant, seats):
    answer = player.post(
        "/tables", {"variant": variant, "seats": seats, "bots": seats - 1, "bot_level": "master"}
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


async def play_some_turns(table):
    turns = 0
    while turns < TURNS and await table.my_turn_comes(120):
        turns += 1
        while table.my_turn():
            await table.step()


@pytest.mark.parametrize("variant", SEATS)
def test_masters_play_every_variant(server, variant):
    player = Player(server)
    before = {outcome: thoughts(server, outcome) for outcome in ("played", "refused")}
    seat = open_with_masters(player, variant, SEATS[variant])

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
    moved = [
        frame
        for frame in table.frames
        if frame["t"] in ("drew", "discarded", "dropped", "declared") and frame["seat"] != table.me
    ]

    async def counted():
        while moved and thoughts(server, "played") == before["played"]:  # told once a second
            await asyncio.sleep(0.1)

    asyncio.run(asyncio.wait_for(counted(), 10))
    assert thoughts(server, "refused") == before["refused"]


def test_without_threads_to_think_they_play_as_strong_bots_do(new_server):
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
