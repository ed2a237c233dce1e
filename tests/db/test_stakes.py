"""Chips at tables that players open: the pot, its colors, odd chips, point values, refusals."""

import pytest


@pytest.fixture
def rig(rig):
    """Without the gold of achievements."""
    rig.rows("UPDATE achievements SET gold = 0")
    return rig


def play(rig, people, places, ending="out", **table):
    """Plays a table of these players from opening to end; returns the rows of its settlement."""
    points = table.pop("points", None)
    left = table.pop("left", [False] * len(people))
    seat = rig.open_table(people[0], seats=len(people), **table)
    assert seat["code"] == "ok", seat["code"]
    for player in people[1:]:
        assert rig.join(player, seat["table_id"])["code"] == "ok"
    assert rig.proof() == []
    assert rig.start(seat["table_id"], bots=())["code"] == "ok"
    more = {"points": points} if points else {}
    if ending == "out":
        more["won"] = [place == 1 for place in places]
    rows = rig.settle(seat["table_id"], places, ending=ending, left=left, **more)
    assert rig.proof() == []
    return rows


def test_the_winner_gets_the_pot_in_its_original_colors(rig):
    ann, bob, eve = rig.player(silver=50), rig.player(silver=4, gold=10), rig.player(silver=0, gold=30)
    rows = play(rig, [ann, bob, eve], [1, 2, 3], stake=10)
    assert [(row["silver"], row["gold"]) for row in rows] == [(4, 16), (-4, -6), (0, -10)]
    assert (rig.purse(ann), rig.purse(bob), rig.purse(eve)) == ((54, 16), (0, 4), (0, 20))
    assert rig.one("SELECT count(*) FROM transfers WHERE cause = 'settle'") == 1
    assert [rig.house(cause, "silver") for cause in ("stake", "reward")] == [0, 0], "nothing from the house"


def test_silver_over_the_winner_s_cap_is_lost(rig):
    ann, bob = rig.player(silver=95), rig.player(silver=100)
    rows = play(rig, [ann, bob], [1, 2], stake=10)
    assert (rows[0]["silver"], rows[0]["silver_lost"]) == (5, 5)
    assert rig.purse(ann) == (100, 0) and rig.house("over_cap", "silver") == 5


@pytest.mark.parametrize(
    "seats, places, shares",
    [
        (4, [1, 1, 3, 4], [10, 10, -10, -10]),
        (3, [1, 1, 3], [5, 5, -10]),
        (4, [1, 4, 1, 1], [4, -10, 3, 3]),
        (2, [1, 1], [0, 0]),
    ],
)
def test_several_winners_share_the_pot_and_odd_chips_go_in_turn_order(rig, seats, places, shares):
    people = [rig.player(silver=50) for _ in range(seats)]
    rows = play(rig, people, places, stake=10)
    assert [row["silver"] for row in rows] == shares


def test_odd_chips_of_both_colors_add_up_to_equal_shares(rig):
    # Losers' pot: 4 + 10 + 5 silver and 6 + 0 + 5 gold, for three winners: 30 in all.
    losers = [rig.player(silver=4, gold=6), rig.player(silver=10), rig.player(silver=5, gold=5)]
    winners = [rig.player(silver=50) for _ in range(3)]
    rows = play(
        rig,
        [winners[0], losers[0], winners[1], losers[1], winners[2], losers[2]],
        [1, 4, 1, 4, 1, 4],
        stake=10,
    )
    won = [(row["silver"], row["gold"]) for row in rows[::2]]
    assert won == [(7, 3), (6, 4), (6, 4)] and [sum(w) for w in won] == [10, 10, 10]


def test_without_a_winner_stakes_are_refunded_except_to_leavers(rig):
    ann, bob = rig.player(silver=6, gold=4), rig.player(silver=50)
    play(rig, [ann, bob], [1, 2], ending="stalled", stake=10, left=[False, True])
    assert rig.purse(ann) == (6, 4) and rig.purse(bob) == (40, 0)


def test_a_bot_can_win_a_free_game(rig):
    ann = rig.player(silver=50)
    table = rig.open_table(ann, "rami", seats=2, bots=1)["table_id"]
    assert rig.start(table)["code"] == "ok"
    rows = rig.settle(table, [2, 1], won=[False, True])
    assert [(row["code"], row["place"], row["silver"]) for row in rows] == [("ok", 2, 0), ("ok", 1, 0)]
    assert rig.purse(ann) == (50, 0) and rig.one("SELECT count(*) FROM transfers WHERE cause = 'settle'") == 0
    assert rig.proof() == []


def test_a_canceled_table_refunds_the_stakes(rig):
    ann = rig.player(silver=6, gold=4)
    table = rig.open_table(ann, stake=10)["table_id"]
    assert rig.purse(ann) == (0, 0) and rig.held(ann, table) == (6, 4)
    assert rig.cancel(table) == "ok"
    assert rig.purse(ann) == (6, 4) and rig.proof() == []


def test_a_point_value_holds_eighty_and_pays_points(rig):
    ann, bob, eve = rig.player(silver=80), rig.player(silver=100, gold=100), rig.player(silver=20, gold=300)
    seat = rig.open_table(ann, "points", 3, point_value=1)
    assert seat["code"] == "ok" and rig.held(ann, seat["table_id"]) == (80, 0)
    assert rig.cancel(seat["table_id"]) == "ok"
    rows = play(rig, [ann, bob, eve], [1, 2, 3], variant="points", point_value=1, points=[0, 20, 80])
    assert [(row["silver"], row["gold"]) for row in rows] == [(20, 60), (-20, 0), (-20, -60)]
    assert rows[0]["silver_lost"] == 20, "100 is the cap"
    assert rig.purse(ann) == (100, 60) and rig.purse(bob) == (80, 100) and rig.purse(eve) == (0, 240)


def test_a_point_value_of_two_pays_at_most_what_is_held(rig):
    ann, bob = rig.player(silver=0, gold=160), rig.player(silver=0, gold=200)
    rows = play(rig, [ann, bob], [1, 2], variant="points", point_value=2, points=[0, 90])
    assert [row["gold"] for row in rows] == [160, -160]


@pytest.mark.parametrize(
    "table, code",
    [
        ({"stake": 10, "visibility": "private"}, "stake_private"),
        ({"stake": 10, "bots": 1}, "stake_bots"),
        ({"stake": 10, "variant": "rummy51"}, "stake_variant"),
        ({"stake": 10, "variant": "points"}, "stake_variant"),
        ({"point_value": 1, "variant": "rami"}, "stake_variant"),
        ({"point_value": 1, "stake": 10, "variant": "points"}, "stake_variant"),
        ({"stake": 11}, "stake_unknown"),
        ({"point_value": 3, "variant": "points"}, "stake_unknown"),
        ({"stake": 20}, "room_locked"),
        ({"point_value": 2, "variant": "points"}, "no_funds"),
        ({}, "ok"),
        ({"stake": 10}, "ok"),
    ],
)
def test_only_valid_stakes_are_accepted(shared, table, code):
    player = shared.player()
    assert shared.open_table(player, **table)["code"] == code
    assert shared.purse(player)[0] == (90 if table == {"stake": 10} else 100)


def test_a_joining_player_needs_the_room_and_the_chips(rig):
    host, low, poor = rig.player(level=6, silver=100), rig.player(), rig.player(level=6, silver=19)
    table = rig.open_table(host, stake=20, seats=4)["table_id"]
    assert rig.join(low, table)["code"] == "room_locked"
    assert rig.join(poor, table)["code"] == "no_funds"
    rig.credit(poor, "gold", 1)
    rig.rows("UPDATE rooms SET stake = 21 WHERE stake = 20")
    assert rig.join(poor, table)["code"] == "ok" and rig.purse(poor) == (0, 0)
    assert rig.proof() == []
