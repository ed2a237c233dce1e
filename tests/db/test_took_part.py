"""A game brings rewards only to a player who acted in at least half of their turns and had not left. It
brings only chips once they have met every other player at the table often enough that day."""

import pytest


def rewards(rig, player):
    """All gains from games except stakes."""
    one = lambda sql: rig.rows(sql, player)
    return {
        "ratings": [
            list(row)
            for row in one("SELECT period, games, points, lost FROM ratings WHERE player_id = %s ORDER BY 1")
        ],
        "clover": one("SELECT clover_points, level FROM players WHERE id = %s"),
        "gold": one(
            "SELECT coalesce(sum(balance), 0) FROM accounts WHERE player_id = %s AND kind = 'purse' AND"
            " currency = 'gold'"
        ),
        "achievements": one("SELECT achievement_id FROM player_achievements WHERE player_id = %s ORDER BY 1"),
        "counters": one("SELECT counter, n FROM player_counters WHERE player_id = %s AND n > 0 ORDER BY 1"),
        "quests": one("SELECT quest_id, n FROM quest_progress WHERE player_id = %s ORDER BY 1"),
        "league": one(
            "SELECT room_position, games, points, lost FROM league_games WHERE player_id = %s ORDER BY 1"
        ),
        "boards": one(
            "SELECT b.kind, b.period, e.score FROM board_entries e JOIN boards b ON b.id = e.board_id WHERE"
            " e.player_id = %s ORDER BY 1, 2"
        ),
        "streak": one("SELECT streak FROM player_days WHERE player_id = %s"),
        "wins": one(
            "SELECT variant, rated, points, wins, opened, rummies, streak FROM player_stats WHERE player_id ="
            " %s AND (rated > 0 OR wins > 0)"
        ),
    }


def news(rig, player):
    return [
        row[0] for row in rig.rows("SELECT kind FROM notifications WHERE player_id = %s ORDER BY id", player)
    ]


def of_game(rig, game, player):
    return dict(rig.row("SELECT * FROM game_players WHERE game_id = %s AND player_id = %s", game, player))


@pytest.fixture
def quests(rig):
    rig.rows("UPDATE quests SET on_offer = counter IN ('games', 'any_wins', 'wins', 'opened')")
    rig.rows("UPDATE settings SET value = '1' WHERE name = 'rating_games_min'")


@pytest.mark.parametrize(
    "turns, own, left, took_part",
    [
        (10, 10, False, True),
        (10, 5, False, True),
        (11, 6, False, True),
        (1, 1, False, True),
        (10, 4, False, False),
        (11, 5, False, False),
        (10, 0, False, False),
        (1, 0, False, False),
        (0, 0, False, True),
        (10, 10, True, False),
        (0, 0, True, False),
    ],
)
def test_a_player_took_part_by_acting_in_half_of_their_turns(rig, quests, turns, own, left, took_part):
    ann, bob = rig.player(), rig.player()
    fresh = rewards(rig, ann)
    rows = rig.settle(
        rig.table_of(ann, bob),
        [1, 2, 3, 4],
        left=[left, False, False, False],
        turns=[turns, 9, 9, 9],
        own_turns=[own, 9, 0, 0],
    )
    game = of_game(rig, rows[0]["game_id"], ann)
    assert (game["took_part"], game["turns"], game["own_turns"], game["place"], game["won"]) == (
        took_part,
        turns,
        own,
        1,
        True,
    )
    assert (game["game_points"] > 0) == (game["clover"] > 0) == rows[0]["rated"] == took_part
    if took_part:
        assert all(rewards(rig, ann)[name] != fresh[name] for name in fresh), rewards(rig, ann)
    else:
        assert rewards(rig, ann) == fresh and news(rig, ann) == []
        assert rig.purse(ann)[0] == 100, "the stake is back, and the house pays no reward"
    assert rig.one("SELECT games FROM player_stats WHERE player_id = %s", ann) == 1
    assert rows[1]["rated"] and rewards(rig, bob)["ratings"] != []
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []


def test_a_game_in_which_no_player_took_part_is_not_rated(rig, quests):
    players = [rig.player() for _ in range(4)]
    fresh = [rewards(rig, player) for player in players]
    for left, turns, own in (
        ([True] * 4, [0] * 4, [0] * 4),
        ([False] * 4, [0] * 4, [0] * 4),
        ([True, True, False, False], [7] * 4, [7, 7, 3, 0]),
    ):
        rows = rig.settle(rig.table_of(*players), [1, 2, 3, 4], left=left, turns=turns, own_turns=own)
        assert not any(row["rated"] for row in rows)
        assert not rig.one("SELECT rated FROM games WHERE id = %s", rows[0]["game_id"])
        assert [rewards(rig, player) for player in players] == fresh
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []


def test_a_passive_winner_gets_the_pot_and_no_other_rewards(rig, quests):
    ann, bob = rig.player(), rig.player()
    table = rig.open_table(ann, "straight", stake=10)["table_id"]
    assert rig.join(bob, table)["code"] == "ok" and rig.start(table)["code"] == "ok"
    fresh = rewards(rig, ann)
    rig.settle(table, [1, 2], left=[False, True], turns=[4, 4], own_turns=[0, 0])
    assert (rig.purse(ann), rig.purse(bob)) == ((100, 0), (90, 0)), "10 above the cap are lost"
    assert rewards(rig, ann) == fresh
    assert rig.proof() == []


def test_a_passive_loss_lowers_an_existing_rating_and_creates_none(rig, quests):
    ann, bob = rig.player(), rig.player()
    play = lambda **seats: rig.settle(rig.table_of(ann, bob), [1, 2, 3, 4], turns=[8] * 4, **seats)
    play(own_turns=[0, 8, 0, 0])
    assert rewards(rig, ann)["ratings"] == []
    play(own_turns=[8, 8, 0, 0])
    before = rewards(rig, ann)
    rating = rig.one("SELECT rating FROM ratings WHERE player_id = %s AND period = 'all'", ann)
    assert [row[1:] for row in before["ratings"]] == [[1, 100, 0]] * 2 and before["league"] == [
        [1, 1, 100, 0]
    ]
    assert dict(map(tuple, before["counters"]))["wins_in_row"] == 1
    play(own_turns=[8, 8, 0, 0], left=[True, False, False, False])
    after = rewards(rig, ann)
    assert [row[1:] for row in after["ratings"]] == [[1, 100, 1]] * 2 and after["league"] == [[1, 1, 100, 1]]
    assert rig.one("SELECT rating FROM ratings WHERE player_id = %s AND period = 'all'", ann) == rating // 2
    assert rig.one("SELECT rating FROM league_rows WHERE player_id = %s", ann) == rating // 2
    assert "wins_in_row" not in dict(map(tuple, after["counters"])), "their winning streak is over"
    assert rig.one("SELECT streak FROM player_stats WHERE player_id = %s", ann) == 0
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []


def test_the_required_participation_is_a_setting(rig, quests):
    rig.rows("UPDATE settings SET value = '80' WHERE name = 'took_part_percent'")
    ann, bob = rig.player(), rig.player()
    rows = rig.settle(rig.table_of(ann, bob), [1, 2, 3, 4], turns=[10] * 4, own_turns=[7, 8, 0, 0])
    assert [row["rated"] for row in rows[:2]] == [False, True]


def test_games_with_the_same_players_count_up_to_a_daily_limit(rig, quests):
    rig.rows("UPDATE settings SET value = '3' WHERE name = 'same_players_games_per_day'")
    ann, bob, eve = (rig.player(gold=1000) for _ in range(3))

    def play(*players):
        rows = rig.settle(rig.table_of(*players), [1, 2, 3, 4], turns=[8] * 4, own_turns=[8, 8, 8, 8])
        return {row["player_id"]: row["rated"] for row in rows if row["player_id"]}

    for _ in range(3):
        assert play(ann, bob) == {ann: True, bob: True}
    before = rewards(rig, ann) | {"gold": None, "wins": None}  # chips and their statistics still change
    assert play(ann, bob) == {ann: False, bob: False}
    assert play(bob, ann) == {ann: False, bob: False}
    assert rewards(rig, ann) | {"gold": None, "wins": None} == before
    assert play(ann, bob, eve) == {ann: True, bob: True, eve: True}, "another player joined"
    assert [play(ann, bob, eve) for _ in range(3)][-1] == {ann: False, bob: False, eve: False}
    rig.rows("UPDATE meetings SET day = day - 1")
    assert play(ann, bob) == {ann: True, bob: True}, "another day"
    assert rig.proof() == [] and rig.rows("SELECT * FROM q_ratings_check()") == []


def test_meetings_of_past_days_are_purged(rig):
    ann, bob = rig.player(), rig.player()
    rig.settle(rig.table_of(ann, bob), [1, 2, 3, 4])
    rig.rows("SELECT do_purge(100)")
    assert rig.one("SELECT games FROM meetings") == 1
    rig.rows("UPDATE meetings SET day = day - 3")
    rig.rows("SELECT do_purge(100)")
    assert rig.rows("SELECT * FROM meetings") == []
