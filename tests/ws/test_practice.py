"""A practice table waits for its player after a lost connection and after a kill, but not forever."""

import asyncio

from support.table import Closed, Player, Table, open_table
from support.wait import HANG_S


def sit_alone(player, variant="rummy51"):
    answer = player.post("/tables", {"variant": variant, "seats": 2, "bots": 1, "visibility": "private"})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def my_turn(server, seat):
    """Plays until it is the player's turn, then disconnects; returns the frames."""
    async with Table(server, seat["table_id"], seat["ticket"]) as table:
        await table.sit_down()
        await table.step() if table.my_turn() else None
        assert await table.my_turn_comes()
        return table.v


def test_it_waits_across_a_kill_and_continues_where_it_stopped(new_server):
    server = new_server(rate_limits="off", bot_think_ms=0, seed_wait_ms=100)
    player = Player(server)
    seat = sit_alone(player)

    async def back(v):
        async with open_table(player, seat["table_id"]) as table:
            await table.until("clock")
            assert (table.v, table.my_turn()) == (v, True)
            assert not any(f["t"] in ("played_for_you", "waiting_for") for f in table.frames)
            assert table.frames[-1]["d"]["ms_left"] > 25000, "the clock restarts"
            assert (await table.step())["t"] == "ack"

    v = asyncio.run(my_turn(server, seat))
    server.kill()
    server.start()
    assert [t["table_id"] for t in player.get("/me/tables").json()["items"]] == [seat["table_id"]]
    asyncio.run(back(v))
    assert server.stop() == 0


def test_it_ends_if_its_player_stays_away_and_spectators_are_notified(new_server):
    server = new_server(rate_limits="off", bot_think_ms=0, seed_wait_ms=100, practice_wait_s=2)
    player, other = Player(server), Player(server)
    seat = sit_alone(player)

    async def run():
        await my_turn(server, seat)
        answer = other.post(f"/tables/{seat['table_id']}/spectators", {"code": seat["code"]}).json()
        async with Table(server, seat["table_id"], answer["ticket"]) as watcher:
            try:
                while True:
                    await watcher.receive(HANG_S)
            except Closed as closed:
                assert closed.code == 1000
            return watcher.frames

    frames = asyncio.run(run())
    assert [f["d"] for f in frames if f["t"] == "snapshot"][0]["clock"] is None
    waits = next(f for f in frames if f["t"] == "waiting_for")
    assert waits["d"]["seat"] == seat["seat"] and 0 <= waits["d"]["ends_in_ms"] <= 2000
    assert frames[-1] == {"t": "cancelled", "d": {"reason": "nobody_came_back"}}
    assert player.get("/me/tables").json()["items"] == []
    assert server.stop() == 0
