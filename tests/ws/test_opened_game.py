"""A game at a table that a player opened."""

import asyncio

import pytest
from support.table import Player, Table


def test_a_private_game_with_bots_starts_at_once_and_moves_nothing(server):
    player = Player(server)
    before = player.silver()
    seat = player.post("/tables", {"variant": "rummy51", "seats": 3, "bots": 2, "bot_level": "easy"}).json()

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


OPTIONS = {
    "rummy51": ({"opening_min": 60, "taken_discard_in_opening": 1}, {"opening_min": 60, "taken_discard_in_opening": 1}),
    "straight": ({"ace": "high", "target": 300}, {"ace_low": 0, "ace_high": 1, "ace_points": 15, "target": 300}),
    "treff": ({"rounds": 5}, {"session_hands": 5}),
    "rummy40": ({"opening_min": 33, "rounds": 5}, {"opening_min": 33, "session_hands": 5}),
    "rami": ({"opening_min": 33, "rounds": 1}, {"opening_min": 33, "session_hands": 1}),
}


@pytest.mark.parametrize("variant", OPTIONS)
def test_every_option_of_a_laid_down_game_is_what_is_played(server, variant):
    """What each of them does is in tests/vectors."""
    options, wanted = OPTIONS[variant]
    player = Player(server)
    known = next(v for v in player.get("/variants").json()["items"] if v["id"] == variant)["options"]
    assert {option["name"] for option in known} == {*options, "turn_s"}
    usual = {option["name"]: option["default_word"] or option["default"] for option in known}
    assert all(usual[name] != value for name, value in options.items())
    seat = player.post("/tables", {"variant": variant, "seats": 2, "bots": 1, "options": {**options, "turn_s": 45}}).json()

    async def look():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            snapshot = next(frame for frame in table.frames if frame["t"] == "snapshot")["d"]
            while not any(frame["t"] == "clock" for frame in table.frames):
                await table.receive()
            return snapshot, next(frame for frame in table.frames if frame["t"] == "clock")["d"]

    snapshot, clock = asyncio.run(look())
    assert {name: snapshot["params"][name] for name in wanted} == wanted
    assert snapshot["params"]["turn_s"] == 45 and clock["turn_ms"] == 45000
    assert snapshot["turn"]["opening_min"] == wanted.get("opening_min", 0)


@pytest.fixture
def short_wait(server, cluster):
    """Tables that players open wait a second for people."""
    with cluster.connect(server.database) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT value FROM settings WHERE name = 'open_table_wait_ms'")
        (before,) = cursor.fetchone()
        cursor.execute("UPDATE settings SET value = '1000' WHERE name = 'open_table_wait_ms'")
        connection.commit()
        yield
        cursor.execute("UPDATE settings SET value = %s WHERE name = 'open_table_wait_ms'", (before,))


def test_a_table_nobody_joins_is_cancelled_when_its_time_is_over_and_the_stake_is_back(server, short_wait):
    player = Player(server)
    before = player.silver()
    answer = player.post("/tables", {"variant": "straight", "seats": 2, "visibility": "public", "stake": 10})
    assert answer.status_code == 201, answer.text
    seat = answer.json()
    assert player.silver() == before - 10

    async def wait():
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            assert (await table.receive())["d"]["variant"] == "straight", "who waits is told for what"
            assert (await table.until("cancelled"))["d"] == {"reason": "not_enough_players"}
            assert await table.until_closed() == 1000

    asyncio.run(wait())
    assert player.silver() == before
    late = Player(server, "Boris").post(f"/tables/{seat['table_id']}/seats")
    assert (late.status_code, late.json()["code"]) == (409, "table_over")
