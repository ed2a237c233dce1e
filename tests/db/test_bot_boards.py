"""Leaderboards of bot accounts: where bots sit, which games count for them, and that none of these games
counts for human players."""

import itertools
import json

import psycopg2
import pytest


def owner(rig):
    """A player who may own bots."""
    player = rig.player()
    rig.rows("UPDATE players SET kind = 'registered', email_verified_at = now() WHERE id = %s", player)
    return player


def bot_of(rig, owner):
    bot = rig.one("SELECT do_create_player('bot', %s, '')", f"Bot{next(rig.numbers)}")
    rig.rows("INSERT INTO bot_accounts (player_id, owner_id) VALUES (%s, %s)", bot, owner)
    return bot


def play(rig, *players, winner=0, seats=None, start_bots=0, **table):
    """Plays a game of straight rummy between these, at a table that the first opens; returns its row of
    `games`."""
    seats = seats or len(players)
    opened = rig.open_table(players[0], "straight", seats, bots=start_bots, **{"bot_accounts": True, **table})
    assert opened["code"] == "ok", opened
    code = rig.one("SELECT code FROM tables WHERE id = %s", opened["table_id"])
    for player in players[1:]:
        assert rig.join(player, opened["table_id"], code=code)["code"] == "ok"
    assert rig.start(opened["table_id"])["code"] == "ok"
    others = itertools.count(2)
    rows = rig.settle(opened["table_id"], [1 if seat == winner else next(others) for seat in range(seats)])
    assert rows[0]["code"] == "ok"
    return rig.row("SELECT * FROM games WHERE id = %s", rows[0]["game_id"])


def on(rig, board, period="all"):
    head, *lines = rig.rows(
        "SELECT * FROM q_board(0, 'straight', %s, %s, NULL, NULL, NULL, 100)", board, period
    )
    assert head["code"] == "ok"
    return [
        (int(item["player_id"]), item["value"], item["games"])
        for item in (json.loads(line["body"]) for line in lines)
    ]


def test_bot_accounts_can_sit_only_where_the_table_admits_them(shared):
    ann = owner(shared)
    bot = bot_of(shared, ann)
    for admits, visibility, may in [
        (None, "private", True),
        (False, "private", False),
        (True, "private", True),
        (None, "public", False),
        (False, "public", False),
        (True, "public", True),
    ]:
        table = shared.open_table(ann, visibility=visibility, bot_accounts=admits)
        code = shared.one("SELECT code FROM tables WHERE id = %s", table["table_id"])
        if may:
            assert shared.join(bot, table["table_id"], code=code)["code"] == "ok"
        else:
            with pytest.raises(psycopg2.Error) as refused:
                shared.join(bot, table["table_id"], code=code)
            assert refused.value.pgcode == "RU005"
        shared.cancel(table["table_id"])


def test_tables_that_admit_bot_accounts_have_no_stakes(shared):
    ann = shared.player(silver=100)
    assert shared.open_table(ann, stake=10, bot_accounts=True)["code"] == "stake_bots"
    assert shared.open_table(ann, "points", point_value=1, bot_accounts=True)["code"] == "stake_bots"
    assert shared.open_table(ann, stake=10, bot_accounts=False)["code"] == "ok"
    for wrong in (
        "UPDATE rooms SET bot_accounts = true WHERE id = 'desert'",
        "UPDATE tables SET bot_accounts = true WHERE stake > 0",
    ):
        with pytest.raises(psycopg2.errors.CheckViolation):
            shared.rows(wrong)


def test_games_between_bots_of_two_owners_count_only_for_the_bots(rig):
    ann, bob = owner(rig), owner(rig)
    bots = bot_of(rig, ann), bot_of(rig, bob)
    for n in range(20):
        game = play(rig, *bots, winner=0 if n < 15 else 1)
        assert (game["bots_rated"], game["rated"], game["practice"]) == (True, False, True)
    # 15 first places of 80 points and 5 second ones of 35, of at most 100 per game: 6875; with first and
    # second places swapped 4625.
    month = rig.one("SELECT to_char(local_day(now()), 'YYYY-MM')")
    for period in ("all", "month", month):
        assert on(rig, "bot_rating", period) == [(bots[0], 6875, 20), (bots[1], 4625, 20)]
        assert on(rig, "bot_wins", period) == [(bots[0], 15, 20), (bots[1], 5, 20)]
    for board in ("rating", "clover", "wins", "rummies"):
        assert on(rig, board) == []
    assert rig.rows("SELECT * FROM q_ratings_check()") == []
    for of_people in (
        "player_stats",
        "player_counters",
        "player_achievements",
        "league_games",
        "solo_games",
        "notifications",
    ):
        assert rig.one(f"SELECT count(*) FROM {of_people} WHERE player_id = ANY (%s)", list(bots)) == 0
    rig.rows("UPDATE ratings SET bot = false WHERE player_id = %s AND period = 'all'", bots[0])
    assert {row["problem"] for row in rig.rows("SELECT * FROM q_ratings_check()")} >= {"rating_differs"}


def test_a_human_player_at_a_bot_table_gains_and_loses_nothing(rig):
    ann, bob = owner(rig), owner(rig)
    bot = bot_of(rig, ann)
    play(rig, bob, bot, winner=0)
    before = rig.row("SELECT clover_points, level FROM players WHERE id = %s", bob), rig.purse(bob)
    game = play(rig, bob, bot, winner=0)
    assert (game["bots_rated"], game["rated"]) == (True, False)
    assert on(rig, "bot_wins") == []  # the bot lost both
    game = play(rig, bob, bot, winner=1)
    assert on(rig, "bot_wins") == [(bot, 1, 3)]
    assert (rig.row("SELECT clover_points, level FROM players WHERE id = %s", bob), rig.purse(bob)) == before
    assert rig.one("SELECT count(*) FROM ratings WHERE player_id = %s", bob) == 0
    assert rig.one("SELECT count(*) FROM player_stats WHERE player_id = %s", bob) == 0
    assert rig.rows("SELECT * FROM q_ratings_check()") == []


def test_only_games_between_bots_of_two_owners_are_rated(rig):
    ann, bob, guest = owner(rig), owner(rig), rig.player()
    unproved = rig.player()
    rig.rows("UPDATE players SET kind = 'registered' WHERE id = %s", unproved)
    a1, a2, b1 = bot_of(rig, ann), bot_of(rig, ann), bot_of(rig, bob)
    for case in [
        {"players": (a1, a2)},  # of one owner
        {"players": (ann, a1)},  # bot with its owner
        {"players": (guest, a1)},
        {"players": (unproved, a1)},  # an unconfirmed player, who could be anyone
        {"players": (a1, b1, guest)},
        {"players": (a1, a2, b1)},
        {"players": (a1, b1), "visibility": "private"},
        {"players": (a1, b1), "seats": 3, "start_bots": 1},  # with a bot of the server
        {"players": (ann, bob)},
    ]:  # no bot at all
        players = case.pop("players")
        assert play(rig, *players, **case)["bots_rated"] is False, case
    assert rig.one("SELECT count(*) FROM ratings") == 0
    assert play(rig, a1, b1)["bots_rated"] is True


def test_a_room_admits_bots_and_its_games_are_practice(rig):
    ann, bob = owner(rig), owner(rig)
    bots = bot_of(rig, ann), bot_of(rig, bob)
    rig.rows("UPDATE rooms SET stake = 0, reward = 0, seats_n = 2, variant = 'straight' WHERE id = 'desert'")
    waiting = rig.sit(ann)["table_id"]
    rig.rows("UPDATE rooms SET bot_accounts = true WHERE id = 'desert'")
    seats = [rig.sit(bot) for bot in bots]
    # a table opened without bots never admits them
    assert seats[0]["table_id"] == seats[1]["table_id"] != waiting
    assert rig.row("SELECT practice, bot_accounts FROM tables WHERE id = %s", seats[0]["table_id"]) == [
        True,
        True,
    ]
    assert rig.start(seats[0]["table_id"])["code"] == "ok"
    assert rig.settle(seats[0]["table_id"], [1, 2])[0]["code"] == "ok"
    assert on(rig, "bot_wins") == [(bots[0], 1, 1)]
    again = rig.rematch(bots[1], seats[0]["table_id"])
    assert again["code"] == "ok"
    assert rig.row("SELECT practice, bot_accounts FROM tables WHERE id = %s", again["table_id"]) == [
        True,
        True,
    ]


def test_a_retired_bot_leaves_its_boards(shared):
    ann, bob = owner(shared), owner(shared)
    bots = bot_of(shared, ann), bot_of(shared, bob)
    play(shared, *bots)
    assert [player for player, _, _ in on(shared, "bot_wins")] == [bots[0]]
    shared.rows("SELECT bot_retire(%s)", bots[0])
    shared.rows("SELECT erase_player(%s)", bots[0])
    assert on(shared, "bot_wins") == []
    assert shared.rows("SELECT * FROM q_ratings_check()") == []


def test_bots_win_no_prizes(shared):
    with pytest.raises(psycopg2.errors.CheckViolation):
        shared.rows("INSERT INTO month_prizes VALUES ('straight', 'bot_wins', 1, 10)")
