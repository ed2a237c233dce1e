"""Two guests open a free table for two and both leave at once: the game ends soon, and brings neither of them
anything."""

import asyncio
import time
from contextlib import AsyncExitStack

from support.rounds import seated, sit_down
from support.table import Player


def games_of(player):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        games = player.get("/games").json()["items"]
        if games:
            return games
        time.sleep(0.1)
    raise AssertionError("the game does not end")


def test_a_game_that_both_players_leave_at_once_brings_them_nothing(server):
    players = [Player(server, name) for name in ("Ana", "Boris")]
    before = [player.get("/wallet").json() for player in players]
    seats = seated(players, "rummy51", visibility="public")

    async def leave():
        async with AsyncExitStack() as stack:
            tables = await sit_down(stack, server, seats)
            for table in tables.values():
                assert (await table.do("leave"))["t"] == "ack"

    asyncio.run(leave())
    games = [games_of(player) for player in players]
    for player, (game,), purse in zip(players, games, before):
        assert (game["took_part"], game["rated"], game["game_points"], game["clover"]) == (False, False, 0, 0)
        assert player.get("/wallet").json() == purse
        assert player.get("/notifications").json()["items"] == []
        assert not any(
            item["earned_at"] or item["progress"] for item in player.get("/me/achievements").json()["items"]
        )
