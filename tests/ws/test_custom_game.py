"""A game at a table that a player opened."""

import asyncio

from support.table import Player, Table


def test_a_private_game_with_bots_starts_at_once_and_moves_nothing(server):
    player = Player(server)
    before = player.silver()
    seat = player.post("/tables", {"variant": "rummy51", "seats": 3, "bots": True, "bot_level": "easy"}).json()

    async def play():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            settled = await table.play_out()
            return table, settled

    table, settled = asyncio.run(play())
    waiting = table.frames[0]
    assert (waiting["t"], waiting["d"]["bots_n"], waiting["d"]["starts_in_ms"]) == ("waiting", 2, None) or waiting["t"] == "snapshot"
    snapshot = next(frame for frame in table.frames if frame["t"] == "snapshot")
    assert len(snapshot["d"]["seats"]) == 3 and snapshot["d"]["table"]["visibility"] == "private"
    own = settled["d"]["seats"][table.me]
    assert (own["clover"], own["silver"], own["gold"], own["rating"]) == (0, 0, 0, None)
    assert all(s["points"] > 0 for s in settled["d"]["seats"]), "bots have their points too"
    assert player.silver() == before
    game = player.get(f"/games/{settled['d']['game_id']}").json()
    assert (game["room"], game["rated"], game["practice"]) == (None, False, True)
