"""The chips of whole sessions of the Indian games, live: drops, a leaver, an invalid declaration, a rejoined
pool, a tie. The ledger's postings are checked line by line."""

import asyncio
from contextlib import AsyncExitStack

from support.rounds import hand_is_over, moved, next_hand, play_hand, purse, seated, sit_down, verified
from support.table import Player

NAMES = ("Ana", "Boris", "Ceca", "Dule")
HAND_PAUSE_MS = 60000  # a player who rejoins or leaves between two hands always does so before the next one


def kinds(table, kind):
    return [frame for frame in table.frames if frame["t"] == kind]


def chips(settled, seat):
    own = settled["d"]["seats"][seat]
    return own["silver"], own["gold"], own["silver_lost"]


def session(server, people, seats, play):
    """Runs play(tables) from the first deal on; returns the tables and the final frame of each remaining
    player."""

    async def run():
        async with AsyncExitStack() as stack:
            tables = await sit_down(stack, server, seats)
            there = dict(tables)
            await play(there)
            told = {
                seat: next(iter(kinds(table, "settled")), None) or await table.until("settled", seconds=60)
                for seat, table in there.items()
            }
            return tables, told

    return asyncio.run(run())


def test_losers_pay_their_points_to_the_winner_at_the_point_value(server, cluster, tmp_path):
    people = [Player(server, name) for name in NAMES]
    purse(cluster, server, people[0], 80, 0)
    purse(cluster, server, people[1], 15, 80)
    purse(cluster, server, people[2], 80, 0)
    purse(cluster, server, people[3], 0, 80)
    seats = seated(people, "points", visibility="public", point_value=1, options={"turn_s": 120})

    async def play(tables):
        await play_hand(tables, {0: "leave", 1: "drop", 2: "wrong"})

    tables, told = session(server, people, seats, play)
    scores = {f["seat"]: f["d"]["points"] for f in kinds(tables[3], "scored")}
    assert scores == {0: 20, 1: 20, 2: 80, 3: 0}
    left = [f["d"] for f in kinds(tables[3], "dropped") if f["seat"] == 0]
    assert left == [{"points": 20, "kind": "left"}], "before any draw a first drop"
    assert chips(told[1], 1) == (-15, -5, 0) and chips(told[2], 2) == (-80, 0, 0)
    assert chips(told[3], 3) == (100, 5, 15), "115 silver and 5 gold, and a cap of 100"
    game = people[0].get(f"/games/{told[3]['d']['game_id']}").json()
    assert [(r["points"], r["left"]) for r in game["results"]] == [
        (20, True),
        (20, False),
        (80, False),
        (0, False),
    ]
    assert game["results"][0]["silver"] == -20
    assert moved(cluster, server, seats[0]["table_id"], people) == {
        (0, "purse", "stake", "silver"): -80,
        (1, "purse", "stake", "silver"): -15,
        (1, "purse", "stake", "gold"): -65,
        (2, "purse", "stake", "silver"): -80,
        (3, "purse", "stake", "gold"): -80,
        (0, "purse", "stake_back", "silver"): 60,
        (1, "purse", "stake_back", "gold"): 60,
        (3, "purse", "stake_back", "gold"): 80,
        (3, "purse", "pot", "silver"): 115,
        (3, "purse", "pot", "gold"): 5,
        (3, "purse", "over_cap", "silver"): -15,
        ("over_cap", "house", "over_cap", "silver"): 15,
    }
    good, said = verified(people[0].get(f"/games/{told[3]['d']['game_id']}/record").text, tmp_path)
    assert good, said


def test_the_pool_pot_is_one_stake_per_player_however_often_they_rejoin(server, cluster, tmp_path):
    people = [Player(server, name) for name in NAMES[:3]]
    purse(cluster, server, people[2], 50, 0)
    seats = seated(people, "pool101", visibility="public", stake=10, options={"turn_s": 120})

    async def play(tables):
        for rejoins in (False, True):
            await play_hand(tables, {0: "wrong", 1: "drop"})
            await hand_is_over(tables[0])
            if rejoins:
                assert (await tables[0].do("rejoin"))["t"] == "ack"
            await next_hand(tables)
        await play_hand(tables, {1: "leave late"})
        await play_hand(tables, {0: "wrong"})
        for table in tables.values():  # a player who is out might rejoin
            await hand_is_over(table)
            await table.go_on()

    tables, told = session(server, people, seats, play)
    assert kinds(tables[2], "rejoined")[0]["d"]["total"] == 41, "two first drops, and one more"
    assert kinds(tables[2], "dropped")[-1]["d"] == {
        "points": 40,
        "kind": "left",
    }, "after a draw a middle drop"
    totals = kinds(tables[2], "session_ended")[0]["d"]["totals"]
    assert totals[0] == kinds(tables[2], "rejoined")[0]["d"]["total"] + 80 and totals[2] == 0
    assert [s["place"] for s in told[2]["d"]["seats"]] == [2, 3, 1], "the player who left is last"
    assert chips(told[0], 0) == (-10, 0, 0) and chips(told[2], 2) == (20, 0, 0)
    assert moved(cluster, server, seats[0]["table_id"], people) == {
        **{(seat, "purse", "stake", "silver"): -10 for seat in range(3)},
        (2, "purse", "stake_back", "silver"): 10,
        (2, "purse", "pot", "silver"): 20,
    }
    good, said = verified(people[2].get(f"/games/{told[2]['d']['game_id']}/record").text, tmp_path)
    assert good, said


def test_a_pool_that_ends_between_hands_reports_the_current_standings(server, cluster):
    """The player who has rejoined is the last one in, because the others leave."""
    people = [Player(server, name) for name in NAMES[:3]]
    purse(cluster, server, people[0], 40, 0)
    seats = seated(people, "pool101", visibility="public", stake=10, options={"turn_s": 120})

    async def play(tables):
        await play_hand(tables, {0: "wrong", 1: "drop"})
        await next_hand(tables)
        await play_hand(tables, {0: "wrong", 1: "drop"})
        await hand_is_over(tables[0])
        assert (await tables[0].do("rejoin"))["t"] == "ack"
        for leaver in (2, 1):
            assert (await tables.pop(leaver).do("leave"))["t"] == "ack"

    tables, told = session(server, people, seats, play)
    assert told[0]["d"]["seats"][0]["silver"] == 20
    ended = kinds(tables[0], "session_ended")[0]["d"]
    assert (ended["winners"], ended["totals"]) == ([0], [41, 40, 0])
    assert [s["place"] for s in told[0]["d"]["seats"]] == [1, 3, 2]
    game = people[0].get(f"/games/{told[0]['d']['game_id']}").json()
    assert [(r["place"], r["points"], r["left"]) for r in game["results"]] == [
        (1, 41, False),
        (3, 40, True),
        (2, 0, True),
    ]
    assert moved(cluster, server, seats[0]["table_id"], people)[(0, "purse", "pot", "silver")] == 20


def test_a_player_who_leaves_a_deals_match_loses_it_and_the_stake(server, cluster, tmp_path):
    people = [Player(server, name) for name in NAMES[:3]]
    purse(cluster, server, people[1], 40, 0)
    seats = seated(people, "deals2", visibility="public", stake=10, options={"turn_s": 120})
    refused = []

    async def play(tables):
        mover = tables[tables[0].to_move]
        refused.append(await mover.do("drop"))
        await play_hand(tables, {0: "wrong", 1: "wrong"})
        await next_hand(tables)
        await play_hand(tables, {0: "wrong", 2: "leave late"})

    tables, told = session(server, people, seats, play)
    assert [(f["t"], f["code"]) for f in refused] == [("nack", "no_drop_in_this_variant")]
    scored = [(f["seat"], f["d"]["points"], f["d"]["total"]) for f in kinds(tables[1], "scored")]
    assert scored == [(0, -80, 80), (1, -80, 80), (2, 160, 320), (0, -80, 0), (1, 160, 240), (2, -80, 240)]
    assert [s["place"] for s in told[1]["d"]["seats"]] == [2, 1, 3]
    assert chips(told[0], 0) == (-10, 0, 0) and chips(told[1], 1) == (20, 0, 0)
    assert moved(cluster, server, seats[0]["table_id"], people) == {
        **{(seat, "purse", "stake", "silver"): -10 for seat in range(3)},
        (1, "purse", "stake_back", "silver"): 10,
        (1, "purse", "pot", "silver"): 20,
    }
    good, said = verified(people[1].get(f"/games/{told[1]['d']['game_id']}/record").text, tmp_path)
    assert good, said


def test_a_tie_in_deals_adds_a_hand_whose_winner_takes_the_pot(server, cluster):
    people = [Player(server, name) for name in NAMES[:2]]
    purse(cluster, server, people[1], 40, 0)
    seats = seated(people, "deals2", visibility="public", stake=10, options={"turn_s": 120})

    async def play(tables):
        for loser in (0, 1):
            await play_hand(tables, {loser: "wrong"})
            await next_hand(tables)
        assert not any(kinds(table, "session_ended") for table in tables.values()), "160 each after two hands"
        await play_hand(tables, {0: "wrong"})

    tables, told = session(server, people, seats, play)
    ended = kinds(tables[0], "session_ended")[0]["d"]
    assert (ended["winners"], ended["totals"]) == ([1], [80, 240])
    assert (chips(told[0], 0), chips(told[1], 1)) == ((-10, 0, 0), (10, 0, 0))
    assert moved(cluster, server, seats[0]["table_id"], people) == {
        (0, "purse", "stake", "silver"): -10,
        (1, "purse", "stake", "silver"): -10,
        (1, "purse", "stake_back", "silver"): 10,
        (1, "purse", "pot", "silver"): 10,
    }
