"""Behavior of the Indian games that only a live table shows: rejoining a pool between two hands, and the
end of the grouping time."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from support.rounds import hand_is_over, next_hand, play_hand, seated, sit_down, verified
from support.table import Player, Table
from support.wait import HANG_S

GAMES_MAX = 12
HAND_PAUSE_MS = 60000  # a player who rejoins or leaves between two hands always does so before the next one


@pytest.mark.quick("seed", "rejoin", "ready", "leave")
def test_rejoining_a_pool_is_in_the_record(server, tmp_path):
    people = [Player(server, name) for name in ("Ana", "Boris", "Ceca")]
    seats = seated(people, "pool101", options={"turn_s": 120})

    async def run():
        async with AsyncExitStack() as stack:
            tables = await sit_down(stack, server, seats)
            await play_hand(tables, {0: "wrong", 1: "drop"})
            await hand_is_over(tables[0])
            early = await tables[0].do("rejoin")
            await next_hand(tables)
            await play_hand(tables, {0: "wrong", 1: "drop"})
            await hand_is_over(tables[0])
            joined = await tables[0].do("rejoin")
            twice = await tables[0].do("rejoin")
            await next_hand(tables)
            all_three = list(tables.values())
            await play_hand(tables, {tables[0].to_move: "drop"})
            for seat in (0, 1):
                await tables.pop(seat).do("leave")
            settled = await tables[2].until("settled", seconds=60)
            return all_three, settled, early, joined, twice

    tables, settled, early, joined, twice = asyncio.run(run())
    assert (early["t"], early["code"]) == ("nack", "not_out_of_the_pool")
    assert joined["t"] == "ack" and (twice["t"], twice["code"]) == ("nack", "not_out_of_the_pool")
    for table in tables:
        out = next(f for f in table.frames if f["t"] == "eliminated")
        back = next(f for f in table.frames if f["t"] == "rejoined")
        assert (out["seat"], out["d"]["total"]) == (back["seat"], 160) == (0, 160)
        assert 20 < back["d"]["total"] <= 61, "one more than the highest total still in"
        third = [f for f in table.frames if f["t"] == "dealt" and f["d"]["hand_no"] == 3]
        assert {f["seat"] for f in third} == {0, 1, 2}, "they are dealt in"
    record = people[2].get(f"/games/{settled['d']['game_id']}/record").text
    assert '[Between "rejoin 0"]' in record
    assert verified(record, tmp_path)[0]
    good, said = verified(record.replace('[Between "rejoin 0"]\n', ""), tmp_path)
    assert not good and "wrong" in said, said


def test_leaving_between_hands_and_ending_the_session_is_in_the_record(server, tmp_path):
    people = [Player(server, "Stays"), Player(server, "Leaves")]
    seats = seated(people, "deals2", options={"turn_s": 120})

    async def run():
        async with AsyncExitStack() as stack:
            tables = await sit_down(stack, server, seats)
            await play_hand(tables, {tables[0].to_move: "wrong"})
            for table in tables.values():
                await hand_is_over(table)
            assert (await tables[1].do("leave"))["t"] == "ack"
            assert await tables[1].until_closed() == 4000
            return await tables[0].until("settled")

    settled = asyncio.run(run())["d"]
    assert [seat["place"] for seat in settled["seats"]] == [1, 2]
    record = people[0].get(f"/games/{settled['game_id']}/record").text
    assert "\nafter leave 1\nfinal 0 place 1 total " in record
    good, said = verified(record, tmp_path)
    assert good, said
    for told, other, why in (
        ("final 0 place 1", "final 0 place 2", "wrong_score"),
        (" won\nfinal", "\nfinal", "wrong_score"),
        ("after leave 1", "after leave 1, leave 0", "wrong_session"),
    ):
        assert told in record
        good, said = verified(record.replace(told, other), tmp_path)
        assert not good and why in said, said


@pytest.fixture(scope="module")
def hasty(cluster, server):
    """A room of points for two, where the grouping time is 1 s."""
    connection = cluster.connect(server.database)
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE one AS SELECT * FROM rooms WHERE id = 'desert'")
        cursor.execute(
            "UPDATE one SET id = 'hasty', name = 'Hasty', position = 99, variant = 'points', params ="
            " 'group_s=1', seats_n = 2, stake = 0, reward = 0, bots = true, bot_level = 3"
        )
        cursor.execute("INSERT INTO rooms SELECT * FROM one")
    connection.close()
    return "hasty"


def test_the_server_groups_the_cards_when_the_time_to_group_is_over(server, hasty):
    async def run(player):
        seat = player.take_seat(hasty)
        async with Table(server, seat["table_id"], seat["ticket"]) as table:
            await table.sit_down()
            while table.phase not in ("group", "over", "hand_over"):
                if table.my_turn():
                    await table.step()
                else:
                    await table.receive(HANG_S)
            settled = await table.until("settled", seconds=HANG_S)
            return table, settled

    for n in range(GAMES_MAX):  # a bot may drop, too
        player = Player(server, f"Ema {n}")
        table, settled = asyncio.run(run(player))
        if any(f["t"] == "declared" and f["d"]["valid"] for f in table.frames):
            break
    assert not any(f["t"] == "grouped" for f in table.frames), "no one has grouped"
    score = next(f["d"] for f in table.frames if f["t"] == "scored" and f["seat"] == table.me)
    record = player.get(f"/games/{settled['d']['game_id']}/record").text
    assert "close\n" in record
    line = next(line for line in record.splitlines() if line.startswith(f"score {table.me} "))
    shown = line.partition(" groups ")[2]
    assert shown == " | ".join(" ".join(cards) for cards in score.get("groups", []))
